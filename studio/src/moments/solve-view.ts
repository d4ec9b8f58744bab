// The panel in which a person solves a puzzle of the run: its board with their marks, hints, and the steps of how a person would.
import type { Client } from "../worker/client";
import { count, download, make } from "../page/dom";
import type { Puzzle } from "../worker/protocol";
import { Roving } from "../page/roving";
import { nameOf, Solver } from "./solving";
import type { Hint } from "./solving";
import { ended, plain } from "../page/wording";

/** How long each step stands while it is solved. */
const STEP_MILLISECONDS = 900;
/** Small values are written in a cell up to so many. */
const MOST_CANDIDATES = 16;

export class SolveView {
    readonly #choice = make("select", { "aria-label": "Board", hidden: true, onchange: () => void this.#load(this.#choice.value) });
    readonly #board = make("div", { className: "puzzle", role: "group", "aria-label": "Puzzle" });
    readonly #values = make("div", { className: "values", role: "group", "aria-label": "Mark the cell as" });
    readonly #said = make("p", { className: "solve-said", role: "status" });
    readonly #steps = make("ol", { className: "solve-steps", "aria-label": "Steps", tabIndex: 0 });
    readonly #hint = this.#button("Next hint", () => this.#hinted());
    readonly #why = this.#button("Why", () => this.#because());
    readonly #check = this.#button("Check my marks", () => this.#checked());
    readonly #solve = this.#button("Solve like a person", () => this.#play());
    readonly #again = this.#button("Begin anew", () => this.#beginAnew());
    readonly #print = this.#button("Booklet", () => void this.#booklet());
    readonly #keys = new Roving(this.#board);
    #solver: Solver | undefined;
    #cells: HTMLButtonElement[] = [];
    #chosen: number | undefined;
    #shown: Hint | undefined;
    #wrong: number[] = [];
    #timer: ReturnType<typeof setInterval> | undefined;
    /** What was asked for an earlier run comes too late. */
    #visit = 0;

    constructor(readonly place: HTMLDetailsElement, readonly client: Client) {
        place.append(make("div", { className: "solve" },
            make("div", {}, this.#choice, this.#board, this.#values),
            make("div", { className: "solve-beside" },
                make("div", { className: "solve-buttons" }, this.#hint, this.#why, this.#check, this.#solve, this.#again, this.#print), this.#said, this.#steps)));
        place.addEventListener("toggle", () => place.open && !this.#solver && void this.#load(this.#choice.value));
        this.forget();
    }

    /** The run is another one, or goes on. */
    forget(): void {
        this.#visit++;
        this.#stop();
        this.#solver = undefined;
        this.place.hidden = true;
    }

    /** The run stands at a solution: the panel is there if it has boards with constraints. */
    async offer(): Promise<void> {
        const visit = ++this.#visit;
        const boards = await this.client.request("boards", {}).catch(() => []);
        if (visit !== this.#visit || boards.length === 0) return;
        this.#choice.hidden = boards.length < 2;
        this.#choice.replaceChildren(...boards.map((name) => make("option", { value: name }, name)));
        // A program often makes a board first, and then the puzzle that is to be solved.
        this.#choice.value = boards.at(-1)!;
        this.place.hidden = false;
        if (this.place.open) void this.#load(this.#choice.value);
    }

    async #load(board: string): Promise<void> {
        const visit = ++this.#visit;
        this.#stop();
        this.#solver = this.#shown = undefined;
        [this.#board, this.#values, this.#steps].forEach((part) => part.replaceChildren());
        this.#enable(false);
        this.#say("Looking for the steps...");
        let problem = "That takes too long for this page: `ndscript explain --solve` takes the time that it needs.";
        const puzzle = await this.client.request("puzzle", { board }).catch((why: Error) => void (problem = ended(plain(why.message))));
        if (visit !== this.#visit) return;
        if (!puzzle) return this.#say(problem);
        this.#begin(puzzle);
    }

    #begin(puzzle: Puzzle): void {
        this.#solver = new Solver(puzzle);
        this.#chosen = this.#shown = undefined;
        this.#wrong = [];
        this.#enable(true);
        this.#board.style.setProperty("--columns", String(Math.max(1, puzzle.width)));
        this.#board.classList.toggle("boxes", !puzzle.isGrid);
        this.#cells = puzzle.places.map((_, place) => make("button", { type: "button", className: "puzzle-cell", onclick: () => this.#choose(place) }));
        this.#board.replaceChildren(...this.#cells);
        this.#keys.begin(this.#cells);
        const open = puzzle.places.filter(({ start }) => start.length > 1).length;
        this.#say(`${count(open, "place")} to find. Difficulty ${puzzle.level} of 10. Choose a place to mark it, or ask for a hint.`);
        this.#draw();
    }

    #choose(place: number): void {
        const solver = this.#solver!;
        this.#chosen = place;
        const can = solver.isFixed(place) ? [] : solver.puzzle.places[place]!.start;
        const mark = (value?: number) => () => {
            solver.mark(place, value);
            this.#wrong = [];
            this.#shown = undefined;
            if (solver.isSolved) this.#say("Solved.");
            this.#draw();
            this.#cells[place]!.focus();
        };
        this.#values.replaceChildren(...can.map((value) => make("button", { type: "button", className: "value", onclick: mark(value) }, solver.puzzle.values[value]!)),
            ...can.length > 0 && solver.marks.has(place) ? [make("button", { type: "button", className: "quiet", onclick: mark() }, "Clear")] : []);
        this.#draw();
    }

    #hinted(): void {
        this.#stop();
        this.#tell(this.#solver!.hint());
    }

    /** Why the step holds that is shown, or that was taken last. */
    #because(): void {
        const latest = this.#shown?.step ?? this.#solver!.latest;
        if (!latest) return this.#say("Ask for a hint first: then this says why it is so.");
        const rules = latest.rules.length > 0 ? ` Rules: ${latest.rules.join("; ")}.` : "";
        const chain = latest.chain.map(({ text }, at) => ` ${at + 1}. ${text}.`).join("");
        this.#say(`${latest.text}.${chain ? ` Step by step:${chain}` : rules}`);
        this.#draw();
    }

    #checked(): void {
        const solver = this.#solver!;
        this.#wrong = solver.wrong();
        const names = this.#wrong.map((place) => nameOf(place, solver.puzzle));
        this.#say(solver.isSolved ? "Solved." : solver.marks.size === 0 ? "You have marked nothing yet."
            : names.length === 0 ? `${count(solver.marks.size, "mark")}, and none is wrong.` : `Wrong: ${names.join(", ")}.`);
        this.#draw();
    }

    #play(): void {
        if (this.#timer !== undefined) return this.#stop();
        this.#solve.textContent = "Pause";
        this.#timer = setInterval(() => this.#step(), STEP_MILLISECONDS);
        this.#step();
    }

    #step(): void {
        const hint = this.#solver!.next();
        this.#tell(hint);
        if (!hint) this.#stop();
    }

    #stop(): void {
        clearInterval(this.#timer);
        this.#timer = undefined;
        this.#solve.textContent = "Solve like a person";
    }

    #beginAnew(): void {
        this.#stop();
        this.#steps.replaceChildren();
        this.#begin(this.#solver!.puzzle);
    }

    async #booklet(): Promise<void> {
        const { name } = this.#solver!.puzzle;
        const page = await this.client.request("booklet", { title: `Puzzle: ${name}` });
        if (page !== undefined) download(`${name}.html`, [page], "text/html");
    }

    #tell(hint: Hint | undefined): void {
        const solver = this.#solver!;
        this.#shown = hint;
        this.#wrong = [];
        if (!hint) {
            const ends: Record<string, string> = { solved: "Solved.", open: "Nothing more follows: there are several solutions.", none: "There is no solution." };
            this.#say(ends[solver.puzzle.end] ?? "Nothing more was found.");
        } else {
            this.#say(hint.text);
            if (hint.strength === 3) {
                const step = make("li", { value: hint.number }, hint.text);
                this.#steps.append(step);
                this.#steps.scrollTop = this.#steps.scrollHeight;
            }
        }
        this.#draw();
    }

    #draw(): void {
        const solver = this.#solver!;
        const { puzzle } = solver;
        const { step, strength } = this.#shown ?? {};
        const concluded = new Set((step?.removed ?? []).map(([place]) => place));
        const supposed = strength !== undefined && strength > 1 ? step?.supposed?.[0] : undefined;
        // The weakest hint shows where, and nothing of why.
        const reasons = new Set(strength !== undefined && strength > 1 ? step!.places : []);
        const small = puzzle.values.length <= MOST_CANDIDATES;
        this.#cells.forEach((cell, place) => {
            const value = solver.value(place);
            const isMark = value !== undefined && solver.known[place]!.length !== 1;
            const isReason = reasons.has(place);
            const text = value !== undefined ? puzzle.values[value]!
                : small && (isReason || concluded.has(place)) ? solver.known[place]!.map((value) => puzzle.values[value]!).join(" ") : "";
            const name = puzzle.isGrid ? undefined : make("span", { className: "puzzle-name" }, puzzle.places[place]!.name);
            cell.replaceChildren(...name ? [name] : [], make("span", { className: value === undefined ? "puzzle-small" : "" }, text));
            const states: [string, boolean][] = [["given", solver.isFixed(place)], ["mark", isMark], ["wrong", this.#wrong.includes(place)], ["reason", isReason],
                ["concluded", concluded.has(place)], ["supposed", place === supposed], ["chosen", place === this.#chosen]];
            for (const [state, holds] of states) cell.classList.toggle(state, holds);
            const told = states.flatMap(([state, holds]) => holds && state !== "chosen" ? [state] : []).join(", ");
            cell.setAttribute("aria-label", `${nameOf(place, puzzle)}: ${text || "open"}${told ? ` (${told})` : ""}`);
        });
    }

    #enable(isThere: boolean): void {
        for (const button of [this.#hint, this.#why, this.#check, this.#solve, this.#again, this.#print]) button.disabled = !isThere;
    }

    #say(text: string): void {
        this.#said.textContent = text;
    }

    #button(text: string, work: () => void): HTMLButtonElement {
        return make("button", { type: "button", onclick: work }, text);
    }
}
