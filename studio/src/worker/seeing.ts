// A recorded run: any moment of it can be looked at, and gone on from.
import type { Found, Misplaced, Outcome, Program, Reasons, Run, Timeline, When } from "ndscript";
import type { Extent, Mark, Parameters, Pick, Piece, Recording, SceneShown } from "./protocol";
import { boardsOf } from "../stage/boards";
import { Tree } from "../moments/tree";
import { begin } from "./begin";
import { drawn } from "./drawing";
import type { Answer } from "./search";
import { breathe, Fuel } from "./slices";

/** A recording goes on for so long before the person is asked. */
const RECORD_MILLISECONDS = 10_000;
/** A time line has room for so many marks, and a tree is sent with so many nodes. */
const MOST_MARKS = 3000;
const MOST_NODES = 100_000;
/** Of a moment the latest pictures are shown. */
const MOST_OF_SCENE = 20;

function isBefore(a: When, b: When): boolean {
    return a.step < b.step || a.step === b.step && a.inside < b.inside;
}

export class Seeing {
    #timeline: Timeline;
    #fuel = new Fuel();
    #outcome: Outcome = { kind: "outOfFuel" };
    #answers: Answer[];
    /** What was printed up to each question that has its answer: behind it the run tells of what came since. */
    #printed: { when: When, pieces: Piece[] }[] = [];
    /** Only the newest wish to see or find something counts. */
    #wish = 0;
    /** From where a person takes part, and what they have placed. */
    #base: Run | undefined;
    #picks: Pick[] = [];
    #isFreed = false;
    #mayRecord = true;
    /** A run that has come to its second solution is recorded as far as that. */
    #extent: Extent;
    /** Done when nothing is recorded any more. */
    #recording: Promise<void> = Promise.resolve();

    constructor(program: Program, seed: number, parameters: Parameters, answers: readonly Answer[], extent: Extent) {
        this.#extent = extent;
        const run = begin(program, seed, parameters);
        this.#timeline = run.timeline();
        this.#answers = [...answers];
    }

    get picks(): readonly Pick[] {
        return this.#picks;
    }

    /** Records on, at most for some seconds: to a solution, question or end; where it has come to one, to the next only if that is wanted. */
    async record(isNextWanted = true): Promise<Recording> {
        await this.#halt();
        if (this.#outcome.kind !== "outOfFuel" || this.#picks.length > 0) this.#extent = { solutions: 0, steps: Infinity };
        if (isNextWanted || this.#outcome.kind === "outOfFuel" || this.#outcome.kind === "asked") {
            this.#mayRecord = true;
            this.#recording = this.#record();
            await this.#recording;
        }
        if (this.#isFreed) throw new Error("another recording has begun");
        return this.recording();
    }

    /** Stops what is being recorded where it is; it can go on. */
    stop(): void {
        this.#mayRecord = false;
    }

    async #halt(): Promise<void> {
        this.stop();
        await this.#recording.catch(() => {});
    }

    async #record(): Promise<void> {
        const start = performance.now();
        while (!this.#isFreed && this.#mayRecord) {
            const outcome = this.#fuel.spend((fuel) => this.#timeline.record(fuel));
            this.#outcome = outcome;
            if (outcome.kind === "asked" && this.#answers.length > 0) {
                const answer = this.#answers.shift()!;
                const pieces = await drawn(outcome.output, { mayGoOn: () => !this.#isFreed, most: MOST_OF_SCENE });
                if (this.#isFreed) break;
                this.#printed.push({ when: this.#timeline.end(), pieces });
                if ("line" in answer) this.#timeline.answerText(answer.line);
                else this.#timeline.answer(answer.option);
            } else if (outcome.kind === "solved" && this.#timeline.solutions().length < this.#extent.solutions) {
                // The run has gone on from here.
            } else if (outcome.kind !== "outOfFuel" || performance.now() - start > RECORD_MILLISECONDS || this.#timeline.end().step >= this.#extent.steps) {
                break;
            }
            await breathe();
        }
    }

    recording(): Recording {
        const tree = this.tree();
        const each = Math.ceil(tree.size / MOST_MARKS);
        const [begin, end, solutions] = [this.#timeline.begin(), this.#timeline.end(), this.#timeline.solutions()];
        const marks: Mark[] = solutions.map(({ step }) => ({ step, state: "solution" }));
        for (let at = 0; at < tree.size; at += each) {
            const state = tree.state(at);
            // A guess stands where it was made, and a failure where it came: there the next guess begins.
            const { step } = state !== "failed" ? tree.when(at) : at + 1 < tree.size ? tree.when(at + 1) : end;
            if (state !== "solution") marks.push({ step, state });
        }
        const { kind } = this.#outcome;
        const message = this.#outcome.kind === "failed" || this.#outcome.kind === "limit" ? this.#outcome.message
            : this.#outcome.kind === "error" ? this.#outcome.diagnostic.message : undefined;
        return {
            begin, end, marks, came: kind, message,
            solutions: solutions.length, lastSolution: solutions.at(-1), failingLines: this.#timeline.failingLines().slice(0, 20), picks: [...this.#picks],
            deepest: tree.deepest(),
        };
    }

    failingCells(grid: string): number[] | undefined {
        return this.#timeline.failingCells(grid);
    }

    tree(): Tree {
        return new Tree(this.#timeline.treeColumns(MOST_NODES));
    }

    /** What stands at a moment; nothing if another wish has come meanwhile. */
    async scene(when: When, most = MOST_OF_SCENE): Promise<SceneShown | undefined> {
        const wish = ++this.#wish;
        for (;;) {
            const scene = this.#fuel.spend((fuel) => this.#timeline.scene(when, fuel));
            const isWanted = () => wish === this.#wish && !this.#isFreed;
            if (scene) {
                const output = await drawn(scene.output, { mayGoOn: isWanted, most });
                const before = this.#printed.filter((printed) => isBefore(printed.when, scene.when)).flatMap(({ pieces }) => pieces);
                return isWanted() ? { ...scene, output: [...before, ...output] } : undefined;
            }
            await breathe();
            if (!isWanted()) return undefined;
        }
    }

    /** The next event of a kind, or the one before. */
    async seek(from: When, back: boolean, what: string, place?: string): Promise<Found | undefined> {
        const wish = ++this.#wish;
        this.#timeline.seek(from, back, what, place);
        for (;;) {
            const found = this.#fuel.spend((fuel) => this.#timeline.goOnSeeking(fuel));
            if (found) return found[0];
            await breathe();
            if (wish !== this.#wish || this.#isFreed) return undefined;
        }
    }

    /** Why a place holds what it holds at a moment. */
    async why(place: string, when: When): Promise<Reasons | undefined> {
        const wish = ++this.#wish;
        this.#timeline.askWhy(place, when);
        for (;;) {
            const reasons = this.#fuel.spend((fuel) => this.#timeline.goOnWhy(fuel));
            if (reasons) return reasons;
            await breathe();
            if (wish !== this.#wish || this.#isFreed) return undefined;
        }
    }

    /** Where a person can begin to place: the line before the first guess of the solution, if something is open there. */
    async beforeGuessing(): Promise<When> {
        // What is tried within a function such as `solutions` comes before, and is over by then. But where nothing has to
        // be guessed, all that is open is open before.
        const first = await this.seek(this.#timeline.begin(), false, "choice");
        for (const guess of [this.tree().firstGuess(), first?.when]) {
            const line = guess && await this.seek(guess, true, "line");
            if (line && await this.#isOpen(line.when)) return line.when;
        }
        return first?.when ?? this.#timeline.end();
    }

    /** Whether some cell of a board has several candidates at a moment. */
    async #isOpen(when: When): Promise<boolean> {
        const scene = await this.scene(when);
        return boardsOf(scene?.globals ?? []).some(({ grid }) => grid.cells.some((cell) => cell.length > 1));
    }

    /** Takes something as given from a moment on; what is said if that cannot be. */
    async pick(when: When, pick: Pick): Promise<Misplaced | undefined> {
        await this.#halt();
        await this.#begin(when);
        return this.#place([...this.#picks, pick])?.misplaced;
    }

    /** Takes back one of the things that were placed, whichever; or all. */
    async unpick(number?: number): Promise<Misplaced | undefined> {
        await this.#halt();
        return this.#place(this.#picks.filter((_, at) => number !== undefined && at !== number))?.misplaced;
    }

    /** Takes several things as given from a moment on; those that cannot be are left out and returned. */
    async restore(when: When, picks: Pick[]): Promise<Pick[]> {
        await this.#halt();
        await this.#begin(when);
        const refused: Pick[] = [];
        for (;;) {
            const failed = this.#place(picks.filter((pick) => !refused.includes(pick)));
            if (!failed) return refused;
            refused.push(failed.pick);
        }
    }

    /** The first thing that is placed says from where a person takes part. */
    async #begin(when: When): Promise<void> {
        if (this.#base) return;
        await this.scene(when);
        this.#base = this.#timeline.runAt(when);
    }

    #place(picks: Pick[]): { pick: Pick, misplaced: Misplaced } | undefined {
        const run = this.#base!.fork();
        for (const pick of picks) {
            const misplaced = run.place(pick.grid, pick.x, pick.y, pick.value);
            if (!misplaced) continue;
            run.free();
            return { pick, misplaced };
        }
        this.#picks = picks;
        this.#timeline.free();
        this.#timeline = run.timeline();
        this.#outcome = { kind: "outOfFuel" };
        return undefined;
    }

    free(): void {
        this.#isFreed = true;
        this.#timeline.free();
        this.#base?.free();
    }
}
