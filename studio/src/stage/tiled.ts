// A map for Tiled, the editor whose files game engines read, of the picture that was printed: a file with its layers, and an image of the tiles beside it.
import type { Client } from "../worker/client";
import { download, make } from "../page/dom";
import type { Drawn } from "../worker/protocol";

/** Tiles in a row of the image. */
const COLUMNS = 16;
/** A browser draws no larger picture. */
const MOST_PIXELS = 1 << 26;

/** A square of the picture: its pixels, and what programs call it. */
interface Tile { pixels: ImageData, name?: string }
type Layer = number[];

/** Saves the picture that was printed last, with its layers; says why it cannot. */
export async function saveForTiled(client: Client, name: string, picture: Drawn | undefined): Promise<string | undefined> {
    const svg = picture && picture.columns > 0 && picture.rows > 0 ? await client.request("svg", {}) : undefined;
    if (!picture || !svg) return "The program has printed no picture, which a map for Tiled is made of.";
    const { columns, rows } = picture;
    const drawings = layersOf(svg);
    const [width, height] = drawings[0]!.size;
    if (width * height > MOST_PIXELS) return "The picture is too large for a map for Tiled.";
    const tiles: Tile[] = [];
    const layers: Layer[] = [];
    for (const { text } of drawings) layers.push(cells(await pixelsOf(text, width, height), columns, rows, tiles));
    await nameTiles(tiles, client, await client.request("values", {}));
    const image = `${name}-tiles.png`;
    const sheet = sheetOf(tiles, width / columns, height / rows);
    const png = await new Promise<Blob | null>((resolve) => sheet.toBlob(resolve, "image/png"));
    download(`${name}.tmj`, [JSON.stringify(map(picture, layers, tiles, image, sheet), undefined, 1)], "application/json");
    download(image, [png!], "image/png");
    return undefined;
}

/** The layers of a drawing, each as one of its own: in each, cells come in their order, and what has one color comes before the rest. */
function layersOf(svg: string): { text: string, size: [width: number, height: number] }[] {
    const { documentElement: root } = new DOMParser().parseFromString(svg, "image/svg+xml");
    const shapes = [...root.children].filter(({ localName }) => localName === "path" || localName === "use");
    const placeOf = (shape: Element) => shape.localName === "path" ? -1 : Number(shape.getAttribute("y")) * 1e6 + Number(shape.getAttribute("x"));
    const layers: Element[][] = [[]];
    shapes.forEach((shape, at) => {
        const before = at > 0 ? placeOf(shapes[at - 1]!) : -1;
        if (before >= 0 && placeOf(shape) <= before) layers.push([]);
        layers.at(-1)!.push(shape);
    });
    const size: [number, number] = [Number(root.getAttribute("width")), Number(root.getAttribute("height"))];
    return layers.map((own) => {
        const layer = root.cloneNode(true) as Element;
        [...layer.children].forEach((part) => part.localName !== "defs" && part.remove());
        layer.append(...own.map((shape) => shape.cloneNode(true)));
        return { text: new XMLSerializer().serializeToString(layer), size };
    });
}

async function pixelsOf(svg: string, width: number, height: number): Promise<CanvasRenderingContext2D> {
    const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    const image = make("img", { src: address });
    await image.decode().finally(() => URL.revokeObjectURL(address));
    const context = make("canvas", { width, height }).getContext("2d", { willReadFrequently: true })!;
    context.drawImage(image, 0, 0);
    return context;
}

/** The number of the tile in each cell, from 1; where there is nothing, 0. Tiles that look alike are one. */
function cells(context: CanvasRenderingContext2D, columns: number, rows: number, tiles: Tile[]): Layer {
    const [width, height] = [context.canvas.width / columns, context.canvas.height / rows];
    return Array.from({ length: columns * rows }, (_, at) => {
        const pixels = context.getImageData(at % columns * width, Math.floor(at / columns) * height, width, height);
        if (pixels.data.every((part) => part === 0)) return 0;
        const known = tiles.findIndex((tile) => isSame(tile.pixels, pixels));
        return known >= 0 ? known + 1 : tiles.push({ pixels });
    });
}

/** Tiles have the names by which programs print them: those whose images look so. */
async function nameTiles(tiles: readonly Tile[], client: Client, names: readonly string[]): Promise<void> {
    const { width, height } = tiles[0]?.pixels ?? { width: 1, height: 1 };
    for (const name of names) {
        const drawn = await client.request("tile", { name }).catch(() => undefined);
        if (!drawn) continue;
        const context = make("canvas", { width, height }).getContext("2d", { willReadFrequently: true })!;
        context.imageSmoothingEnabled = false;
        context.drawImage(await createImageBitmap(new Blob([drawn.png], { type: "image/png" })), 0, 0, width, height);
        const pixels = context.getImageData(0, 0, width, height);
        const tile = tiles.find((tile) => tile.name === undefined && isSame(tile.pixels, pixels));
        if (tile) tile.name = name;
    }
}

const isSame = (a: ImageData, b: ImageData) => a.data.every((part, at) => part === b.data[at]);

function sheetOf(tiles: readonly Tile[], width: number, height: number): HTMLCanvasElement {
    const columns = Math.min(COLUMNS, Math.max(1, tiles.length));
    const canvas = make("canvas", { width: columns * width, height: Math.max(1, Math.ceil(tiles.length / columns)) * height });
    const context = canvas.getContext("2d")!;
    tiles.forEach(({ pixels }, at) => context.putImageData(pixels, at % columns * width, Math.floor(at / columns) * height));
    return canvas;
}

/** The file as Tiled reads it. */
function map({ columns, rows }: Drawn, layers: readonly Layer[], tiles: readonly Tile[], image: string, sheet: HTMLCanvasElement): object {
    const { width: tilewidth, height: tileheight } = tiles[0]?.pixels ?? { width: 16, height: 16 };
    return {
        type: "map", version: "1.10", orientation: "orthogonal", renderorder: "right-down", infinite: false,
        width: columns, height: rows, tilewidth, tileheight, nextlayerid: layers.length + 1, nextobjectid: 1,
        layers: layers.map((data, at) => ({
            id: at + 1, name: layers.length === 1 ? "map" : `map ${at + 1}`, type: "tilelayer", x: 0, y: 0, width: columns, height: rows, opacity: 1, visible: true, data,
        })),
        tilesets: [{
            firstgid: 1, name: "tiles", image, imagewidth: sheet.width, imageheight: sheet.height, tilewidth, tileheight,
            tilecount: tiles.length, columns: sheet.width / tilewidth, margin: 0, spacing: 0,
            tiles: tiles.flatMap(({ name }, id) => name === undefined ? [] : [{ id, type: name }]),
        }],
    };
}
