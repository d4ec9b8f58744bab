// A program that runs once more, watched: for a film of it, or to say why it fails.
import type { Outcome } from "ndscript";
import type { Answer } from "./search";
import { breathe, Fuel } from "./slices";

/** What watches a run in the engine. */
export interface Watcher {
    record(fuel: number): Outcome,
    answer(option: number): boolean,
    answerText(line: string): boolean,
}

/** Runs up to the next solution, question or end with these answers given, or for so long; false if it is told to stop. */
export async function watched(watcher: Watcher, answers: readonly Answer[], milliseconds: number, stop: AbortSignal): Promise<boolean> {
    const left = [...answers];
    const fuel = new Fuel();
    const start = performance.now();
    while (performance.now() - start < milliseconds) {
        const outcome = fuel.spend((steps) => watcher.record(steps));
        if (outcome.kind === "asked" && left.length > 0) {
            const answer = left.shift()!;
            if ("line" in answer) watcher.answerText(answer.line);
            else watcher.answer(answer.option);
        } else if (outcome.kind !== "outOfFuel") {
            break;
        }
        await breathe();
        if (stop.aborted) return false;
    }
    return true;
}
