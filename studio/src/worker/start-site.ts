// How the worker starts on a site: from files beside the page. The page asks for it in its head, so that it comes early.
import engineUrl from "ndscript/ndscript_bg.wasm?url";
import galleryUrl from "../../build/gallery.json?url";
import type { Gallery } from "../writing/gallery";
import type { Started } from "./client";

/** Compiled while it comes, and while the page and the worker start. */
const engine = compiled(fetch(new URL(engineUrl, location.href)));
// Who waits for it hears what went wrong.
engine.catch(() => {});

async function compiled(coming: Promise<Response>): Promise<WebAssembly.Module> {
    const response = await answered(coming, "the engine");
    // Some servers do not know what it is.
    const isKnown = response.headers.get("content-type")?.startsWith("application/wasm");
    return isKnown ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** What a browser says where nothing comes is no help, so it is said here. */
async function answered(coming: Promise<Response>, what: string): Promise<Response> {
    const response = await coming.catch(() => undefined);
    if (response?.ok) return response;
    const why = response ? `the place answers ${response.status}` : "there is no answer";
    throw new Error(`${what} could not be loaded: ${why}. Load the page again to try once more`);
}

export async function startWorker(): Promise<Started> {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    return { worker, engine: await engine };
}

export async function loadGallery(): Promise<Gallery> {
    return (await answered(fetch(galleryUrl), "the gallery")).json();
}
