// The picture of a puzzle behind its board: one that the program has printed, of as many cells, unless it tells the solution.
import type { Drawn, Puzzle } from "../worker/protocol";

/** The first picture that fits, as an address; the caller gives it back. */
export async function backdrop(pictures: readonly Drawn[], puzzle: Puzzle, solution: readonly (number | undefined)[]): Promise<string | undefined> {
    const height = puzzle.places.length / puzzle.width;
    for (const { png, columns, rows } of pictures) {
        if (columns !== puzzle.width || rows !== height) continue;
        const blob = new Blob([png], { type: "image/png" });
        if (!tells(await looks(blob, columns, rows), puzzle, solution)) return URL.createObjectURL(blob);
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

/** What each cell of a picture looks like, as a text that is the same for those that look alike. */
async function looks(blob: Blob, columns: number, rows: number): Promise<string[]> {
    const image = await createImageBitmap(blob);
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true })!;
    context.drawImage(image, 0, 0);
    const [width, height] = [Math.floor(image.width / columns), Math.floor(image.height / rows)];
    return Array.from({ length: columns * rows }, (_, at) => {
        // Lines between cells may stand at their edges.
        const { data } = context.getImageData(at % columns * width + (width >> 2), Math.floor(at / columns) * height + (height >> 2), Math.max(1, width >> 1), Math.max(1, height >> 1));
        let hash = 0;
        for (const byte of data) hash = (hash * 31 + byte) | 0;
        return String(hash);
    });
}
