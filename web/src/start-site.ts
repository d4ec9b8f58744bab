// How the worker starts on a site: from files beside the page. The page asks for it in its head, so that it comes early.
import wasmUrl from "../engine/dist/ndscript_bg.wasm?url";
import galleryUrl from "../build/gallery.json?url";
import type { Gallery } from "./gallery";

/** Compiled while it comes, and while the page and the worker start. */
const engine = compiled(fetch(new URL(wasmUrl, location.href)));
// Who waits for it hears what went wrong.
engine.catch(() => {});

async function compiled(coming: Promise<Response>): Promise<WebAssembly.Module> {
    const response = await coming;
    if (!response.ok) throw new Error(`the engine could not be loaded: the place answers ${response.status}`);
    // Some servers do not know what it is.
    const isKnown = response.headers.get("content-type")?.startsWith("application/wasm");
    return isKnown ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

export async function startWorker(): Promise<{ worker: Worker, wasm: WebAssembly.Module }> {
    const worker = new Worker(new URL("./worker/worker.ts", import.meta.url), { type: "module" });
    return { worker, wasm: await engine };
}

export async function loadGallery(): Promise<Gallery> {
    return (await fetch(galleryUrl)).json();
}
