// The keyboard on a picture that hears clicks: arrow keys choose a cell, and it is clicked on.
import { make } from "../page/dom";

const MOVES: Record<string, [x: number, y: number]> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const HELP = "Cells of the picture. Arrow keys choose one; Enter clicks on it, Shift and Enter with the right button.";

export class CellPointer {
    #columns = 1;
    #rows = 1;
    #x = 0;
    #y = 0;
    readonly #mark = make("span", { className: "mark" });
    readonly #said = make("span", { className: "unseen", "aria-live": "polite" });
    /** Lies over the picture, and lets the mouse through. */
    readonly #element = make("div", { className: "pointer", tabIndex: 0, role: "application", "aria-label": HELP }, this.#mark, this.#said);

    constructor(readonly click: (x: number, y: number, button: string) => void) {
        this.#element.addEventListener("keydown", (event) => this.#pressed(event));
        // The key that opens menus is the right button of who has no mouse.
        this.#element.addEventListener("contextmenu", (event) => {
            event.preventDefault();
            this.click(this.#x, this.#y, "right");
        });
    }

    /** Goes onto a picture of so many cells; who was at a cell of another one is at the same cell of this one. */
    moveTo(picture: HTMLElement, columns: number, rows: number): void {
        const isFocused = document.activeElement === this.#element;
        [this.#columns, this.#rows] = [columns, rows];
        picture.append(this.#element);
        this.#choose(this.#x, this.#y);
        if (isFocused) this.#element.focus({ preventScroll: true });
    }

    get isFocused(): boolean {
        return document.activeElement === this.#element;
    }

    focus(): void {
        this.#element.focus();
        this.#say();
    }

    remove(): void {
        this.#element.remove();
    }

    #pressed(event: KeyboardEvent): void {
        const move = MOVES[event.key];
        if (move) this.#choose(this.#x + move[0], this.#y + move[1]);
        else if (event.key === "Home") this.#choose(0, this.#y);
        else if (event.key === "End") this.#choose(this.#columns - 1, this.#y);
        else if ((event.key === "Enter" || event.key === " ") && !event.ctrlKey && !event.metaKey) this.click(this.#x, this.#y, event.shiftKey ? "right" : "left");
        else return;
        event.preventDefault();
        if (move || event.key === "Home" || event.key === "End") this.#say();
    }

    #choose(x: number, y: number): void {
        this.#x = Math.max(0, Math.min(this.#columns - 1, x));
        this.#y = Math.max(0, Math.min(this.#rows - 1, y));
        const percent = (part: number, whole: number) => `${100 * part / whole}%`;
        Object.assign(this.#mark.style, {
            left: percent(this.#x, this.#columns), top: percent(this.#y, this.#rows),
            width: percent(1, this.#columns), height: percent(1, this.#rows),
        });
    }

    #say(): void {
        this.#said.textContent = `Cell ${this.#x}, ${this.#y}`;
    }
}
