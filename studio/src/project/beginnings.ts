// Programs that a person begins with.
import type { Project } from "../worker/protocol";
import FIRST_TEXT from "../first.nds?raw";

/** What a person sees who comes for the first time. */
export const FIRST: Project = beginner();

/** A copy of it, which is theirs. */
export function beginner(): Project {
    return { main: "map.nds", files: [{ path: "map.nds", text: FIRST_TEXT }], seed: 1, parameters: {} };
}

export function empty(): Project {
    return { main: "program.nds", files: [{ path: "program.nds", text: "" }], seed: 1, parameters: {} };
}
