// A puzzle that a person solves stays one: whatever they press, send or load again, the solution is not shown, and what they have done is there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { outputOf, press, says, useStudio, write } from "./browser.mjs";

const studio = useStudio();
/** Another Latin square with each seed, of which two cells are given; it prints its solution. */
const LATIN = `let b = makeGrid(3, 3, setOf(1, 2, 3));
foreach (i in range(3)) {
    allDifferent(b, filter(positionsOf(b), p => p.x == i));
    allDifferent(b, filter(positionsOf(b), p => p.y == i));
}
let first = randomInt(1, 3);
b[0, 0] = setOf(first);
b[1, 1] = setOf(first % 3 + 1);
printTilemap(makeGrid(3, 3, "red"));`;
const said = (page, words) => page.locator(".solve-said").filter({ hasText: words }).waitFor();
const board = (page) => page.locator(".puzzle-cell").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")));

async function opened(page) {
    await write(page, LATIN);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await page.locator("#solve").click();
    await said(page, "7 places to find.");
}

/** Presses what makes the puzzle anew. */
async function pressAnew(page, name) {
    const cell = await page.locator(".puzzle-cell").first().elementHandle();
    await press(page, name);
    await page.waitForFunction((cell) => !cell.isConnected, cell);
    await said(page, "7 places to find.");
}

/** Notes in the page whether what the program has printed is ever seen from now on. */
const watch = (page) => page.evaluate(() => {
    globalThis.wasShown = false;
    const look = () => {
        globalThis.wasShown ||= document.querySelector("#output .big img")?.checkVisibility() ?? false;
        requestAnimationFrame(look);
    };
    look();
});
const wasShown = (page) => page.evaluate(() => globalThis.wasShown);

test("who solves a puzzle has another one to solve with another seed, and the same with Run", () => studio("", async (page) => {
    await opened(page);
    await watch(page);
    const before = await board(page);
    await pressAnew(page, "Run");
    assert.deepEqual(await board(page), before);
    for (let throws = 0; `${await board(page)}` === `${before}`; throws++) {
        assert.ok(throws < 20, "the puzzle is another one with another seed");
        await pressAnew(page, "New seed");
    }
    assert.equal(await wasShown(page), false, "the solution is never shown");
    assert.equal(await page.getByRole("button", { name: "Next solution" }).isVisible(), false);
    await page.locator("#solve").click();
    await outputOf(page).waitFor();
}));

test("a puzzle that is being solved is sent as one, without its solution", () => studio("", async (page, context) => {
    await opened(page);
    await press(page, "Share");
    const link = page.getByRole("textbox", { name: "Link", exact: true });
    assert.match(await link.inputValue(), /#solve&v1=[\w-]+$/);
    const asPuzzle = page.getByRole("checkbox", { name: "A puzzle to be solved" });
    await asPuzzle.uncheck();
    assert.match(await link.inputValue(), /#v1=[\w-]+&picture=/);
    await asPuzzle.check();
    const other = await context.newPage();
    await other.goto(await link.inputValue());
    await watch(other);
    await other.getByRole("button", { name: "Solve this puzzle yourself" }).click();
    await said(other, "7 places to find.");
    assert.deepEqual(await board(other), await board(page));
    assert.equal(await wasShown(other), false, "the solution is never shown");
}));

test("a puzzle of the gallery is opened by its link as one", () => studio("#example=sudoku/short", async (page) => {
    await watch(page);
    await said(page, /places to find\./);
    assert.equal(await wasShown(page), false);
}));
