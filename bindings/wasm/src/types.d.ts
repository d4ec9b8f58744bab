/** A value of the language: null, booleans, numbers and text are themselves. A set is a `Set`; the pairs of a relation, the
 * elements of arrays and queues are arrays; what was left out as it is too large is `undefined`. */
export type Value =
    | null | boolean | number | string | undefined | Value[] | Set<Value>
    | { x: number, y: number }
    | { width: number, height: number, cells: Value[] }
    | { function: string }
    | { [key: string]: Value };

/** What a run may use. Memory is in bytes. */
export interface Limits { steps: number, memory: number, depth: number, output: number, pictures: number, pictureCells: number, source: number }

/** A stretch of a file: `start` included, `end` excluded; lines and columns count from 1. */
export interface Place { file: string, start: number, end: number, line: number, column: number }

/** A message for a person: what happened, where, what to do. `rendered` is all of it as text. */
export interface Diagnostic {
    severity: "error" | "warning",
    message: string,
    place?: Place,
    label: string,
    related: { place: Place, text: string }[],
    hints: string[],
    calls: { text: string, place?: Place }[],
    rendered: string,
}

/** A function that programs can call, or a word of the language. */
export interface Doc { name: string, call: string, domain: string, doc: string, example: string, gives: string }

/** What the word before a cursor may become: what is put at `start` replaces the text up to the cursor. */
export interface Completions { start: number, words: { word: string, function?: Doc }[] }

/** A parameter that a program asks for. `default` is missing where the program works it out; `choices` are those that a
 * comment behind it names: `param("wind", "east"); // north | east | south | west`. */
export interface Parameter { name: string, default?: boolean | number | string, choices?: string[] }

/** Values for parameters. */
export type Parameters = { [name: string]: boolean | number | string };

/** Text and pictures in the order in which they were printed. */
export type Output = (string | Picture)[];

/** Why a run has stopped for its host. */
export type Outcome =
    | { kind: "solved", output: Output, value: Value, text: string }
    | { kind: "outOfFuel" }
    | { kind: "asked", prompt: string, options?: string[], output: Output }
    | { kind: "failed", message?: string }
    | { kind: "error", diagnostic: Diagnostic }
    | { kind: "limit", limit: string, message: string };

/** What a run has done so far. */
export interface Statistics { steps: number, choices: number, failures: number }

/** A moment of a run: its steps, and how many instructions it has carried out since it came to that step. */
export interface When { step: number, inside: number }

/** Where a moment is in the program. */
export interface LineAt { file: string, line: number, column: number, start: number, end: number }

/** A grid, row by row: `cells` are numbers of `values`, the candidates of each cell. A board has sets in its cells. */
export interface GridShown { width: number, height: number, values: string[], cells: number[][], isBoard: boolean, isConstrained: boolean }
export interface Variable { name: string, text: string, grid?: GridShown }

/** What stands at a moment: the line that comes next, calls and choices the latest first, and what was printed. */
export interface Scene {
    when: When,
    line?: LineAt,
    calls: { function?: string, line?: LineAt, variables: Variable[] }[],
    depth: number,
    globals: Variable[],
    choices: { line?: LineAt, call?: string, left: number, alternatives: string[] }[],
    open: number,
    output: Output,
}

/** Why something cannot be placed. Cells are numbers row by row: those of the grid at which it fails, and those that the rule is `on` that
 * could not hold (none if that is no rule, or one on the whole grid). `lines` of the program are those where that rule may stand. */
export interface Misplaced { problem: string, cells: number[], on: number[], lines: { file: string, line: number }[] }

/** An event: `when` is the moment to look at. */
export interface Found { kind: string, when: When, text: string, line?: LineAt }

/**
 * A write on the way to what a place holds, or a guess; or what was drawn or asked for, whose `place` is empty. `from` are numbers
 * of links; `lost` are candidates that were taken away, `was` is what else lay there before.
 */
export interface ReasonLink {
    when: When,
    line?: LineAt,
    place: string,
    cell?: { x: number, y: number },
    value: string,
    lost: string[],
    was?: string,
    by?: string,
    isGuess: boolean,
    from: number[],
}

/** Why a place holds what it holds: first the `own` writes to it, the latest first, then what they came from. */
export interface Reasons { value: string, links: ReasonLink[], own: number, isCut: boolean }

/** An alternative that was taken, in the tree of a search. `folded` nodes below it have failed and were left out. */
export interface TreeNode {
    parent?: number,
    state: "solution" | "failed" | "open" | "inner",
    label: string,
    line?: number,
    why?: string,
    when: When,
    folded: number,
    failures: number,
}

/** A tree in columns: all arrays have a place for each node. `states` are 0 inner, 1 open, 2 failed, 3 solution; the first node
 * has the parent -1; `labels` and `whys` are numbers of `texts`, whose first one is empty; a line of 0 is none. */
export interface TreeColumns {
    states: Uint8Array,
    parents: Int32Array,
    labels: Uint32Array,
    whys: Uint32Array,
    lines: Uint32Array,
    steps: Float64Array,
    insides: Uint32Array,
    folded: Float64Array,
    texts: string[],
}

/** How a person could solve a board. Places are numbers of `places` (of a grid row by row), values numbers of `values`. `level` is from 0 to
 * 10; `end` is "solved", "open", "none" or "unknown", as `difficulty` has it. `start` of a place is what it could hold at first. */
export interface Puzzle {
    name: string, level: number, end: string,
    isGrid: boolean, width: number, values: string[],
    places: { name: string, start: number[] }[],
    steps: PuzzleStep[],
    rules: { text: string, places: number[] }[],
}

/** A step to the solution, as `steps` has it: what follows from which places. */
export interface PuzzleStep {
    kind: string, text: string, rules: string[], places: number[],
    removed: [place: number, values: number[]][],
    decided: [place: number, value: number][],
    supposed?: [place: number, value: number],
    chain: PuzzleStep[],
}
