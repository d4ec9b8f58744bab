// Seeing a search and taking part in it, as a person does it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isAccessible, look, press, says, shoot, soon, step, takeBack, until, useStudio, write } from "./browser.mjs";

const studio = useStudio();

/** Opens the studio with a program and begins to see its run. */
const seeing = (program, work, options = {}) => studio(program.startsWith("#") ? program : "#embed&example=tiles/map", async (page) => {
    if (!program.startsWith("#")) await write(page, program);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await look(page);
    await work(page);
}, options);

const cell = (page, name) => page.getByRole("gridcell", { name, exact: true });
const stepOf = async (page) => Number(/Step ([\d,]+)/.exec(await page.getByText(/^Step \d/).innerText())[1].replaceAll(",", ""));

const COLORS = `let g = makeGrid(4, 1, setOf("red", "green", "blue"));
adjacent(g, (a, b) => a != b);
decide(g);
printTilesetMap(g);`;

test("choices and failures are gone to in both directions, with the line that runs", () => seeing(`let a = choose(1, 2, 3);
let b = choose(1, 2, 3);
require(a + b > 5, "too small");
print(a, b);`, async (page) => {
    await press(page, "Start");
    await page.getByText(/^Step 0/).waitFor();
    await step(page, "Next", "failure");
    await page.getByText(/too small/).first().waitFor();
    await page.locator(".running-line", { hasText: "require" }).waitFor();
    await page.getByRole("row", { name: "a 1" }).waitFor();
    const first = await stepOf(page);
    await step(page, "Next", "failure");
    await until(async () => await stepOf(page) > first, `the next failure is behind step ${first}`);
    await step(page, "Previous", "failure");
    await until(async () => await stepOf(page) === first, `the failure before is at step ${first}`);
    await step(page, "Next", "choice");
    await until(async () => await stepOf(page) > first, `the next choice is behind step ${first}`);
    await page.getByText("Where it failed", { exact: true }).click();
    await page.getByRole("row", { name: /line 3/ }).waitFor();
}));

test("the time line and the tree lead to one another", () => seeing(COLORS, async (page) => {
    const tree = page.getByRole("tree", { name: "Tree of the search" });
    await tree.getByText(/✔/).waitFor();
    const slider = page.getByRole("slider", { name: "Moment" });
    const end = Number(await slider.inputValue());
    await tree.getByText("start").click();
    await until(async () => Number(await slider.inputValue()) < end, "the start is before the end");
    await slider.focus();
    await page.keyboard.press("End");
    await until(async () => Number(await slider.inputValue()) === end && await stepOf(page) === end, "the end is shown again");
    await tree.getByRole("treeitem", { name: /✔/, selected: true }).waitFor();
    await slider.focus();
    await page.keyboard.press("Home");
    await tree.getByRole("treeitem", { name: /start/, selected: true }).waitFor();
}));

test("the time line is dragged, and the grid and the line that runs go along", () => seeing(COLORS, async (page) => {
    const slider = page.getByRole("slider", { name: "Moment" });
    await cell(page, "0, 0: blue, green, red").waitFor({ state: "detached" });
    const box = await slider.boundingBox();
    await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
    await page.mouse.move(box.x + 8, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    await page.getByText(/^Step 0,/).waitFor();
    await page.locator(".running-line", { hasText: "makeGrid" }).waitFor();
    await step(page, "Next", "line");
    await page.locator(".running-line", { hasText: "adjacent" }).waitFor();
    await cell(page, "0, 0: blue, green, red").waitFor();
    await step(page, "Previous", "line");
    await page.locator(".running-line", { hasText: "makeGrid" }).waitFor();
}));

test("arrow keys step as far as is chosen, on the time line and on its buttons, and left undoes right", () => seeing(`let a = choose(1, 2, 3, 4);
let b = choose(1, 2, 3, 4);
if (a + b < 8) {
    fail("too little");
}`, async (page) => {
    const slider = page.getByRole("slider", { name: "Moment" });
    for (const focused of [slider, page.getByRole("button", { name: "Start" })]) {
        for (const [unit, [left, right]] of [["line", ["ArrowLeft", "ArrowRight"]], ["failure", ["ArrowLeft", "ArrowRight"]], ...focused === slider ? [["choice", ["ArrowDown", "ArrowUp"]]] : []]) {
            await page.getByRole("combobox", { name: "Step by" }).selectOption(unit);
            await press(page, "Start");
            await page.getByText(/^Step 0,/).waitFor();
            await focused.focus();
            const steps = [];
            for (let time = 0; time < 2; time++) {
                const before = await stepOf(page);
                await page.keyboard.press(right);
                await until(async () => await stepOf(page) !== before, `${right} goes by ${unit}`);
                steps.push(await stepOf(page));
            }
            await page.keyboard.press(left);
            await until(async () => await stepOf(page) === steps[0], `${left} leads to ${steps[0]} again, by ${unit}`);
            await press(page, "Start");
            await page.getByText(/^Step 0,/).waitFor();
            for (const at of steps) {
                await press(page, `Next ${unit}`);
                await until(async () => await stepOf(page) === at, `the button leads to ${at}, too, by ${unit}`);
            }
        }
    }
}));

test("the buttons of the time line stay where they are, however much is said of a moment", () => studio("", async (page) => {
    await says(page, /^Solution 1/);
    await press(page, "Learn");
    await write(page, `let a = choose(1, 2, 3);
if (a < 3) fail("${"there is a long story to be told of this, ".repeat(5)}and it ends here");
printLine(a);`);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await page.getByRole("combobox", { name: "Step by" }).selectOption("failure");
    for (const width of [1600, 1280, 1000, 390]) {
        await page.setViewportSize({ width, height: 720 });
        await press(page, "Start");
        await page.getByText(/^Step 0,/).waitFor();
        const next = page.getByRole("button", { name: "Next failure" });
        const before = await next.boundingBox();
        await next.click();
        await page.locator("#moment-words", { hasText: "a long story" }).waitFor();
        await soon.deepEqual(() => next.boundingBox(), before, `at ${width}`);
    }
}, { viewport: { width: 1280, height: 720 } }));

test("choices, failures and solutions are marked under the time line, each kind with a height of its own", () => seeing(`let a = choose(1, 2, 3, 4, 5, 6);
require(a > 3);
let b = choose(7, 8);
printLine(a, b);`, async (page) => {
    const marks = (kind) => page.evaluate((kind) => {
        const canvas = document.querySelector(".time-line canvas");
        const wanted = document.createElement("canvas").getContext("2d");
        wanted.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(kind);
        wanted.fillRect(0, 0, 1, 1);
        const color = wanted.getImageData(0, 0, 1, 1).data;
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const found = [];
        for (let at = 0; at < data.length; at += 4) {
            if (color.every((part, number) => data[at + number] === part)) found.push({ x: at / 4 % canvas.width, y: Math.floor(at / 4 / canvas.width) });
        }
        const columns = [...new Set(found.map(({ x }) => x))].sort((a, b) => a - b);
        return { top: Math.min(...found.map(({ y }) => y)), count: columns.filter((x) => !columns.includes(x - 1)).length, last: columns.at(-1) };
    }, kind);
    const [failed, choice, solution] = [await marks("--mark-failed"), await marks("--mark-choice"), await marks("--mark-solution")];
    assert.ok(failed.count >= 3, `${failed.count} failures are told apart`);
    assert.ok(choice.count >= 1, "choices are marked");
    assert.equal(solution.count, 1);
    assert.ok(solution.top < failed.top && failed.top < choice.top, "height tells them apart without color");
    assert.ok(failed.last < solution.last, "the solution comes behind the failures");
}));

test("each candidate keeps its own place in the cell", () => seeing("#example=sudoku/sudoku", async (page) => {
    await press(page, "Take part");
    await page.getByText(/^Choose a cell/).waitFor();
    await page.waitForTimeout(600);
    const places = await page.getByRole("gridcell").evaluateAll((cells) => cells.filter((cell) => cell.getAttribute("aria-label").includes(",", 5)).flatMap((cell) => {
        const own = cell.getBoundingClientRect();
        return [...cell.children].filter((mark) => !mark.classList.contains("gone")).map((mark) => {
            const box = mark.getBoundingClientRect();
            const part = (middle, start, size) => Math.floor((middle - start) / size * 3);
            return [mark.dataset.text, part((box.left + box.right) / 2, own.left, own.width) + 3 * part((box.top + box.bottom) / 2, own.top, own.height)];
        });
    }));
    assert.ok(places.length > 100);
    for (const [digit, place] of places) assert.equal(place, Number(digit) - 1);
}));

test("the keyboard alone sees a search and takes part in it", () => seeing(COLORS, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
    const tabTo = async (name) => {
        for (let presses = 0; presses < 60; presses++) {
            if (name.test(await focused() ?? "")) return;
            await page.keyboard.press("Tab");
        }
        assert.fail(`Tab does not come to ${name}, but to ${await focused()}`);
    };
    await tabTo(/^Take part$/);
    await page.keyboard.press("Enter");
    await page.getByText(/^Choose a cell/).waitFor();
    await tabTo(/^0, 0: /);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await tabTo(/^green$/);
    await page.keyboard.press("Enter");
    await cell(page, "1, 0: green").waitFor();
    await cell(page, "0, 0: blue, red").waitFor();
    await soon.equal(() => focused(), "1, 0: green", "who has chosen stays at the cell");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await soon.equal(() => focused(), "1, 0: green");
    await tabTo(/^1 placed$/);
    await page.keyboard.press("Enter");
    await tabTo(/^Take back green/);
    await page.keyboard.press("Enter");
    await cell(page, "1, 0: blue, green, red").waitFor();
    await tabTo(/^Tree of the search$/);
    await page.keyboard.press("ArrowDown");
    await page.getByText(/^Step \d/).waitFor();
}));

test("nothing moves for those who ask for no motion", () => seeing(COLORS, async (page) => {
    // All at once, as the page goes on drawing meanwhile; what is new may still be about to get its style.
    const moving = () => page.evaluate(() => [...document.querySelectorAll("*")].filter((one) => {
        const { animationName, transitionDuration } = getComputedStyle(one);
        return animationName !== "none" || transitionDuration.split(",").some((time) => parseFloat(time) > 0);
    }).map((one) => one.outerHTML.slice(0, 100)));
    await until(async () => (await moving()).length === 0, "nothing moves").catch(async () => assert.deepEqual(await moving(), []));
}, { reducedMotion: "reduce" }));

test("a person places values, propagation shows what follows, and any of them is taken back", () => seeing(COLORS, async (page) => {
    await press(page, "Take part");
    await page.getByText(/^Choose a cell/).waitFor();
    await cell(page, "0, 0: blue, green, red").click();
    await page.getByRole("group", { name: "Cell 0, 0" }).getByRole("button", { name: "red" }).click();
    await cell(page, "0, 0: red").waitFor();
    await cell(page, "1, 0: blue, green").click();
    await page.getByRole("group", { name: "Cell 1, 0" }).getByRole("button", { name: "blue" }).click();
    await cell(page, "1, 0: blue").waitFor();
    await cell(page, "2, 0: green, red").waitFor();
    await takeBack(page, "red at 0, 0");
    await cell(page, "0, 0: green, red").waitFor();
    await cell(page, "1, 0: blue").waitFor();
    await press(page, "Finish the rest");
    await cell(page, "1, 0: blue").waitFor();
    // The picture takes the place of the cells.
    await page.getByRole("button", { name: "Show cells" }).click();
    await page.getByRole("region", { name: "Output" }).getByRole("img").waitFor();
}));

test("what cannot be says why, and nothing has changed", () => seeing(`let g = makeGrid(3, 1, setOf("red", "green"));
function place(grid, at, value) { require(value != "red" || at.x == 0, "red stands on the left only"); return narrow(grid, at, value); }
decide(g);
printTilesetMap(g);`, async (page) => {
    await press(page, "Take part");
    await cell(page, "1, 0: green, red").click();
    // The cell flashes for a moment; that may be over before a test looks, so it is noted.
    await page.evaluate(() => {
        const note = ([{ target }]) => { globalThis.flashed ||= target.classList.contains("impossible") && target.getAttribute("aria-label"); };
        new MutationObserver(note).observe(document.querySelector("[role=gridcell][aria-label^='1, 0:']"), { attributes: true, attributeFilter: ["class"] });
    });
    await page.getByRole("group", { name: "Cell 1, 0" }).getByRole("button", { name: "red" }).click();
    await page.getByText(/^red cannot be at 1, 0: red stands on the left only \(line 2\)\./).waitFor();
    assert.equal(await page.evaluate(() => globalThis.flashed), "1, 0: green, red", "the cell that flashes");
    await cell(page, "1, 0: green, red").waitFor();
    await page.keyboard.press("Escape");
    await cell(page, "0, 0: green, red").click();
    await page.getByRole("group", { name: "Cell 0, 0" }).getByRole("button", { name: "red" }).click();
    await cell(page, "0, 0: red").waitFor();
}));

test("what cannot be names the cell at which it fails, and shows it", () => seeing(`let g = makeGrid(3, 1, setOf(1, 2));
related(g, position(0, 0), position(2, 0), (a, b) => a != b);
related(g, position(1, 0), position(2, 0), (a, b) => a == b);
related(g, position(0, 0), position(1, 0), (a, b) => a == b || a == 2);
decide(g);
printLine(g);`, async (page) => {
    await press(page, "Take part");
    await cell(page, "0, 0: 1, 2").click();
    await page.getByRole("group", { name: "Cell 0, 0" }).getByRole("button", { name: "1" }).click();
    const said = page.getByText(/^1 cannot be at 0, 0: related on \d, 0; \d, 0 \(line 2, 3 or 4\) would leave nothing for \d, 0\./);
    await said.waitFor();
    const named = (await said.textContent()).match(/nothing for (\d, 0)\./)[1];
    const marked = await page.locator(".contradiction").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")));
    assert.deepEqual(marked, [`${named}: 1, 2`]);
    await page.keyboard.press("Escape");
    await cell(page, "0, 0: 1, 2").click();
    await page.getByRole("group", { name: "Cell 0, 0" }).getByRole("button", { name: "2" }).click();
    await cell(page, "0, 0: 2").waitFor();
    await soon.equal(() => page.locator(".contradiction").count(), 0, "what is shown next has no mark");
}));

test("of a moment the latest 20 pictures are shown, in order with the text", () => seeing(`for (let i = 0; i < 26; i++) { printLine(\`at \${i}\`); printTilemap(makeGrid(2, 1, "red")); }`, async (page) => {
    const output = page.getByRole("region", { name: "Output" });
    await output.getByText("6 pictures are left out: the latest 20 are shown").waitFor();
    await until(async () => await output.locator(".thumb").count() === 20, "20 pictures");
    await output.getByRole("img", { name: /a map with 2 columns/ }).waitFor();
    const order = await output.locator(".log").evaluate((log) => [...log.children].map((child) => child.querySelector("img") ? "picture" : child.textContent.trim().split("\n").at(-1)));
    assert.deepEqual(order.slice(-4), ["at 24", "picture", "at 25", "picture"]);
    // Of an earlier moment it is those that were there then.
    await step(page, "Previous", "line");
    await page.getByText(/^Step \d/).waitFor();
    await press(page, "Start");
    await until(async () => await page.locator("#moment-output .thumb").count() === 0, "nothing was printed at the start");
}));

test("why a cell is what it is, and the keyboard moves in the grid", () => seeing(COLORS, async (page) => {
    await page.getByRole("gridcell").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const reasons = page.getByRole("region", { name: "Why" });
    await reasons.getByRole("button").first().waitFor();
    await reasons.getByRole("button").first().click();
    await page.getByText(/^Step \d/).waitFor();
}));

test("a heat map says at which cells the search has failed", () => seeing(`let g = makeGrid(3, 1, 0);
g[0, 0] = choose(1, 2);
g[2, 0] = choose(1, 2, 3, 4, 5);
require(g[2, 0] + g[0, 0] == 7, "too small");
printGrid(g);`, async (page) => {
    const cells = page.getByRole("gridcell");
    await cell(page, "2, 0: 5").waitFor();
    await page.getByRole("checkbox", { name: "Heat map" }).check();
    await cell(page, "2, 0: 5; failed 9 times").waitFor();
    // The line that has failed looks at both.
    await soon.equal(() => cells.nth(0).getAttribute("aria-label"), "0, 0: 2; failed 9 times");
    await soon.equal(() => cells.nth(1).getAttribute("aria-label"), "1, 0: 0");
    await shoot(page, "heat");
    await press(page, "Start");
    await page.getByText(/^Step 0/).waitFor();
    await press(page, "End");
    await cell(page, "2, 0: 5; failed 9 times").waitFor();
    await page.getByRole("checkbox", { name: "Heat map" }).uncheck();
    await cell(page, "2, 0: 5").waitFor();
}));

test("a program with mistakes is not recorded, and says so", () => studio("#embed&example=tiles/map", async (page) => {
    await write(page, "let a = ;");
    await press(page, "Run");
    await says(page, /^It stopped at a mistake/);
    await page.getByRole("list", { name: "Mistakes" }).getByRole("button", { name: /expected an expression/ }).waitFor();
    await soon.ok(() => page.getByRole("button", { name: "Play" }).isDisabled());
}));

for (const [theme, width] of [["light", 1280], ["dark", 375]]) {
    test(`the grid is drawn with its tiles: ${theme}, ${width} wide`, () => seeing("#example=tiles/weights", async (page) => {
        await step(page, "Previous", "choice");
        await page.locator("[role=gridcell] .candidate.tile:not(.gone)").first().waitFor();
        await shoot(page, `tiles-${theme}-${width}`);
    }, { colorScheme: theme, viewport: { width, height: 1200 } }));

    test(`no serious finding of axe while seeing: ${theme}, ${width} wide`, () => seeing("#example=sudoku/sudoku", async (page) => {
        await press(page, "Take part");
        await page.getByText(/^Choose a cell/).waitFor();
        await page.getByRole("gridcell").nth(4).click();
        await shoot(page, `see-${theme}-${width}`);
        await isAccessible(page);
    }, { colorScheme: theme, viewport: { width, height: 800 }, bypassCSP: true }));
}

test("of several boards, what is placed says on which", () => seeing(`let a = makeGrid(2, 1, setOf(1, 2, 3));
let b = makeGrid(2, 1, setOf(1, 2, 3));
allDifferent(a);
allDifferent(b);
decide(a);
decide(b);`, async (page) => {
    await press(page, "Take part");
    await page.getByText(/^Choose a cell/).waitFor();
    const place = async (value) => {
        await page.getByRole("gridcell", { name: /^0, 0: / }).click();
        await page.getByRole("group", { name: "Cell 0, 0" }).getByRole("button", { name: value, exact: true }).click();
    };
    await place("2");
    await page.getByText("Placed 2 at 0, 0.").waitFor();
    await cell(page, "0, 0: 2").click();
    await page.getByText("You have placed 2 there.").waitFor();
    await page.getByRole("combobox", { name: "Grid to show" }).selectOption("b");
    await place("2");
    await page.getByText("Placed 2 at 0, 0 of b.").waitFor();
    await takeBack(page, "2 at 0, 0 of a");
    await page.getByRole("button", { name: "Take back 2 at 0, 0 of a" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Take back 2 at 0, 0 of b" }).waitFor();
}));

test("where the rest ends with an error, that is said", () => seeing(`let g = makeGrid(2, 1, setOf(1, 2, 3));
decide(g, {weights: value => value == 1 ? 1 : 0});
if (singletonValue(g[0, 0]) == 3) print([1][3]);`, async (page) => {
    await press(page, "Take part");
    await page.getByText(/^Choose a cell/).waitFor();
    await cell(page, "0, 0: 1, 2, 3").click();
    await page.getByRole("group", { name: "Cell 0, 0" }).getByRole("button", { name: "3", exact: true }).click();
    await page.getByText("Placed 3 at 0, 0.").waitFor();
    await press(page, "Finish the rest");
    await page.getByText(/^Step .* It stops here: index 3 is out of range\./).waitFor();
}));

test("a long board has cells that can be met, and a person takes part in it", () => seeing(`let g = makeGrid(200, 3, setOf("#aa3322", "#22aa44", "#2244aa"));
adjacent(g, (a, b) => a != b);
decide(g);`, async (page) => {
    await press(page, "Take part");
    await page.getByText(/^Choose a cell/).waitFor();
    const first = page.getByRole("gridcell", { name: /^0, 0: / });
    const { width, height } = await first.boundingBox();
    assert.ok(width >= 15 && height >= 15, `a cell is ${width} x ${height}`);
    await first.focus();
    const isAt = (place) => page.waitForFunction((place) => document.activeElement.getAttribute("aria-label")?.startsWith(place), `${place}: `);
    await page.keyboard.press("End");
    await isAt("199, 0");
    await page.keyboard.press("Control+End");
    await isAt("199, 2");
    await page.keyboard.press("Home");
    await isAt("0, 2");
    await page.keyboard.press("Control+Home");
    await isAt("0, 0");
    await page.setViewportSize({ width: 390, height: 800 });
    const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(content <= screen, `the page is ${content} wide, the screen ${screen}`);
}));

test("the marks of the time line stand where the knob comes to", () => seeing(`let turns = choose(1, 2, 3, 4, 5, 6, 7, 8, 9);
for (var i = 0; i < 500; i++) {}
require(turns == 9);`, async (page) => {
    const slider = page.getByRole("slider", { name: "Moment" });
    const end = Number(await slider.getAttribute("max"));
    await step(page, "Previous", "failure");
    await until(async () => await stepOf(page) < end, "a failure lies before the end");
    const failure = await stepOf(page);
    // A failure is drawn higher than a choice, and not as high as a solution.
    const mark = await page.locator(".time-line canvas").evaluate((canvas) => {
        const context = canvas.getContext("2d");
        const isDrawn = (x, y) => context.getImageData(x, y, 1, 1).data[3] > 0;
        return Array.from({ length: canvas.width }, (_, x) => x).filter((x) => isDrawn(x, 6) && !isDrawn(x, 2)).at(-1);
    });
    await press(page, "End");
    const { width, height } = await slider.boundingBox();
    await slider.click({ position: { x: mark, y: height / 2 } });
    const steps = await slider.evaluate(({ min, max }) => max - min);
    await until(async () => Math.abs(await stepOf(page) - failure) <= 3 * steps / width, `what is pressed at the last failure leads to step ${failure}`);
}));

test("rows and columns of cells have the numbers by which sentences call them", () => studio("", async (page) => {
    await says(page, /^Solution 1/);
    await press(page, "Show cells");
    const cell = page.getByRole("gridcell", { name: /^3, 5: / });
    await cell.waitFor();
    const middle = async (place) => {
        const { x, y, width, height } = await place.boundingBox();
        return [Math.round(x + width / 2), Math.round(y + height / 2)];
    };
    const [x, y] = await middle(cell);
    const number = (side, text) => page.locator(`.ruler.${side}`).getByText(text, { exact: true });
    await soon.ok(async () => Math.abs((await middle(number("across", "3")))[0] - x) <= 1);
    await soon.ok(async () => Math.abs((await middle(number("down", "5")))[1] - y) <= 1);
    await soon.ok(() => number("across", "3").isVisible());
}));
