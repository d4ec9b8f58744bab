// How the worker starts on a site: from files beside the page.
import wasmUrl from "../engine/dist/ndscript_bg.wasm?url";
import galleryUrl from "../build/gallery.json?url";
import type { Gallery } from "./gallery";

export async function startWorker(): Promise<{ worker: Worker, wasm: string | ArrayBuffer }> {
    const worker = new Worker(new URL("./worker/worker.ts", import.meta.url), { type: "module" });
    return { worker, wasm: new URL(wasmUrl, location.href).href };
}

export async function loadGallery(): Promise<Gallery> {
    return (await fetch(galleryUrl)).json();
}
