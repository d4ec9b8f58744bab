// The tree of a search, as the engine tells it: in columns.
import type { TreeColumns, When } from "ndscript";

export const NODE_STATES = ["inner", "open", "failed", "solution"] as const;
export type NodeState = typeof NODE_STATES[number];

/** So the label of a choice begins that a built-in such as `solutions` has made for itself: nothing was guessed by it. */
const OF_BUILT_IN = "`";

/** Nodes come after their parents, and subtrees lie together; the first one is the start. */
export class Tree {
    constructor(readonly columns: TreeColumns) {}

    get size(): number {
        return this.columns.states.length;
    }

    state(at: number): NodeState {
        return NODE_STATES[this.columns.states[at]!]!;
    }

    /** The node above; -1 above the first. */
    parent(at: number): number {
        return this.columns.parents[at]!;
    }

    when(at: number): When {
        return { step: this.columns.steps[at]!, inside: this.columns.insides[at]! };
    }

    /** From 1; 0 if nothing is known of it. */
    line(at: number): number {
        return this.columns.lines[at]!;
    }

    label(at: number): string {
        return this.columns.texts[this.columns.labels[at]!]!;
    }

    /** Why it failed, if it did. */
    why(at: number): string {
        return this.columns.texts[this.columns.whys[at]!]!;
    }

    /** How many nodes below were left out as all of them failed. */
    folded(at: number): number {
        return this.columns.folded[at]!;
    }

    /** The node that a moment lies in. */
    at({ step, inside }: When): number {
        const { steps, insides } = this.columns;
        let [low, high] = [0, this.size];
        while (low < high) {
            const middle = (low + high) >> 1;
            const isBefore = steps[middle]! < step || steps[middle] === step && insides[middle]! <= inside;
            if (isBefore) low = middle + 1;
            else high = middle;
        }
        return low - 1;
    }

    /** Where most guesses stand one upon another; nothing where nothing was guessed. */
    deepest(): When | undefined {
        const depths = new Uint32Array(this.size);
        let deepest = 0;
        for (let at = 1; at < this.size; at++) {
            depths[at] = depths[this.parent(at)]! + 1;
            if (depths[at]! > depths[deepest]!) deepest = at;
        }
        return deepest > 0 ? this.when(deepest) : undefined;
    }

    /** When the first choice on the way to the first solution took the first of its alternatives. */
    firstGuess(): When | undefined {
        const solution = this.columns.states.indexOf(NODE_STATES.indexOf("solution"));
        if (solution < 0) return undefined;
        let first = solution;
        for (let at = solution; this.parent(at) >= 0; at = this.parent(at)) {
            if (!this.label(at).startsWith(OF_BUILT_IN)) first = at;
        }
        for (let other = 0; other < first; other++) {
            if (this.parent(other) === this.parent(first) && this.line(other) === this.line(first)) return this.when(other);
        }
        return this.when(first);
    }
}
