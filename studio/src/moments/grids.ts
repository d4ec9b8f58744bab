// The grids of a moment: which there are, and how much of them is open.
import { boardsOf } from "../stage/boards";
import type { GridShown, SceneShown } from "../worker/protocol";

export interface NamedGrid { name: string, grid: GridShown }

export function gridsOf(scene: SceneShown | undefined): NamedGrid[] {
    return (scene?.globals ?? []).flatMap(({ name, grid }) => grid ? [{ name, grid }] : []);
}

/** The grid that is shown as long as nobody chooses another. */
export function usualGrid(scene: SceneShown): string {
    return (boardsOf(scene.globals)[0] ?? gridsOf(scene)[0])?.name ?? "";
}

/** How many cells of boards may still be several things; `undefined` if there is no board. */
export function openCells(scene: SceneShown | undefined): number | undefined {
    const boards = boardsOf(scene?.globals ?? []);
    return boards.length === 0 ? undefined : boards.flatMap(({ grid }) => grid.cells).filter((cell) => cell.length > 1).length;
}

/** Whether cells say more of a moment than what was printed by then. */
export function isOfCells(scene: SceneShown): boolean {
    const hasPicture = scene.output.some((piece) => typeof piece === "object" && "png" in piece);
    return (openCells(scene) ?? 0) > 0 || !hasPicture && gridsOf(scene).length > 0;
}
