// A map for Tiled, the editor whose files game engines read, of the picture that was printed: a file with its layers, and an image of the tiles beside it.
import type { Client } from "../worker/client";
import { download, make } from "../page/dom";

/** Tiles in a row of the image. */
const COLUMNS = 16;
/** A tile without an image is as large as those that are always there. */
const SIDE = 16;

/** Saves the picture that was printed last, with its layers; says why it cannot. */
export async function saveForTiled(client: Client, name: string, columns: number): Promise<string | undefined> {
    const layers = await client.request("layers", {});
    if (layers.length === 0) return "The picture is no map of tiles, which a map for Tiled is made of.";
    const names = [...new Set(layers.flat())].filter((tile) => tile !== null);
    const images = await Promise.all(names.map((tile) => imageOf(client, tile)));
    const side = images.reduce((most, image) => Math.max(most, image?.width ?? 0, image?.height ?? 0), 0) || SIDE;
    const image = `${name}-tiles.png`;
    const sheet = sheetOf(images, side);
    const png = await new Promise<Blob | null>((resolve) => sheet.toBlob(resolve, "image/png"));
    download(`${name}.tmj`, [JSON.stringify(map(layers, columns, names, side, image, sheet), undefined, 1)], "application/json");
    download(image, [png!], "image/png");
    return undefined;
}

async function imageOf(client: Client, name: string): Promise<ImageBitmap | undefined> {
    const tile = await client.request("tile", { name }).catch(() => undefined);
    return tile && createImageBitmap(new Blob([tile.png], { type: "image/png" }));
}

function sheetOf(images: readonly (ImageBitmap | undefined)[], side: number): HTMLCanvasElement {
    const columns = Math.min(COLUMNS, Math.max(1, images.length));
    const canvas = make("canvas", { width: columns * side, height: Math.max(1, Math.ceil(images.length / columns)) * side });
    const context = canvas.getContext("2d")!;
    context.imageSmoothingEnabled = false;
    images.forEach((image, at) => image && context.drawImage(image, at % columns * side, Math.floor(at / columns) * side, side, side));
    return canvas;
}

/** The file as Tiled reads it: in a cell the number of its tile from 1, or 0 where there is nothing. */
function map(layers: readonly (string | null)[][], width: number, names: readonly string[], side: number, image: string, sheet: HTMLCanvasElement): object {
    const height = layers[0]!.length / width;
    const numbers = new Map(names.map((name, at) => [name, at + 1]));
    return {
        type: "map", version: "1.10", orientation: "orthogonal", renderorder: "right-down", infinite: false,
        width, height, tilewidth: side, tileheight: side, nextlayerid: layers.length + 1, nextobjectid: 1,
        layers: layers.map((cells, at) => ({
            id: at + 1, name: layers.length === 1 ? "map" : `map ${at + 1}`, type: "tilelayer", x: 0, y: 0, width, height, opacity: 1, visible: true,
            data: cells.map((cell) => cell === null ? 0 : numbers.get(cell)!),
        })),
        tilesets: [{
            firstgid: 1, name: "tiles", image, imagewidth: sheet.width, imageheight: sheet.height, tilewidth: side, tileheight: side,
            tilecount: names.length, columns: sheet.width / side, margin: 0, spacing: 0,
            tiles: names.map((type, id) => ({ id, type })),
        }],
    };
}
