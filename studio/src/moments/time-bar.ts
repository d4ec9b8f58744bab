// The time line under the stage, with what plays it and steps along it.
import { make } from "../page/dom";
import { coded } from "../page/wording";
import { icon, iconButton } from "../page/icons";
import type { Mark, Recording, When } from "../worker/protocol";

export const UNITS = ["choice", "failure", "line"] as const;
export type Unit = typeof UNITS[number];

export interface TimeBarListener {
    /** A person moves the slider to a step. */
    slide(step: number): void,
    begin(): void,
    end(): void,
    step(isBack: boolean, unit: Unit): void,
    playOrPause(): void,
    speed(factor: number): void,
}

const STATES = { failed: "--mark-failed", solution: "--mark-solution", open: "--mark-choice", inner: "--mark-choice" } as const;
const MARKS_HEIGHT = 14;
const MARK_WIDTH = 2;
/** What is moved along the line, as wide as `time.css` has it: at both ends its middle stands half of that away from them. */
const KNOB = 16;
/** While nothing is recorded, the line has no steps. */
const UNKNOWN = 1000;

export class TimeBar {
    readonly #slider = make("input", { type: "range", min: "0", max: String(UNKNOWN), value: String(UNKNOWN), step: "1", "aria-label": "Moment", id: "moment" });
    readonly #marks = make("canvas", { height: MARKS_HEIGHT, "aria-hidden": "true" });
    readonly #unit = make("select", { "aria-label": "Step by", title: "How far the arrows beside Play go" }, ...UNITS.map((unit) => make("option", { value: unit }, `by ${unit}`)));
    readonly #play = make("button", { type: "button", className: "icon play" });
    readonly #back: HTMLButtonElement;
    readonly #on: HTMLButtonElement;
    readonly #progress = make("progress", { "aria-label": "Recording", hidden: true });
    readonly said = make("p", { id: "moment-words", "aria-live": "polite" });
    readonly element: HTMLElement;
    #recording: Recording | undefined;
    #late: ReturnType<typeof setTimeout> | undefined;

    constructor(readonly listener: TimeBarListener) {
        this.#back = iconButton("back", "", () => listener.step(true, this.unit));
        this.#on = iconButton("next", "", () => listener.step(false, this.unit));
        this.#unit.addEventListener("change", () => this.#name());
        this.#play.addEventListener("click", () => listener.playOrPause());
        this.#slider.addEventListener("input", () => listener.slide(Number(this.#slider.value)));
        const speed = make("select", { "aria-label": "Speed", title: "How quickly it plays", onchange: () => listener.speed(Number(speed.value)) },
            ...[0.25, 0.5, 1, 2, 4].map((factor) => make("option", { value: String(factor), selected: factor === 1 }, `${factor}×`)));
        const line = make("div", { className: "time-line" }, this.#marks, this.#slider, this.#progress);
        this.element = make("div", { className: "time-bar" }, line,
            make("div", { className: "transport", role: "group", "aria-label": "Steps" },
                iconButton("first", "Start", () => listener.begin()), this.#back, this.#play, this.#on, iconButton("last", "End", () => listener.end()), this.#unit, speed),
            this.said);
        new ResizeObserver(() => this.#draw()).observe(line);
        this.#name();
        this.showPlaying(false);
    }

    /** How far a step goes. */
    get unit(): Unit {
        return this.#unit.value as Unit;
    }

    #name(): void {
        for (const [button, words] of [[this.#back, "Previous"], [this.#on, "Next"]] as const) {
            button.title = `${words} ${this.#unit.value}`;
            button.setAttribute("aria-label", button.title);
        }
    }

    /** Nothing can be gone back to, or nothing that is known yet. */
    forget(canBeRecorded: boolean): void {
        this.#recording = undefined;
        [this.#slider.min, this.#slider.max, this.#slider.value] = ["0", String(UNKNOWN), String(UNKNOWN)];
        this.#slider.setAttribute("aria-valuetext", canBeRecorded ? "The end" : "Nothing has run yet");
        this.element.classList.toggle("idle", !canBeRecorded);
        this.element.querySelectorAll<HTMLButtonElement | HTMLInputElement | HTMLSelectElement>("button, input, select").forEach((control) => control.disabled = !canBeRecorded);
        this.#draw();
    }

    /** Shows what there is to go to, at its end. */
    show(recording: Recording): void {
        this.#recording = recording;
        [this.#slider.min, this.#slider.max] = [String(recording.begin.step), String(recording.end.step)];
        this.#slider.value = String(recording.end.step);
        this.#draw();
    }

    at({ step }: When, words: string): void {
        this.#slider.value = String(step);
        this.#slider.setAttribute("aria-valuetext", words);
    }

    showPlaying(isPlaying: boolean): void {
        this.#play.replaceChildren(icon(isPlaying ? "pause" : "play"));
        this.#play.title = isPlaying ? "Pause" : "Play";
        this.#play.setAttribute("aria-label", this.#play.title);
        // Every frame has words, which nobody could follow.
        this.said.setAttribute("aria-live", isPlaying ? "off" : "polite");
    }

    /** Something is recorded, for which a person waits; it is shown if that takes a while. */
    waits(isRecording: boolean): void {
        clearTimeout(this.#late);
        this.#progress.hidden = true;
        if (isRecording) this.#late = setTimeout(() => { this.#progress.hidden = false; }, 500);
    }

    #draw(): void {
        const { begin, end, marks = [] as Mark[] } = this.#recording ?? {};
        const context = this.#marks.getContext("2d");
        if (!context) return;
        const width = this.#marks.width = this.#marks.clientWidth || 300;
        context.clearRect(0, 0, width, MARKS_HEIGHT);
        if (!begin || !end) return;
        const styles = getComputedStyle(document.documentElement);
        const span = Math.max(1, end.step - begin.step);
        // What is rare is drawn last. Height tells the kinds apart as well as color does.
        for (const [state, top] of [["inner", 9], ["open", 9], ["failed", 4], ["solution", 0]] as const) {
            context.fillStyle = styles.getPropertyValue(STATES[state]);
            for (const mark of marks) {
                if (mark.state === state) context.fillRect((KNOB - MARK_WIDTH) / 2 + (mark.step - begin.step) / span * (width - KNOB), top, MARK_WIDTH, MARKS_HEIGHT - top);
            }
        }
    }

    say(text: string, ...buttons: HTMLElement[]): void {
        this.said.replaceChildren(...coded(text), ...buttons.flatMap((button) => [" ", button]));
    }
}
