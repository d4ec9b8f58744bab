// The functions of a program whose names begin with `test`, each called when the program has come to its first solution.
import type { Engine } from "ndscript";
import type { Parameters, Tested } from "./protocol";
import { begin } from "./begin";
import { breathe, Fuel } from "./slices";

/** A test that goes on for so long has not passed. */
const TEST_MILLISECONDS = 2000;

/** Calls each test of a program that stands in the engine under the name `main`. What it does is undone, and what it guesses is its own. */
export async function tested(engine: Engine, main: string, text: string, seed: number, parameters: Parameters, stop: AbortSignal): Promise<Tested[]> {
    const names = [...text.matchAll(/^function (test\w*)\s*\(\s*\)/gm)].map(([, name]) => name!);
    const found: Tested[] = [];
    for (const name of names) {
        if (stop.aborted) return [];
        const problem = await called(engine, main, text, name, seed, parameters, stop);
        found.push({ name, problem });
    }
    return found;
}

async function called(engine: Engine, main: string, text: string, name: string, seed: number, parameters: Parameters, stop: AbortSignal): Promise<string | undefined> {
    const result = `resultOf_${name}`;
    const program = engine.compile(main, `${text}
var ${result} = solutions(${name}, 1);
if (isEmpty(${result})) error("it fails");
if (${result}[0] == false) error("it gives false");`);
    const run = begin(program, seed, parameters);
    const fuel = new Fuel();
    const begun = performance.now();
    try {
        while (!stop.aborted && performance.now() - begun < TEST_MILLISECONDS) {
            const outcome = fuel.spend((steps) => run.resume(steps));
            if (outcome.kind === "solved") return undefined;
            if (outcome.kind === "error") return outcome.diagnostic.message;
            if (outcome.kind === "failed" || outcome.kind === "limit") return outcome.message ?? "there is no solution";
            if (outcome.kind === "asked") return "the program asks before it comes to it";
            await breathe();
        }
        return "it takes too long";
    } finally {
        run.free();
        program.free();
    }
}
