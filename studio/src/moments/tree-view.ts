// The tree of a search as a list of lines, of which only those in sight are elements.
import { make } from "../page/dom";
import type { When } from "../worker/protocol";
import type { Tree } from "./tree";

const HEIGHT = 26;
const BEYOND = 8;
/** Levels beyond this one are not moved to the right any further. */
const DEEPEST = 12;

export class TreeView {
    readonly #canvas = make("div", { className: "tree-rows" });
    readonly element = make("div", { className: "tree", role: "tree", tabIndex: 0, "aria-label": "Tree of the search" }, this.#canvas);
    #tree: Tree | undefined;
    #depths = new Uint32Array();
    #marked = -1;
    #isWaiting = false;

    constructor(readonly onPick: (when: When) => void) {
        this.element.addEventListener("scroll", () => this.#later());
        this.element.addEventListener("keydown", (event) => {
            const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
            if (step === undefined || !this.#tree) return;
            event.preventDefault();
            const next = Math.min(Math.max(this.#marked + step, 0), this.#tree.size - 1);
            this.onPick(this.#tree.when(next));
        });
        new ResizeObserver(() => this.#later()).observe(this.element);
    }

    show(tree: Tree): void {
        this.#tree = tree;
        this.#depths = new Uint32Array(tree.size);
        for (let at = 1; at < tree.size; at++) this.#depths[at] = this.#depths[tree.parent(at)]! + 1;
        this.#canvas.style.height = `${tree.size * HEIGHT}px`;
        this.#marked = -1;
        this.#later();
    }

    /** Marks the node that a moment lies in. */
    mark(when: When): void {
        this.#marked = this.#tree?.at(when) ?? -1;
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
        const last = Math.min(this.#tree?.size ?? 0, Math.ceil((this.element.scrollTop + this.element.clientHeight) / HEIGHT) + BEYOND);
        const shown = [];
        for (let at = first; at < last; at++) shown.push(this.#row(at));
        this.#canvas.replaceChildren(...shown);
        this.element.setAttribute("aria-activedescendant", this.#marked >= first && this.#marked < last ? `node-${this.#marked}` : "");
    }

    #row(at: number): HTMLElement {
        const tree = this.#tree!;
        const [state, depth, line, folded] = [tree.state(at), this.#depths[at]!, tree.line(at), tree.folded(at)];
        const sign = { solution: "✔", failed: "✘", open: "…", inner: "" }[state];
        const why = state === "failed" && tree.why(at) ? `: ${tree.why(at)}` : "";
        const below = folded > 0 ? ` (${folded} more below, all failed)` : "";
        const element = make("div", {
            id: `node-${at}`, role: "treeitem", className: `node ${state}`, "aria-level": depth + 1, "aria-posinset": at + 1, "aria-setsize": tree.size,
            "aria-selected": at === this.#marked, onclick: () => this.onPick(tree.when(at)),
        }, `${sign} ${line === 0 ? "" : `line ${line}: `}${tree.label(at)}${why}${below}`);
        element.style.top = `${at * HEIGHT}px`;
        element.style.paddingLeft = `${0.4 + Math.min(depth, DEEPEST) * 0.5}rem`;
        return element;
    }
}
