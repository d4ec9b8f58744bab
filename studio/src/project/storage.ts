// What is kept in the browser, so that work survives a crash. Nothing leaves it.
import type { Project } from "../worker/protocol";
import { known } from "./known";
import type { Known } from "./known";
import { fromUnpackedText, isWish, packed, packedText, unpacked, unpackedText } from "./share";

const WORK = "ndscript-studio:work";
/** There if a person has changed what is kept: then it is worth more than a program of the gallery. */
const IS_CHANGED = "ndscript-studio:changed";
const SHELF = "ndscript-studio:shelf";
const THEME = "ndscript-studio:theme";
const SOLVED = "ndscript-studio:solved";
const KNOWN = "ndscript-studio:known";

const FOLDED = "ndscript-studio:folded";

const MOST_SHELVED = 30;

/** There if what is kept may run by itself: it did not come by a link, or a person has run it. */
const MAY_RUN = "ndscript-studio:may-run";
const MOST_TITLE = 60;

/** Earlier work, the latest first. `text` is what a link would hold, or not packed yet; `title` is what its program says first. */
export interface Shelved { name: string, time: number, text: string, title?: string, mayRun?: boolean, known?: Known }

/** What is known of a project beside what is in it. */
export interface Standing { isChanged: boolean, mayRun: boolean, known: Known }

/** Storage may be forbidden, or full; the studio works without. */
export function attempt<T>(work: () => T): T | undefined {
    try {
        return work();
    } catch {
        return undefined;
    }
}

let latest = 0;
/** What this page keeps, and for which address. */
let own: Kept | undefined;

interface Kept extends Standing { address: string, name: string, title: string, text: string }

/** What this page was asked for. */
const address = () => isWish(location.hash) ? location.href : location.href.split("#")[0]!;

/** Keeps what is worked on; false if there is no room for it, or it is forbidden, nothing if what came later is kept in its place. */
export async function keep(project: Project, standing: Standing): Promise<boolean | undefined> {
    const number = ++latest;
    const text = await packed(project);
    // Packing a large project may take longer than the next one.
    return number === latest ? keepText(project, standing, text) : undefined;
}

/** The same without waiting for anything, and so without packing. */
export function keepAtOnce(project: Project, standing: Standing): boolean {
    latest += 1;
    return keepText(project, standing, unpackedText(project));
}

function keepText(project: Project, standing: Standing, text: string): boolean {
    own = { ...standing, address: address(), name: project.main, title: title(project), text };
    // A page that is loaded again has its own work, whatever other pages of this browser have kept meanwhile.
    if (!attempt(() => (sessionStorage.setItem(WORK, JSON.stringify(own)), true))) attempt(() => sessionStorage.removeItem(WORK));
    const isWritten = withRoom(() => {
        localStorage.setItem(WORK, text);
        localStorage.setItem(KNOWN, JSON.stringify(standing.known));
        for (const [key, holds] of [[IS_CHANGED, standing.isChanged], [MAY_RUN, standing.mayRun]] as const) {
            if (holds) localStorage.setItem(key, "1");
            else localStorage.removeItem(key);
        }
    });
    // What was kept before must not come back in its place.
    if (!isWritten) attempt(() => localStorage.removeItem(WORK));
    return isWritten;
}

/** What is worked on is worth more than the oldest of what was put aside. */
export function withRoom(work: () => void): boolean {
    for (let left = shelf(); ;) {
        const isDone = attempt(() => (work(), true));
        if (isDone || left.length === 0) return isDone ?? false;
        left = left.slice(0, -1);
        attempt(() => localStorage.setItem(SHELF, JSON.stringify(left)));
    }
}

/** Puts aside when the page is left what was about to be, and this page's work if another page has kept its own in the same place meanwhile. */
export function leave(): void {
    shelving.forEach(put);
    shelving.clear();
    if (!own?.isChanged || attempt(() => localStorage.getItem(WORK)) === own.text) return;
    put({ name: own.name, title: own.title, mayRun: own.mayRun, known: own.known, time: Date.now(), text: own.text });
}

/** What was worked on last: on this page, if it is loaded again, or else on any. */
export async function kept(): Promise<Standing & { project: Project, isOfThisPage: boolean } | undefined> {
    const before = attempt(() => JSON.parse(sessionStorage.getItem(WORK) ?? "null") as Kept | null);
    const isOfThisPage = before?.address === address() && typeof before.text === "string";
    const project = isOfThisPage ? await restored(before.text) : undefined;
    if (isOfThisPage && project) return { project, isChanged: before.isChanged === true, mayRun: before.mayRun === true, known: known(before.known), isOfThisPage };
    const last = await restored(attempt(() => localStorage.getItem(WORK)) ?? "");
    const is = (key: string) => attempt(() => localStorage.getItem(key)) === "1";
    return last && { project: last, isChanged: is(IS_CHANGED), mayRun: is(MAY_RUN), known: known(attempt(() => JSON.parse(localStorage.getItem(KNOWN) ?? "null"))), isOfThisPage: false };
}

export async function restored(text: string): Promise<Project | undefined> {
    const project = text.startsWith("v1=") ? unpacked(text.slice(3)) : fromUnpackedText(text);
    return project.catch(() => undefined);
}

export function shelf(): Shelved[] {
    const all: unknown = attempt(() => JSON.parse(localStorage.getItem(SHELF) ?? "[]"));
    const isOne = (one: Shelved) => typeof one?.name === "string" && typeof one.text === "string" && Number.isFinite(one.time);
    return Array.isArray(all) ? all.filter(isOne) : [];
}

/** What is packed to be put aside. */
const shelving = new Set<Shelved>();

/** Puts work aside where another project takes its place; returns it as it is kept. */
export async function shelve(project: Project, { mayRun, known }: Standing): Promise<Shelved> {
    const work = { name: project.main, title: title(project), mayRun, known, time: Date.now(), text: unpackedText(project) };
    shelving.add(work);
    const packedWork = { ...work, text: await packedText(work.text) };
    // Who has left the page meanwhile has it as it was.
    if (shelving.delete(work)) put(packedWork);
    return packedWork;
}

/** What a program says of itself in its first words. */
function title({ main, files }: Project): string {
    const file = files.find(({ path }) => path === main);
    const line = file && "text" in file ? file.text.split("\n").find((line) => line.trim()) ?? "" : "";
    const words = line.replace(/^\s*\/\/\s*/, "").trim();
    return words.length > MOST_TITLE ? `${words.slice(0, MOST_TITLE - 3).trimEnd()}...` : words;
}

/** Whether nothing is written in any file of a project. */
export function isBlank({ files }: Project): boolean {
    return files.every((file) => "text" in file && file.text.trim() === "");
}

function put(work: Shelved): void {
    write([work, ...shelf().filter((other) => other.text !== work.text)].slice(0, MOST_SHELVED));
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

/** How much of the page is shown: all, all but the code, or only what is played. */
export type Folding = "" | "code" | "play";

/** What was folded away in this page, before it was loaded again. */
export const keepFolded = (folding: Folding) => attempt(() => sessionStorage.setItem(FOLDED, folding));
export const keptFolding = () => attempt(() => sessionStorage.getItem(FOLDED)) as Folding | null | undefined ?? "";

/** The exercises that were solved in this browser, by name. */
export function solvedExercises(): string[] {
    const names: unknown = attempt(() => JSON.parse(localStorage.getItem(SOLVED) ?? "[]"));
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

export const keepSolved = (name: string) => attempt(() => localStorage.setItem(SOLVED, JSON.stringify([...new Set([...solvedExercises(), name])])));

export const keepTheme = (theme: string) => attempt(() => localStorage.setItem(THEME, theme));
export const keptTheme = () => attempt(() => localStorage.getItem(THEME)) ?? "";
