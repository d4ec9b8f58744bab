import { Engine, Film, Picture, Program, Run, Timeline, version } from "./ndscript.js";

/** Where a file of the engine comes from. */
export type Source = Uint8Array<ArrayBuffer> | ArrayBuffer | WebAssembly.Module | URL | string | Response;

/** What the engine consists of. */
export interface Loaded {
    Engine: typeof Engine, Film: typeof Film, Picture: typeof Picture, Program: typeof Program, Run: typeof Run, Timeline: typeof Timeline, version: typeof version,
}

/** Makes the engine ready, once; everything else works only after that. Its two files are `ndscript_bg.wasm` and
 * `ndscript_rest.wasm`; without sources they are read from beside this file. */
export function load(first?: Source, rest?: Source): Promise<Loaded>;

/** Makes the engine ready with its first file alone, which has what programs commonly need. What is not in it fails with a
 * `WebAssembly.RuntimeError` until `complete` is done, and leaves an engine behind that must not be used any more. */
export function begin(first?: Source): Promise<Loaded>;

/** Adds the second file to an engine that has begun. */
export function complete(rest?: Source): Promise<Loaded>;

export { Engine, Film, Picture, Program, Run, Timeline, version };
export type {
    Completions, Diagnostic, Doc, Found, GridShown, LineAt, Limits, Misplaced, Outcome, Output, Parameter, Parameters, Place, ReasonLink, Reasons, Scene, Statistics,
    TreeColumns, TreeNode, Value, Variable, When,
} from "./ndscript.js";
