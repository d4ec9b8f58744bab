// A grid with its candidates, each at its own place in the cell.
import { make } from "./dom";
import type { GridShown } from "./protocol";

export interface GridListener {
    /** The address of a tile's image, if there is such a tile. */
    tile(name: string): Promise<string | undefined>,
    pick(x: number, y: number, value: string): void,
    why(x: number, y: number): void,
}

export class GridView {
    readonly element = make("div", { className: "grid-view" });
    readonly #table = make("div", { role: "grid", "aria-label": "Grid" });
    readonly #menu = make("div", { className: "candidates", role: "group", hidden: true });
    #cells: HTMLElement[] = [];
    #grid: GridShown | undefined;
    #name = "";
    /** All values that were ever seen in the grid, so that each keeps its place. */
    #values: string[] = [];
    #focus = 0;

    constructor(readonly listener: GridListener) {
        this.element.append(this.#table, this.#menu);
        this.#table.addEventListener("keydown", (event) => this.#pressed(event));
        this.#menu.addEventListener("keydown", (event) => event.key === "Escape" && this.#close(this.#focus));
        this.#table.addEventListener("click", (event) => {
            const at = this.#cells.indexOf((event.target as HTMLElement).closest<HTMLElement>("[role=gridcell]")!);
            if (at >= 0) this.#open(at);
        });
    }

    focus(): void {
        this.#cells[this.#focus]?.focus();
    }

    show(name: string, grid: GridShown | undefined): void {
        // Who has just chosen with the keyboard stays at the cell.
        const isInside = this.element.contains(document.activeElement);
        this.#draw(name, grid);
        if (isInside && grid) this.focus();
    }

    #draw(name: string, grid: GridShown | undefined): void {
        this.#menu.hidden = true;
        this.#choose(undefined);
        this.#table.hidden = !grid;
        this.mark([]);
        this.contradict([], []);
        if (!grid) return;
        const isOther = name !== this.#name || grid.width !== this.#grid?.width || grid.height !== this.#grid.height;
        if (isOther) [this.#values, this.#focus] = [[], 0];
        const before = this.#values.length;
        for (const value of grid.values) if (!this.#values.includes(value)) this.#values.push(value);
        if (this.#values.length !== before) this.#values.sort(new Intl.Collator("en", { numeric: true }).compare);
        [this.#name, this.#grid] = [name, grid];
        if (isOther || this.#values.length !== before) this.#build(grid);
        grid.cells.forEach((_, at) => this.#fill(at));
    }

    /** Shows that something cannot be there. */
    flash(x: number, y: number): void {
        const cell = this.#cells[y * (this.#grid?.width ?? 0) + x];
        cell?.classList.add("impossible");
        setTimeout(() => cell?.classList.remove("impossible"), 1500);
    }

    /** Marks the cells at which something fails that was wanted, and those of the rule that could not hold; what is shown next has none. */
    contradict(numbers: number[], on: number[]): void {
        const [failing, ruled] = [new Set(numbers), new Set(on)];
        this.#cells.forEach((cell, at) => {
            cell.classList.toggle("contradiction", failing.has(at));
            cell.classList.toggle("ruled", ruled.has(at) && !failing.has(at));
        });
    }

    /** Marks the cells that others came from; what is shown next has none. */
    mark(cells: { x: number, y: number }[]): void {
        this.#cells.forEach((cell) => cell.classList.remove("reason"));
        for (const { x, y } of cells) this.#cells[y * (this.#grid?.width ?? 0) + x]?.classList.add("reason");
    }

    /** Marks what a person has placed. */
    placed(cells: { x: number, y: number }[]): void {
        this.#cells.forEach((cell) => cell.classList.remove("placed"));
        for (const { x, y } of cells) this.#cells[y * (this.#grid?.width ?? 0) + x]?.classList.add("placed");
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
        this.#table.style.setProperty("--columns", String(width));
        this.#table.style.setProperty("--side", String(side));
        this.#cells = [];
        const rows = Array.from({ length: height }, () => {
            const cells = Array.from({ length: width }, () => {
                const cell = make("div", { role: "gridcell", tabIndex: -1 }, ...this.#values.map((value) => this.#candidate(value)));
                this.#cells.push(cell);
                return cell;
            });
            return make("div", { role: "row" }, ...cells);
        });
        this.#table.setAttribute("aria-label", `Grid ${this.#name}`);
        this.#table.replaceChildren(...rows);
        this.#cells[this.#focus]?.setAttribute("tabindex", "0");
    }

    #candidates(at: number): string[] {
        return (this.#grid!.cells[at] ?? []).map((number) => this.#grid!.values[number]!);
    }

    #fill(at: number): void {
        const candidates = this.#candidates(at);
        const cell = this.#cells[at]!;
        const key = candidates.join("\n");
        if (cell.dataset["key"] === key) return;
        const isEmpty = candidates.length === 0;
        cell.dataset["key"] = key;
        cell.classList.toggle("decided", candidates.length === 1);
        cell.classList.toggle("empty", isEmpty);
        this.#values.forEach((value, number) => (cell.children[number] as HTMLElement).classList.toggle("gone", !candidates.includes(value)));
        this.#label(at, 0);
    }

    #open(at: number): void {
        this.#move(at);
        const [x, y] = [at % this.#grid!.width, Math.floor(at / this.#grid!.width)];
        const candidates = this.#candidates(at);
        const choices = candidates.length < 2 ? [] : candidates.map((value) =>
            make("button", { type: "button", onclick: () => this.listener.pick(x, y, value) }, this.#candidate(value), value));
        this.#menu.setAttribute("aria-label", `Cell ${x}, ${y}`);
        this.#menu.replaceChildren(make("p", {}, `Cell ${x}, ${y}: ${candidates.length === 1 ? candidates[0] : `${candidates.length} candidates`}`), ...choices,
            make("button", { type: "button", onclick: () => this.listener.why(x, y) }, "Why?"),
            make("button", { type: "button", onclick: () => this.#close(at) }, "Close"));
        this.#menu.hidden = false;
        this.#choose(at);
        this.#menu.querySelector<HTMLElement>("button")?.focus();
    }

    /** Marks the cell that the menu is for. */
    #choose(at: number | undefined): void {
        this.#cells.forEach((cell, number) => number === at ? cell.setAttribute("aria-selected", "true") : cell.removeAttribute("aria-selected"));
    }

    #close(at: number): void {
        this.#menu.hidden = true;
        this.#choose(undefined);
        this.#cells[at]?.focus();
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

    #candidate(value: string): HTMLElement {
        // The text is drawn, not written: the label of the cell says it in full.
        const mark = make("span", { className: "candidate", "aria-hidden": "true", "data-text": value.slice(0, 2) });
        if (/^-?[\d.]*$/.test(value)) return mark;
        void this.listener.tile(value).then((address) => {
            if (!address) return;
            mark.classList.add("tile");
            mark.style.backgroundImage = `url("${address}")`;
        });
        return mark;
    }
}
