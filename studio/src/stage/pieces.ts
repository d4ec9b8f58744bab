// Pieces of what was printed.
import type { Piece } from "../worker/protocol";

/** Whether the same was printed. */
export function isSame(a: readonly Piece[], b: readonly Piece[]): boolean {
    return a.length === b.length && a.every((piece, at) => {
        const other = b[at]!;
        if (typeof piece !== "object" || !("png" in piece)) return piece === other;
        return typeof other === "object" && "png" in other && piece.png.length === other.png.length && piece.png.every((byte, at) => byte === other.png[at]);
    });
}
