// What programs look like that have no picture beside them: the engine runs them.
import { load } from "ndscript";

const FUEL = 40_000_000;
const MOST_PIXELS = 480;
const MOST_LINES = 12;
const MOST_COLUMNS = 60;

/** The beginning of a text, as much as a card has room for. */
function beginning(text) {
    const lines = text.replace(/^\s*\n/, "").split("\n").slice(0, MOST_LINES);
    return lines.map((line) => line.slice(0, MOST_COLUMNS)).join("\n").trimEnd();
}

/** The last picture that is small enough, or the beginning of the text. */
function lookOf(output) {
    const pictures = output.filter((piece) => typeof piece !== "string");
    const last = pictures.at(-1);
    if (last && last.columns <= MOST_PIXELS && last.rows <= MOST_PIXELS) return { picture: Buffer.from(last.png()).toString("base64") };
    const text = output.filter((piece) => typeof piece === "string").join("");
    return text.trim() ? { shows: beginning(text) } : { isSilent: true };
}

/** What a program of the gallery looks like, by its folder and path: `picture`, or the text that it `shows`, or `isSilent`. */
export async function looks(files) {
    const { Engine } = await load();
    return ({ folder, path }) => {
        const engine = new Engine();
        for (const [place, file] of Object.entries(files)) {
            if (!place.startsWith(`${folder}/`)) continue;
            engine.setFile(place.slice(folder.length + 1), "text" in file ? Buffer.from(file.text) : Buffer.from(file.bytes, "base64"));
        }
        const run = engine.compile(path, files[`${folder}/${path}`].text).run(1);
        const outcome = run.resume(FUEL);
        switch (outcome.kind) {
            case "solved":
                return lookOf([...outcome.output, outcome.text]);
            case "asked":
                return lookOf([...outcome.output, `\n${[outcome.prompt, ...outcome.options ?? []].join("\n")}`]);
            // A program may be there to show its message.
            case "error":
                return lookOf([...run.pendingOutput(), outcome.diagnostic.rendered]);
            case "outOfFuel":
                return lookOf([...run.pendingOutput(), `\nStill searching after ${FUEL.toLocaleString("en")} steps ...`]);
            default:
                return lookOf([...run.pendingOutput(), `\n${outcome.message ?? ""}`]);
        }
    };
}
