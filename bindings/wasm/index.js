// The engine for browsers and Node: `const { Engine } = await load()`.
import {
    Engine as MadeEngine, Explanation as MadeExplanation, Film as MadeFilm, Picture as MadePicture, Program as MadeProgram, Run as MadeRun, Solving as MadeSolving, Timeline as MadeTimeline, initSync, version,
} from "./ndscript.js";
import { guarded } from "./guard.js";
import { SIGNATURES } from "./signatures.js";

const made = { Engine: MadeEngine, Explanation: MadeExplanation, Film: MadeFilm, Picture: MadePicture, Program: MadeProgram, Run: MadeRun, Solving: MadeSolving, Timeline: MadeTimeline };
const [Engine, Explanation, Film, Picture, Program, Run, Solving, Timeline] = Object.entries(made).map(([name, one]) => guarded(name, one, SIGNATURES[name]));
const engine = { Engine, Explanation, Film, Picture, Program, Run, Solving, Timeline, version };

let loading;

/** Makes the engine ready, once. Without a source it is read from beside this file. */
export function load(source) {
    loading ??= moduleOf(source).then((module) => {
        initSync({ module });
        return engine;
    });
    return loading;
}

async function moduleOf(source) {
    const from = source ?? new URL("./ndscript_bg.wasm", import.meta.url);
    if (from instanceof WebAssembly.Module) return from;
    if (from instanceof Uint8Array || from instanceof ArrayBuffer) return WebAssembly.compile(from);
    if (source === undefined && globalThis.process?.versions?.node) {
        // The name is put together so that no bundler for browsers looks for it.
        const { readFile } = await import(/* @vite-ignore */ "node:" + "fs/promises");
        return WebAssembly.compile(await readFile(from));
    }
    const response = from instanceof Response ? from : await fetch(from);
    if (!response.ok) throw new Error(`the engine could not be loaded: ${response.url} answers ${response.status}`);
    // Some servers do not know the type of the file, and the browser compiles while it loads only with the right one.
    const isKnown = response.headers.get("content-type")?.startsWith("application/wasm");
    return isKnown ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

export { Engine, Explanation, Film, Picture, Program, Run, Solving, Timeline, version };
