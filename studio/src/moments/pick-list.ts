// What a person has placed: how much it is, how to take back the latest or all, and folded away each by itself.
import { make } from "../page/dom";
import { icon } from "../page/icons";

export interface PickListListener {
    /** One of them is taken back, or all. */
    takeBack(number?: number): void,
    /** There is nothing left of what a person went through with the keyboard. */
    emptied(): void,
}

export class PickList {
    readonly #count = make("summary", {});
    readonly #each = make("ul", { "aria-label": "What you have placed" });
    readonly #undo = make("button", { type: "button", className: "quiet", onclick: () => this.listener.takeBack(this.#each.children.length - 1) }, "Undo");
    readonly #all = make("button", { type: "button", className: "quiet", onclick: () => this.listener.takeBack() }, "Take all back");
    readonly #buttons = make("p", {}, this.#undo, this.#all);
    readonly element = make("div", { id: "picks", hidden: true }, this.#buttons, make("details", {}, this.#count, this.#each));

    constructor(readonly listener: PickListListener) {}

    /** Its place is there as long as a person takes part, so that nothing moves when they place the first. */
    show(picks: readonly string[], takesPart: boolean): void {
        const focused = this.#ofEach().findIndex((button) => button === document.activeElement);
        const wasInside = this.element.contains(document.activeElement);
        this.element.hidden = picks.length === 0 && !takesPart;
        this.#count.textContent = `${picks.length} placed`;
        this.#undo.disabled = picks.length === 0;
        this.#all.disabled = picks.length < 2;
        this.#each.replaceChildren(...picks.map((words, at) => make("li", {}, make("span", {}, words),
            make("button", { type: "button", className: "quiet icon", "aria-label": `Take back ${words}`, title: "Take back", onclick: () => this.listener.takeBack(at) }, icon("close")))));
        // Who takes something back by keyboard goes on with the next.
        if (wasInside && picks.length === 0) this.listener.emptied();
        else if (focused >= 0) this.#ofEach()[Math.min(focused, picks.length - 1)]?.focus();
    }

    #ofEach(): HTMLButtonElement[] {
        return [...this.#each.querySelectorAll("button")];
    }
}
