// One search, and the way back to each of its questions.
import type { Outcome, Output, Picture, Program, Puzzle, Run, Scene, Solving } from "ndscript";
import type { Figures, Parameters, Piece, Standing } from "./protocol";
import { begin } from "./begin";
import { drawn } from "./drawing";
import { breathe, Fuel, SLICE_MILLISECONDS } from "./slices";

export type Answer = { option: number, text: string } | { line: string };

/** Runs that wait at earlier questions are kept up to so many bytes; the way to the others is gone again. */
const KEPT_BYTES = 64 << 20;
/** The steps to a solution are looked for so long. */
const SOLVING_MILLISECONDS = 60_000;
/** The text of a variable is read up to so many bytes. */
const MOST_TEXT = 10_000;
const SCENE_FUEL = 1e6;
/** Whether a board could be otherwise is looked for so long. */
const OTHERWISE_MILLISECONDS = 3000;

export interface Listener {
    output(pieces: Piece[], answers: number, unfinished: boolean): void,
    standing(standing: Standing, figures: Figures, answers: string[]): void,
}

export class Search {
    #run: Run;
    #fuel = new Fuel();
    #standing: Standing = { status: "running" };
    #solutions = 0;
    #answers: Answer[] = [];
    /** What a person has answered before, and is answered so again. */
    #again: string[];
    /** The run as it waited for each answer, where it was kept. */
    #waiting: (Run | undefined)[] = [];
    #isGoing = false;
    #isOver = false;
    #mayGoOn = true;
    /** Only the newest drawing goes on. */
    #drawing = 0;
    /** The picture that was printed last. */
    #latest: Picture | undefined;
    /** The board whose steps were looked for last. */
    #solving: Solving | undefined;

    constructor(readonly program: Program, readonly seed: number, readonly parameters: Parameters, readonly listener: Listener, answers: readonly string[]) {
        this.#again = [...answers];
        this.#run = begin(program, seed, parameters);
    }

    get answers(): readonly Answer[] {
        return this.#answers;
    }

    /** Searches until there is something to tell, or for so many milliseconds. After a solution that means the next one. */
    async goOn(budget = Infinity): Promise<void> {
        if (this.#isGoing || this.#isOver || this.#standing.status === "asked") return;
        this.#isGoing = true;
        this.#drawing++;
        return this.#go(budget);
    }

    async #go(budget: number): Promise<void> {
        this.#mayGoOn = true;
        this.#tell({ status: "running" });
        const start = performance.now();
        let told = start;
        while (!this.#isOver) {
            const outcome = this.#fuel.spend((fuel) => this.#run.resume(fuel));
            if (outcome.kind !== "outOfFuel") {
                await this.#came(outcome);
                this.#isGoing = false;
                return this.#answerAgain();
            }
            await breathe();
            // Another run may have begun meanwhile.
            if (this.#isOver) return;
            const isOverBudget = performance.now() - start > budget;
            if (!this.#mayGoOn || isOverBudget) {
                return this.#end({ status: "stopped", budget: isOverBudget ? budget : undefined });
            }
            if (performance.now() - told > 250) {
                told = performance.now();
                this.#tell({ status: "running" });
            }
        }
    }

    /** Answers as the person did before. Where that does not fit any more, they are asked. */
    #answerAgain(): void {
        if (this.#isOver || this.#standing.status !== "asked" || this.#again.length === 0) return;
        const text = this.#again.shift()!;
        const option = this.#standing.question.options?.indexOf(text);
        const count = this.#answers.length;
        if (this.#mayGoOn && option !== -1) this.answer(option === undefined ? { line: text } : { option });
        if (this.#answers.length > count) return;
        this.#again = [];
        this.#tell(this.#standing);
    }

    /** Stops the search where it is; it can go on. */
    stop(): void {
        this.#mayGoOn = false;
        this.#drawing++;
    }

    answer(answer: { option?: number, line?: string }): void {
        if (this.#standing.status !== "asked") return;
        const kept = this.#run.fork();
        const { options } = this.#standing.question;
        const taken = answer.option === undefined ? this.#run.answerText(answer.line ?? "") : this.#run.answer(answer.option);
        if (!taken) {
            kept.free();
            return;
        }
        this.#answers.push(answer.option === undefined ? { line: answer.line ?? "" } : { option: answer.option, text: options?.[answer.option] ?? "" });
        this.#waiting.push(kept);
        this.#thinOut();
        this.#standing = { status: "stopped" };
        void this.goOn();
    }

    /** Back to the question that has this number, from 0: nothing behind it has happened. */
    async goTo(question: number): Promise<void> {
        if (this.#isGoing || question >= this.#answers.length) return;
        this.#drawing++;
        let from = question;
        while (from >= 0 && !this.#waiting[from]) from--;
        this.#run.free();
        this.#run = from < 0 ? begin(this.program, this.seed, this.parameters) : this.#waiting[from]!.fork();
        for (let at = Math.max(from, 0); at < question; at++) {
            // One seed and the same answers: the run comes by here as it did before.
            this.#toQuestion();
            give(this.#run, this.#answers[at]!);
        }
        this.#waiting.splice(question).forEach((run) => run?.free());
        this.#answers.length = question;
        this.#solutions = 0;
        this.#isGoing = true;
        await this.#came(this.#toQuestion());
        this.#isGoing = false;
    }

    /** What a click on the latest picture stands for. */
    click(x: number, y: number, button: string): string | undefined {
        return this.#standing.status === "asked" ? this.#run.clicked(x, y, button) : undefined;
    }

    /** An answer that a right click on the latest picture gives, and a left one there does not; nothing if there is none, or another question has come. */
    async rightClick(): Promise<string | undefined> {
        const { columns = 0, rows = 0 } = this.#latest ?? {};
        const asked = this.#standing;
        let until = performance.now() + SLICE_MILLISECONDS;
        for (let cell = 0; cell < columns * rows; cell++) {
            const [x, y] = [cell % columns, Math.floor(cell / columns)];
            const right = this.click(x, y, "right");
            if (right !== undefined && right !== null && right !== this.click(x, y, "left")) return right;
            if (performance.now() < until) continue;
            await breathe();
            if (this.#standing !== asked || this.#isOver) return undefined;
            until = performance.now() + SLICE_MILLISECONDS;
        }
        return undefined;
    }

    /** The boards with constraints of the solution that it stands at. */
    boards(): string[] {
        return this.#standing.status === "solved" ? this.#run.boards() : [];
    }

    /** Whether all further solutions of the program have the same board: then it is a puzzle with one solution. */
    async isOnly(board: string): Promise<boolean> {
        if (this.#standing.status !== "solved") return false;
        const textOf = (run: Run) => run.globals(MOST_TEXT).find(([name]) => name === board)?.[1];
        const [own, further] = [textOf(this.#run), this.#run.fork()];
        const fuel = new Fuel();
        const start = performance.now();
        try {
            while (!this.#isOver && !this.#isGoing && performance.now() - start < OTHERWISE_MILLISECONDS) {
                const outcome = fuel.spend((steps) => further.resume(steps));
                if (outcome.kind === "failed") return true;
                if (outcome.kind === "solved") freeAll(outcome.output);
                if (outcome.kind !== "outOfFuel" && (outcome.kind !== "solved" || textOf(further) !== own)) return false;
                await breathe();
            }
            return false;
        } finally {
            further.free();
        }
    }

    /** How a person could solve a board. Only the board that was asked for last is worked on. */
    async puzzle(board: string): Promise<Puzzle | undefined> {
        this.#solving?.free();
        const solving = this.#solving = this.#run.solving(board);
        const fuel = new Fuel();
        const start = performance.now();
        while (solving && this.#solving === solving && performance.now() - start < SOLVING_MILLISECONDS) {
            const puzzle = fuel.spend((steps) => solving.resume(steps));
            if (puzzle) return puzzle;
            await breathe();
        }
        return undefined;
    }

    /** The line that it stands at. */
    whereabouts(): { file: string, line: number } | undefined {
        return this.#isGoing ? undefined : this.#sceneOfNow()?.line;
    }

    #sceneOfNow(): Scene | undefined {
        const timeline = this.#run.timeline();
        const scene = timeline.scene(timeline.begin(), SCENE_FUEL);
        freeAll(scene?.output ?? []);
        timeline.free();
        return scene;
    }

    /** What stands in variables, as text; of a grid, what stands in its cells. */
    variables(names: readonly string[]): { text?: string, cells?: string[] }[] {
        if (this.#standing.status !== "solved" || names.length === 0) return [];
        const texts = new Map(this.#run.globals(MOST_TEXT));
        const { globals = [] } = this.#sceneOfNow() ?? {};
        return names.map((name) => {
            const { grid } = globals.find((variable) => variable.name === name) ?? {};
            return { text: texts.get(name), cells: grid?.cells.map((cell) => cell.map((value) => grid.values[value]!).join(" ")) };
        });
    }

    /** The board whose steps were found last, with them, as a page for print. */
    booklet(title: string): string | undefined {
        return this.#solving?.booklet(title);
    }

    /** The latest picture as a PNG file with tiles of another size. */
    png(tileSize: number): Uint8Array<ArrayBuffer> | undefined {
        return this.#latest?.png(tileSize) as Uint8Array<ArrayBuffer> | undefined;
    }

    /** The latest picture as an SVG file. */
    svg(): string | undefined {
        return this.#latest?.svg();
    }

    /** The names of the tiles of the latest picture, layer by layer. */
    layers(): (string | null)[][] {
        return this.#latest?.layers() ?? [];
    }

    free(): void {
        this.#isOver = true;
        this.#solving?.free();
        this.#solving = undefined;
        this.#latest?.free();
        this.#waiting.forEach((run) => run?.free());
        this.#run.free();
    }

    #toQuestion(): Outcome {
        for (;;) {
            const outcome = this.#run.resume(1e9);
            if (outcome.kind !== "outOfFuel") return outcome;
        }
    }

    #thinOut(): void {
        const kept = this.#waiting.map((run, at) => ({ run, at })).filter(({ run }) => run);
        const bytes = kept.reduce((sum, { run }) => sum + run!.memory(), 0);
        if (bytes <= KEPT_BYTES) return;
        // Every second one goes, so that what is left is spread over the whole game.
        for (const { run, at } of kept.filter((_, index) => index % 2 === 0)) {
            run!.free();
            this.#waiting[at] = undefined;
        }
    }

    async #came(outcome: Exclude<Outcome, { kind: "outOfFuel" }> | Outcome): Promise<void> {
        switch (outcome.kind) {
            case "solved":
                this.#solutions++;
                if (!await this.#put(outcome.output, outcome.text)) return;
                return this.#tell({ status: "solved", solution: this.#solutions, isLast: this.#answers.length > 0 && this.#isLast() });
            case "asked": {
                if (!await this.#put(outcome.output)) return;
                const { prompt, options } = outcome;
                this.#standing = { status: "asked", question: { prompt, options, hearsClicks: this.#run.hearsClicks() } };
                return this.#again.length > 0 ? undefined : this.#tell(this.#standing);
            }
            case "failed":
                return this.#tell({ status: "failed", solutions: this.#solutions, message: outcome.message });
            case "error":
                return this.#end({ status: "error", diagnostic: outcome.diagnostic });
            case "limit":
                return this.#end({ status: "limit", message: outcome.message });
        }
    }

    /** Whether nothing is left to be chosen otherwise: then another solution is looked for in vain at once. */
    #isLast(): boolean {
        const further = this.#run.fork();
        const { kind } = further.resume(1);
        further.free();
        return kind === "failed";
    }

    /** Tells that the run stands before its end, and shows what it has printed. */
    async #end(standing: Standing): Promise<void> {
        const shown = this.#showPending();
        // What is drawn at once comes first; many pictures take a while.
        await Promise.race([shown, breathe()]);
        this.#isGoing = false;
        if (this.#isOver) return;
        this.#tell(standing);
        return shown;
    }

    /** Shows what the run has printed so far, unless something else comes before it is drawn. */
    async #showPending(): Promise<void> {
        const mine = ++this.#drawing;
        const mayGoOn = () => this.#drawing === mine && !this.#isOver;
        const pieces = await drawn(this.#run.pendingOutput(), { mayGoOn });
        if (pieces.length > 0 && mayGoOn()) this.listener.output(pieces, this.#answers.length, true);
    }

    /** Shows what a solution or a question comes with; false if the search is over before that is drawn. Stopped, it shows what is drawn by then. */
    async #put(output: Output, value = ""): Promise<boolean> {
        const mine = ++this.#drawing;
        const keep = (picture: Picture) => {
            this.#latest?.free();
            this.#latest = picture;
        };
        const pieces = await drawn(output, { mayGoOn: () => this.#drawing === mine && !this.#isOver, keep });
        if (this.#isOver) return false;
        if (value) pieces.push(value);
        this.listener.output(pieces, this.#answers.length, false);
        return true;
    }

    #tell(standing: Standing): void {
        this.#standing = standing;
        const figures = this.#run.statistics();
        const answers = this.#answers.map((answer) => "line" in answer ? answer.line : answer.text);
        this.listener.standing(standing, { ...figures, memory: this.#run.memory() }, answers);
    }
}

function freeAll(output: Output): void {
    output.forEach((piece) => typeof piece !== "string" && piece.free());
}

function give(run: Run, answer: Answer): void {
    if ("line" in answer) run.answerText(answer.line);
    else run.answer(answer.option);
}
