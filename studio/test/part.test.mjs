// Taking part in the grid of a program: what is said where one looks, when a puzzle is solved, and what is there again later.
import assert from "node:assert/strict";
import { test } from "node:test";
import { keeps, press, says, shoot, soon, takeBack, until, useStudio, write } from "./browser.mjs";

const studio = useStudio();

const cell = (page, x, y) => page.getByRole("gridcell", { name: new RegExp(`^${x}, ${y}: `) });
const words = (page) => page.locator("#moment-words");

async function takePart(page) {
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "Take part");
    await page.getByText(/Choose a cell and then/).waitFor();
}

const choose = async (page, x, y, value) => {
    await cell(page, x, y).click();
    await page.getByRole("group", { name: `Cell ${x}, ${y}` }).getByRole("button", { name: value, exact: true }).click();
};
async function place(page, x, y, value) {
    await choose(page, x, y, value);
    await page.getByText(`Placed ${value} at ${x}, ${y}.`).waitFor();
}

/** Whether all of something is in sight, and nothing lies over its corners and its middle. */
const isSeen = (thing) => thing.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    // Corners may be round.
    const points = [[left + 6, top + 6], [right - 6, bottom - 6], [(left + right) / 2, (top + bottom) / 2]];
    return top >= 0 && bottom <= innerHeight && points.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
});

const TALL = `let g = makeGrid(6, 14, setOf(1, 2));
foreach (x in range(4)) related(g, position(0, 13), position(x, 10), (a, b) => a == b);
exactly(g, 2, 2, filter(positionsOf(g), p => p.y == 10));
decide(g);
printLine(g);`;

for (const [device, viewport] of [["a desk", { width: 1280, height: 900 }], ["a phone", { width: 390, height: 844 }]]) {
    test(`why something cannot be is in sight, and names the row and the line of the rule: ${device}`, () => studio("", async (page) => {
        await write(page, TALL);
        await takePart(page);
        await choose(page, 0, 13, "2");
        await page.getByText(/^2 cannot be at 0, 13: exactly on row 10 \(line 3\) (would leave nothing for|could not hold; the last cell to lose candidates would be) \d, 10\./).waitFor();
        await soon.ok(() => isSeen(words(page)), "the reason is in sight");
        await shoot(page, `reason-${viewport.width}`);
        await says(page, /^That cannot be, and nothing has changed\. You take part: 0 placed, 84 cells open\.$/);
        const marked = await page.locator(".ruled, .contradiction").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label").split(":")[0]));
        assert.deepEqual(marked, [0, 1, 2, 3, 4, 5].map((x) => `${x}, 10`), "the row is marked");
        await press(page, "Line 3");
        await page.locator(".cm-activeLine", { hasText: "exactly" }).waitFor();
    }, { viewport }));

    test(`what a person chooses from is in sight together with the cell: ${device}`, () => studio("#example=sudoku/sudoku", async (page) => {
        await takePart(page);
        for (const [x, y] of [[4, 0], [0, 5], [8, 8]]) {
            await cell(page, x, y).click();
            const menu = page.getByRole("group", { name: `Cell ${x}, ${y}` });
            await menu.waitFor();
            await soon.ok(() => isSeen(menu), `the menu of ${x}, ${y}`);
            await soon.ok(() => isSeen(cell(page, x, y)), `the cell ${x}, ${y}`);
            await soon.equal(() => page.getByRole("gridcell", { selected: true }).getAttribute("aria-label"), await cell(page, x, y).getAttribute("aria-label"));
        }
    }, { viewport }));
}

test("on a phone the time line and the grid are where one looks, and stay there", () => studio("#example=sudoku/sudoku", async (page) => {
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "End");
    await page.getByText(/^Step \d/).waitFor();
    await soon.ok(() => isSeen(page.getByRole("slider", { name: "Moment" })), "the time line");
    const step = page.getByRole("button", { name: "Previous choice" });
    const { y } = await step.boundingBox();
    for (let times = 0; times < 3; times++) {
        const before = await words(page).textContent();
        await step.click();
        await until(async () => await words(page).textContent() !== before, "the moment before is shown");
    }
    await page.waitForTimeout(200);
    await soon.ok(async () => Math.abs((await step.boundingBox()).y - y) < 2, "the button stays where it is");
    // Even where the grid is below what is in sight.
    await page.getByRole("button", { name: "Take part" }).evaluate((button) => button.scrollIntoView({ block: "end" }));
    await press(page, "Take part");
    await page.getByText(/Choose a cell and then/).waitFor();
    await page.waitForTimeout(200);
    for (const [what, thing] of [["what to do", words(page)], ["the first cell", cell(page, 0, 0)], ["the last cell", cell(page, 8, 8)], ["the button for the rest", page.getByRole("button", { name: "Finish the rest" })]]) {
        await soon.ok(() => isSeen(thing), what);
    }
}, { viewport: { width: 390, height: 844 } }));

const COLORS = `let g = makeGrid(4, 1, setOf("red", "green", "blue"));
adjacent(g, (a, b) => a != b);
decide(g);
printLine(map(rowOf(g, 0), singletonValue));`;

test("how it stands is said while one takes part, and that the puzzle is solved", () => studio("", async (page) => {
    await write(page, COLORS);
    await takePart(page);
    await says(page, /^You take part: 0 placed, 4 cells open\.$/);
    await place(page, 0, 0, "red");
    await says(page, /^You take part: 1 placed, 3 cells open\.$/);
    await place(page, 1, 0, "blue");
    await place(page, 2, 0, "green");
    await says(page, /^You take part: 3 placed, 1 cell open\.$/);
    await place(page, 3, 0, "red");
    await says(page, /^Solved: every cell is decided, and no rule is broken\.$/);
    await page.getByText(/^Placed red at 3, 0\. Solved/).waitFor();
    await page.getByRole("region", { name: "Output" }).getByText("green").waitFor();
    await takeBack(page, "red at 3, 0");
    await says(page, /^You take part: 3 placed, 1 cell open\.$/);
    await press(page, "Finish the rest");
    await says(page, /^Solved with what you have placed: the rest was found by searching\.$/);
    await press(page, "Run");
    await says(page, /^Solution 1/);
}));

test("where all is decided and the program does not take it, that is no solution", () => studio("", async (page) => {
    await write(page, COLORS.replace("printLine", "require(singletonValue(g[0, 0]) != \"red\", \"red must not be first\");\nprintLine"));
    await takePart(page);
    for (const [x, value] of [[0, "red"], [1, "blue"], [2, "red"], [3, "green"]]) await place(page, x, 0, value);
    await says(page, /^Every cell is decided, but that is no solution: red must not be first \(line 4\)\.$/);
}));

test("what a person has placed is there again when the page is loaded anew, for that program and seed alone", () => studio("", async (page) => {
    await write(page, COLORS);
    await keeps(page, "adjacent");
    await takePart(page);
    await place(page, 0, 0, "red");
    await place(page, 1, 0, "blue");
    await page.reload();
    await says(page, /^Solution 1/);
    await takePart(page);
    await page.getByText(/^What you have placed before is there again\. Choose/).waitFor();
    await cell(page, 1, 0).and(page.getByRole("gridcell", { name: "1, 0: blue" })).waitFor();
    await says(page, /^You take part: 2 placed, 2 cells open\.$/);
    await takeBack(page, "red at 0, 0");
    await says(page, /^You take part: 1 placed, 3 cells open\.$/);
    // Another seed is another run.
    await page.getByRole("spinbutton", { name: "Seed" }).fill("2");
    await page.getByRole("spinbutton", { name: "Seed" }).press("Enter");
    await takePart(page);
    await says(page, /^You take part: 0 placed, 4 cells open\.$/);
    await page.getByRole("spinbutton", { name: "Seed" }).fill("1");
    await page.getByRole("spinbutton", { name: "Seed" }).press("Enter");
    // What cannot be any more is said, and left out.
    await page.evaluate(() => {
        const [one, ...others] = JSON.parse(localStorage.getItem("ndscript-studio:placed"));
        one.picks.push({ grid: "g", x: 3, y: 0, value: "pink" });
        localStorage.setItem("ndscript-studio:placed", JSON.stringify([one, ...others]));
    });
    await takePart(page);
    await page.getByText(/^What you have placed before is there again\. pink at 3, 0 cannot be any more\. Choose/).waitFor();
    await says(page, /^You take part: 1 placed, 3 cells open\.$/);
    await place(page, 0, 0, "green");
    await press(page, "Take all back");
    await says(page, /^You take part: 0 placed, 4 cells open\.$/);
    await page.reload();
    await takePart(page);
    await says(page, /^You take part: 0 placed, 4 cells open\.$/);
}));

test("a page within another page keeps nothing of what is placed", () => studio("#embed&example=tiles/map", async (page) => {
    await write(page, COLORS);
    await takePart(page);
    await place(page, 0, 0, "red");
    await soon.equal(() => page.evaluate(() => localStorage.getItem("ndscript-studio:placed")), null);
}));

test("the dungeon puzzle of the gallery is played to its end, once wrongly", () => studio("#example=dungeons/short", async (page) => {
    await takePart(page);
    await place(page, 2, 2, "#");
    await place(page, 2, 4, "#");
    await says(page, /^Every cell is decided, but that is no solution: .*\(line \d+\)\.$/);
    await takeBack(page, "# at 2, 4");
    await says(page, /^You take part: 1 placed, \d cells open\.$/);
    await place(page, 4, 4, "#");
    await says(page, /^Solved: every cell is decided, and no rule is broken\.$/);
    await shoot(page, "dungeon-solved");
    await page.getByRole("button", { name: "Show cells" }).click();
    await page.getByRole("region", { name: "Output" }).getByRole("img").waitFor();
}));

test("what comes to nothing is said where one looks, and a new recording goes on", () => studio("", async (page) => {
    await write(page, COLORS);
    await takePart(page);
    // The worker refuses, as one does that was started again.
    await page.workers()[0].evaluate(() => {
        const hear = globalThis.onmessage;
        globalThis.onmessage = (event) => event.data.name === "pick" ? globalThis.postMessage({ notice: "reply", id: event.data.id, problem: "nothing was recorded yet" }) : hear(event);
    });
    await choose(page, 0, 0, "red");
    await page.getByText("That could not be done: nothing was recorded yet.").waitFor();
    await says(page, /^That could not be done\. Press Run/);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "End");
    await says(page, /^What is shown is a moment of the run/);
}));

test("a rule that stands in another file leads there", () => studio("", async (page) => {
    await press(page, "Add a file to this program");
    await page.getByRole("textbox", { name: "Name of the new file" }).fill("rules.nds");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "rules.nds", selected: true }).waitFor();
    await write(page, "// The only rule.\nfunction rule(g) { exactly(g, 2, 2, filter(positionsOf(g), p => p.y == 10)); }");
    await page.getByRole("tab", { name: /map\.nds/ }).click();
    await write(page, `import "rules.nds";\n${TALL.replace(/exactly.*/, "rule(g);")}`);
    await takePart(page);
    await choose(page, 0, 13, "2");
    await page.getByText(/^2 cannot be at 0, 13: exactly on row 10 \(line 2\)/).waitFor();
    await press(page, "rules.nds, line 2");
    await page.getByRole("tab", { name: "rules.nds", selected: true }).waitFor();
    await page.locator(".cm-activeLine", { hasText: "exactly" }).waitFor();
}));

test("what is placed and cannot be kept is said so", () => studio("", async (page) => {
    await write(page, COLORS);
    await keeps(page, "adjacent");
    await takePart(page);
    const unkept = page.getByRole("alert").filter({ hasText: "not kept" });
    await soon.equal(() => unkept.isVisible(), false);
    // As much as there is room for.
    await page.evaluate(() => {
        for (let size = 1 << 22; size >= 1; size >>= 1) {
            for (;;) {
                try { localStorage.setItem("other", (localStorage.getItem("other") ?? "") + "x".repeat(size)); } catch { break; }
            }
        }
    });
    await place(page, 0, 0, "red");
    await unkept.waitFor();
    await cell(page, 0, 0).and(page.getByRole("gridcell", { name: "0, 0: red" })).waitFor();
}));
