// Many buttons that are one stop of Tab: within them arrow keys move, Home and End, and the letters with which a button begins.

/** Letters that follow one another sooner than this are of one word. */
const WORD_MILLISECONDS = 700;

export class Roving {
    #buttons: HTMLElement[] = [];
    #typed = "";
    #typedAt = 0;

    constructor(readonly place: HTMLElement) {
        place.addEventListener("keydown", (event) => this.#pressed(event));
        place.addEventListener("focusin", (event) => this.#stopAt(event.target as HTMLElement));
    }

    /** Begins anew with these buttons, of which one is where Tab stops. */
    begin(buttons: HTMLElement[], stop = 0): void {
        this.#buttons = buttons;
        this.#typed = "";
        buttons.forEach((button, at) => button.tabIndex = at === stop ? 0 : -1);
    }

    #stopAt(button: HTMLElement): void {
        if (!this.#buttons.includes(button)) return;
        this.#buttons.forEach((other) => other.tabIndex = other === button ? 0 : -1);
    }

    #pressed(event: KeyboardEvent): void {
        const at = this.#buttons.indexOf(event.target as HTMLElement);
        if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
        const to = this.#target(event, at);
        if (to === undefined) return;
        event.preventDefault();
        this.#buttons[to]?.focus();
    }

    #target(event: KeyboardEvent, at: number): number | undefined {
        const typed = this.#typed;
        this.#typed = "";
        switch (event.key) {
            case "ArrowLeft": return Math.max(0, at - 1);
            case "ArrowRight": return Math.min(this.#buttons.length - 1, at + 1);
            case "ArrowUp": return this.#nextRow(at, -1);
            case "ArrowDown": return this.#nextRow(at, 1);
            case "Home": return 0;
            case "End": return this.#buttons.length - 1;
        }
        const before = event.timeStamp - this.#typedAt > WORD_MILLISECONDS ? "" : typed;
        // A space within a word is typed; else it presses the button.
        if (event.key.length !== 1 || event.key === " " && before === "") return undefined;
        [this.#typed, this.#typedAt] = [before + event.key.toLowerCase(), event.timeStamp];
        return this.#beginningWith(this.#typed, at) ?? at;
    }

    /** The next one that begins so; the one where we are goes on to be right while a word grows. */
    #beginningWith(word: string, at: number): number | undefined {
        const start = word.length > 1 ? at : at + 1;
        const order = this.#buttons.map((_, step) => (start + step) % this.#buttons.length);
        return order.find((number) => this.#buttons[number]!.textContent!.toLowerCase().startsWith(word));
    }

    /** The nearest one in the row above or below; where there is but one row, the one before or behind. */
    #nextRow(at: number, direction: 1 | -1): number {
        const boxes = this.#buttons.map((button) => button.getBoundingClientRect());
        const own = boxes[at]!;
        const middle = (box: DOMRect) => (box.left + box.right) / 2;
        if (boxes.every((box) => box.top === own.top)) return Math.max(0, Math.min(boxes.length - 1, at + direction));
        let nearest = at;
        for (let other = at + direction, top: number | undefined; other >= 0 && other < boxes.length; other += direction) {
            const box = boxes[other]!;
            if (box.top === own.top) continue;
            top ??= box.top;
            if (box.top !== top) break;
            const distance = (box: DOMRect) => Math.abs(middle(box) - middle(own));
            if (nearest === at || distance(box) < distance(boxes[nearest]!)) nearest = other;
        }
        return nearest;
    }
}
