// The map of the page's own program, drawn when the page is built: a person sees it before the engine is there.
import { readFileSync } from "node:fs";
import { load } from "ndscript";

/** The page's own program as it runs by itself, with seed 1 and its own parameters. */
const text = readFileSync(new URL("../src/first.nds", import.meta.url), "utf8");

export async function firstMap() {
    const { Engine } = await load();
    const { kind, output = [] } = new Engine().compile("map.nds", text).run(1).resume(1e9);
    const [picture] = output.filter((piece) => typeof piece !== "string");
    if (!picture) throw new Error(`src/first.nds draws no map: ${kind}`);
    const png = Buffer.from(picture.png());
    // Width and height stand at the beginning of a PNG file.
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    return `<div id="first-map" class="picture"><img decoding="sync" width="${width}" height="${height}" alt="Picture: ${picture.inWords}" src="data:image/png;base64,${png.toString("base64")}"></div>`;
}
