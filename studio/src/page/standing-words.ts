// How a run stands, as a person reads it.
import { count } from "./dom";
import type { Figures, Standing } from "../worker/protocol";
import { ended, plain } from "./wording";

/** In which color something is said. */
export type Tone = "" | "good" | "problem";

export const TONES: Partial<Record<Standing["status"], Tone>> = { solved: "good", error: "problem", limit: "problem", broken: "problem" };

/** What else is known of the run: whether it has asked, whether it makes a puzzle that a person solves here, and whether anything stands on the stage. */
export interface Beside { isGame: boolean, isToBeSolved: boolean, hasPrinted: boolean }

export function standingWords(standing: Standing, figures: Figures, { isGame, isToBeSolved, hasPrinted }: Beside): string {
    const did = `${count(figures.steps, "step")}, ${count(figures.failures, "failure")}`;
    switch (standing.status) {
        case "running": return `Searching: ${did}`;
        case "stopped": return standing.budget !== undefined
            ? `Stopped after ${did}: what runs by itself runs for ${standing.budget / 1000} seconds. Press Continue to go on.`
            : `Stopped after ${did}.${hasPrinted ? " What was printed so far is unfinished." : ""}`;
        case "solved": return isGame ? "The end." : isToBeSolved ? "The puzzle is yours to solve." : `Solution ${standing.solution} after ${did}.`;
        case "asked": return "The program asks.";
        case "failed": {
            const why = standing.message ? ` The last failure said: ${standing.message}` : "";
            return standing.solutions > 0 ? `No more solutions after ${did}.` : `No solution after ${did}.${why}`;
        }
        // What is wrong stands below the program, with its line.
        case "error": return standing.diagnostic.place ? `It stopped at a mistake in line ${standing.diagnostic.place.line}.` : `It stopped: ${ended(plain(standing.diagnostic.message))}`;
        case "limit": return `Stopped: ${ended(plain(standing.message))}`;
        case "broken": return `The engine broke down (${standing.message}) and was started again. Please tell us of it.`;
    }
}
