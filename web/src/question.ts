// What the program asks, as buttons or a field.
import { make } from "./dom";
import type { Question } from "./protocol";

export class QuestionForm {
    #question: Question | undefined;

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

    ask(question: Question): void {
        this.#question = question;
        this.place.hidden = false;
        const hint = question.hearsClicks ? make("p", { className: "hint" }, "A click on the picture answers, too. ",
            make("button", { type: "button", className: "to-picture", onclick: this.toPicture }, "Choose a cell by keyboard")) : undefined;
        if (question.options) {
            const buttons = question.options.map((option, at) => make("button", { type: "button", onclick: () => this.#give({ option: at }) }, option));
            this.place.replaceChildren(hint ?? "", make("div", { role: "group", "aria-label": question.prompt }, make("p", {}, question.prompt), ...buttons));
        } else {
            const field = make("input", { id: "answer-line", type: "text", autocomplete: "off" });
            this.place.replaceChildren(make("label", { for: "answer-line" }, question.prompt || "Your answer"), field, make("button", { type: "submit" }, "Answer"), hint ?? "");
        }
        // Who has answered goes on answering; who writes the program is left alone, all others see what is asked.
        const focused = document.activeElement;
        if (!focused?.closest("#editor")) this.place.scrollIntoView({ block: "nearest" });
        if (!focused || focused === document.body || this.place.contains(focused)) this.place.querySelector<HTMLElement>("input, button:not(.to-picture)")?.focus();
    }

    hide(): void {
        this.#question = undefined;
        this.place.hidden = true;
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
        if (this.#question) this.onAnswer(answer);
    }
}
