// What stands on the stage where there is no picture yet, or none that is of the present program: what one can do now.
import { make } from "../page/dom";
import { icon } from "../page/icons";
import { coded, ended, plain } from "../page/wording";
import type { Diagnostic } from "../worker/protocol";

export interface OfferListener {
    run(): void,
    goOn(): void,
    start(): void,
    gallery(): void,
    learn(): void,
    goTo(file: string, line: number, column: number): void,
}

/** A run that shows nothing for so long is spoken of. */
const SILENT_MILLISECONDS = 3000;

export class Offer {
    #late: ReturnType<typeof setTimeout> | undefined;

    constructor(readonly place: HTMLElement, readonly listener: OfferListener) {}

    hide(): void {
        clearTimeout(this.#late);
        this.place.hidden = true;
    }

    /** Nothing has run yet. */
    waits(isBlank: boolean): void {
        if (!isBlank) return this.#show("run", make("button", { type: "button", className: "main large", onclick: () => this.listener.run() }, icon("play"), "Run this program"));
        const { listener } = this;
        this.#show("blank", make("h3", {}, "An empty program"), make("p", {}, "Write one, and press Run: what it prints stands here. Or begin with something that is there."),
            make("p", { className: "offers" }, this.#button("The first map", () => listener.start()), this.#button("Open the gallery", () => listener.gallery()), this.#button("Open the lessons", () => listener.learn())));
    }

    /** A run has begun that may say nothing for long. */
    runs(): void {
        this.hide();
        this.#late = setTimeout(() => this.#show("silent", make("p", {}, "It is still running, and has shown nothing yet. Stop ends it.")), SILENT_MILLISECONDS);
    }

    /** A run has come to its end without a word. */
    silent(): void {
        this.#show("silent", make("p", {}, ...coded("The program ran to its end and printed nothing: what `print(...)` gets stands here.")));
    }

    /** A run was stopped before it had printed anything. */
    stopped(): void {
        this.#show("silent", make("p", {}, "It was stopped before it had shown anything."), this.#button("Go on", () => this.listener.goOn(), "play"));
    }

    /** A run has come to a mistake. */
    mistake({ message, place }: Diagnostic): void {
        const where = place && make("button", { type: "button", className: "link", onclick: () => this.listener.goTo(place.file, place.line, place.column) }, `Line ${place.line}`);
        this.#show("mistake", make("p", {}, ...where ? [where, ": "] : [], ...coded(ended(plain(message)))));
    }

    #button(words: string, work: () => void, name?: "play"): HTMLButtonElement {
        return make("button", { type: "button", onclick: work }, ...name ? [icon(name)] : [], words);
    }

    #show(kind: string, ...parts: HTMLElement[]): void {
        clearTimeout(this.#late);
        this.place.dataset["kind"] = kind;
        this.place.replaceChildren(make("div", { className: "offered" }, ...parts));
        this.place.hidden = false;
    }
}
