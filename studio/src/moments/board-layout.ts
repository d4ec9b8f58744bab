// Where the cells of a puzzle's board stand, with its clues, the numbers of rows and columns, and lines round its blocks.
import { blocks, sides } from "./board-lines";
import { make } from "../page/dom";
import type { Puzzle } from "../worker/protocol";

/** What stands beside the rows of a board, above its columns and in its cells. */
export interface Clues { rows: string[], columns: string[], cells: string[] }

/** Cells with what stands beside and above them, with lines round the blocks, over the picture of the puzzle if there is one. */
export function lay(board: HTMLElement, cells: readonly HTMLElement[], puzzle: Puzzle, { rows, columns }: Clues, backdrop: string | undefined): void {
    const height = puzzle.places.length / puzzle.width;
    const [owners, further] = backdrop ? [] : blocks(puzzle);
    // Who has numbers beside the rows counts cells.
    const isCounted = rows.length === height && !owners;
    const parts: HTMLElement[] = [];
    const put = (element: HTMLElement, column: string, row: string) => {
        Object.assign(element.style, { gridColumn: column, gridRow: row });
        parts.push(element);
    };
    if (backdrop) put(make("img", { className: "puzzle-picture", src: backdrop, alt: "" }), `2 / span ${puzzle.width}`, `2 / span ${height}`);
    if (columns.length === puzzle.width) columns.forEach((text, x) => put(make("span", { className: "puzzle-above" }, text.replaceAll(" ", "\n")), String(x + 2), "1"));
    if (rows.length === height) rows.forEach((text, y) => put(make("span", { className: "puzzle-beside" }, text), "1", String(y + 2)));
    // Hints name places by these numbers; where clues stand, they are on the other side.
    const number = (text: number) => make("span", { className: "puzzle-number", "aria-hidden": "true" }, String(text));
    for (let x = 0; x < puzzle.width; x++) put(number(x), String(x + 2), columns.length === puzzle.width ? String(height + 2) : "1");
    for (let y = 0; y < height; y++) put(number(y), rows.length === height ? String(puzzle.width + 2) : "1", String(y + 2));
    cells.forEach((cell, place) => {
        if (owners) sides(place, owners, puzzle.width).forEach((side) => cell.classList.add(`end-${side}`));
        if (further) sides(place, further, puzzle.width).forEach((side) => cell.classList.add(`part-${side}`));
        const [x, y] = [place % puzzle.width, Math.floor(place / puzzle.width)];
        cell.classList.toggle("fifth-right", isCounted && (x + 1) % 5 === 0 && x + 1 < puzzle.width);
        cell.classList.toggle("fifth-bottom", isCounted && (y + 1) % 5 === 0 && y + 1 < height);
        cell.classList.toggle("nothing", puzzle.places[place]!.start.length === 0);
        put(cell, String(x + 2), String(y + 2));
    });
    board.style.gridTemplateColumns = `auto repeat(${puzzle.width}, var(--cell)) auto`;
    board.style.gridTemplateRows = `auto repeat(${height}, var(--cell)) auto`;
    board.replaceChildren(...parts);
}
