// What a person has done in a run, kept in the browser beside their work, so that it is there again when they come back to the same run:
// what they have placed in its grids, and what they have answered.
import type { Pick, Project, When } from "../worker/protocol";
import { Latest, shortName } from "./latest";
import { toBase64 } from "./share";

/** What was placed, in order, from a moment of a run on. */
export interface Placed { when: When, picks: Pick[] }

const isPick = (pick: Pick) => typeof pick?.grid === "string" && typeof pick.value === "string" && Number.isInteger(pick.x) && Number.isInteger(pick.y);
const placed = new Latest<Placed>("ndscript-studio:placed", ({ when, picks }) => Number.isFinite(when?.step) && Number.isFinite(when.inside) && Array.isArray(picks) && picks.every(isPick));
const answered = new Latest<{ answers: readonly string[] }>("ndscript-studio:answered", ({ answers }) => Array.isArray(answers) && answers.every((answer) => typeof answer === "string"));

/** A name for a run: the same program with the same files, seed, parameters and answers has the same. */
export function nameOfRun({ main, files, seed, parameters }: Project, answers: readonly string[]): string {
    const contents = files.map((file) => [file.path, "text" in file ? file.text : toBase64(file.bytes)]);
    const named = Object.entries(parameters).sort(([a], [b]) => a < b ? -1 : 1);
    return shortName(JSON.stringify([main, contents, seed, named, answers]));
}

export const placedIn = (run: string): Placed | undefined => placed.of(run);

/** Keeps what is placed now; false if there is no room for it, or it is forbidden. */
export const keepPlaced = (run: string, { when, picks }: Placed): boolean => placed.keep(run, picks.length > 0 ? { when, picks } : undefined);

/** What was answered in a run of the project. */
export const answersIn = (project: Project): readonly string[] => answered.of(nameOfRun(project, []))?.answers ?? [];

/** Keeps what was answered up to now; false if there is no room for it, or it is forbidden. */
export const keepAnswers = (project: Project, answers: readonly string[]): boolean => answered.keep(nameOfRun(project, []), answers.length > 0 ? { answers } : undefined);
