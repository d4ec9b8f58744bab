// The line over the stage: how the run stands, or what was said last, and whether what is shown is of the present program still.
import type { Course } from "../course";
import { mayTellMore, ranIn } from "../machine";
import { outdated } from "../project/ran";
import type { Project } from "../worker/protocol";
import { the } from "./dom";
import type { Tone } from "./standing-words";
import { coded, sentence } from "./wording";

export class MainLine {
    readonly #place = the("standing");
    #said: { text: string, tone: Tone, buttons: HTMLElement[] } = { text: "", tone: "", buttons: [] };

    constructor(readonly course: Course, readonly project: () => Project) {}

    say(text: string, tone: Tone = "", ...buttons: HTMLElement[]): void {
        this.#said = { text, tone, buttons };
        this.sayAgain();
    }

    /** Says something more beside what was said last. */
    add(text: string): void {
        this.say(`${this.#said.text} ${text}`, this.#said.tone, ...this.#said.buttons);
    }

    /** Says what was said last, of the program as it is now. */
    sayAgain(): void {
        const { text, tone, buttons } = this.#said;
        const { state } = this.course;
        const ran = ranIn(state);
        const isOld = ran && (state.time !== "now" || mayTellMore(state)) ? outdated(ran, this.project()) : "";
        this.#place.replaceChildren(...coded([text, isOld].filter(Boolean).join(" ")), ...buttons.flatMap((button) => [" ", button]));
        this.#place.className = tone;
    }

    /** Says what could not be done. What the engine says of it is no sentence yet, and its first line is enough. */
    sayProblem(why: unknown): void {
        this.say(sentence(why instanceof Error ? why.message : String(why)), "problem");
    }
}
