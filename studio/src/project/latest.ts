// What belongs to runs or puzzles, kept in the browser by their names: the latest of them, and no more than there is room for.
import { attempt, withRoom } from "./storage";

const MOST = 30;
/** All of them together have at most so many characters. */
const MOST_CHARACTERS = 300_000;

export class Latest<Value extends object> {
    /** Whatever lies in the storage of a browser may be of another version, or of somebody else. */
    constructor(readonly key: string, readonly isSound: (value: Value) => boolean) {}

    of(run: string): Value | undefined {
        return this.#all().find((kept) => kept.run === run);
    }

    /** Keeps a value in place of the one before, or none; false if there is no room for it, or it is forbidden. */
    keep(run: string, value: Value | undefined): boolean {
        if (!value && !this.of(run)) return true;
        const all = [...value ? [{ run, ...value }] : [], ...this.#all().filter((kept) => kept.run !== run)].slice(0, MOST);
        const length = () => all.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
        while (length() > MOST_CHARACTERS) all.pop();
        return withRoom(() => localStorage.setItem(this.key, JSON.stringify(all))) && (!value || all.length > 0);
    }

    #all(): (Value & { run: string })[] {
        const all: unknown = attempt(() => JSON.parse(localStorage.getItem(this.key) ?? "[]"));
        return Array.isArray(all) ? all.filter((kept) => typeof kept?.run === "string" && this.isSound(kept)) : [];
    }
}

/** A short name for a long text: enough to tell those of one person apart. What a browser has for it is there on some addresses only. */
export function shortName(text: string): string {
    return `${text.length}-${hash(text, 0x811c9dc5)}${hash(text, 0x9e3779b9)}`;
}

function hash(text: string, start: number): string {
    let sum = start;
    for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
    return (sum >>> 0).toString(36);
}
