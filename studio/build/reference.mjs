// The reference of the page, as the engine knows it: what each word and each function is for, and the tiles that are always there.
import { readFileSync } from "node:fs";
import { load } from "ndscript";

/** `text` is that of `docs/reference.md`, which lists the words of the language. */
export async function reference(path) {
    const { Engine } = await load();
    const engine = new Engine();
    const text = readFileSync(path, "utf8");
    const language = text.slice(text.indexOf("\n## The language"), text.indexOf("\n## Guessing"));
    const words = [...language.matchAll(/^### `(\w+)`/gm)].map(([, name]) => engine.doc(name)).filter(Boolean);
    return { words: [...words, ...engine.functions()], tiles: tileNames(engine).map((name) => ({ name, picture: picture(engine, name) })) };
}

/** Who names a tile that is not there is told which are. */
function tileNames(engine) {
    const { diagnostic } = engine.compile("tiles", "printImage(\"?\");").run(1).resume(1e6);
    const names = /built-in tile \(([\w ]+)\)/.exec(diagnostic.message)?.[1].split(" ");
    if (!names) throw new Error(`the engine does not list its tiles: ${diagnostic.message}`);
    return names;
}

function picture(engine, name) {
    const { output } = engine.compile("tile", `printImage("${name}");`).run(1).resume(1e6);
    return Buffer.from(output[0].png()).toString("base64");
}
