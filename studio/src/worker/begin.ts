// The beginning of a run.
import type { Program, Run } from "ndscript";
import type { Parameters } from "./protocol";

/** A run of the program. What was set for parameters that its text no longer has is kept for when they come back, and left out here. */
export function begin(program: Program, seed: number, parameters: Parameters): Run {
    const known = program.parameters();
    if (!known) return program.run(seed, parameters);
    const given = known.filter(({ name }) => Object.hasOwn(parameters, name)).map(({ name }) => [name, parameters[name]!]);
    return program.run(seed, Object.fromEntries(given));
}
