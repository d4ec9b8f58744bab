// The stage as a person solves a puzzle of the run on it: its board with their marks, hints, and the steps of how a person would.
import { backdrop } from "./backdrop";
import { lists, puzzleWords } from "./board-lines";
import { lay } from "./board-layout";
import type { Clues } from "./board-layout";
import { deedOf, inWords, isFilled, isFilling, signOf } from "./filling";
import type { Client } from "../worker/client";
import { count, download, isNarrow, make } from "../page/dom";
import { keepMarked, markedIn, nameOfPuzzle } from "../project/marked";
import type { Drawn, Puzzle } from "../worker/protocol";
import { Roving } from "../page/roving";
import { Strokes } from "./strokes";
import { nameOf, Solver } from "./solving";
import type { Hint } from "./solving";
import { coded, ended, plain } from "../page/wording";

/** How long each step stands while it is solved. */
const STEP_MILLISECONDS = 900;
/** Small values are written in a cell up to so many. */
const MOST_CANDIDATES = 16;
/** Cells are at least and at most so large, in pixels. */
const SMALLEST = 18;
const LARGEST = 64;
/** The numbers of rows and columns take so many pixels. */
const NUMBER = 20;
/** Of the rules of a place so many are told. */
const MOST_RULES = 6;

export interface SolveHost {
    /** The text of the program that has run, and the pictures that it has printed. */
    program(): string,
    pictures(): readonly Drawn[],
    /** Whether it is a puzzle of the gallery, of which one expects that it can be solved here; nothing if that is not known. */
    isExpected(): boolean | undefined,
    /** Says that it cannot be solved here, and what can. */
    refuse(text: string): void,
    /** The board takes the stage, or gives it back. */
    shown(isShown: boolean): void,
    /** What cannot be kept is said; nothing where nothing is kept. */
    unkept: (() => void) | undefined,
    /** Whether this program is to be solved here from now on, so that nothing shows the solution by itself. */
    solves(isSolved: boolean): void,
}

const UNABLE = "This puzzle cannot be solved here: its rules are functions of the program, and hints come from constraints on a board in a variable.";

export class SolveView {
    readonly #choice = make("select", { id: "solve-board", onchange: () => void this.#load(this.#choice.value) });
    readonly #choosing = make("p", { hidden: true }, make("label", { for: "solve-board", title: "The program has several boards with rules" }, "Board to solve "), this.#choice);
    readonly #board = make("div", { className: "puzzle", role: "group", "aria-label": "Puzzle" });
    readonly #around = make("div", { className: "puzzle-place" }, this.#board);
    readonly #values = make("div", { className: "values", role: "group", "aria-label": "Mark the cell as" });
    readonly #rules = make("ul", { className: "solve-rules", "aria-label": "Rules of the cell" });
    readonly #said = make("p", { className: "solve-said", role: "status" });
    readonly #steps = make("ol", { className: "solve-steps", "aria-label": "Steps", tabIndex: 0 });
    readonly #hint = this.#button("Next hint", () => this.#hinted());
    readonly #why = this.#button("Why", () => this.#because());
    readonly #check = this.#button("Check my marks", () => this.#checked());
    readonly #solve = this.#button("Solve it for me", () => this.#play());
    readonly #again = this.#button("Begin anew", () => this.#beginAnew());
    readonly #print = this.#button("Save for print", () => void this.#booklet());
    readonly #undo = this.#button("Undo", () => this.#undone());
    readonly #keys = new Roving(this.#board);
    /** Where a place can be one of two, a press marks it, and who goes over several marks them all. */
    readonly #strokes = new Strokes(this.#board, {
        next: (cell) => this.#solver?.after(this.#cells.indexOf(cell)),
        mark: (cell, value) => {
            const place = this.#cells.indexOf(cell);
            this.#choose(place);
            this.#mark(place, value);
        },
    });
    /** How it stood before it was solved for the person, or begun anew. */
    #before: { solver: Solver, steps: Element[], said: string } | undefined;
    #solver: Solver | undefined;
    #clues: Clues = { rows: [], columns: [], cells: [] };
    #backdrop: string | undefined;
    #cells: HTMLButtonElement[] = [];
    #chosen: number | undefined;
    #shown: Hint | undefined;
    #wrong: number[] = [];
    #timer: ReturnType<typeof setInterval> | undefined;
    /** What was asked for an earlier run comes too late. */
    #visit = 0;
    /** The name of the puzzle that was shown last. */
    #latest = "";
    /** There is no board whose steps could be found. */
    #isUnable = false;

    constructor(readonly place: HTMLElement, readonly opener: HTMLButtonElement, readonly client: Client, readonly host: SolveHost) {
        this.#print.title = "Puzzle and solution, step by step, as a page for print";
        place.append(this.#around, make("div", { className: "solve-beside" }, this.#choosing,
            // What is said has any height: below it, a second press would meet another button.
            make("div", { className: "solve-buttons" }, this.#hint, this.#why, this.#check), this.#values, this.#said, this.#rules, this.#steps,
            make("div", { className: "solve-buttons apart" }, this.#solve, this.#again, this.#undo, this.#print)));
        opener.addEventListener("click", () => this.#isUnable ? host.refuse(UNABLE) : this.#toggle());
        // Before the arrow keys of the board are looked at, and the letters that lead to a cell.
        this.#board.addEventListener("keydown", (event) => this.#typed(event), true);
        this.#board.addEventListener("contextmenu", (event) => this.#pressedRight(event));
        new ResizeObserver(() => this.#size()).observe(this.#around);
        this.forget();
    }

    /** Whether the run has a puzzle that can be solved here. */
    get isOffered(): boolean {
        return !this.opener.hidden && !this.#isUnable;
    }

    #toggle(): void {
        const isOpen = this.place.hidden;
        this.host.solves(isOpen);
        this.#open(isOpen);
        if (isOpen && !this.#solver) void this.#load(this.#choice.value);
    }

    #open(isOpen: boolean): void {
        if (this.place.hidden === !isOpen) return;
        this.place.hidden = !isOpen;
        this.opener.setAttribute("aria-pressed", String(isOpen));
        this.host.shown(isOpen);
        if (!isOpen) return this.#stop();
        this.#size();
    }

    /** The run is another one, or goes on. */
    forget(): void {
        this.#drop();
        this.opener.hidden = true;
        this.#open(false);
    }

    /** The same where a puzzle comes that is to be solved: the board keeps the stage, as what is printed meanwhile may be the solution. */
    waits(): void {
        this.#drop();
        this.#isUnable = this.opener.hidden = false;
        this.#choosing.hidden = true;
        this.#clear("Making the puzzle...");
        this.#open(true);
    }

    #drop(): void {
        this.#visit++;
        this.#stop();
        this.#solver = undefined;
    }

    #clear(words: string): void {
        this.#solver = this.#shown = undefined;
        [this.#board, this.#values, this.#rules, this.#steps].forEach((part) => part.replaceChildren());
        this.#enable(false);
        this.#keep(undefined);
        this.#say(words);
    }

    /** The run stands at a solution: the panel is there if it has boards with constraints. */
    async offer(): Promise<void> {
        const visit = ++this.#visit;
        const boards: string[] = await this.client.request("boards", {}).catch(() => []);
        if (visit !== this.#visit) return;
        this.#isUnable = boards.length === 0;
        if (this.#isUnable) {
            if (!this.place.hidden) this.host.solves(false);
            this.#open(false);
            return void (this.opener.hidden = !this.host.isExpected());
        }
        this.#choice.replaceChildren(...boards.map((name) => make("option", { value: name }, name)));
        // A program may say which it is. Often it makes a board first, and then the puzzle that is to be solved.
        const words = puzzleWords(this.host.program());
        this.#choosing.hidden = boards.length < 2 || words !== undefined;
        const board = words?.board ?? "";
        this.#choice.value = boards.includes(board) ? board : boards.at(-1)!;
        if (!this.place.hidden) return this.#load(this.#choice.value);
        // A map that could as well be another is nothing to be solved.
        const isPuzzle = words !== undefined || (this.host.isExpected() ?? await this.client.request("isOnly", { board: this.#choice.value }).catch(() => false));
        if (visit === this.#visit) this.opener.hidden = !isPuzzle;
    }

    async #load(board: string): Promise<void> {
        const visit = ++this.#visit;
        this.#stop();
        this.#clear("Looking for the steps...");
        let problem = "That takes too long for this page.";
        const puzzle = await this.client.request("puzzle", { board }).catch((why: Error) => void (problem = ended(plain(why.message))));
        if (visit !== this.#visit) return;
        if (!puzzle) return this.#say(problem);
        const words = puzzleWords(this.host.program()) ?? {};
        const [rows, columns, clues] = await this.client.request("variables", { names: [words.rows, words.columns, words.clues].map((name) => name ?? "") }).catch(() => []);
        const solver = new Solver(puzzle);
        const picture = await backdrop(this.host.pictures(), puzzle, solver.solution).catch(() => undefined);
        if (visit !== this.#visit) return void (picture && URL.revokeObjectURL(picture));
        if (this.#backdrop) URL.revokeObjectURL(this.#backdrop);
        this.#backdrop = picture;
        const cells = clues?.cells?.length === puzzle.places.length ? clues.cells.map((text) => text === "null" ? "" : text) : [];
        this.#clues = { rows: lists(rows?.text) ?? [], columns: lists(columns?.text) ?? [], cells: picture ? [] : cells };
        this.#begin(puzzle);
        this.#restore();
    }

    /** A person goes on with what they have marked earlier. */
    #restore(): void {
        const [solver, name] = [this.#solver!, this.#name];
        const isSame = name === this.#latest;
        this.#latest = name;
        const earlier = this.host.unkept && markedIn(name);
        if (!earlier) return;
        solver.goOn(earlier.steps, earlier.marks);
        // Not every program makes another puzzle with another seed.
        this.#say(`${isSame ? "This is the same puzzle as before. " : ""}${solver.isSolved ? "Solved, as you have left it." : "What you have done here before is there again."} Begin anew takes it away.`);
        this.#draw();
    }

    /** The puzzle is known by this name. */
    get #name(): string {
        return nameOfPuzzle(this.#solver!.puzzle, this.#solver!.solution);
    }

    /** What a person has done stays for when they come back. */
    #keepMarks(): void {
        const { unkept } = this.host;
        if (unkept && !keepMarked(this.#name, this.#solver!.progress)) unkept();
    }

    #begin(puzzle: Puzzle): void {
        this.#solver = new Solver(puzzle);
        this.#chosen = this.#shown = undefined;
        this.#wrong = [];
        this.#keep(undefined);
        this.#enable(true);
        this.#board.classList.toggle("boxes", !puzzle.isGrid);
        this.#board.classList.toggle("on-picture", this.#backdrop !== undefined);
        this.#cells = puzzle.places.map((_, place) => make("button", { type: "button", className: "puzzle-cell", onclick: () => this.#pressed(place) }));
        if (puzzle.isGrid) lay(this.#board, this.#cells, puzzle, this.#clues, this.#backdrop);
        else this.#board.replaceChildren(...this.#cells);
        this.#keys.begin(this.#cells);
        this.#size();
        const pair = this.#solver.pair?.map((value) => puzzle.values[value]!);
        this.#strokes.isOn = pair !== undefined;
        const [first, second] = isFilling(puzzle.values) ? ["to fill it", "to cross it out"] : [`for \`${pair?.[0]}\``, `for \`${pair?.[1]}\``];
        const how = pair ? `Press a place ${first}, once more or with the right button ${second}, and again to clear it; go over several to mark them all` : "Choose a place and type or press what it is";
        this.#say(`${this.#openWords()} Difficulty ${puzzle.level} of 10. ${how}, or ask for a hint.`);
        this.#draw();
    }

    #pressed(place: number): void {
        this.#choose(place);
        const solver = this.#solver!;
        if (solver.pair && !solver.isFixed(place) && !this.#strokes.hasMarked) this.#mark(place, solver.after(place));
    }

    /** The right button marks with the second of two values. */
    #pressedRight(event: MouseEvent): void {
        const [place, second] = [this.#cells.indexOf((event.target as Element).closest<HTMLButtonElement>(".puzzle-cell")!), this.#solver?.pair?.[1]];
        if (place < 0 || second === undefined) return;
        event.preventDefault();
        // A finger that stays for long is about to go over cells.
        if ((event as PointerEvent).pointerType === "touch" || this.#solver!.isFixed(place)) return;
        this.#choose(place);
        this.#mark(place, this.#solver!.marks.get(place) === second ? undefined : second);
    }

    /** Cells as large as there is room. */
    #size(): void {
        const puzzle = this.#solver?.puzzle;
        if (!puzzle?.isGrid || this.place.hidden) return;
        const { rows, columns } = this.#clues;
        const longest = (texts: string[], of: (text: string) => number) => Math.max(0, ...texts.map(of));
        // What stands beside them is as wide as it is, whatever the size of the cells.
        const [beside, above] = [longest(rows, (text) => text.length) * 7.5 + 12 + NUMBER, longest(columns, (text) => text.split(" ").length) * 15 + 12 + NUMBER];
        const height = puzzle.places.length / puzzle.width;
        const across = (this.#around.clientWidth - beside) / puzzle.width;
        const down = isNarrow() ? LARGEST : (this.#around.clientHeight - above) / height;
        this.#board.style.setProperty("--cell", `${Math.max(SMALLEST, Math.min(LARGEST, Math.floor(Math.min(across, down))))}px`);
    }

    /** What is typed marks the cell: a value by its first letters, where one alone begins so. */
    #typed(event: KeyboardEvent): void {
        const place = this.#cells.indexOf(event.target as HTMLButtonElement);
        const solver = this.#solver;
        if (place < 0 || !solver || event.ctrlKey || event.metaKey || event.altKey || solver.isFixed(place)) return;
        const isCleared = ["Backspace", "Delete", "0"].includes(event.key) && !solver.puzzle.values.some((value) => value === event.key);
        const can = solver.puzzle.places[place]!.start.filter((value) => solver.puzzle.values[value]!.toLowerCase().startsWith(event.key.toLowerCase()));
        const only = can.find((value) => solver.puzzle.values[value] === event.key) ?? (can.length === 1 ? can[0] : undefined);
        if (!isCleared && (event.key.length !== 1 || event.key === " " || only === undefined)) return;
        event.preventDefault();
        event.stopPropagation();
        this.#choose(place);
        this.#mark(place, isCleared ? undefined : only);
    }

    #mark(place: number, value: number | undefined): void {
        const solver = this.#solver!;
        solver.mark(place, value);
        this.#forgetMended();
        // A hint is still to be read as one does what it says.
        const isHinted = this.#shown !== undefined;
        this.#shown = undefined;
        if (solver.isSolved) this.#say("Solved.");
        else if (!isHinted) this.#say(`${this.#wrongWords()}${this.#openWords()}`);
        this.#keepMarks();
        this.#choose(place);
        this.#cells[place]!.focus();
    }

    #choose(place: number): void {
        const solver = this.#solver!;
        this.#chosen = place;
        const can = solver.isFixed(place) ? [] : solver.puzzle.places[place]!.start;
        const mark = (value?: number) => () => this.#mark(place, value);
        const rules = solver.rulesOf(place);
        this.#rules.replaceChildren(...rules.slice(0, MOST_RULES).map((text) => make("li", {}, this.#inWords(text))), ...rules.length > MOST_RULES ? [make("li", {}, `and ${count(rules.length - MOST_RULES, "more rule")}`)] : []);
        this.#values.replaceChildren(...can.map((value) => make("button", { type: "button", className: "value", onclick: mark(value) }, ...inForm(solver.puzzle.values[value]!, solver.puzzle.values))),
            ...can.length > 0 && solver.marks.has(place) ? [make("button", { type: "button", className: "quiet", onclick: mark() }, "Clear")] : []);
        this.#draw();
        // On a phone they may stand below what is in sight.
        if (isNarrow() && !solver.pair) this.#values.scrollIntoView({ block: "nearest" });
    }

    #hinted(): void {
        this.#stop();
        const solver = this.#solver!;
        const wrong = solver.wrong();
        if (wrong.length === 0) return this.#tell(solver.hint());
        // What would follow from the rules is of no use beside a mark that breaks them.
        this.#wrong = wrong;
        this.#shown = undefined;
        this.#say(`First correct ${wrong.map((place) => nameOf(place, solver.puzzle)).join(", ")}: what you have marked there cannot be.`);
        this.#draw();
    }

    /** What was found to be wrong is shown so until it is mended. */
    #forgetMended(): void {
        const wrong = this.#solver!.wrong();
        this.#wrong = this.#wrong.filter((place) => wrong.includes(place));
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
        this.#say(solver.isSolved ? "Solved." : solver.marks.size === 0 ? "You have marked nothing yet."
            : this.#wrongWords().trim() || `${count(solver.marks.size, "mark")}, and none is wrong.`);
        this.#draw();
    }

    /** The marks that were found wrong, and are there still. */
    #wrongWords(): string {
        const names = this.#wrong.map((place) => nameOf(place, this.#solver!.puzzle));
        return names.length === 0 ? "" : `Wrong: ${names.join(", ")}. `;
    }

    /** How many places have no value yet. */
    #openWords(): string {
        const solver = this.#solver!;
        const open = solver.puzzle.places.filter(({ start }, place) => start.length > 1 && solver.value(place) === undefined).length;
        return open > 0 ? `${count(open, "place")} to find.` : "Every place is marked, and it is no solution yet.";
    }

    #play(): void {
        if (this.#timer !== undefined) return this.#stop();
        this.#keep(this.#solver);
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
        this.#solve.textContent = "Solve it for me";
    }

    #beginAnew(): void {
        this.#stop();
        const solver = this.#solver!;
        this.#keep(solver);
        const before = this.#before;
        this.#steps.replaceChildren();
        [this.#values, this.#rules].forEach((part) => part.replaceChildren());
        this.#begin(solver.puzzle);
        this.#before = before;
        this.#undo.hidden = false;
        this.#keepMarks();
    }

    /** Notes how it stands, before something is done that takes all of it away. */
    #keep(solver: Solver | undefined): void {
        this.#before = solver && { solver: solver.copy(), steps: [...this.#steps.children], said: this.#said.textContent! };
        this.#undo.hidden = !solver;
    }

    #undone(): void {
        const { solver, steps, said } = this.#before!;
        this.#stop();
        this.#solver = solver;
        this.#steps.replaceChildren(...steps);
        this.#shown = undefined;
        this.#wrong = [];
        this.#keep(undefined);
        this.#keepMarks();
        this.#say(said);
        this.#draw();
        this.#hint.focus();
    }

    async #booklet(): Promise<void> {
        const { name } = this.#solver!.puzzle;
        const page = await this.client.request("booklet", { title: `Puzzle: ${name}` });
        if (page === undefined) return;
        download(`${name}.html`, [page], "text/html");
        this.#say(`Saved ${name}.html: the puzzle and its solution, step by step, to be printed.`);
    }

    #tell(hint: Hint | undefined): void {
        const solver = this.#solver!;
        this.#shown = hint;
        this.#forgetMended();
        if (!hint) {
            const ends: Record<string, string> = { solved: "Solved.", open: "Nothing more follows: there are several solutions.", none: "There is no solution." };
            this.#say(ends[solver.puzzle.end] ?? "Nothing more was found.");
        } else {
            this.#say(hint.text);
            if (hint.strength === 3) {
                const step = make("li", {}, this.#inWords(hint.text));
                this.#steps.append(step);
                this.#steps.scrollTop = this.#steps.scrollHeight;
            }
            this.#keepMarks();
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
        const isShort = puzzle.values.every((value) => value.length === 1);
        this.#cells.forEach((cell, place) => {
            const value = solver.value(place);
            const isMark = solver.marks.has(place);
            const isReason = reasons.has(place);
            const text = value !== undefined ? puzzle.values[value]!
                : small && (isReason || concluded.has(place)) ? solver.known[place]!.map((value) => puzzle.values[value]!).join(" ") : "";
            const shown = text.split(" ").map((part) => signOf(part, puzzle.values)).join(" ");
            const clue = this.#clues.cells[place];
            const name = clue ? make("span", { className: "puzzle-clue" }, clue) : puzzle.isGrid ? undefined : make("span", { className: "puzzle-name" }, puzzle.places[place]!.name);
            cell.replaceChildren(...name ? [name] : [], make("span", { className: value !== undefined ? "" : isShort ? "puzzle-small in-threes" : "puzzle-small" }, shown));
            const states: [string, boolean][] = [["given", solver.isFixed(place)], ["mark", isMark], ["wrong", this.#wrong.includes(place)], ["reason", isReason],
                ["concluded", concluded.has(place)], ["supposed", place === supposed], ["chosen", place === this.#chosen]];
            for (const [state, holds] of states) cell.classList.toggle(state, holds);
            cell.classList.toggle("filled", value !== undefined && isFilled(text, puzzle.values));
            const told = states.flatMap(([state, holds]) => holds && state !== "chosen" ? [state] : []).join(", ");
            cell.setAttribute("aria-label", `${nameOf(place, puzzle)}: ${value !== undefined ? this.#inWords(text) : shown || "open"}${told ? ` (${told})` : ""}`);
        });
    }

    #enable(isThere: boolean): void {
        for (const button of [this.#hint, this.#why, this.#check, this.#solve, this.#again, this.#print]) button.disabled = !isThere;
    }

    #say(text: string): void {
        this.#said.replaceChildren(...coded(this.#inWords(text)));
    }

    #inWords(text: string): string {
        return inWords(text, this.#solver?.puzzle.values ?? []);
    }

    #button(text: string, work: () => void): HTMLButtonElement {
        return make("button", { type: "button", onclick: work }, text);
    }
}

/** A value as it looks in a cell, and what marking it is called. */
function inForm(value: string, values: readonly string[]): (Node | string)[] {
    const deed = deedOf(value, values);
    if (deed === undefined) return [value];
    return [isFilled(value, values) ? make("span", { className: "puzzle-filled", "aria-hidden": "true" }) : make("span", { "aria-hidden": "true" }, signOf(value, values)), deed];
}
