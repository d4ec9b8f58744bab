// What a person sees while the engine comes, and where it never does.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, outputOf, press, says, serve, write } from "./browser.mjs";

let browser, site;
before(async () => [browser, site] = await Promise.all([launch(), serve()]));
after(async () => {
    await browser?.close();
    site?.close();
});

/** The studio on a network that keeps the engine back: it comes later, or never. */
const withoutEngine = (work) => async () => {
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

test("while the engine comes, the program is there to be read and changed, and a person is told", withoutEngine(async (page, letThrough, problems) => {
    await says(page, /^Loading the engine/);
    await write(page, "printLine(6 * 7);");
    letThrough(true);
    await says(page, /^Solution 1/);
    await press(page, "Run");
    await outputOf(page).getByText("42", { exact: true }).waitFor();
    assert.deepEqual(problems, []);
}));

test("where the engine never comes, a person is told what to do", withoutEngine(async (page, letThrough) => {
    letThrough(false);
    await says(page, /^The engine could not be loaded: there is no answer. Load the page again/);
    await write(page, "printLine(6 * 7);");
    await press(page, "Run");
    await says(page, /^The engine could not be loaded: there is no answer/);
}));
