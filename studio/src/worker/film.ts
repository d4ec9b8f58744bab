// Films: how a grid has come to be, as a file.
import type { Program } from "ndscript";
import type { FilmWish, Parameters } from "./protocol";
import type { Answer } from "./search";
import { begin } from "./begin";
import { breathe, SLICE_MILLISECONDS } from "./slices";
import { watched } from "./watched";

/** A search is filmed for so long, unless it ends before. */
const FILM_MILLISECONDS = 10_000;
/** A picture that moves is for looking at, a page for going through. */
const MOST_OF_PAGE = 3000;

/** Films a program up to its next solution, question or end, and makes a file of it; nothing if it is told to stop. */
export async function film(program: Program, seed: number, parameters: Parameters, answers: readonly Answer[], wish: FilmWish, title: string, stop: AbortSignal): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { form, grid, cell, milliseconds, most } = wish;
    const run = begin(program, seed, parameters);
    const recorder = run.film(grid, form === "page" ? MOST_OF_PAGE : most);
    recorder.show(cell, milliseconds);
    run.free();
    try {
        if (!await watched(recorder, answers, FILM_MILLISECONDS, stop)) return undefined;
        if (form === "page") return new TextEncoder().encode(recorder.page(title));
        for (;;) {
            const until = performance.now() + SLICE_MILLISECONDS;
            while (performance.now() < until) {
                const bytes = recorder.goOnGif(1);
                if (bytes) return bytes as Uint8Array<ArrayBuffer>;
            }
            await breathe();
            if (stop.aborted) return undefined;
        }
    } finally {
        recorder.free();
    }
}
