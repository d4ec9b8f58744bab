// What a person sees while the engine comes, and where it never does.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, outputOf, press, says, serve, soon, write } from "./browser.mjs";

let browser, site;
before(async () => [browser, site] = await Promise.all([launch(), serve()]));
after(async () => {
    await browser?.close();
    site?.close();
});

/** The studio on a network that keeps the engine back: it comes later, or never. */
const withoutEngine = (work, fragment = "") => async () => {
    const { context, page, problems } = await open(browser, "about:blank");
    let letThrough;
    const mayCome = new Promise((resolve) => { letThrough = resolve; });
    await page.route(/ndscript_bg/, async (route) => await mayCome ? route.continue() : route.abort());
    try {
        await page.goto(site.address + fragment);
        await work(page, letThrough, problems);
    } finally {
        letThrough(true);
        await context.close();
    }
};

const firstMap = (page) => page.locator("#first-map img");
/** What a picture shows: its pixels, as a text. */
const pixels = (image) => image.evaluate(async (image) => {
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL();
});

test("the first map is in sight before the engine is, and is the one that the engine draws", withoutEngine(async (page, letThrough, problems) => {
    await says(page, /^Loading the engine/);
    await soon.ok(() => firstMap(page).isVisible());
    await soon.match(() => firstMap(page).getAttribute("alt"), /a map with 16 columns and 16 rows/);
    const [early, { width, height }] = [await pixels(firstMap(page)), await firstMap(page).boundingBox()];
    letThrough(true);
    await says(page, /^Solution 1/);
    await soon.equal(() => firstMap(page).count(), 0);
    const drawn = outputOf(page).getByRole("img");
    await soon.equal(() => pixels(drawn), early);
    const box = await drawn.boundingBox();
    assert.deepEqual([box.width, box.height], [width, height]);
    assert.deepEqual(problems, []);
}));

test("the first map is not for who comes by a link", withoutEngine(async (page) => {
    await says(page, /^Press Run/);
    await soon.equal(() => firstMap(page).count(), 0);
    // Nor while the page finds out what the link asks for.
    await soon.equal(() => page.evaluate(() => document.documentElement.className), "no-first-map");
}, "#example=tiles/map"));

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
