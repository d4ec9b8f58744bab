// Which functions of the engine programs commonly need: those that the page's own first program and a question need from the first
// letter to the last picture, those that are needed to read any example or program of the README's tour, and those that several of
// them need to run, which nobody lets them do before the page is there. What only the time line, films, completion, mistakes and the
// like need is not among them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { calledIn, forgetCalls } from "./split.mjs";

/** Enough for every instruction that an example comes to. */
const FUEL = 3_000_000;
const SLICE = 250_000;
const ANSWERS = 2;
/** One is shown, and who presses `Next solution` waits for another. */
const SOLUTIONS = 2;
const ALONE = "map.nds";
/** Games ask, and nobody who answers is to wait. */
const ASKS = 'let where = ask("Where to?", ["north", "south"]);\nlet far = input("How far?");\nprintLine(where, " ", far);';
/** What so many programs need to run is common. */
const SEVERAL = 7;
/** Of so many keys something that depends on them comes to light; so many others are tried when the first file is there (`suffices.mjs`). */
const KEYS = 12;
export const OTHER_KEYS = 6;
/** What a person writes before there is a program, and what is allowed but seldom meant. */
const LITTLE = ["", "\n", "// words", "print(1);", "let a = 1;", "var count = 1;\nprnt(count);", "function unused(a) { return a; }\nlet x = choose(1, 2);"];

/** The files of a folder, by their paths in it. */
function below(folder) {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
    return entries.map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1)).sort();
}

/** Uses a program, and gives what it has shown: text, and pictures as PNG files. Says when it has read it; then it may be enough. Tells
 * each step before it takes it. */
export function use({ Engine }, { files, main }, isEnough = () => false, tell = () => {}) {
    const shown = [];
    const engine = new Engine({});
    for (const [path, bytes] of files) engine.setFile(path, bytes);
    const text = files.get(main).toString();
    tell("tokens");
    engine.tokens(text);
    tell("check");
    engine.check(main, text);
    let program;
    try {
        tell("compile");
        program = engine.compile(main, text);
        tell("parameters");
        shown.push(JSON.stringify(program.parameters()));
    } catch (why) {
        if (why instanceof WebAssembly.RuntimeError) throw why;
        // What is there to be imported need not be a program.
    }
    if (isEnough() || !program) {
        program?.free();
        engine.free();
        return shown;
    }
    tell("run");
    const run = program.run(1, {});
    let [answers, solutions] = [0, 0];
    for (let fuel = 0; fuel < FUEL; fuel += SLICE) {
        const outcome = run.resume(SLICE);
        run.statistics();
        for (const piece of outcome.output ?? run.pendingOutput()) shown.push(typeof piece === "object" ? look(piece) : piece);
        if (outcome.kind === "outOfFuel" || outcome.kind === "solved" && ++solutions < SOLUTIONS) continue;
        if (outcome.kind !== "asked" || answers++ === ANSWERS) break;
        const kept = run.fork();
        run.hearsClicks();
        if (!run.answer(0)) run.answerText("1");
        kept.free();
    }
    run.memory();
    run.free();
    program.free();
    files.forEach((_, path) => engine.removeFile(path));
    engine.free();
    return shown;
}

function look(picture) {
    const { columns, rows, inWords } = picture;
    const png = columns * rows > 0 && inWords ? picture.png() : undefined;
    picture.free();
    return png;
}

/** The programs of the project, each with its files. */
export function* programsOf(project) {
    yield* examplesOf(project);
    yield* ownProgramsOf(project);
    yield* tourOf(project);
}

function* examplesOf(project) {
    const examples = join(project, "examples");
    const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) {
        const folder = join(examples, name);
        const files = new Map(below(folder).filter((path) => /\.(nds|png)$/.test(path)).map((path) => [path, readFileSync(join(folder, path))]));
        for (const main of files.keys()) if (main.endsWith(".nds") && !main.includes("/")) yield { files, main };
    }
}

const alone = (text) => ({ files: new Map([[ALONE, text]]), main: ALONE });

/** The page's own first program, and one that asks. */
export function* ownProgramsOf(project) {
    yield alone(readFileSync(join(project, "web/src/first.nds")));
    yield alone(Buffer.from(ASKS));
}

/** The programs of the README's tour. */
export function* tourOf(project) {
    const readme = readFileSync(join(project, "README.md"), "utf8");
    for (const [, code] of readme.matchAll(/^```js\n([^]+?)^```/gm)) yield alone(Buffer.from(code));
}

/** What has to be read by the first file alone, though it is no program of the project. */
export function* littleProgramsOf() {
    for (const text of LITTLE) yield alone(Buffer.from(text));
}

/** Lets an engine that has just begun have another key for its hashes than it would have: what it makes next lies elsewhere. */
export function withKey(exports, key) {
    if (key > 0) exports.__wbindgen_malloc(1 + 1000 * key, 1);
    return exports;
}

/** The functions, by number, that a watched engine needs for the programs of the project. `load` gives its JavaScript anew for each key. */
export async function commonlyCalled(load, bytes, project) {
    const watched = new WebAssembly.Module(bytes);
    const [common, times] = [new Set(), new Map()];
    for (let key = 0; key < KEYS; key++) {
        const module = await load(key);
        const exports = withKey(module.initSync({ module: watched }), key);
        const take = () => calledIn(exports).forEach((index) => common.add(index));
        for (const program of ownProgramsOf(project)) use(module, program);
        module.version();
        for (const program of littleProgramsOf()) use(module, program, () => true);
        take();
        for (const program of [...tourOf(project), ...examplesOf(project)]) {
            // What is needed to run them is asked once.
            if (key > 0) {
                use(module, program, () => true);
                continue;
            }
            forgetCalls(exports);
            use(module, program, take);
            for (const index of calledIn(exports)) times.set(index, (times.get(index) ?? 0) + 1);
        }
        if (key > 0) take();
    }
    for (const [index, programs] of times) if (programs >= SEVERAL) common.add(index);
    return [...common];
}
