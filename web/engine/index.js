// The engine for browsers and Node: `const { Engine } = await load()`.
import {
    Engine as MadeEngine, Film as MadeFilm, Picture as MadePicture, Program as MadeProgram, Run as MadeRun, Timeline as MadeTimeline, initSync, version,
} from "./ndscript.js";
import { guarded } from "./guard.js";
import { SIGNATURES } from "./signatures.js";
import { fill } from "./tables.js";

const made = { Engine: MadeEngine, Film: MadeFilm, Picture: MadePicture, Program: MadeProgram, Run: MadeRun, Timeline: MadeTimeline };
const [Engine, Film, Picture, Program, Run, Timeline] = Object.entries(made).map(([name, one]) => guarded(name, one, SIGNATURES[name]));

let exports;
let loading;
let completing;

/** Makes the engine ready, once. Without sources its two files are read from beside this one. */
export function load(first, rest) {
    loading ??= loaded(first, rest);
    return loading;
}

async function loaded(first, rest) {
    const [begun, more] = await Promise.all([moduleOf(first, FIRST), moduleOf(rest, REST)]);
    await begin(begun);
    return complete(more);
}

/** Makes the engine ready with its first file alone. What is missing of it fails, so `complete` has to follow. */
export async function begin(first) {
    const module = await moduleOf(first, FIRST);
    if (!exports) {
        exports = initSync({ module });
        fill(exports);
    }
    return engine;
}

/** Adds the second file to what has begun. */
export function complete(rest) {
    completing ??= completed(rest);
    return completing;
}

async function completed(rest) {
    const module = await moduleOf(rest, REST);
    // It puts its functions into the slots of the table that the first file has left empty for them.
    new WebAssembly.Instance(module, { "": exports });
    return engine;
}

const engine = { Engine, Film, Picture, Program, Run, Timeline, version };
const FIRST = () => new URL("./ndscript_bg.wasm", import.meta.url);
const REST = () => new URL("./ndscript_rest.wasm", import.meta.url);

async function moduleOf(source, usual) {
    const from = source ?? usual();
    if (from instanceof WebAssembly.Module) return from;
    if (from instanceof Uint8Array || from instanceof ArrayBuffer) return WebAssembly.compile(from);
    if (source === undefined && globalThis.process?.versions?.node) {
        // The name is put together so that no bundler for browsers looks for it.
        const { readFile } = await import(/* @vite-ignore */ "node:" + "fs/promises");
        return WebAssembly.compile(await readFile(from));
    }
    const response = from instanceof Response ? from : await fetch(from);
    if (!response.ok) throw new Error(`the engine could not be loaded: ${response.url} answers ${response.status}`);
    // Some servers do not know what it is.
    const isKnown = response.headers.get("content-type")?.startsWith("application/wasm");
    return isKnown ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

export { Engine, Film, Picture, Program, Run, Timeline, version };
