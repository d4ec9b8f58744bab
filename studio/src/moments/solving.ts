// Solving a puzzle as a person does: what is known, what they have marked, and which hint comes next. Without a page.
import type { Puzzle, PuzzleStep } from "ndscript";

/** How much a hint says: where to look, then by which rule and from what, then what follows. */
export type Strength = 1 | 2 | 3;

export interface Hint { step: PuzzleStep, number: number, strength: Strength, text: string }

/** How a place is written that is empty. */
const BLANK = [".", " ", "0", "false", "_", "-"];

export class Solver {
    /** What each place can hold for all that was told; marks change nothing of it. */
    readonly known: number[][];
    readonly marks = new Map<number, number>();
    readonly #given: boolean[];
    readonly #solution: (number | undefined)[];
    /** How many steps are behind us. */
    #at = 0;
    #hint: Hint | undefined;
    #latest: PuzzleStep | undefined;

    constructor(readonly puzzle: Puzzle) {
        this.known = puzzle.places.map(({ start }) => [...start]);
        this.#given = this.known.map((values) => values.length === 1);
        const end = puzzle.places.map(({ start }) => [...start]);
        for (const step of puzzle.steps) take(step, end);
        this.#solution = end.map((values) => values.length === 1 ? values[0] : undefined);
    }

    /** Another one that stands as this does: what is done then can be undone. */
    copy(): Solver {
        const copy = new Solver(this.puzzle);
        this.known.forEach((values, place) => { copy.known[place] = [...values]; });
        this.marks.forEach((value, place) => copy.marks.set(place, value));
        copy.#at = this.#at;
        copy.#latest = this.#latest;
        return copy;
    }

    /** Whether a place was known from the beginning, or no rule is on it: nothing can be marked there. */
    isFixed(place: number): boolean {
        return this.#given[place]! || this.puzzle.places[place]!.start.length === 0;
    }

    /** How it stands, to be gone on with later: how many steps are behind us, and the marks. */
    get progress(): { steps: number, marks: [number, number][] } {
        return { steps: this.#at, marks: [...this.marks] };
    }

    /** Goes on from there. What is no step or mark of this puzzle is left out. */
    goOn(steps: number, marks: readonly (readonly [number, number])[]): void {
        for (const step of this.puzzle.steps.slice(this.#at, steps)) this.#take(step);
        for (const [place, value] of marks) {
            if (this.puzzle.places[place]?.start.includes(value)) this.mark(place, value);
        }
    }

    /** What stands in a place: what a person has marked, or what is known. */
    value(place: number): number | undefined {
        const known = this.known[place]!;
        return this.marks.get(place) ?? (known.length === 1 ? known[0] : undefined);
    }

    /** The two values between which all places are that are to be found, the one that is marked first; nothing if some can be more. */
    get pair(): readonly [number, number] | undefined {
        const open = this.puzzle.places.filter(({ start }) => start.length > 1);
        const [first, second, ...others] = [...new Set(open.flatMap(({ start }) => start))];
        if (first === undefined || second === undefined || others.length > 0) return undefined;
        // What is left empty, or is nothing, is marked last.
        return BLANK.includes(this.puzzle.values[first]!) ? [second, first] : [first, second];
    }

    /** What a press makes of a place: the one value, then the other, then none. */
    after(place: number): number | undefined {
        const [first, second] = this.pair ?? [];
        const value = this.marks.get(place);
        return value === undefined ? first : value === first ? second : undefined;
    }

    /** Marks a value, or takes the mark away. */
    mark(place: number, value: number | undefined): void {
        if (this.isFixed(place)) return;
        if (value === undefined) this.marks.delete(place);
        else this.marks.set(place, value);
        this.#hint = undefined;
    }

    /** What the rules leave of each place in the end, where that is one value. */
    get solution(): readonly (number | undefined)[] {
        return this.#solution;
    }

    /** What the rules of a place say. */
    rulesOf(place: number): string[] {
        return this.puzzle.rules.flatMap(({ text, places }) => places.includes(place) ? [text] : []);
    }

    /** The places whose marks are not what the rules say. Where the rules leave it open, no mark is wrong that they leave. */
    wrong(): number[] {
        const end = this.#solution;
        return [...this.marks].flatMap(([place, value]) => {
            const only = end[place];
            return only !== undefined && only !== value || !this.puzzle.places[place]!.start.includes(value) ? [place] : [];
        });
    }

    /** Whether every place has its value. */
    get isSolved(): boolean {
        return this.puzzle.places.every(({ start }, place) => start.length === 0 || this.value(place) !== undefined && this.value(place) === this.#solution[place]);
    }

    /** The step that was taken last. */
    get latest(): PuzzleStep | undefined {
        return this.#latest;
    }

    /** A hint about the next step, stronger than the one before if that was about the same step. The strongest takes it. */
    hint(): Hint | undefined {
        this.#skip();
        const step = this.puzzle.steps[this.#at];
        if (!step) return undefined;
        const strength = this.#hint?.step === step ? Math.min(3, this.#hint.strength + 1) as Strength : 1;
        const hint = this.#hint = { step, number: this.#at + 1, strength, text: words(step, strength, this.puzzle) };
        if (strength === 3) this.#take(step);
        return hint;
    }

    /** Takes the next step that says something new. */
    next(): Hint | undefined {
        this.#skip();
        const step = this.puzzle.steps[this.#at];
        if (!step) return undefined;
        const hint: Hint = { step, number: this.#at + 1, strength: 3, text: words(step, 3, this.puzzle) };
        this.#take(step);
        return hint;
    }

    /** Begins anew; marks stay. */
    again(): void {
        this.puzzle.places.forEach(({ start }, place) => { this.known[place] = [...start]; });
        this.#at = 0;
        this.#hint = this.#latest = undefined;
    }

    #take(step: PuzzleStep): void {
        take(step, this.known);
        // What a person has found stays theirs.
        for (const [place, value] of step.decided) if (this.marks.get(place) !== value) this.marks.delete(place);
        this.#at++;
        this.#latest = step;
        this.#hint = undefined;
    }

    /** Takes steps that are plain to see, and those whose places a person has marked rightly. */
    #skip(): void {
        for (let step = this.puzzle.steps[this.#at]; step; step = this.puzzle.steps[this.#at]) {
            const places = (step.decided.length > 0 ? step.decided : step.removed).map(([place]) => place);
            const isMarked = places.length > 0 && places.every((place) => this.marks.has(place) && this.marks.get(place) === this.#solution[place]);
            if (!isPlain(step) && !isMarked) break;
            take(step, this.known);
            this.#at++;
        }
        // What one known place rules out beside it is gone at once, or what is shown as possible would look wrong; but nobody is told a
        // value so.
        for (const step of this.puzzle.steps.slice(this.#at)) {
            const leaves = ([place, gone]: readonly [number, number[]]) => this.known[place]!.filter((value) => !gone.includes(value)).length;
            if (isPlain(step) && this.known[step.places[0]!]!.length === 1 && step.removed.every((one) => leaves(one) > 1)) take(step, this.known);
        }
    }
}

/** Whether one place rules values out beside it, and nothing more. */
function isPlain(step: PuzzleStep): boolean {
    return step.kind === "direct" && step.places.length === 1 && step.decided.length === 0;
}

function take(step: PuzzleStep, known: number[][]): void {
    for (const [place, gone] of step.removed) known[place] = known[place]!.filter((value) => !gone.includes(value));
}

function words(step: PuzzleStep, strength: Strength, puzzle: Puzzle): string {
    const [place] = step.decided[0] ?? step.removed[0] ?? [step.supposed?.[0]];
    if (strength === 1) {
        if (place === undefined) return "Something cannot be as it is.";
        return step.kind === "suppose" ? `Look at ${nameOf(place, puzzle)}, and suppose something.` : `Look at ${nameOf(place, puzzle)}.`;
    }
    if (strength === 3) return `${step.text}.`;
    const from = step.places.length === 0 ? "" : `, and what is known of ${listed(step.places.map((place) => nameOf(place, puzzle)))}`;
    if (step.supposed) {
        const [where, what] = step.supposed;
        return `Suppose ${nameOf(where, puzzle)} is ${puzzle.values[what]!}: where does that lead?`;
    }
    return `Think of this: ${step.rules[0] ?? "all rules together"}${from}.`;
}

/** A place as sentences of steps call it. */
export function nameOf(place: number, { isGrid, width, places }: Puzzle): string {
    if (isGrid) return `(${place % width},${Math.floor(place / width)})`;
    const { name } = places[place]!;
    return /^\d+$/.test(name) ? `place ${name}` : name;
}

function listed(words: string[]): string {
    const some = words.length > 6 ? [...words.slice(0, 5), `${words.length - 5} others`] : words;
    return some.length < 2 ? some.join("") : `${some.slice(0, -1).join(", ")} and ${some.at(-1)!}`;
}
