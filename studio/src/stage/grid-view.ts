// A grid with its candidates, each at its own place in the cell.
import { make } from "../page/dom";
import type { GridShown } from "../worker/protocol";

const SVG = "http://www.w3.org/2000/svg";

export interface GridListener {
    /** The class of what shows a tile, if there is such a tile. */
    tile(name: string): Promise<string | undefined>,
    /** A person wants to know of a cell, or to place something there. */
    open(x: number, y: number): void,
    /** A person goes over a cell with the button of the mouse held. */
    paint(x: number, y: number): void,
}

/** Cells are at least so large, in pixels, where all are in sight; as large as this where they are scrolled; and at most. */
const SMALLEST = 12;
const SCROLLED = 16;
/** So many times as wide as high, it has what was printed below it rather than beside it. */
const WIDE = 2.5;
const LARGEST = 64;
/** The numbers of rows and columns, by which sentences name cells, take so many pixels; where cells are smaller than this, each fifth has one. */
const RULER = 18;
/** Each candidate that fades is a layer of its own while it does: of more cells, none fades. */
const MOST_FADING = 400;

export class GridView {
    readonly element = make("div", { className: "grid-view" });
    readonly #table = make("div", { role: "grid", "aria-label": "Grid" });
    readonly #arrows = document.createElementNS(SVG, "svg");
    #cells: HTMLElement[] = [];
    /** What is drawn in each cell. */
    #drawn: string[] = [];
    /** The cells that have a class which only some have: a moment that is played has no time to look at all. */
    readonly #classed = new Map<string, HTMLElement[]>();
    #grid: GridShown | undefined;
    #name = "";
    /** All values that were ever seen in the grid, so that each keeps its place. */
    #values: string[] = [];
    #focus = 0;

    constructor(readonly listener: GridListener) {
        this.#arrows.setAttribute("class", "arrows");
        this.#arrows.setAttribute("aria-hidden", "true");
        this.#arrows.innerHTML = "<defs><marker id=\"arrow-head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"5\" markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs><g></g>";
        this.element.append(this.#table);
        this.#table.addEventListener("keydown", (event) => this.#pressed(event));
        const at = (target: EventTarget | null) => this.#cells.indexOf((target as HTMLElement).closest<HTMLElement>("[role=gridcell]")!);
        this.#table.addEventListener("click", ({ target }) => at(target) >= 0 && this.#open(at(target)));
        this.#table.addEventListener("pointerover", ({ target, buttons }) => {
            if (buttons !== 1 || at(target) < 0) return;
            const { x, y } = this.#place(at(target));
            this.listener.paint(x, y);
        });
        new ResizeObserver(() => this.#size()).observe(this.element);
    }

    /** The element of a cell. */
    cell(x: number, y: number): HTMLElement | undefined {
        return this.#cells[y * (this.#grid?.width ?? 0) + x];
    }

    /** What may be in a cell. */
    candidatesAt(x: number, y: number): string[] {
        return this.#grid ? this.#candidates(y * this.#grid.width + x) : [];
    }

    focus(): void {
        this.#cells[this.#focus]?.focus();
    }

    /** As large as fits, at whole pixels; where that would be too small to be met, it is scrolled. */
    #size(): void {
        if (!this.#grid || this.element.clientWidth === 0) return;
        const { width, height } = this.#grid;
        const fitting = Math.floor(Math.min((this.element.clientWidth - 2 - RULER) / width, (this.element.clientHeight - 2 - RULER) / height));
        const size = fitting < SMALLEST ? SCROLLED : Math.min(LARGEST, fitting);
        this.#table.style.setProperty("--cell", `${size}px`);
        this.#table.classList.toggle("coarse", size < RULER);
    }

    show(name: string, grid: GridShown | undefined): void {
        // Who has just chosen with the keyboard stays at the cell.
        const isInside = this.element.contains(document.activeElement);
        this.#draw(name, grid);
        if (isInside && grid) this.focus();
    }

    #draw(name: string, grid: GridShown | undefined): void {
        this.#table.hidden = !grid;
        this.mark([]);
        this.arrows([]);
        this.contradict([], []);
        if (!grid) return this.#forget();
        const isOther = name !== this.#name || grid.width !== this.#grid?.width || grid.height !== this.#grid.height;
        if (isOther) [this.#values, this.#focus] = [[], 0];
        const before = this.#values.length;
        for (const value of grid.values) if (!this.#values.includes(value)) this.#values.push(value);
        if (this.#values.length !== before) this.#values.sort(new Intl.Collator("en", { numeric: true }).compare);
        [this.#name, this.#grid] = [name, grid];
        this.element.classList.toggle("wide", grid.width > WIDE * grid.height);
        if (isOther || this.#values.length !== before) this.#build(grid);
        if (isOther) this.#size();
        grid.cells.forEach((_, at) => this.#fill(at));
    }

    /** What comes next is built anew: the tiles of another run are other images. */
    #forget(): void {
        this.#grid = undefined;
        [this.#cells, this.#drawn] = [[], []];
        this.#classed.clear();
        this.#table.replaceChildren();
    }

    /** Shows that something cannot be there. */
    flash(x: number, y: number): void {
        const cell = this.#cells[y * (this.#grid?.width ?? 0) + x];
        cell?.classList.add("impossible");
        setTimeout(() => cell?.classList.remove("impossible"), 1500);
    }

    /** Marks the cells at which something fails that was wanted, and those of the rule that could not hold; what is shown next has none. */
    contradict(numbers: number[], on: number[]): void {
        this.#classify("contradiction", numbers);
        this.#classify("ruled", on.filter((at) => !numbers.includes(at)));
    }

    /** Some cells have a class, and no other has it. */
    #classify(name: string, numbers: number[]): void {
        this.#classed.get(name)?.forEach((cell) => cell.classList.remove(name));
        const cells = numbers.flatMap((at) => this.#cells[at] ?? []);
        cells.forEach((cell) => cell.classList.add(name));
        this.#classed.set(name, cells);
    }

    #numbers(cells: { x: number, y: number }[]): number[] {
        return cells.map(({ x, y }) => y * (this.#grid?.width ?? 0) + x);
    }

    /** Marks the cells that others came from; what is shown next has none. */
    mark(cells: { x: number, y: number }[]): void {
        this.#classify("reason", this.#numbers(cells));
    }

    /** Draws arrows from cells to others, the nearest to what was asked first; what is shown next has none. */
    arrows(lines: { from: { x: number, y: number }, to: { x: number, y: number }, isNear: boolean }[]): void {
        const middle = ({ x, y }: { x: number, y: number }) => [x + 0.5, y + 0.5] as const;
        this.#arrows.setAttribute("viewBox", `0 0 ${this.#grid?.width ?? 1} ${this.#grid?.height ?? 1}`);
        this.#arrows.querySelector("g")!.replaceChildren(...lines.map(({ from, to, isNear }) => {
            const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
            const length = Math.hypot(x2 - x1, y2 - y1) || 1;
            const line = document.createElementNS(SVG, "line");
            const ends = { x1: x1 + (x2 - x1) / length * 0.2, y1: y1 + (y2 - y1) / length * 0.2, x2: x2 - (x2 - x1) / length * 0.25, y2: y2 - (y2 - y1) / length * 0.25 };
            for (const [name, value] of Object.entries(ends)) line.setAttribute(name, value.toFixed(2));
            line.setAttribute("marker-end", "url(#arrow-head)");
            line.setAttribute("class", isNear ? "near" : "far");
            // An outline, so that it is seen on any tile.
            const under = line.cloneNode() as SVGElement;
            under.setAttribute("class", "under");
            under.removeAttribute("marker-end");
            return [under, line];
        }).flat());
    }

    /** Shows for a moment that the search has failed here. */
    flashAll(): void {
        this.#table.classList.remove("failing");
        // Begins anew where it still runs.
        void this.#table.offsetWidth;
        this.#table.classList.add("failing");
    }

    /** Marks what a person has placed. */
    placed(cells: { x: number, y: number }[]): void {
        this.#classify("placed", this.#numbers(cells));
    }

    /** Shows how often each cell was the one at which the search failed; without counts nothing of it. */
    heat(counts: number[] | undefined): void {
        const most = (counts ?? []).reduce((most, count) => Math.max(most, count), 1);
        this.#table.classList.toggle("heated", counts !== undefined);
        this.#cells.forEach((cell, at) => {
            const count = counts?.[at] ?? 0;
            // The number says it, too: color alone is not for everyone.
            if (count > 0) cell.dataset["failures"] = count.toLocaleString("en", { notation: "compact" });
            else delete cell.dataset["failures"];
            cell.style.setProperty("--heat", String(count === 0 ? 0 : 0.25 + 0.75 * Math.log1p(count) / Math.log1p(most)));
            this.#label(at, count);
        });
    }

    #label(at: number, failures: number): void {
        const candidates = this.#candidates(at);
        const [x, y] = [at % this.#grid!.width, Math.floor(at / this.#grid!.width)];
        const failed = failures > 0 ? `; failed ${failures.toLocaleString("en")} ${failures === 1 ? "time" : "times"}` : "";
        this.#cells[at]!.setAttribute("aria-label", `${x}, ${y}: ${candidates.length === 0 ? "nothing is left" : candidates.join(", ")}${failed}`);
    }

    #build({ width, height }: GridShown): void {
        const side = Math.max(1, Math.ceil(Math.sqrt(this.#values.length)));
        for (const [name, count] of [["--columns", width], ["--rows", height], ["--side", side]] as const) this.#table.style.setProperty(name, String(count));
        this.#table.classList.toggle("fades", width * height <= MOST_FADING);
        [this.#cells, this.#drawn] = [[], []];
        this.#classed.clear();
        const rows = Array.from({ length: height }, (_, y) => {
            const cells = Array.from({ length: width }, (_, x) => {
                const cell = make("div", { role: "gridcell", tabIndex: -1 }, ...this.#values.map((value) => this.#candidate(value)));
                cell.style.setProperty("--x", String(x));
                this.#cells.push(cell);
                return cell;
            });
            const row = make("div", { role: "row" }, ...cells);
            row.style.setProperty("--y", String(y));
            return row;
        });
        this.#table.setAttribute("aria-label", `Grid ${this.#name}`);
        const ruler = (side: string, length: number) => Array.from({ length }, (_, at) => {
            const number = make("span", { className: `ruler ${side}${at % 5 === 0 ? " fifth" : ""}`, "aria-hidden": "true" }, String(at));
            number.style.setProperty("--at", String(at));
            return number;
        });
        this.#table.replaceChildren(...rows, this.#arrows as unknown as HTMLElement, ...ruler("across", width), ...ruler("down", height));
        this.#cells[this.#focus]?.setAttribute("tabindex", "0");
    }

    #candidates(at: number): string[] {
        return (this.#grid!.cells[at] ?? []).map((number) => this.#grid!.values[number]!);
    }

    #fill(at: number): void {
        const candidates = this.#candidates(at);
        const cell = this.#cells[at]!;
        const drawn = candidates.join("\n");
        if (this.#drawn[at] === drawn) return;
        const isEmpty = candidates.length === 0;
        this.#drawn[at] = drawn;
        cell.classList.toggle("decided", candidates.length === 1);
        cell.classList.toggle("empty", isEmpty);
        this.#values.forEach((value, number) => (cell.children[number] as HTMLElement).classList.toggle("gone", !candidates.includes(value)));
        this.#label(at, 0);
    }

    #place(at: number): { x: number, y: number } {
        return { x: at % this.#grid!.width, y: Math.floor(at / this.#grid!.width) };
    }

    #open(at: number): void {
        this.#move(at);
        const { x, y } = this.#place(at);
        this.listener.open(x, y);
    }

    /** Marks the cell that is spoken of. */
    choose(cell: { x: number, y: number } | undefined): void {
        const chosen = cell && this.cell(cell.x, cell.y);
        this.#cells.forEach((cell) => cell === chosen ? cell.setAttribute("aria-selected", "true") : cell.removeAttribute("aria-selected"));
    }

    /** The keyboard goes on at a cell. */
    focusAt({ x, y }: { x: number, y: number }): void {
        this.#move(y * this.#grid!.width + x);
    }

    #pressed(event: KeyboardEvent): void {
        const width = this.#grid?.width ?? 1;
        const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: width, ArrowUp: -width }[event.key];
        const row = this.#focus - this.#focus % width;
        const end = { Home: event.ctrlKey ? 0 : row, End: event.ctrlKey ? this.#cells.length - 1 : row + width - 1 }[event.key];
        if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            this.#open(this.#focus);
        } else if (step !== undefined || end !== undefined) {
            event.preventDefault();
            const next = end ?? this.#focus + step!;
            if (next >= 0 && next < this.#cells.length) this.#move(next);
        }
    }

    #move(to: number): void {
        this.#cells[this.#focus]?.setAttribute("tabindex", "-1");
        this.#focus = to;
        this.#cells[to]?.setAttribute("tabindex", "0");
        this.#cells[to]?.focus();
    }

    /** A value as it is drawn in a cell, or on a button. */
    drawn(value: string): HTMLElement {
        return this.#candidate(value);
    }

    #candidate(value: string): HTMLElement {
        // The text is drawn, not written: the label of the cell says it in full.
        const mark = make("span", { className: "candidate", "aria-hidden": "true", "data-text": value.slice(0, 2) });
        const write = () => mark.classList.add("written");
        if (/^-?[\d.]*$/.test(value)) write();
        // Not before it is known that there is no tile: to lay out thousands of texts takes long.
        else void this.listener.tile(value).then((style) => style ? mark.classList.add("tile", style) : write());
        return mark;
    }
}
