// What the page and its worker say to each other. Everything is plain data.
import type { Completions, Diagnostic, Doc, Found, GridShown, Misplaced, Parameter, Parameters, Puzzle, Reasons, Scene, TreeColumns, When } from "ndscript";
import type { NodeState } from "../moments/tree";

export type { Completions, Diagnostic, Doc, Found, GridShown, Parameter, Parameters, Puzzle, Reasons, When };

/** A file of a project: a text, or the bytes of an image. */
export type ProjectFile = { path: string, text: string } | { path: string, bytes: Uint8Array };

/** What a person works on, and what a link holds. */
export interface Project {
    /** The path of the program that runs; the others it may import or draw. */
    main: string,
    files: ProjectFile[],
    seed: number,
    parameters: Parameters,
}

/** A picture as the bytes of a PNG file. */
export interface Drawn { png: Uint8Array<ArrayBuffer>, columns: number, rows: number, inWords: string }
export type Piece = string | Drawn | { problem: string };

export interface Question { prompt: string, options?: string[], hearsClicks: boolean }

export type Standing =
    | { status: "running" }
    /** `budget` are the milliseconds that were used up, where that is why. */
    | { status: "stopped", budget?: number }
    /** The last one leaves nothing to be chosen otherwise; that is looked at where a game ends. */
    | { status: "solved", solution: number, isLast?: boolean }
    | { status: "asked", question: Question }
    | { status: "failed", solutions: number, message?: string }
    | { status: "error", diagnostic: Diagnostic }
    | { status: "limit", message: string }
    /** The engine itself is gone; a new worker is needed. */
    | { status: "broken", message: string };

export interface Figures { steps: number, failures: number, choices: number, memory: number }

/** A moment as the page shows it. */
export type SceneShown = Omit<Scene, "output"> & { output: Piece[] };
export interface Mark { step: number, state: NodeState }
export interface FailingLine { line: number, failures: number, why: string }

/** What a person has placed: a value in a cell of the grid that a variable holds. */
export interface Pick { grid: string, x: number, y: number, value: string }

/** A picture that moves, or a page that plays it. */
export type FilmForm = "gif" | "page";

/** A film: of the grid in this variable, or of the first board of the program; its cells as large as is comfortable, unless it is said. A GIF has at most so many pictures. */
export interface FilmWish { form: FilmForm, grid?: string, cell?: number, milliseconds: number, most: number }

/** What was recorded of a run, and what it has come to. */
export interface Recording {
    begin: When,
    end: When,
    marks: Mark[],
    failingLines: FailingLine[],
    picks: Pick[],
    solutions: number,
    lastSolution?: When,
    /** Where most guesses stood one upon another. */
    deepest?: When,
    came: string,
    message?: string,
}

/** How far a run is recorded: to so many solutions, or so many steps. */
export interface Extent { solutions: number, steps: number }

/** Placing something: what is wrong with it, or what there is now. */
export interface Placed { misplaced?: Misplaced, recording: Recording }

/** What came of a test of the program: what is wrong, or nothing if it has passed. */
export interface Tested { name: string, problem?: string }

/** Questions that have one answer each. */
export interface Requests {
    check: { request: { project: Project }, reply: { diagnostics: Diagnostic[], parameters: Parameter[] | undefined } },
    tokens: { request: { text: string }, reply: Uint32Array },
    complete: { request: { text: string, cursor: number }, reply: Completions },
    doc: { request: { name: string }, reply: Doc | undefined },
    click: { request: { x: number, y: number, button: string }, reply: string | undefined },
    /** An answer that only a right click gives. */
    rightClick: { request: object, reply: string | undefined },
    /** The latest picture of the run as a PNG file, with tiles of so many pixels. */
    png: { request: { tileSize: number }, reply: Uint8Array<ArrayBuffer> | undefined },
    /** The latest picture of the run as an SVG file. */
    svg: { request: object, reply: string | undefined },
    layers: { request: object, reply: (string | null)[][] },
    /** How the grid of a program comes to be, as a file; nothing if that was stopped. */
    film: { request: { project: Project, wish: FilmWish }, reply: Uint8Array<ArrayBuffer> | undefined },
    /** Why a program fails: what failed most often, and what to try, in a sentence each. */
    explain: { request: { project: Project }, reply: string[] },
    /** Calls the tests of a program, which are functions of it. */
    tests: { request: { project: Project }, reply: Tested[] },
    /** The variables that hold boards with constraints, at the solution that the run stands at. */
    boards: { request: object, reply: string[] },
    /** Whether the program leaves one of them no other way to be; false as well where that is not found out in time. */
    isOnly: { request: { board: string }, reply: boolean },
    /** How a person could solve one of them; nothing if that was not found in time, or is not wanted any more. */
    puzzle: { request: { board: string }, reply: Puzzle | undefined },
    /** The text of a variable at the solution that the run stands at, and the texts of the cells of a grid. */
    variables: { request: { names: string[] }, reply: { text?: string, cells?: string[] }[] },
    /** All that stands in grids of variables, at the solution that the run stands at. */
    /** The line that the run stands at. */
    whereabouts: { request: object, reply: { file: string, line: number } | undefined },
    /** The latest puzzle with its solution, as a page for print. */
    booklet: { request: { title: string }, reply: string | undefined },
    /** Records a program anew, as far as its run has come. */
    see: { request: { project: Project, extent: Extent }, reply: Recording },
    /** Records on. */
    record: { request: { isNextWanted: boolean }, reply: Recording },
    recording: { request: object, reply: Recording },
    /** How often each cell of a grid was the one at which the search failed. */
    failingCells: { request: { grid: string }, reply: number[] | undefined },
    tree: { request: object, reply: TreeColumns },
    /** What stands at a moment. Who plays wants the latest picture alone. */
    scene: { request: { when: When, isPlaying?: boolean }, reply: SceneShown | undefined },
    seek: { request: { from: When, back: boolean, what: string }, reply: Found | undefined },
    why: { request: { place: string, when: When }, reply: Reasons | undefined },
    beforeGuessing: { request: object, reply: When },
    /** The image of a tile; nothing if there is no tile of this name. */
    tile: { request: { name: string }, reply: Drawn | undefined },
    pick: { request: { when: When, pick: Pick }, reply: Placed },
    /** Takes one back of what was placed, or all of it. */
    unpick: { request: { number?: number }, reply: Placed },
    /** Places again what was placed before; what cannot be any more is left out. */
    restore: { request: { when: When, picks: Pick[] }, reply: { refused: Pick[], recording: Recording } },
}
export type RequestName = keyof Requests;

/** What the page orders. */
export type Order =
    | { order: "start", engine: WebAssembly.Module }
    /** A run with a budget, in milliseconds, stops when that is used up; it can go on. Questions are answered as a person has answered them before. */
    | { order: "run", run: number, project: Project, budget?: number, answers?: readonly string[] }
    | { order: "stop" }
    | { order: "continue" }
    | { order: "stopFilm" }
    | { order: "stopSeeing" }
    | { order: "answer", option?: number, line?: string }
    | { order: "goTo", answer: number }
    | { order: "request", id: number, name: RequestName, request: unknown };

/** What the worker tells. `run` is the number that the page gave to the run that it speaks of. */
export type Notice =
    | { notice: "ready", version: string }
    | { notice: "reply", id: number, reply?: unknown, problem?: string }
    | { notice: "output", run: number, pieces: Piece[], answers: number, unfinished: boolean }
    | { notice: "standing", run: number, standing: Standing, figures: Figures, answers: string[] };
