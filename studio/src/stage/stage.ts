// The stage: what of a run is seen large. Either what it has printed, or the cells of a grid with what was printed beside them.
import { make, the } from "../page/dom";
import type { GridView } from "./grid-view";
import type { OutputView } from "./output";

export class Stage {
    readonly #place = the("stage");
    readonly #cells = the("cells");
    #wanted: ["now" | "then", boolean] = ["now", false];

    /** `now` shows what the run has printed, `then` what it had printed at the moment that is shown. */
    constructor(readonly now: OutputView, readonly then: OutputView, grid: GridView, card: HTMLElement) {
        this.#cells.append(grid.element);
        this.#place.append(make("div", { className: "beside-cell" }, card));
    }

    show(wanted: "now" | "then", withCells: boolean): void {
        this.#wanted = [wanted, withCells];
        // Why nothing came of a run is told at a moment, too, that has nothing of its own to show.
        const which = this.now.isExplained && this.then.isEmpty && !withCells ? "now" : wanted;
        for (const [name, view] of [["now", this.now], ["then", this.then]] as const) {
            view.place.hidden = name !== which || withCells && !view.hasText;
            view.place.classList.toggle("notes", withCells);
        }
        this.#cells.hidden = !withCells;
        this.#place.classList.toggle("with-notes", withCells && !this[which].place.hidden);
    }
    /** Something has come of the run since. */
    showAgain(): void {
        this.show(...this.#wanted);
    }
}
