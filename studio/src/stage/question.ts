// What the program asks, as buttons or a field.
import { make } from "../page/dom";
import type { Question } from "../worker/protocol";
import { Roving } from "../page/roving";
import { coded } from "../page/wording";

/** Where there are more options, it is said how the keyboard gets through them. */
const FEW_OPTIONS = 9;

export class QuestionForm {
    #question: Question | undefined;
    /** The options of the question before, from the one that was answered with on. */
    #behindAnswer: string[] = [];
    readonly #options = make("div", { role: "toolbar" });
    readonly #roving = new Roving(this.#options);
    #height = 0;
    /** Whether a person wants to see all answers where a click on the picture gives them, too. */
    #wantsAll = false;

    constructor(
        readonly place: HTMLFormElement, readonly onAnswer: (answer: { option?: number, line?: string }) => void,
        readonly toPicture: () => void,
    ) {
        place.addEventListener("submit", (event) => {
            event.preventDefault();
            const line = place.querySelector<HTMLInputElement>("#answer-line");
            if (line) this.#give({ line: line.value });
        });
    }

    /** What a right click on the picture can mean may be known later. */
    ask(question: Question, rightClick?: Promise<string | undefined>): void {
        this.#question = question;
        // Its place is there before it is known, so that the picture stays where it is.
        const meaning = make("span", {}, "something else"), other = make("span", { className: "other-click" }, " A right click, or a finger held there, may mean ", meaning, ".");
        void rightClick?.then((answer) => {
            if (!answer) return;
            meaning.replaceChildren(...coded(`\`${answer}\``));
            other.classList.add("known");
        });
        this.place.inert = false;
        this.place.hidden = false;
        const hint = question.hearsClicks ? make("p", { className: "hint" }, "A click on the picture answers, too. ",
            make("button", { type: "button", className: "to-picture", onclick: this.toPicture }, "Choose a cell by keyboard"), other) : undefined;
        if (question.options) {
            const how = question.options.length > FEW_OPTIONS && !question.hearsClicks ? make("p", { className: "hint by-keyboard" }, "By keyboard: arrow keys or first letters, then Enter.") : "";
            this.place.replaceChildren(make("p", { className: "prompt" }, question.prompt), hint ?? "", how, this.#drawnOptions(question));
        } else {
            const field = make("input", { id: "answer-line", type: "text", autocomplete: "off" });
            this.place.replaceChildren(make("label", { for: "answer-line" }, question.prompt || "Your answer"), field, make("button", { type: "submit" }, "Answer"), hint ?? "");
        }
        this.#height = this.place.getBoundingClientRect().height;
        // Who has answered goes on answering; who writes the program is left alone, all others see what is asked.
        const focused = document.activeElement;
        if (!focused?.closest("#editor")) this.place.scrollIntoView({ block: "nearest" });
        if (!focused || focused === document.body || this.place.contains(focused)) [...this.place.querySelectorAll<HTMLElement>("input, button:not(.to-picture):not([tabindex='-1']), summary")].find((part) => part.checkVisibility())?.focus();
    }

    /** The options as one stop of Tab, which is where the person has answered before, or at the next one that is still there. */
    #drawnOptions({ prompt, options = [], hearsClicks }: Question): HTMLElement {
        const buttons = options.map((option, at) => make("button", { type: "button", onclick: () => this.#give({ option: at }) }, option));
        this.#options.setAttribute("aria-label", prompt || "Your answer");
        this.#options.replaceChildren(...buttons);
        const before = this.#behindAnswer.find((option) => options.includes(option));
        this.#roving.begin(buttons, before === undefined ? 0 : options.indexOf(before));
        if (!hearsClicks || options.length <= FEW_OPTIONS) return this.#options;
        // What names no place is not pressed on the picture, such as a wish for a hint.
        const others = make("div", { className: "others", role: "group", "aria-label": "Other answers", hidden: this.#wantsAll },
            ...options.flatMap((option, at) => /\d/.test(option) ? [] : [make("button", { type: "button", onclick: () => this.#give({ option: at }) }, option)]));
        const all = make("details", { open: this.#wantsAll }, make("summary", {}, "All answers as buttons"), this.#options);
        all.addEventListener("toggle", () => {
            this.#wantsAll = others.hidden = all.open;
            this.#height = this.place.getBoundingClientRect().height;
        });
        return make("div", { className: "answers" }, others, all);
    }

    /** How high it is, so that what takes its place can be as high. */
    get height(): number {
        return this.#height;
    }

    /** An answer was given, and what comes of it is on its way: the place stays as it is. */
    rest(): void {
        this.#question = undefined;
        this.place.inert = true;
    }

    hide(): void {
        this.#question = undefined;
        this.place.hidden = true;
        this.place.inert = false;
        this.place.replaceChildren();
    }

    /** Answers with the text of an option, or with a line. */
    answerWith(text: string): void {
        const options = this.#question?.options;
        if (!options) return this.#give({ line: text });
        const option = options.indexOf(text);
        if (option >= 0) this.#give({ option });
    }

    #give(answer: { option?: number, line?: string }): void {
        if (!this.#question) return;
        this.#behindAnswer = answer.option === undefined ? [] : this.#question.options?.slice(answer.option) ?? [];
        this.onAnswer(answer);
    }
}
