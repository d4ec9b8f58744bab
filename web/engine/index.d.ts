import { Engine, Picture, Program, Run, version } from "./ndscript.js";

/** Makes the engine ready, once; everything else works only after that. Without a source it is read from beside this file. */
export function load(source?: Uint8Array | ArrayBuffer | WebAssembly.Module | URL | string | Response): Promise<{
    Engine: typeof Engine, Picture: typeof Picture, Program: typeof Program, Run: typeof Run, version: typeof version,
}>;

export { Engine, Picture, Program, Run, version };
export type {
    Completions, Diagnostic, Doc, Limits, Outcome, Output, Parameter, Parameters, Place, Statistics, Value,
} from "./ndscript.js";
