// The grids that a person can place something in.
import type { GridShown } from "ndscript";

export interface Board { name: string, grid: GridShown }

/** Those that constraints lie on; where there are none, those that hold sets: a grid of neighbours may hold sets, too. */
export function boardsOf(globals: readonly { name: string, grid?: GridShown }[]): Board[] {
    const boards = globals.flatMap(({ name, grid }) => grid?.isBoard ? [{ name, grid }] : []);
    const constrained = boards.filter(({ grid }) => grid.isConstrained);
    return constrained.length > 0 ? constrained : boards;
}
