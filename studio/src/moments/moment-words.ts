// What is said of moments.
import type { Found, Recording, SceneShown, When } from "../worker/protocol";
import { ended, plain } from "../page/wording";

/** Why nothing can be placed at a moment, if that is so. */
export function whyNothing(scene: SceneShown | undefined): string | undefined {
    if (!scene) return undefined;
    const grids = scene.globals.flatMap(({ grid }) => grid ? [grid] : []);
    if (grids.length === 0) return "There is no grid in a variable of the program to place in.";
    if (grids.some(({ cells }) => cells.some((cell) => cell.length > 1))) return undefined;
    return grids.some(({ isBoard }) => isBoard) ? "All cells are decided by the rules already: there is nothing to place."
        : "No cell of a grid may be several things: there is nothing to place.";
}

/** Why no more was recorded, unless it is plain to see. */
export function howItCame({ came, message }: Recording): string | undefined {
    return came === "error" || came === "limit" ? `It stops here: ${ended(plain(message ?? ""))}`
        : came === "asked" ? "It waits here for an answer."
        : came === "outOfFuel" ? "It was recorded up to here; “Finish the rest” goes on."
        : undefined;
}

export function isBefore(a: When, b: When): boolean {
    return a.step < b.step || a.step === b.step && a.inside < b.inside;
}

/** An event that was looked for. */
export function words(found: Found, scene: SceneShown | undefined): string {
    const line = found.line ? `line ${found.line.line}: ` : "";
    return `Step ${scene?.when.step.toLocaleString("en") ?? ""}, ${line}${found.text || found.kind}`;
}
