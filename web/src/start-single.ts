// How the worker starts where all is in one file: from what lies in the page, compressed.
import StudioWorker from "./worker/worker.ts?worker&inline";
import type { Gallery } from "./gallery";

async function unpacked(id: string): Promise<ArrayBuffer> {
    const text = document.getElementById(id)?.textContent ?? "";
    const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}

export async function startWorker(): Promise<{ worker: Worker, wasm: string | ArrayBuffer }> {
    const wasm = await unpacked("packed-engine");
    return { worker: new StudioWorker(), wasm };
}

export async function loadGallery(): Promise<Gallery> {
    return JSON.parse(new TextDecoder().decode(await unpacked("packed-gallery")));
}
