// The lines and texts of a puzzle's board: the blocks into which its rules divide it, and what stands beside rows and above columns.
// Without a page.
import type { Puzzle } from "ndscript";

type Rule = Puzzle["rules"][number];

/** Rules that say the same of other places: their words, whatever the numbers, the places and the name of the part. */
function form(text: string): string {
    return text.replace(/\(\d+,\d+\)((, | and | to )\(\d+,\d+\))*/g, "()").replace(/\d+/g, "0").replace(/^the \S+ (?=\S+ has )/, "the ");
}

/** For each place the number of its block, where rules of one form divide the board into pieces that are neither all rows nor all columns; at most two such ways. */
export function blocks(puzzle: Puzzle): number[][] {
    if (!puzzle.isGrid) return [];
    const families = new Map<string, Rule[]>();
    for (const rule of puzzle.rules) {
        const of = form(rule.text);
        families.set(of, [...families.get(of) ?? [], rule]);
    }
    const all = [...families.values()].flatMap((rules) => {
        const owners = divided(rules.map(({ places }) => places), puzzle);
        return owners ? [owners] : [];
    });
    return all.filter((owners, at) => all.findIndex((other) => `${other}` === `${owners}`) === at).slice(0, 2);
}

function divided(pieces: number[][], { width, places }: Puzzle): number[] | undefined {
    const owners = places.map(() => -1);
    let isBent = false;
    for (const [piece, own] of pieces.entries()) {
        const [first] = own;
        if (first === undefined || !isWhole(own, width)) return undefined;
        for (const place of own) {
            if (owners[place] !== -1) return undefined;
            owners[place] = piece;
        }
        isBent ||= own.some((place) => place % width !== first % width) && own.some((place) => Math.floor(place / width) !== Math.floor(first / width));
    }
    return pieces.length > 1 && isBent ? owners : undefined;
}

/** Whether places are connected by touching. */
function isWhole(own: readonly number[], width: number): boolean {
    const all = new Set(own), reached = new Set(own.slice(0, 1)), open = [...reached];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
        for (const next of [place - width, place + width, ...place % width > 0 ? [place - 1] : [], ...(place + 1) % width > 0 ? [place + 1] : []]) {
            if (!all.has(next) || reached.has(next)) continue;
            reached.add(next);
            open.push(next);
        }
    }
    return reached.size === all.size;
}

/** On which sides of a place a block ends: `top`, `right`, `bottom`, `left`. */
export function sides(place: number, owners: readonly number[], width: number): string[] {
    const other = (next: number, isThere: boolean) => !isThere || owners[next] !== owners[place];
    const column = place % width;
    const ends: [string, boolean][] = [
        ["top", other(place - width, place >= width)], ["right", other(place + 1, column < width - 1)],
        ["bottom", other(place + width, place + width < owners.length)], ["left", other(place - 1, column > 0)],
    ];
    return owners[place] === -1 ? [] : ends.flatMap(([side, isEnd]) => isEnd ? [side] : []);
}

/** What a program says of its own puzzle where it tells how the steps to its solution are shown: which board, and the clues beside it. */
export interface PuzzleWords { board?: string, clues?: string, rows?: string, columns?: string }

/** Nothing if it does not say that it is one. */
export function puzzleWords(program: string): PuzzleWords | undefined {
    const command = program.split("\n").find((line) => /^\/\/.*\bexplain --solve\b/.test(line));
    return command && Object.fromEntries([...command.matchAll(/--(board|clues|rows|columns) (\w+)/g)].map(([, option, name]) => [option, name]));
}

/** The texts of a list of lists, as the language prints it: `[[4, 7], [3]]`. */
export function lists(text: string | undefined): string[] | undefined {
    try {
        const all: unknown = JSON.parse(text ?? "");
        return Array.isArray(all) ? all.map((one) => Array.isArray(one) ? one.join(" ") : String(one)) : undefined;
    } catch {
        return undefined;
    }
}
