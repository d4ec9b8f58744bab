// The box below the program that says what a word is for: the word at the cursor, or the one that a person is about to take. It covers nothing.
import { iconButton } from "../page/icons";
import { make } from "../page/dom";
import { described } from "./described";
import type { Doc } from "../worker/protocol";

export class WordBox {
    readonly element = make("div", { className: "word-box", hidden: true });
    #shown: Doc | undefined;
    #isAsked = false;

    /** `resized` hears that the program above has another height. */
    constructor(readonly resized: () => void) {}

    get isShown(): boolean {
        return !this.element.hidden;
    }

    /** Who has asked hears it read out, and it stays until they go on. */
    show(doc: Doc, isAsked: boolean): void {
        this.#isAsked = isAsked;
        if (doc.name === this.#shown?.name) return;
        this.#shown = doc;
        if (isAsked) this.element.setAttribute("role", "status");
        this.element.replaceChildren(described(doc), iconButton("close", "Close", () => this.hide()));
        this.element.scrollTop = 0;
        this.element.hidden = false;
        this.resized();
    }

    /** What came by itself goes by itself. */
    hideUnasked(): void {
        if (!this.#isAsked) this.hide();
    }

    hide(): void {
        if (!this.isShown) return;
        this.#shown = undefined;
        this.#isAsked = false;
        this.element.hidden = true;
        this.element.removeAttribute("role");
        this.element.replaceChildren();
        this.resized();
    }
}
