// Pictures as files. Each takes a while, and a program may have printed any number of them, so they are drawn in slices.
import type { Output, Picture } from "ndscript";
import type { Piece } from "./protocol";
import { breathe, SLICE_MILLISECONDS } from "./slices";

/** Of more pictures in one output only the latest so many are drawn. */
export const MOST_DRAWN = 200;

export interface DrawingWish {
    /** Asked between any two pictures. */
    mayGoOn: () => boolean,
    most?: number,
    /** Who wants to keep a picture that was drawn has to free it. */
    keep?: (picture: Picture) => void,
}

/** Pictures as PNG files, between what is text. Words stand in place of those that are left out, and of those that may not be drawn any more. */
export async function drawn(output: Output, { mayGoOn, most = MOST_DRAWN, keep = (picture) => picture.free() }: DrawingWish): Promise<Piece[]> {
    const pictures = output.filter((piece) => typeof piece !== "string").length;
    const pieces: Piece[] = [];
    let before = pictures, undrawn = 0, until = performance.now() + SLICE_MILLISECONDS;
    if (pictures > most) pieces.push(`[${pictures - most} pictures are left out: the latest ${most} are shown]\n`);
    for (const piece of output) {
        if (typeof piece === "string") {
            pieces.push(piece);
            continue;
        }
        if (before-- > most) {
            piece.free();
            continue;
        }
        if (performance.now() > until) {
            await breathe();
            until = performance.now() + SLICE_MILLISECONDS;
        }
        if (mayGoOn()) {
            pieces.push(file(piece, keep));
        } else {
            undrawn++;
            piece.free();
        }
    }
    if (undrawn > 0) pieces.push(`[stopped before ${undrawn === 1 ? "the last picture was" : `the last ${undrawn} pictures were`} drawn]\n`);
    return pieces;
}

function file(picture: Picture, keep: (picture: Picture) => void): Piece {
    try {
        const { columns, rows, inWords } = picture;
        return { png: picture.png() as Uint8Array<ArrayBuffer>, columns, rows, inWords };
    } catch (problem) {
        // That is no problem of the picture.
        if (problem instanceof WebAssembly.RuntimeError) throw problem;
        return { problem: problem instanceof Error ? problem.message : String(problem) };
    } finally {
        keep(picture);
    }
}
