// What a person has marked in a puzzle, and the hints that they have taken, kept in the browser beside their work, so that they go on with
// the same puzzle, whichever run has made it.
import type { Puzzle } from "../worker/protocol";
import { Latest, shortName } from "./latest";

/** How many steps were told, and the marks: places with their values, both by number. */
export interface Marked { steps: number, marks: [place: number, value: number][] }

const isMark = (mark: unknown) => Array.isArray(mark) && mark.length === 2 && mark.every(Number.isInteger);
const all = new Latest<Marked>("ndscript-studio:marked", ({ steps, marks }) => Number.isInteger(steps) && Array.isArray(marks) && marks.every(isMark));

/** A name for a puzzle: how it begins, and what it comes to. */
export function nameOfPuzzle({ name, values, places, rules }: Puzzle, solution: readonly (number | undefined)[]): string {
    return shortName(JSON.stringify([name, values, places, rules, solution]));
}

export const markedIn = (puzzle: string): Marked | undefined => all.of(puzzle);

/** Keeps what is marked now; false if there is no room for it, or it is forbidden. */
export const keepMarked = (puzzle: string, { steps, marks }: Marked): boolean => all.keep(puzzle, steps > 0 || marks.length > 0 ? { steps, marks } : undefined);
