// A stroke over cells of a puzzle: the first one says what all of them are marked as. A press that does not leave its cell is a click.

export interface StrokesHost {
    /** What a press makes of a cell. */
    next(cell: HTMLButtonElement): number | undefined,
    mark(cell: HTMLButtonElement, value: number | undefined): void,
}

export class Strokes {
    #first: HTMLButtonElement | undefined;
    #latest: HTMLButtonElement | undefined;
    #value: number | undefined;
    #hasMarked = false;

    constructor(readonly board: HTMLElement, readonly host: StrokesHost) {
        board.addEventListener("pointerdown", (event) => this.#begins(event));
        board.addEventListener("pointermove", (event) => this.#goes(event));
        for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { this.#first = undefined; });
    }

    /** Whether cells are marked by going over them. A finger does not move the page from there. */
    set isOn(isOn: boolean) {
        this.board.classList.toggle("strokes", isOn);
    }

    /** Whether the press that ends now has marked several cells, and so means none of them alone. */
    get hasMarked(): boolean {
        return this.#hasMarked;
    }

    #begins(event: PointerEvent): void {
        this.#hasMarked = false;
        this.#first = event.button === 0 && this.board.classList.contains("strokes") ? this.#cellAt(event) : undefined;
        this.#latest = this.#first;
    }

    #goes(event: PointerEvent): void {
        const first = this.#first;
        const cell = first && this.#cellAt(event);
        if (!first || !cell || cell === this.#latest) return;
        if (!this.#hasMarked) {
            this.#value = this.host.next(first);
            this.#hasMarked = true;
            this.host.mark(first, this.#value);
        }
        this.#latest = cell;
        this.host.mark(cell, this.#value);
    }

    #cellAt({ clientX, clientY }: PointerEvent): HTMLButtonElement | undefined {
        return document.elementFromPoint(clientX, clientY)?.closest<HTMLButtonElement>(".puzzle-cell") ?? undefined;
    }
}
