// Makes `gallery.json` of the folder `examples/`: each program with its files, its first words, and its picture or what it
// prints. Needs the engine.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { grouped } from "./groups.mjs";
import { guides } from "./guides.mjs";
import { looks } from "./looks.mjs";
import { reference } from "./reference.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const examples = join(here, "../../examples");

/** All files below a folder that programs may import or draw, by their paths in it. */
function below(folder, inside = "") {
    return readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
        const path = inside ? `${inside}/${entry.name}` : entry.name;
        if (entry.isDirectory()) return ["tiles", "boards"].includes(entry.name) ? below(folder, path) : [];
        return [path];
    }).sort();
}

/** The comment that a program begins with. */
function words(text) {
    const lines = [];
    for (const line of text.split("\n")) {
        if (!line.startsWith("//")) break;
        lines.push(line.replace(/^\/\/ ?/, ""));
    }
    return lines.join("\n").split("\n\n")[0].replaceAll("\n", " ").trim();
}

const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== "embed");
const programs = [];
const files = {};
for (const { name } of folders) {
    const folder = join(examples, name);
    const paths = below(folder).filter((path) => path.endsWith(".nds") || path.startsWith("tiles/") || path.startsWith("boards/") || path === "roads.png");
    for (const path of paths) {
        const bytes = readFileSync(join(folder, path));
        files[`${name}/${path}`] = path.endsWith(".png") ? { bytes: bytes.toString("base64") } : { text: bytes.toString() };
    }
    const scripts = paths.filter((path) => path.endsWith(".nds") && !path.includes("/"));
    // What others import is a library, but for a menu, whose items are whole programs.
    const imported = scripts.filter((path) => path !== "menu.nds")
        .flatMap((path) => [...files[`${name}/${path}`].text.matchAll(/^import "([^"]+)"/gm)].map(([, other]) => other));
    for (const path of scripts.filter((path) => !imported.includes(path))) {
        const picture = path.replace(/\.nds$/, ".png");
        const { text } = files[`${name}/${path}`];
        programs.push({
            folder: name,
            path,
            words: words(text),
            picture: existsSync(join(folder, picture)) ? readFileSync(join(folder, picture)).toString("base64") : undefined,
        });
    }
}
const readme = readFileSync(join(examples, "../README.md"), "utf8");
const lesson = readFileSync(join(examples, "../docs/propagation.md"), "utf8");
const tourPrograms = new Map();

/** The programs of the README's tour, each with the words before it. */
function tour() {
    const text = readme.slice(readme.indexOf("## A tour"), readme.indexOf("## Examples"));
    for (const section of text.split("\n### ").slice(1)) {
        const title = section.slice(0, section.indexOf("\n")).trim();
        let number = 0;
        for (const [, before, code] of section.matchAll(/\n\n((?:(?!\n\n)[^])+?)\n\n```js\n([^]+?)```/g)) {
            const path = `${title.toLowerCase().replaceAll(" ", "-")}${++number > 1 ? `-${number}` : ""}.nds`;
            files[`tour/${path}`] = { text: code };
            tourPrograms.set(code.trimEnd(), `tour/${path.replace(/\.nds$/, "")}`);
            programs.push({ folder: "tour", path, title: number > 1 ? `${title} ${number}` : title, words: before.replaceAll("\n", " ").replace(/[`*]|\[([^\]]+)\]\([^)]+\)/g, "$1") });
        }
    }
}
tour();
const tourText = readme.slice(readme.indexOf("## A tour"), readme.indexOf("## Examples"));
const look = await looks(files);
const made = guides({
    readme: tourText, lesson, tourPrograms,
    addFile: (path, text) => { files[path] = { text: `${text}\n` }; },
    picture: (path) => readFileSync(join(examples, "../docs", path), "utf8"),
});
for (const program of programs.filter(({ picture }) => !picture)) Object.assign(program, look(program));
const all = grouped(programs);
// What can be solved in the page says itself how it is solved, if its group does not say so.
const isSolvable = ({ folder, path, isRiddle, isSolvedHere }) => isSolvedHere || isRiddle && /^\/\/.*\bexplain --solve\b/m.test(files[`${folder}/${path}`].text);
for (const program of all) program.isPlayable = program.isGame || isSolvable(program) || undefined;
const to = join(here, "gallery.json");
writeFileSync(to, JSON.stringify({ programs: all, files, guides: made, reference: await reference(join(examples, "../docs/reference.md")) }));
console.log(`${relative(process.cwd(), to)}: ${programs.length} programs`);
