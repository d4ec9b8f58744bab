// The card beside a cell: what may be there, why, and what a person can place.
import { iconButton } from "../page/icons";
import { isNarrow, make } from "../page/dom";
import { coded } from "../page/wording";

export interface Cell { x: number, y: number }

/** A sentence of why, with the moment that it leads to. */
export interface Because { words: string, go?: () => void, over?: () => void, detail?: string }

export interface CardListener {
    pick(cell: Cell, value: string): void,
    /** A person wants to place a value in several cells, one after the other. */
    brush(value: string): void,
    closed(cell: Cell, isByPerson: boolean): void,
    drawn(value: string): HTMLElement,
}

/** Between card and cell, in pixels. */
const GAP = 10;

export class Card {
    readonly element = make("div", { className: "card", role: "group", hidden: true });
    readonly #reasons = make("div", { className: "reasons", role: "region", "aria-label": "Why", tabIndex: 0 });
    #cell: Cell | undefined;
    #beside: HTMLElement | undefined;
    #isMoving = false;
    /** The cells that are spoken of: it does not lie over them where there is another place. */
    #spoken: HTMLElement[] = [];

    /** It lies within the stage where there is room. */
    constructor(readonly listener: CardListener, readonly stage: HTMLElement) {
        this.element.addEventListener("keydown", (event) => {
            if (event.key !== "Escape" || !this.#cell) return;
            event.stopPropagation();
            this.close(true);
        });
        // Whatever is done elsewhere, it is not in the way; a press on another cell moves it there.
        addEventListener("pointerdown", ({ target }) => !this.element.contains(target as Node) && !(target as HTMLElement).closest?.("[role=grid]") && this.close(), true);
        addEventListener("scroll", () => this.#put(), true);
        addEventListener("resize", () => this.#put());
    }

    get cell(): Cell | undefined {
        return this.#cell;
    }

    /** Opens beside a cell. Where nothing can be placed, it says why alone. */
    open(cell: Cell, beside: HTMLElement, candidates: string[], name: string, around: HTMLElement[]): void {
        [this.#cell, this.#beside, this.#spoken] = [cell, beside, around];
        const { x, y } = cell;
        const isOpen = candidates.length > 1;
        const values = isOpen ? candidates.map((value) => make("button", { type: "button", className: "value", onclick: () => this.listener.pick(cell, value) }, this.listener.drawn(value), value)) : [];
        const close = iconButton("close", "Close", () => this.close(true));
        const title = candidates.length === 0 ? "nothing is left" : candidates.length === 1 ? candidates[0]! : `${candidates.length} candidates`;
        const brush = !isOpen ? undefined : make("label", { className: "brush" }, "Paint with ", make("select", {
            onchange: (event: { target: HTMLSelectElement }) => event.target.value && this.listener.brush(event.target.value),
        }, make("option", { value: "" }, "..."), ...candidates.map((value) => make("option", { value }, value))));
        this.element.setAttribute("aria-label", `Cell ${x}, ${y}`);
        this.element.replaceChildren(
            make("header", {}, make("strong", {}, `${name}${x}, ${y}`), make("span", {}, title), close),
            ...isOpen ? [make("div", { className: "values" }, ...values)] : [], ...brush ? [brush] : [], this.#reasons);
        this.#reasons.replaceChildren(make("p", { className: "soft" }, "Finding out why..."));
        this.element.hidden = false;
        this.#put();
        (values[0] ?? close).focus({ preventScroll: true });
    }

    /** Says why the cell is what it is. */
    because(title: string, sentences: Because[], spoken: HTMLElement[] = []): void {
        this.#spoken.push(...spoken);
        this.#reasons.replaceChildren(make("h3", {}, ...coded(title)), ...sentences.map(({ words, go, over, detail }) => make("p", { onpointerenter: over, title: detail },
            go ? make("button", { type: "button", className: "link", onclick: go, onfocus: over }, ...coded(words)) : make("span", {}, ...coded(words)))));
        this.#put();
    }

    close(isByPerson = false): void {
        const cell = this.#cell;
        this.#cell = this.#beside = undefined;
        this.element.hidden = true;
        if (cell) this.listener.closed(cell, isByPerson);
    }

    /** On a phone at the lower edge, and the cell above it. */
    #putBelow(beside: HTMLElement): void {
        const top = innerHeight - this.element.offsetHeight - GAP / 2;
        Object.assign(this.element.style, { left: "3vw", top: `${top}px` });
        const { bottom } = beside.getBoundingClientRect();
        if (bottom > top - GAP && !this.#isMoving) {
            this.#isMoving = true;
            this.stage.scrollIntoView({ block: "start" });
            this.#isMoving = false;
        }
    }

    /** Beside the cell: where it covers least of what is spoken of, and of such places the nearest. */
    #put(): void {
        if (!this.#beside?.isConnected || this.element.hidden) return;
        if (isNarrow()) return this.#putBelow(this.#beside);
        const cell = this.#beside.getBoundingClientRect();
        const stage = this.stage.getBoundingClientRect();
        const { offsetWidth: width, offsetHeight: height } = this.element;
        const [right, bottom] = [document.documentElement.clientWidth, innerHeight];
        const [middle, top] = [cell.left + cell.width / 2 - width / 2, cell.top - 20];
        const away = GAP + cell.width;
        const places = [
            [cell.right + GAP, top], [cell.left - GAP - width, top], [cell.right + away, top], [cell.left - away - width, top],
            [middle, cell.bottom + GAP], [middle, cell.top - GAP - height], [middle, cell.bottom + away], [middle, cell.top - away - height],
            [stage.right - width - GAP, top], [stage.left + GAP, top], [stage.left - width - GAP, top],
        ].map(([x, y]) => [clamp(x!, right - width), clamp(y!, bottom - height)] as const);
        const boxes = this.#spoken.map((element) => element.getBoundingClientRect());
        const covers = ([x, y]: readonly [number, number], box: DOMRect) => x < box.right && x + width > box.left && y < box.bottom && y + height > box.top;
        // Never over the cell itself.
        const cost = (place: readonly [number, number]) => boxes.filter((box) => covers(place, box)).length + (covers(place, cell) ? 1000 : 0);
        const [x, y] = places.reduce((best, place) => cost(place) < cost(best) ? place : best);
        Object.assign(this.element.style, { left: `${x}px`, top: `${y}px` });
    }
}

/** Within the window. */
const clamp = (at: number, most: number) => Math.max(GAP / 2, Math.min(at, most - GAP / 2));
