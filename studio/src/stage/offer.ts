// What stands on the stage where there is no picture yet, or none that is of the present program: what one can do now.
import { make } from "../page/dom";
import { icon } from "../page/icons";
import { coded, ended, plain } from "../page/wording";
import type { Diagnostic, Figures } from "../worker/protocol";

export interface OfferListener {
    run(): void,
    goOn(): void,
    start(): void,
    gallery(): void,
    learn(): void,
    goTo(file: string, line: number, column: number): void,
    /** A person wants to see how far a search has come, and where it has failed; or to have other draws. */
    see(): void,
    heat(): void,
    otherSeed(): void,
}

/** What helps where a search has taken a wrong way early. */
export const ADVICE = "Often another seed is quicker: it guesses otherwise. `withRestarts(() => ...)` around the search tries others by itself.";
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
    waits(isBlank: boolean, isToBeSolved = false): void {
        if (!isBlank) return this.#show("run", make("button", { type: "button", className: "main large", onclick: () => this.listener.run() }, icon("play"), isToBeSolved ? "Solve this puzzle yourself" : "Run this program"));
        const { listener } = this;
        this.#show("blank", make("h3", {}, "An empty program"), make("p", {}, "Write one, and press Run: what it prints stands here. Or begin with something that is there."),
            make("p", { className: "offers" }, this.#button("The first map", () => listener.start()), this.#button("Open the gallery", () => listener.gallery()), this.#button("Open the lessons", () => listener.learn())));
    }

    /** A run has begun that may say nothing for long. */
    runs(figures: () => Figures | undefined): void {
        this.hide();
        this.#late = setTimeout(() => {
            const { choices = 0, failures = 0 } = figures() ?? {};
            const how = choices === 0 ? " It has made no guess so far: if it stands in a loop, Stop says where." : failures > 0 ? " Stop says where it fails." : " Stop ends it.";
            this.#show("silent", make("p", {}, `It is still running, and has shown nothing yet.${how}`));
        }, SILENT_MILLISECONDS);
    }

    /** Something is written where nothing was. */
    typed(): void {
        if (this.place.dataset["kind"] === "blank" && !this.place.hidden) this.waits(false);
    }

    /** A run has come to its end without a word. */
    silent(): void {
        this.#show("silent", make("p", {}, ...coded("The program ran to its end and printed nothing: what `print(...)` gets stands here.")));
    }

    /** A run was stopped before it had printed anything; where it stood then is told of one that does not search. */
    stopped({ choices }: Figures, where: { file: string, line: number } | undefined): void {
        const goOn = this.#button("Go on", () => this.listener.goOn(), "play");
        if (choices > 0) return this.#show("silent", make("p", {}, "It was stopped before it had shown anything."), make("p", { className: "soft" }, ...coded(ADVICE)), make("p", { className: "offers" }, goOn, ...this.adviceButtons()));
        const line = where && make("button", { type: "button", className: "link", onclick: () => this.listener.goTo(where.file, where.line, 1) }, `line ${where.line}`);
        this.#show("silent", make("p", {}, "It was stopped before it had shown anything. It has made no guess so far", ...line ? ["; it is in ", line] : [], "."), goOn);
    }

    /** What else can be done with a search that does not end. */
    adviceButtons(): HTMLButtonElement[] {
        return [this.#button("See how far it came", () => this.listener.see()), this.#button("Where it fails most", () => this.listener.heat()), this.#button("Try another seed", () => this.listener.otherSeed())];
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
