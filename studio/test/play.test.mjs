// The puzzles and games of the gallery, as a person plays them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { outputOf, picturesOf, press, says, shoot, soon, takeBack, until, useStudio } from "./browser.mjs";

const studio = useStudio();

const pictures = (page) => picturesOf(page);
const cell = (page, x, y) => page.getByRole("gridcell", { name: new RegExp(`^${x}, ${y}: `) });
/** What may be in a cell. */
const candidates = async (page, x, y) => (await cell(page, x, y).getAttribute("aria-label")).split(": ")[1].split(", ");

/** Starts a game of the gallery. */
async function start(page) {
    await press(page, "Run");
    await says(page, /^The program asks/);
    await outputOf(page).getByRole("img").waitFor();
}

/** Opens the answers as buttons, which are folded where the picture hears clicks. */
async function allAnswers(page) {
    const all = page.locator("#question details:not([open]) > summary");
    if (await all.count() > 0) await all.click();
}

/** Clicks on a cell of the latest picture, of so many columns and rows; returns when the game has drawn the next one. */
async function click(page, [columns, rows], x, y, button = "left") {
    const board = outputOf(page).getByRole("img");
    await board.scrollIntoViewIfNeeded();
    const [before, box] = [await pictures(page).count(), await board.boundingBox()];
    await board.click({ button, position: { x: (x + 0.5) * box.width / columns, y: (y + 0.5) * box.height / rows } });
    await until(async () => await pictures(page).count() > before, "the next picture is there");
}

/** Records a run and goes to where a person may begin. */
async function takePart(page) {
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "Take part");
    await page.getByText(/^Choose a cell/).waitFor();
}

async function place(page, x, y, value) {
    await cell(page, x, y).click();
    await page.getByRole("group", { name: `Cell ${x}, ${y}` }).getByRole("button", { name: value, exact: true }).click();
    await page.getByText(`Placed ${value} at ${x}, ${y}.`).waitFor();
}

test("the dungeon puzzle: a click marks a cell, what follows is marked, and any mark is taken back", () => studio("#example=dungeons/play", async (page) => {
    // What is set runs by itself.
    await page.getByRole("checkbox", { name: "automatic" }).check();
    await says(page, /^The program asks/);
    await outputOf(page).getByRole("img").waitFor();
    // Row 1, column 2, with a row and a column of clues around.
    await click(page, [7, 7], 2, 1);
    await outputOf(page).getByText("↩ # 1 2").waitFor();
    const told = async () => (await outputOf(page).innerText()).split("# 1 2").at(-1);
    await until(async () => /(row|column) \d: [x#] /.test(await told()), "what follows is told");
    await shoot(page, "dungeon");
    await press(page, "Go back to answer 1: # 1 2");
    await says(page, /^The program asks/);
    await soon.equal(() => outputOf(page).getByText("↩").count(), 0);
}));

test("the dungeon puzzle by constraints: a wall is placed, and what follows is shown", () => studio("#example=dungeons/short", async (page) => {
    await takePart(page);
    const open = async () => {
        const labels = await page.getByRole("gridcell").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")));
        return labels.filter((label) => label.endsWith("#, x"));
    };
    const before = await open();
    assert.ok(before.length > 3, `${before.length} cells are open`);
    await place(page, 2, 2, "#");
    await soon.ok(async () => (await open()).length < before.length - 1, "more than the cell itself is known");
    await takeBack(page, "# at 2, 2");
    await cell(page, 2, 2).and(page.getByRole("gridcell", { name: "2, 2: #, x" })).waitFor();
    await place(page, 4, 2, "x");
    await shoot(page, "dungeon-short");
    await press(page, "Finish the rest");
    await page.getByText(/^(Step|There is no solution with that)/).first().waitFor();
}));

test("sudoku: a digit is placed, its row, column and box lose it, and the rest is finished", () => studio("#example=sudoku/sudoku", async (page) => {
    await takePart(page);
    const digit = (await candidates(page, 4, 0))[0];
    await place(page, 4, 0, digit);
    for (const [x, y] of [[1, 0], [4, 1], [4, 8], [3, 0]]) {
        await soon.ok(async () => !(await candidates(page, x, y)).includes(digit), `${digit} is gone from ${x}, ${y}`);
    }
    const second = (await candidates(page, 1, 0))[0];
    await place(page, 1, 0, second);
    await takeBack(page, `${digit} at 4, 0`);
    await page.getByRole("button", { name: `Take back ${digit} at 4, 0` }).waitFor({ state: "detached" });
    // The grid follows the list of what was placed.
    await until(async () => (await candidates(page, 4, 0)).length > 1, "the cell is open again");
    await soon.deepEqual(() => candidates(page, 1, 0), [second]);
    await shoot(page, "sudoku");
    await takeBack(page, `${second} at 1, 0`);
    await press(page, "Finish the rest");
    await until(async () => (await candidates(page, 1, 0)).length === 1, "the rest is decided");
}));

test("minesweeper: a flag marks a cell, what follows is marked, what cannot be is said, and any flag is taken away", () => studio("#example=games/minesweeper", async (page) => {
    await start(page);
    await click(page, [10, 10], 5, 5);
    const told = async () => (await outputOf(page).innerText()).split(/\d+ cells are closed/).at(-1);
    await click(page, [10, 10], 9, 1, "right");
    await soon.match(() => told(), /Flags: i1\. That cannot be: the 1 at /);
    await click(page, [10, 10], 9, 2, "right");
    await soon.match(() => told(), /Flags: i1, i2\. That cannot be: the 1 at h1 /);
    await click(page, [10, 10], 9, 1);
    await soon.match(() => told(), /Flags: i2\. Mines then: i3\. Safe then: i1, i4\./);
    await shoot(page, "minesweeper-flag");
    // Who has no mouse has a button for it.
    await allAnswers(page);
    await press(page, "no flag i2");
    await outputOf(page).getByText("↩ no flag i2").waitFor();
    await says(page, /^The program asks/);
    await soon.doesNotMatch(() => told(), /Flags/);
}));

test("minesweeper: a click opens a cell and what follows, a hint says what is certain, and any answer is gone back to", () => studio("#example=games/minesweeper", async (page) => {
    await start(page);
    await click(page, [10, 10], 5, 5);
    const closed = async () => Number((await outputOf(page).innerText()).match(/(\d+) cells are closed/g).at(-1).match(/\d+/)[0]);
    await soon.ok(async () => await closed() < 81);
    await press(page, "hint");
    await outputOf(page).getByText("↩ hint").waitFor();
    await says(page, /^The program asks/);
    await shoot(page, "minesweeper");
    await page.getByRole("button", { name: /^Go back to answer 1: / }).click();
    await says(page, /^The program asks/);
    await soon.equal(() => closed(), 81);
}));

const fromGallery = async (page, title) => {
    await press(page, "Gallery");
    await page.getByRole("dialog", { name: "Gallery" }).getByRole("button", { name: title, exact: true }).click();
};

test("a puzzle is shown before its solution, also when the page is loaded again", () => studio("", async (page) => {
    await fromGallery(page, "A new dungeon puzzle");
    for (let time = 0; time < 2; time++) {
        await says(page, /^Solution 1/);
        await until(async () => await pictures(page).count() > 1, "puzzle and solution are there");
        await soon.deepEqual(() => pictures(page).evaluateAll((thumbs) => thumbs.findIndex((thumb) => thumb.ariaCurrent === "true")), 0);
        await page.reload();
    }
    await fromGallery(page, "A new nonogram");
    for (let time = 0; time < 2; time++) {
        await page.getByRole("group", { name: "Puzzle" }).getByRole("button").first().waitFor();
        await page.reload();
    }
}));

test("what a right click means is said where it means something", () => studio("#play&example=games/minesweeper", async (page) => {
    const hint = page.locator("#question .hint").filter({ hasText: "A click on the picture answers, too" });
    await says(page, /^The program asks/);
    await hint.waitFor();
    await soon.doesNotMatch(() => hint.innerText(), /right click/i, "the first click opens a cell, whichever it is");
    const picture = outputOf(page).getByRole("img").first();
    const { width, height } = await picture.boundingBox();
    await picture.click({ position: { x: 0.95 * width, y: 0.95 * height } });
    await hint.locator(".known").filter({ hasText: / A right click, or a finger held there, may mean flag [a-i]\d\./ }).waitFor();
}));

test("a picture is no place for the keyboard where nobody hears clicks", () => studio("#example=games/guess", async (page) => {
    await press(page, "Run");
    await says(page, /^The program asks/);
    await soon.equal(() => page.getByRole("application").count(), 0);
}));
