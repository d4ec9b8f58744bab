// The tree of a search as a list of lines, of which only those in sight are elements.
import { make } from "./dom";
import type { TreeRow, When } from "./protocol";

const HEIGHT = 26;
const BEYOND = 8;
/** Levels beyond this one are not moved to the right any further. */
const DEEPEST = 12;

export class TreeView {
    readonly #canvas = make("div", { className: "tree-rows" });
    readonly element = make("div", { className: "tree", role: "tree", tabIndex: 0, "aria-label": "Tree of the search" }, this.#canvas);
    #rows: TreeRow[] = [];
    #depths: number[] = [];
    #marked = -1;
    #isWaiting = false;

    constructor(readonly onPick: (when: When) => void) {
        this.element.addEventListener("scroll", () => this.#later());
        this.element.addEventListener("keydown", (event) => {
            const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
            if (step === undefined || this.#rows.length === 0) return;
            event.preventDefault();
            const next = Math.min(Math.max(this.#marked + step, 0), this.#rows.length - 1);
            this.onPick(this.#rows[next]!.when);
        });
        new ResizeObserver(() => this.#later()).observe(this.element);
    }

    show(rows: TreeRow[]): void {
        this.#rows = rows;
        this.#depths = [];
        for (const row of rows) this.#depths.push(row.parent === undefined ? 0 : (this.#depths[row.parent] ?? 0) + 1);
        this.#canvas.style.height = `${rows.length * HEIGHT}px`;
        this.#marked = -1;
        this.#later();
    }

    /** Marks the node that a moment lies in. */
    mark(when: When): void {
        let [low, high] = [0, this.#rows.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (isAtMost(this.#rows[middle]!.when, when)) low = middle + 1;
            else high = middle;
        }
        this.#marked = low - 1;
        const top = this.#marked * HEIGHT;
        if (top < this.element.scrollTop || top > this.element.scrollTop + this.element.clientHeight - HEIGHT) {
            this.element.scrollTop = Math.max(0, top - this.element.clientHeight / 2);
        }
        this.#later();
    }

    #later(): void {
        if (this.#isWaiting) return;
        this.#isWaiting = true;
        requestAnimationFrame(() => {
            this.#isWaiting = false;
            this.#draw();
        });
    }

    #draw(): void {
        const first = Math.max(0, Math.floor(this.element.scrollTop / HEIGHT) - BEYOND);
        const last = Math.min(this.#rows.length, Math.ceil((this.element.scrollTop + this.element.clientHeight) / HEIGHT) + BEYOND);
        const shown = [];
        for (let at = first; at < last; at++) shown.push(this.#row(at));
        this.#canvas.replaceChildren(...shown);
        this.element.setAttribute("aria-activedescendant", this.#marked >= first && this.#marked < last ? `node-${this.#marked}` : "");
    }

    #row(at: number): HTMLElement {
        const row = this.#rows[at]!;
        const depth = this.#depths[at]!;
        const line = row.line === undefined ? "" : `line ${row.line}: `;
        const sign = { solution: "✔", failed: "✘", open: "…", inner: "" }[row.state];
        const folded = row.folded > 0 ? ` (${row.folded} more below, all failed)` : "";
        const element = make("div", {
            id: `node-${at}`, role: "treeitem", className: `node ${row.state}`, "aria-level": depth + 1, "aria-posinset": at + 1, "aria-setsize": this.#rows.length,
            "aria-selected": at === this.#marked, onclick: () => this.onPick(row.when),
        }, `${sign} ${line}${row.label}${row.why && row.state === "failed" ? `: ${row.why}` : ""}${folded}`);
        element.style.top = `${at * HEIGHT}px`;
        element.style.paddingLeft = `${0.4 + Math.min(depth, DEEPEST) * 0.5}rem`;
        return element;
    }
}

function isAtMost(a: When, b: When): boolean {
    return a.step < b.step || a.step === b.step && a.inside <= b.inside;
}
