// The same program and seed give byte for byte the same text and pictures here as in the native binary, in the same number
// of steps, for all examples.
// The binary is what NDSCRIPT names, or the newest in `target`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "ndscript";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const { Engine } = await load();
const gallery = JSON.parse(readFileSync(join(root, "studio/build/gallery.json"), "utf8"));

const builds = [process.env.NDSCRIPT, ...["release", "quick", "debug"].map((profile) => join(root, "target", profile, "ndscript"))];
const native = builds.filter((path) => path && existsSync(path)).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];

/** So many questions are answered, each with its first option or with "1". */
const ANSWERS = 4;
/** A search without end: both are stopped at the same place. */
const ENDLESS = "lesson/1_guess_and_check.nds";
const stepsOf = ({ folder, path }) => `${folder}/${path}` === ENDLESS ? 20_000_000 : 1_000_000_000;
/** Boards for `ndscript hint`, and what comes to nothing. */
const SILENT = ["dungeons/hint.nds", "games/hint.nds", "sudoku/hint.nds", ENDLESS];
/** What is large by default is made smaller, so that both are done in seconds. */
const PARAMETERS = {
    "barbershop/long_run.nds": { customers: 20000 },
    "barbershop/replications.nds": { days: 20 },
    "makers/fillomino.nds": { size: 5 },
    "makers/nurikabe.nds": { size: 5 },
    "witches/measure.nds": { recipes: 2 },
};

/** What the native binary writes. It gets files rather than pipes, so that it never waits for us. */
async function outcomeOf(words, input) {
    const folder = mkdtempSync(join(tmpdir(), "ndscript-"));
    const [asked, out, err] = ["in", "out", "err"].map((name) => join(folder, name));
    writeFileSync(asked, input);
    const files = [openSync(asked, "r"), openSync(out, "w"), openSync(err, "w")];
    try {
        // Many programs end with a mistake, as they shall.
        await once(spawn(native, words, { stdio: files }), "close");
        return { stdout: readFileSync(out, "utf8"), stderr: readFileSync(err, "utf8") };
    } finally {
        files.forEach(closeSync);
        rmSync(folder, { recursive: true });
    }
}

async function inNative(program, parameters, answers) {
    const { folder, path } = program;
    const out = mkdtempSync(join(tmpdir(), "ndscript-"));
    try {
        const given = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
        const words = ["run", join(root, "examples", folder, path), ...given, "--seed", "1", "--out", out, "--max-steps", String(stepsOf(program)), "--stats=json"];
        const { stdout, stderr } = await outcomeOf(words, answers.map((line) => `${line}\n`).join(""));
        const told = stderr.split("\n").findLast((line) => line.startsWith("{"));
        assert.ok(told, `the native binary tells what the run took: ${stderr}`);
        const number = (name) => Number(/-(\d+)\.png$/.exec(name)?.[1] ?? 1);
        const names = readdirSync(out).sort((a, b) => number(a) - number(b));
        return { text: stdout, steps: JSON.parse(told).steps, pictures: names.map((name) => readFileSync(join(out, name))) };
    } finally {
        rmSync(out, { recursive: true });
    }
}

function inEngine(program, parameters) {
    const { folder, path } = program;
    const engine = new Engine({ steps: stepsOf(program) });
    for (const [place, file] of Object.entries(gallery.files)) {
        if (!place.startsWith(`${folder}/`)) continue;
        const bytes = "text" in file ? Buffer.from(file.text) : Buffer.from(file.bytes, "base64");
        engine.setFile(place.slice(folder.length + 1), bytes);
    }
    const run = engine.compile(path, gallery.files[`${folder}/${path}`].text).run(1, parameters);
    let text = "";
    const [pictures, answers] = [[], []];
    for (;;) {
        const outcome = run.resume(1e9);
        for (const piece of outcome.output ?? []) {
            if (typeof piece === "string") text += piece;
            else pictures.push(Buffer.from(piece.png()));
        }
        if (outcome.kind === "outOfFuel") continue;
        if (outcome.kind !== "asked" || answers.length === ANSWERS) return { text, pictures, answers, steps: run.statistics().steps };
        answers.push(outcome.options?.[0] ?? "1");
        if (!run.answer(0)) run.answerText("1");
    }
}

test("there is a native binary to compare with", () => assert.ok(native, "build it: cargo build --release"));

// While the native binary works on one, the engine works on the next.
describe("examples", { concurrency: 2 }, () => {
    for (const program of gallery.programs.filter(({ folder }) => folder !== "tour")) {
        const name = `${program.folder}/${program.path}`;
        test(name, async () => {
            const parameters = PARAMETERS[name] ?? {};
            const found = inEngine(program, parameters);
            const expected = await inNative(program, parameters, found.answers);
            assert.equal(found.text, expected.text);
            assert.equal(found.steps, expected.steps, "the number of steps");
            assert.equal(found.pictures.length, expected.pictures.length, "the number of pictures");
            found.pictures.forEach((picture, at) => assert.ok(picture.equals(expected.pictures[at]), `picture ${at + 1}`));
            assert.equal(found.text !== "" || found.pictures.length > 0, !SILENT.includes(name), "whether something was printed");
        });
    }
});

for (const { folder, path } of gallery.programs.filter(({ folder }) => folder === "tour")) {
    test(`${folder}/${path} runs`, () => {
        const run = new Engine().compile(path, gallery.files[`${folder}/${path}`].text).run(1);
        let outcome;
        while ((outcome = run.resume(1e7)).kind === "outOfFuel");
        assert.match(outcome.kind, path === "mistakes.nds" ? /^error$/ : /^solved$/);
    });
}
