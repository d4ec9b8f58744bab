// The engine for browsers and Node: `const { Engine } = await load()`.
import init, { Engine, Film, Picture, Program, Run, Timeline, initSync, version } from "./ndscript.js";

let loading;

/** Makes the engine ready, once. Without a source it is read from beside this file. */
export function load(source) {
    loading ??= start(source);
    return loading;
}

async function start(source) {
    if (source instanceof Uint8Array || source instanceof ArrayBuffer || source instanceof WebAssembly.Module) {
        initSync({ module: source });
    } else if (source === undefined && globalThis.process?.versions?.node) {
        // The name is put together so that no bundler for browsers looks for it.
        const { readFile } = await import(/* @vite-ignore */ "node:" + "fs/promises");
        initSync({ module: await readFile(new URL("./ndscript_bg.wasm", import.meta.url)) });
    } else {
        await init(source === undefined ? undefined : { module_or_path: source });
    }
    return { Engine, Film, Picture, Program, Run, Timeline, version };
}

export { Engine, Film, Picture, Program, Run, Timeline, version };
