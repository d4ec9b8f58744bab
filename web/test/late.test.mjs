// The engine comes in two files. A person sees a map before the second is there, and nothing that they do meanwhile is lost.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, open, outputOf, press, says, serve, until, write } from "./browser.mjs";

let browser, site;
before(async () => [browser, site] = await Promise.all([launch(), serve()]));
after(async () => {
    await browser?.close();
    site?.close();
});

const assets = join(dirname(fileURLToPath(import.meta.url)), "../dist/assets");
const rest = readdirSync(assets).find((name) => name.startsWith("ndscript_rest"));
/** An engine that was built quickly is all in one. */
const options = { skip: statSync(join(assets, rest)).size < 100 && "the engine is in one file" };

/** The studio, with the second file kept back until it is let through. */
const withoutRest = (work) => async () => {
    const { context, page, problems } = await open(browser, "about:blank");
    let letThrough;
    const mayCome = new Promise((resolve) => { letThrough = resolve; });
    let asked = 0;
    await page.route(/ndscript_rest/, async (route) => {
        asked++;
        if (await mayCome) await route.continue();
        else await route.abort();
    });
    const workers = [];
    page.on("worker", (worker) => workers.push(worker));
    try {
        await page.goto(site.address);
        await says(page, /^Solution 1/);
        await until(() => asked === 1, "the second file is asked for behind the first");
        assert.equal(workers.length, 1, "the first map needs the first file alone");
        await work(page, { letThrough, workers, problems });
    } finally {
        letThrough(true);
        await context.close();
    }
};

/** Runs into a limit, which no example does, so that telling of it is in the second file. */
const MISSING = "let s = \"x\"; while (true) s = s + s + \"y\";";
const begunAgain = ({ workers }) => until(() => workers.length === 2,
    "something was missing in the first file (if all of it is there now, look for something else that is not)");

test("what the first file cannot do is done as soon as the second is there, with the answers given up to then", options, withoutRest(async (page, late) => {
    await write(page, `let where = ask("Where to?", ["north", "south"]);\nlet far = input("How far?");\nprintLine(where, " ", far);\n${MISSING}`);
    await press(page, "Run");
    await page.getByRole("button", { name: "south" }).click();
    await page.getByRole("textbox", { name: "How far?" }).fill("7");
    await page.keyboard.press("Enter");
    await begunAgain(late);
    late.letThrough(true);
    await outputOf(page).getByText("south 7").waitFor();
    await says(page, /limit/);
    await write(page, "printLine(1 + 1);");
    await press(page, "Run");
    await outputOf(page).getByText("2", { exact: true }).waitFor();
    assert.deepEqual(late.problems, []);
}));

test("moments of a run wait for the second file, and who does not wait for them goes on with the search", options, withoutRest(async (page, late) => {
    await press(page, "See");
    await page.waitForTimeout(100);
    await press(page, "See");
    await press(page, "Next solution");
    await says(page, /^Solution 2/);
    await press(page, "See");
    late.letThrough(true);
    await says(page, /^What is shown is a recorded run/);
    await page.getByRole("slider").first().waitFor();
    assert.equal(late.workers.length, 1);
    assert.deepEqual(late.problems, []);
}));

test("where the second file never comes, a person is told, and the rest goes on", options, withoutRest(async (page, late) => {
    await write(page, MISSING);
    await press(page, "Run");
    late.letThrough(false);
    await says(page, /^A part of the engine that this program needs could not be loaded/);
    await write(page, "printLine(1 + 1);");
    await press(page, "Run");
    await outputOf(page).getByText("2", { exact: true }).waitFor();
}));

/** The studio on a network that keeps the first file back: it comes later, or never. */
const withoutFirst = (work) => async () => {
    const { context, page, problems } = await open(browser, "about:blank");
    let letThrough;
    const mayCome = new Promise((resolve) => { letThrough = resolve; });
    await page.route(/ndscript_bg/, async (route) => await mayCome ? route.continue() : route.abort());
    try {
        await page.goto(site.address);
        await work(page, letThrough, problems);
    } finally {
        letThrough(true);
        await context.close();
    }
};

test("while the engine comes, the program is there to be read and changed, and a person is told", withoutFirst(async (page, letThrough, problems) => {
    await says(page, /^Loading the engine/);
    await write(page, "printLine(6 * 7);");
    letThrough(true);
    await says(page, /^Solution 1/);
    await press(page, "Run");
    await outputOf(page).getByText("42", { exact: true }).waitFor();
    assert.deepEqual(problems, []);
}));

test("where the engine never comes, a person is told what to do", withoutFirst(async (page, letThrough) => {
    letThrough(false);
    await says(page, /^The engine could not be loaded: there is no answer. Load the page again/);
    await write(page, "printLine(6 * 7);");
    await press(page, "Run");
    await says(page, /^The engine could not be loaded: there is no answer/);
}));
