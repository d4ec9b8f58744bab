// Why a cell is what it is, in sentences.
import type { Project, Reasons } from "../worker/protocol";

type Link = Reasons["links"][number];
interface Cell { x: number, y: number }

/** A sentence, with the link of the explanation that it is of. */
export interface Sentence { words: string, link: Link }

/** Of many reasons the first are told: the latest. */
const MOST_TOLD = 12;
/** A rule that counts has hundreds of causes: arrows from all of them would say nothing. */
const MOST_ARROWS = 8;
const SIDES: Record<string, string> = { "-1,0": "to the left", "1,0": "to the right", "0,-1": "above", "0,1": "below" };

/** What is said of a cell of a grid: what took from it, the latest first; then of the cells that this came from. Each leads further back. */
export function sentences({ links, own }: Reasons, grid: string, cell: Cell, project: Project): Sentence[] {
    const isOwn = (link: Link) => link.cell !== undefined && link.cell.x === cell.x && link.cell.y === cell.y && link.place.startsWith(`${grid}[`);
    const told: Sentence[] = [];
    const seen = new Set<number>();
    const open: number[] = [];
    links.slice(0, own).forEach((link, at) => {
        seen.add(at);
        if (!isOwn(link)) return;
        told.push({ words: sentence(link, links, grid, cell, project), link });
        open.push(...link.from);
    });
    for (const at of open) {
        const link = links[at];
        if (!link || seen.has(at)) continue;
        seen.add(at);
        // A guess at the cell itself was told with what it took.
        if (link.cell && !isOwn(link)) told.push({ words: `${capital(named(link, grid, cell))}: ${lower(sentence(link, links, grid, link.cell, project))}`, link });
    }
    return told.slice(0, MOST_TOLD);
}

/** From which cells arrows lead to which; the nearest are those to the cell itself. */
export function arrows({ links }: Reasons, grid: string, cell: Cell): { from: Cell, to: Cell, isNear: boolean }[] {
    const isHere = (link: Link | undefined): link is Link & { cell: Cell } => link?.cell !== undefined && link.place.startsWith(`${grid}[`);
    const lines = links.flatMap((link) => {
        if (!isHere(link)) return [];
        const sources = link.from.flatMap((from) => {
            const source = links[from];
            return isHere(source) && !isSame(source.cell, link.cell) ? [source.cell] : [];
        });
        return sources.length > MOST_ARROWS ? [] : sources.map((from) => ({ from, to: link.cell, isNear: isSame(link.cell, cell) }));
    });
    return lines.filter((line, at) => lines.findIndex((other) => isSame(other.from, line.from) && isSame(other.to, line.to)) === at).slice(0, 60);
}

function sentence(link: Link, links: readonly Link[], grid: string, cell: Cell, project: Project): string {
    const causes = link.from.flatMap((from) => links[from] ?? []);
    const guess = causes.find(({ isGuess, place }) => isGuess && !place);
    const lost = listed(link.lost.map(bare), "or");
    const rule = /^\w+/.exec(link.by ?? "")?.[0];
    const line = (rule && onlyLine(rule, project)) ?? link.line?.line;
    const where = line === undefined ? "" : rule ? ` (\`${rule}\`, line ${line})` : ` (line ${line})`;
    if (guess) return `${capital(guessed(guess))} was guessed here${guess.line ? ` (line ${guess.line.line})` : where}${lost ? `, so not ${lost}` : ""}.`;
    const since = causes.filter(({ cell: other, isGuess }) => other && !isGuess && !isSame(other, cell))
        .map((cause) => `${named(cause, grid, cell)} ${state(cause)}`);
    if (since.length > 0) return `${lost ? `Not ${lost}` : capital(bare(link.value))}, since ${listed(since, "and")}${where}.`;
    return `${lost ? `Not ${lost}` : capital(listed(values(link.value), "or"))}${link.by ? `, by ${link.by}` : ""}${where || (line ? ` (line ${line})` : "")}.`;
}

/** What was guessed, out of the engine's words for it. */
function guessed({ value }: Link): string {
    return bare(/: (.*)$/.exec(value)?.[1] ?? value);
}

function state({ value }: Link): string {
    const all = values(value);
    return all.length === 1 ? `is ${all[0]}` : `may only be ${listed(all, "or")}`;
}

/** `{"sea", "sand"}` is a set of two. */
function values(text: string): string[] {
    const inner = /^\{(.*)\}$/.exec(text)?.[1];
    return inner === undefined ? [bare(text)] : inner.split(", ").map(bare);
}

const bare = (text: string) => text.replace(/^"(.*)"$/, "$1");
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const lower = (text: string) => /^(Not |.* was guessed here)/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1).replace(" was guessed here", " was guessed there") : text;
const isSame = (a: Cell, b: Cell) => a.x === b.x && a.y === b.y;

/** A cell as one sees it from another: to the left of it, or by its place. */
function named({ cell, place }: Link, grid: string, from: Cell): string {
    if (!cell) return place;
    if (!place.startsWith(`${grid}[`)) return place;
    const side = SIDES[`${cell.x - from.x},${cell.y - from.y}`];
    return side ? `the cell ${side}` : `the cell ${cell.x}, ${cell.y}`;
}

function listed(words: readonly string[], last: "and" | "or"): string {
    const some = words.length > 4 ? [...words.slice(0, 3), `${words.length - 3} others`] : words;
    return some.length < 2 ? some.join("") : `${some.slice(0, -1).join(", ")} ${last} ${some.at(-1)}`;
}

/** The line of a rule, if the program has but one by that name. */
function onlyLine(rule: string, { main, files }: Project): number | undefined {
    const file = files.find(({ path }) => path === main);
    if (!file || !("text" in file)) return undefined;
    const lines = file.text.split("\n").flatMap((line, at) => new RegExp(`\\b${rule}\\s*\\(`).test(line.replace(/\/\/.*/, "")) ? [at + 1] : []);
    return lines.length === 1 ? lines[0] : undefined;
}
