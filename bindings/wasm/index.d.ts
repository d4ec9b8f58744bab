import { Engine, Explanation, Film, Picture, Program, Run, Solving, Timeline, version } from "./ndscript.js";

/** Where the file of the engine comes from. */
export type Source = Uint8Array<ArrayBuffer> | ArrayBuffer | WebAssembly.Module | URL | string | Response;

/** What the engine consists of. */
export interface Loaded {
    Engine: typeof Engine, Explanation: typeof Explanation, Film: typeof Film, Picture: typeof Picture, Program: typeof Program, Run: typeof Run, Solving: typeof Solving, Timeline: typeof Timeline, version: typeof version,
}

/** Makes the engine ready, once; everything else works only after that. Its file is `ndscript_bg.wasm`; without a source it
 * is read from beside this file. */
export function load(source?: Source): Promise<Loaded>;

export { Engine, Explanation, Film, Picture, Program, Run, Solving, Timeline, version };
export type {
    Completions, Diagnostic, Doc, Found, GridShown, LineAt, Limits, Misplaced, Outcome, Output, Parameter, Parameters, Place, Puzzle, PuzzleStep, ReasonLink, Reasons, Scene, Statistics,
    TreeColumns, TreeNode, Value, Variable, When,
} from "./ndscript.js";
