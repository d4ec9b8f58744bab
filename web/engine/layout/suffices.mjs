// Whether the first file of the engine is enough for what people do before the second is there: `node suffices.mjs FOLDER PROJECT`, with the
// folder of the engine. It does that with the first file alone, with other keys than the profile has had, and fails where it comes to
// something that is not there. The build ends with it: what is missing would only be seen as a pause on a slow network.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { littleProgramsOf, OTHER_KEYS, ownProgramsOf, programsOf, use, withKey } from "./profile.mjs";

const [folder, project] = process.argv.slice(2);
const at = (name) => pathToFileURL(join(folder, name)).href;
const { fill } = await import(at("tables.js"));
const first = new WebAssembly.Module(readFileSync(join(folder, "ndscript_bg.wasm")));
/** Keys that the profile has not seen. */
const BEYOND = 1000;

/** All that has to work, each with a name for who reads of it. */
function* needed() {
    let number = 0;
    for (const program of ownProgramsOf(project)) yield { what: `run the page's program ${++number}`, program };
    for (const program of littleProgramsOf()) yield { what: `read ${JSON.stringify(program.files.get(program.main).toString())}`, program, isEnough: () => true };
    for (const program of programsOf(project)) yield { what: `read ${program.main}: ${JSON.stringify(program.files.get(program.main).toString().slice(0, 40))}`, program, isEnough: () => true };
}

/** The engine with nothing but its first file, begun anew. */
async function begun(number) {
    const module = await import(`${at("ndscript.js")}?${number}`);
    const exports = withKey(module.initSync({ module: first }), number);
    fill(exports);
    return module;
}

const missing = new Map();
let [number, done] = [BEYOND, 0];
for (let key = 0; key < OTHER_KEYS; key++) {
    let module = await begun(++number);
    for (const { what, program, isEnough } of needed()) {
        const steps = [];
        try {
            use(module, program, isEnough, (step) => steps.push(step));
            done++;
        } catch (why) {
            if (!(why instanceof WebAssembly.RuntimeError)) throw why;
            if (!missing.has(what)) missing.set(what, steps.at(-1));
            // An engine that was stopped in the middle is no use any more.
            module = await begun(++number);
        }
    }
}
for (const [what, step] of missing) console.error(`The first file of the engine is not enough to ${what}: \`${step}\` comes to a function that is in the second.`);
if (missing.size > 0) console.error("layout/profile.mjs says which functions go to the first: it has to run what calls this one.");
else console.log(`The first file is enough for what comes before the second (${done} uses of it).`);
process.exitCode = missing.size > 0 || done === 0 ? 1 : 0;
