import { Engine, Film, Picture, Program, Run, Timeline, version } from "./ndscript.js";

/** Makes the engine ready, once; everything else works only after that. Without a source it is read from beside this file. */
export function load(source?: Uint8Array | ArrayBuffer | WebAssembly.Module | URL | string | Response): Promise<{
    Engine: typeof Engine, Film: typeof Film, Picture: typeof Picture, Program: typeof Program, Run: typeof Run, Timeline: typeof Timeline, version: typeof version,
}>;

export { Engine, Film, Picture, Program, Run, Timeline, version };
export type {
    Completions, Diagnostic, Doc, Found, GridShown, LineAt, Limits, Outcome, Output, Parameter, Parameters, Place, ReasonLink, Reasons, Scene, Statistics,
    TreeColumns, TreeNode, Value, Variable, When,
} from "./ndscript.js";
