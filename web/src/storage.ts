// What is kept in the browser, so that work survives a crash. Nothing leaves it.
import type { Project } from "./protocol";
import { packed, unpacked } from "./share";

const WORK = "ndscript-studio:work";
/** There if a person has changed what is kept: then it is worth more than a program of the gallery. */
const IS_CHANGED = "ndscript-studio:changed";
const SHELF = "ndscript-studio:shelf";
const THEME = "ndscript-studio:theme";

const MOST_SHELVED = 30;

/** Earlier work, the latest first. `text` is what a link would hold. */
export interface Shelved { name: string, time: number, text: string }

/** Storage may be forbidden, or full; the studio works without. */
function attempt<T>(work: () => T): T | undefined {
    try {
        return work();
    } catch {
        return undefined;
    }
}

let latest = 0;

/** Keeps what is worked on, and whether a person has changed it. */
export async function keep(project: Project, isChanged: boolean): Promise<void> {
    const number = ++latest;
    const text = await packed(project);
    // Packing a large project may take longer than the next one.
    if (number !== latest) return;
    attempt(() => {
        localStorage.setItem(WORK, text);
        if (isChanged) localStorage.setItem(IS_CHANGED, "1");
        else localStorage.removeItem(IS_CHANGED);
    });
}

/** What was worked on last. */
export async function kept(): Promise<{ project: Project, isChanged: boolean } | undefined> {
    const project = await restored(attempt(() => localStorage.getItem(WORK)) ?? "");
    return project && { project, isChanged: attempt(() => localStorage.getItem(IS_CHANGED)) === "1" };
}

export async function restored(text: string): Promise<Project | undefined> {
    return text.startsWith("v1=") ? unpacked(text.slice(3)).catch(() => undefined) : undefined;
}

export function shelf(): Shelved[] {
    const all: unknown = attempt(() => JSON.parse(localStorage.getItem(SHELF) ?? "[]"));
    const isOne = (one: Shelved) => typeof one?.name === "string" && typeof one.text === "string" && Number.isFinite(one.time);
    return Array.isArray(all) ? all.filter(isOne) : [];
}

/** Puts work aside where another project takes its place. */
export async function shelve(project: Project): Promise<void> {
    const text = await packed(project);
    write([{ name: project.main, time: Date.now(), text }, ...shelf().filter((other) => other.text !== text)].slice(0, MOST_SHELVED));
}

export function unshelve({ text, time }: Shelved): void {
    write(shelf().filter((other) => other.text !== text || other.time !== time));
}

/** The oldest go where there is no room for all. */
function write(all: Shelved[]): void {
    for (let left = all; ; left = left.slice(0, -1)) {
        const isWritten = attempt(() => {
            localStorage.setItem(SHELF, JSON.stringify(left));
            return true;
        });
        if (isWritten || left.length === 0) return;
    }
}

export const keepTheme = (theme: string) => attempt(() => localStorage.setItem(THEME, theme));
export const keptTheme = () => attempt(() => localStorage.getItem(THEME)) ?? "";
