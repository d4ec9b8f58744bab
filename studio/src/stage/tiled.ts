// A map for Tiled, the editor whose files game engines read: a file with the cells, and an image of the tiles beside it.
import { boardsOf } from "./boards";
import type { Client } from "../worker/client";
import { download, make } from "../page/dom";
import type { GridShown, Project } from "../worker/protocol";

const TILE = 16;
/** Tiles in a row of the image. */
const COLUMNS = 16;

/** Saves the grid of this name, or else the first of the run that was recorded, as it is at the end; says why it cannot. */
export async function saveForTiled(client: Client, project: Project, name: string, wanted: string | undefined): Promise<string | undefined> {
    const { end } = await client.request("see", { project, extent: { solutions: 1, steps: Infinity } });
    const scene = await client.request("scene", { when: end });
    const grids = (scene?.globals ?? []).flatMap(({ name, grid }) => grid ? [{ name, grid }] : []);
    const found = grids.find(({ name }) => name === wanted) ?? boardsOf(scene?.globals ?? [])[0] ?? grids[0];
    if (!found) return "There is no grid in a variable of the program, which a map for Tiled is made of.";
    const { grid } = found;
    const image = `${name}-tiles.png`;
    const sheet = await drawn(client, grid.values);
    download(`${name}.tmj`, [JSON.stringify(map(grid, image, sheet), undefined, 1)], "application/json");
    download(image, [sheet.png], "image/png");
    return undefined;
}

interface Sheet { png: Blob, width: number, height: number }

/** All tiles in one image, in the order of the values. Those that have none are their own color, or grey. */
async function drawn(client: Client, values: readonly string[]): Promise<Sheet> {
    const rows = Math.max(1, Math.ceil(values.length / COLUMNS));
    const [width, height] = [Math.min(COLUMNS, Math.max(1, values.length)) * TILE, rows * TILE];
    const canvas = make("canvas", { width, height });
    const context = canvas.getContext("2d")!;
    context.imageSmoothingEnabled = false;
    for (const [at, value] of values.entries()) {
        const [x, y] = [at % COLUMNS * TILE, Math.floor(at / COLUMNS) * TILE];
        const tile = await client.request("tile", { name: value }).catch(() => undefined);
        context.fillStyle = "#808080";
        context.fillStyle = value;
        if (tile) context.drawImage(await createImageBitmap(new Blob([tile.png], { type: "image/png" })), x, y, TILE, TILE);
        else context.fillRect(x, y, TILE, TILE);
    }
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    return { png: png!, width, height };
}

/** The file as Tiled reads it. A cell that is not decided has no tile, which is 0 there. */
export function map({ width, height, values, cells }: GridShown, image: string, sheet: { width: number, height: number }): object {
    return {
        type: "map", version: "1.10", orientation: "orthogonal", renderorder: "right-down", infinite: false,
        width, height, tilewidth: TILE, tileheight: TILE, nextlayerid: 2, nextobjectid: 1,
        layers: [{
            id: 1, name: "map", type: "tilelayer", x: 0, y: 0, width, height, opacity: 1, visible: true,
            data: cells.map((cell) => cell.length === 1 ? cell[0]! + 1 : 0),
        }],
        tilesets: [{
            firstgid: 1, name: "tiles", image, imagewidth: sheet.width, imageheight: sheet.height, tilewidth: TILE, tileheight: TILE,
            tilecount: values.length, columns: sheet.width / TILE, margin: 0, spacing: 0,
            tiles: values.map((value, id) => ({ id, type: value })),
        }],
    };
}
