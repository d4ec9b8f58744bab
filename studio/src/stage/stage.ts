// The stage: what of a run is seen large. Either what it has printed, or the cells of a grid with what was printed beside them.
import { make, the } from "../page/dom";
import type { GridView } from "./grid-view";
import type { OutputView } from "./output";

export class Stage {
    readonly #place = the("stage");
    readonly #cells = the("cells");

    /** `now` shows what the run has printed, `then` what it had printed at the moment that is shown. */
    constructor(readonly now: OutputView, readonly then: OutputView, grid: GridView, card: HTMLElement) {
        this.#cells.append(grid.element);
        this.#place.append(make("div", { className: "beside-cell" }, card));
    }

    show(which: "now" | "then", withCells: boolean): void {
        for (const [name, view] of [["now", this.now], ["then", this.then]] as const) {
            view.place.hidden = name !== which || withCells && !view.hasText;
            view.place.classList.toggle("notes", withCells);
        }
        this.#cells.hidden = !withCells;
        this.#place.classList.toggle("with-notes", withCells && !this[which].place.hidden);
    }
}
