// What a person has placed, each with a button that takes it back.
import { make } from "../page/dom";
import { icon } from "../page/icons";

export interface PickListListener {
    /** One of them is taken back, or all. */
    takeBack(number?: number): void,
    /** There is nothing left of what a person went through with the keyboard. */
    emptied(): void,
}

export class PickList {
    readonly element = make("ul", { id: "picks", "aria-label": "What you have placed", hidden: true });

    constructor(readonly listener: PickListListener) {}

    show(picks: readonly string[]): void {
        const focused = this.#buttons().findIndex((button) => button === document.activeElement);
        this.element.hidden = picks.length === 0;
        const all = picks.length < 2 ? [] : [make("li", {}, make("button", { type: "button", className: "quiet", onclick: () => this.listener.takeBack() }, "Take all back"))];
        this.element.replaceChildren(...picks.map((words, at) => make("li", {}, make("span", {}, words),
            make("button", { type: "button", className: "quiet icon", "aria-label": `Take back ${words}`, title: "Take back", onclick: () => this.listener.takeBack(at) }, icon("close")))), ...all);
        // Who takes something back by keyboard goes on with the next.
        if (focused < 0) return;
        if (picks.length === 0) this.listener.emptied();
        else this.#buttons()[Math.min(focused, picks.length - 1)]?.focus();
    }

    #buttons(): HTMLButtonElement[] {
        return [...this.element.querySelectorAll("button")];
    }
}
