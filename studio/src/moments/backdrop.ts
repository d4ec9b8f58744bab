// The picture of a puzzle behind its board: one that the program has printed, of as many cells, unless it tells the solution.
import { looks } from "../stage/looks";
import type { Drawn, Puzzle } from "../worker/protocol";

/** The first picture that fits, as an address; the caller gives it back. */
export async function backdrop(pictures: readonly Drawn[], puzzle: Puzzle, solution: readonly (number | undefined)[]): Promise<string | undefined> {
    const height = puzzle.places.length / puzzle.width;
    for (const picture of pictures) {
        if (picture.columns !== puzzle.width || picture.rows !== height) continue;
        // Lines between cells may stand at their edges.
        if (!tells(await looks(picture, 1 / 4), puzzle, solution)) return URL.createObjectURL(new Blob([picture.png], { type: "image/png" }));
    }
    return undefined;
}

/** Whether the looks of the cells that are to be found go with their values: then the picture is the solution. */
export function tells(looks: readonly string[], puzzle: Puzzle, solution: readonly (number | undefined)[]): boolean {
    const open = puzzle.places.flatMap(({ start }, place) => start.length > 1 ? [place] : []);
    const values = new Map<string, Set<number | undefined>>();
    for (const place of open) values.set(looks[place]!, (values.get(looks[place]!) ?? new Set()).add(solution[place]));
    return open.length > 0 && values.size > 1 && values.size <= open.length / 2 && [...values.values()].every((own) => own.size === 1);
}
