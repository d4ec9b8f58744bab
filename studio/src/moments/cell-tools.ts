// The row of buttons for the cells of a grid, below the time line.
import { make } from "../page/dom";
import { icon } from "../page/icons";

export interface CellToolsListener {
    /** A person wants to see cells in place of the picture, or the other way. */
    toggle(): void,
    chosen(grid: string): void,
    heated(): void,
    takePart(): void,
    finish(): void,
    stopPainting(): void,
    back(): void,
}

export class CellTools {
    readonly cells: HTMLButtonElement;
    readonly gridChoice = make("select", { "aria-label": "Grid to show", hidden: true });
    readonly heat = make("input", { type: "checkbox", id: "heat" });
    readonly heatSaid = make("span", { role: "status" });
    readonly back: HTMLButtonElement;
    /** Pressed as long as a person takes part. */
    readonly takePart: HTMLButtonElement;
    readonly #brush: HTMLButtonElement;
    /** What is of use where there are cells. */
    readonly #ofCells: HTMLElement[];
    readonly element: HTMLElement;

    constructor(listener: CellToolsListener) {
        const button = (name: Parameters<typeof icon>[0], words: string, work: () => void, title?: string) => make("button", { type: "button", className: "quiet", onclick: work, title }, icon(name), words);
        this.cells = button("cells", "Show cells", () => listener.toggle(), "What each cell may be, in place of the picture");
        this.cells.setAttribute("aria-pressed", "false");
        this.back = button("undo", "Back to the run", () => listener.back());
        this.#brush = button("brush", "", () => listener.stopPainting());
        this.#brush.hidden = true;
        this.heat.addEventListener("change", () => listener.heated());
        this.gridChoice.addEventListener("change", () => listener.chosen(this.gridChoice.value));
        const heat = make("label", { className: "check", title: "How often the search failed at each cell" }, this.heat, "Heat map");
        this.takePart = button("hand", "Take part", () => listener.takePart(), "Back to before the guesses, to place some yourself");
        const finish = button("wand", "Finish the rest", () => listener.finish(), "The search decides all that is open at this moment");
        this.#ofCells = [this.cells, heat, this.takePart, finish];
        this.element = make("div", { className: "grid-bar", role: "group", "aria-label": "Cells" },
            this.cells, this.gridChoice, heat, this.heatSaid, this.takePart, finish, this.#brush, this.back);
    }

    /** Whether there are cells, or may be. */
    offer(hasCells: boolean): void {
        this.#ofCells.forEach((part) => part.hidden = !hasCells);
    }

    /** A person paints with a value, or does so no more. */
    painting(value: string | undefined): void {
        this.#brush.hidden = value === undefined;
        this.#brush.replaceChildren(icon("brush"), `Stop painting ${value ?? ""}`);
    }
}
