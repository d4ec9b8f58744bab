// What the page and its worker say to each other. Everything is plain data.
import type { Completions, Diagnostic, Doc, Parameter, Parameters } from "../engine/dist/index.js";

export type { Completions, Diagnostic, Doc, Parameter, Parameters };

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
    | { status: "stopped" }
    | { status: "solved", solution: number }
    | { status: "asked", question: Question }
    | { status: "failed", solutions: number, message?: string }
    | { status: "error", diagnostic: Diagnostic }
    | { status: "limit", message: string }
    /** The engine itself is gone; a new worker is needed. */
    | { status: "broken", message: string };

export interface Figures { steps: number, failures: number, choices: number, memory: number }

/** Questions that have one answer each. */
export interface Requests {
    check: { request: { project: Project }, reply: { diagnostics: Diagnostic[], parameters: Parameter[] | undefined } },
    tokens: { request: { text: string }, reply: Uint32Array },
    complete: { request: { text: string, cursor: number }, reply: Completions },
    doc: { request: { name: string }, reply: Doc | undefined },
    click: { request: { x: number, y: number, button: string }, reply: string | undefined },
}
export type RequestName = keyof Requests;

/** What the page orders. */
export type Order =
    | { order: "start", wasm: string | ArrayBuffer }
    | { order: "run", project: Project }
    | { order: "stop" }
    | { order: "continue" }
    | { order: "answer", option?: number, line?: string }
    | { order: "goTo", answer: number }
    | { order: "request", id: number, name: RequestName, request: unknown };

/** What the worker tells. `run` is the number of the run that it speaks of. */
export type Notice =
    | { notice: "ready", version: string }
    | { notice: "reply", id: number, reply?: unknown, problem?: string }
    | { notice: "output", run: number, pieces: Piece[], answers: number, unfinished: boolean }
    | { notice: "standing", run: number, standing: Standing, figures: Figures, answers: string[] };
