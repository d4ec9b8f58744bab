// How the worker starts where all is in one file: from what lies in the page, compressed.
import StudioWorker from "./worker.ts?worker&inline";
import type { Gallery } from "../writing/gallery";
import type { Started } from "./client";

function unpacked(id: string): ReadableStream<Uint8Array<ArrayBuffer>> {
    const text = document.getElementById(id)?.textContent ?? "";
    const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
    return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
}

const engine = WebAssembly.compileStreaming(new Response(unpacked("packed-engine"), { headers: { "content-type": "application/wasm" } }));
// Who waits for it hears what went wrong.
engine.catch(() => {});

export async function startWorker(): Promise<Started> {
    const worker = new StudioWorker();
    return { worker, engine: await engine };
}

export async function loadGallery(): Promise<Gallery> {
    return new Response(unpacked("packed-gallery")).json();
}
