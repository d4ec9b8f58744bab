// What a person has placed in the grids of a program, kept in the browser beside their work, so that it is there again when the page is
// loaded anew and they take part in the same run.
import type { Pick, Project, When } from "../worker/protocol";
import { toBase64 } from "./share";
import { attempt, withRoom } from "./storage";

const PLACED = "ndscript-studio:placed";
/** Of so many runs it is kept, the latest first. */
const MOST_RUNS = 30;

/** What was placed, in order, from a moment of a run on. */
export interface Placed { when: When, picks: Pick[] }
interface Kept extends Placed { run: string }

/** A name for a run: the same program with the same files, seed, parameters and answers has the same. */
export function nameOfRun({ main, files, seed, parameters }: Project, answers: readonly string[]): string {
    const contents = files.map((file) => [file.path, "text" in file ? file.text : toBase64(file.bytes)]);
    const named = Object.entries(parameters).sort(([a], [b]) => a < b ? -1 : 1);
    const text = JSON.stringify([main, contents, seed, named, answers]);
    return `${text.length}-${hash(text, 0x811c9dc5)}${hash(text, 0x9e3779b9)}`;
}

/** Enough to tell programs of one person apart. What a browser has for it is there on some addresses only. */
function hash(text: string, start: number): string {
    let sum = start;
    for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
    return (sum >>> 0).toString(36);
}

export function placedIn(run: string): Placed | undefined {
    return all().find((kept) => kept.run === run);
}

/** Keeps what is placed now; false if there is no room for it, or it is forbidden. */
export function keepPlaced(run: string, { when, picks }: Placed): boolean {
    const others = all().filter((kept) => kept.run !== run);
    const now = (picks.length > 0 ? [{ run, when, picks }, ...others] : others).slice(0, MOST_RUNS);
    return withRoom(() => localStorage.setItem(PLACED, JSON.stringify(now)));
}

function all(): Kept[] {
    const kept: unknown = attempt(() => JSON.parse(localStorage.getItem(PLACED) ?? "[]"));
    return Array.isArray(kept) ? kept.filter(isSound) : [];
}

/** Whatever lies in the storage of a browser may be of another version, or of somebody else. */
function isSound(kept: Kept): boolean {
    const isPick = (pick: Pick) => typeof pick?.grid === "string" && typeof pick.value === "string" && Number.isInteger(pick.x) && Number.isInteger(pick.y);
    return typeof kept?.run === "string" && Number.isFinite(kept.when?.step) && Number.isFinite(kept.when.inside) && Array.isArray(kept.picks) && kept.picks.every(isPick);
}
