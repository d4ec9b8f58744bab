// Why a search fails, in sentences.
import type { Program } from "ndscript";
import type { Parameters } from "./protocol";
import type { Answer } from "./search";
import { begin } from "./begin";
import { watched } from "./watched";

/** A search is watched for so long, unless it ends before. */
const EXPLAIN_MILLISECONDS = 5000;

/** What failed most often, and what to try; nothing if that is not known, or not wanted any more. */
export async function explained(program: Program, seed: number, parameters: Parameters, answers: readonly Answer[], stop: AbortSignal): Promise<string[]> {
    const run = begin(program, seed, parameters);
    const explanation = run.explain();
    run.free();
    try {
        return await watched(explanation, answers, EXPLAIN_MILLISECONDS, stop) ? explanation.sentences() : [];
    } finally {
        explanation.free();
    }
}
