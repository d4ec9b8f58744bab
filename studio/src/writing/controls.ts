// A control for every parameter that the program asks for.
import { make } from "../page/dom";
import type { Parameter, Parameters } from "../worker/protocol";

export class Controls {
    #shown = "";

    /** A change that is taken with Enter: what follows is one run, also where nothing has changed. */
    #isEntered = false;

    constructor(readonly place: HTMLFieldSetElement, readonly onChange: (parameters: Parameters, isEntered: boolean) => void, onEnter: () => void) {
        place.addEventListener("keydown", (event) => {
            const field = event.target as HTMLElement;
            if (event.key !== "Enter" || event.ctrlKey || event.metaKey || field.localName !== "input") return;
            event.preventDefault();
            this.#isEntered = true;
            field.dispatchEvent(new Event("change"));
            this.#isEntered = false;
            onEnter();
        });
    }

    /** Shows these parameters with the values that are given for them. */
    show(asked: Parameter[], given: Parameters): void {
        const shown = JSON.stringify(asked);
        // Typing in the program must not take the focus out of a control, nor what is written in it.
        if (shown === this.#shown) return;
        this.#shown = shown;
        this.place.hidden = asked.length === 0;
        const values: Parameters = { ...given };
        const set = (name: string, value: boolean | number | string | undefined) => {
            // Who leaves a field in which they have pressed Enter has changed nothing more.
            if (values[name] === value) return;
            if (value === undefined) delete values[name];
            else values[name] = value;
            this.onChange({ ...values }, this.#isEntered);
        };
        const rows = asked.map((parameter, at) => make("div", { className: "parameter" },
            make("label", { for: `parameter-${at}` }, parameter.name), control(parameter, given[parameter.name], `parameter-${at}`, set)));
        this.place.replaceChildren(make("legend", {}, "Parameters"), ...rows);
    }

    /** Forgets what is shown, so that new values are. */
    reset(): void {
        this.#shown = "";
    }
}

type Value = boolean | number | string | undefined;

function control({ name, default: standard, choices }: Parameter, given: Value, id: string, set: (name: string, value: Value) => void): HTMLElement {
    const value = given ?? standard;
    if (choices) {
        const select = make("select", { id, onchange: () => set(name, select.value === standard ? undefined : select.value) },
            ...choices.map((choice) => make("option", { value: choice, selected: choice === value }, choice)));
        return select;
    }
    if (typeof standard === "boolean") {
        const box = make("input", { id, type: "checkbox", checked: value === true, onchange: () => set(name, box.checked === standard ? undefined : box.checked) });
        return box;
    }
    if (typeof standard === "number") {
        const whole = Number.isInteger(standard);
        const field = make("input", { id, type: "number", step: whole ? "1" : "any", value: String(value), onchange: () => {
            const number = field.valueAsNumber;
            set(name, Number.isNaN(number) || number === standard ? undefined : number);
        } });
        return field;
    }
    const isLong = typeof value === "string" && value.includes("\n");
    const text = value === undefined ? "" : String(value);
    const field: HTMLInputElement | HTMLTextAreaElement = isLong
        ? make("textarea", { id, rows: Math.min(10, text.split("\n").length), value: text })
        : make("input", { id, type: "text", value: text });
    field.addEventListener("change", () => set(name, field.value === (standard ?? "") ? undefined : field.value));
    return field;
}
