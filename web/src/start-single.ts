// How the worker starts where all is in one file: from what lies in the page, compressed.
import StudioWorker from "./worker/worker.ts?worker&inline";
import type { Gallery } from "./gallery";
import type { Started } from "./client";

function unpacked(id: string): ReadableStream<Uint8Array<ArrayBuffer>> {
    const text = document.getElementById(id)?.textContent ?? "";
    const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
    return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
}

const first = compiled("packed-engine");
const rest = first.then(() => compiled("packed-rest"));
// Who waits for them hears what went wrong.
first.catch(() => {});
rest.catch(() => {});

function compiled(id: string): Promise<WebAssembly.Module> {
    return WebAssembly.compileStreaming(new Response(unpacked(id), { headers: { "content-type": "application/wasm" } }));
}

export async function startWorker(): Promise<Started> {
    const worker = new StudioWorker();
    return { worker, first: await first, rest };
}

export async function loadGallery(): Promise<Gallery> {
    return new Response(unpacked("packed-gallery")).json();
}
