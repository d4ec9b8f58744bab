// A puzzle that a person solves stays one: whatever they press, send or load again, the solution is not shown, and what they have done is there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { outputOf, press, says, shoot, soon, until, useStudio, write } from "./browser.mjs";

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
    await says(page, /^The puzzle is yours to solve\.$/);
}

/** Presses what makes the puzzle anew. */
async function pressAnew(page, name) {
    const cell = await page.locator(".puzzle-cell").first().elementHandle();
    await press(page, name);
    await page.waitForFunction((cell) => !cell.isConnected, cell);
    await said(page, "7 places to find.");
}

/** Notes in the page whether a picture that is not there yet is ever seen on the stage. */
const watch = (page) => page.evaluate(() => {
    globalThis.wasShown = false;
    const picture = () => document.querySelector("#output .big img");
    const before = picture()?.checkVisibility() ? picture().src : "";
    const look = () => {
        globalThis.wasShown ||= picture()?.src !== before && (picture()?.checkVisibility() ?? false);
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
    await soon.deepEqual(() => board(page), before);
    for (let throws = 0; `${await board(page)}` === `${before}`; throws++) {
        assert.ok(throws < 20, "the puzzle is another one with another seed");
        await pressAnew(page, "New seed");
    }
    assert.equal(await wasShown(page), false, "the solution is never shown");
    await soon.equal(() => page.getByRole("button", { name: "Next solution" }).isVisible(), false);
    await page.locator("#solve").click();
    await outputOf(page).waitFor();
}));

test("a puzzle that is being solved is sent as one, without its solution", () => studio("", async (page, context) => {
    await opened(page);
    await press(page, "Share");
    const link = page.getByRole("textbox", { name: "Link", exact: true });
    await soon.match(() => link.inputValue(), /#solve&v1=[\w-]+$/);
    const asPuzzle = page.getByRole("checkbox", { name: "A puzzle to be solved" });
    await asPuzzle.uncheck();
    await soon.match(() => link.inputValue(), /#v1=[\w-]+&picture=/);
    await asPuzzle.check();
    const other = await context.newPage();
    await other.goto(await link.inputValue());
    await watch(other);
    await soon.equal(() => other.locator("#writing").isVisible(), false, "the code is folded away");
    await other.getByRole("button", { name: "Solve this puzzle yourself" }).click();
    await said(other, "7 places to find.");
    await says(other, /^The puzzle is yours to solve\.$/);
    await soon.deepEqual(() => board(other), await board(page));
    assert.equal(await wasShown(other), false, "the solution is never shown");
}));

test("while a puzzle is made, nothing can be pressed that belongs to the one before", () => studio("", async (page) => {
    await opened(page);
    await press(page, "Begin anew");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await write(page, LATIN.replace("printTilemap", "while (true) {}\nprintTilemap"));
    await press(page, "Run");
    await said(page, "Making the puzzle...");
    await soon.equal(() => page.locator(".solve-buttons button:not(:disabled):visible").count(), 0);
}));

test("who is not told by the program which board is the puzzle can choose one", () => studio("", async (page) => {
    const others = LATIN.replace("printTilemap", "let c = makeGrid(1, 2, setOf(1, 2));\nallDifferent(c, positionsOf(c));\nprintTilemap");
    for (const [text, isChoice] of [[others, true], [`// \`ndscript explain --solve b.nds\` tells how it is solved.\n${others}`, false]]) {
        await write(page, text);
        await press(page, "Run");
        await page.locator("#solve").click();
        await said(page, / places? to find\./);
        await soon.equal(() => page.getByRole("combobox", { name: "Board to solve" }).isVisible(), isChoice);
        await page.locator("#solve").click();
    }
}));

test("a puzzle of the gallery is opened by its link as one", () => studio("#example=sudoku/short", async (page) => {
    await watch(page);
    await said(page, /places to find\./);
    assert.equal(await wasShown(page), false);
}));

test("what was marked in a puzzle is there again, also in the same puzzle of another run, until it is begun anew", () => studio("", async (page) => {
    await opened(page);
    const cell = page.locator(".puzzle-cell").nth(1);
    const name = () => cell.getAttribute("aria-label");
    await cell.click();
    // What is given stands beside it and below it; of a wrong mark hints would speak first.
    const given = (await board(page)).flatMap((name) => /: (\d) \(given\)$/.exec(name)?.[1] ?? []);
    const value = ["1", "2", "3"].find((value) => !given.includes(value));
    await page.keyboard.press(value);
    await soon.equal(() => name(), `(1,0): ${value} (mark)`);
    for (let press = 0; press < 3; press++) await page.getByRole("button", { name: "Next hint" }).click();
    const before = await board(page);
    await page.reload();
    await said(page, "What you have done here before is there again.");
    // What a hint shows beside is gone.
    const plain = (names) => names.map((name) => name.replace(/ \d.*$/, (values) => / \d \d/.test(values) ? " open" : values).replace(/(, )?(reason|concluded)/g, "").replace(" ()", ""));
    await soon.deepEqual(async () => plain(await board(page)), plain(before));
    await watch(page);
    await press(page, "Run");
    await said(page, "This is the same puzzle as before. What you have done here before is there again.");
    assert.equal(await wasShown(page), false);
    await press(page, "Begin anew");
    await said(page, "7 places to find.");
    await page.reload();
    await said(page, "7 places to find.");
    await soon.equal(() => name(), "(1,0): open");
}));

const GAME = `printLine("seed ", randomInt(1, 1000000));
let a = ask("A?", ["a1", "a2"]); printLine("got ", a);
let b = input("B?"); printLine("got ", b);
let c = ask("C?", ["c1", "c2"]); printLine("got ", c);`;

test("a game goes on where it was left, with the seed that was thrown, until it is begun anew or has ended", () => studio("", async (page) => {
    const got = (words) => outputOf(page).getByText(`got ${words}`).waitFor();
    const option = (name) => page.locator("#question").getByRole("button", { name, exact: true }).click();
    await write(page, GAME);
    await press(page, "New seed");
    await option("a2");
    await got("a2");
    await page.getByRole("textbox", { name: "B?" }).fill("words");
    await press(page, "Answer");
    await got("words");
    await says(page, /^The program asks/);
    const before = await outputOf(page).innerText();
    await page.reload();
    await says(page, /^You are where you left it\. Run begins it anew\.$/);
    await soon.equal(() => outputOf(page).innerText(), before);
    // What was answered is gone back to as ever.
    await page.getByRole("button", { name: "Go back to answer 2: words" }).click();
    await page.getByRole("textbox", { name: "B?" }).fill("other words");
    await press(page, "Answer");
    await got("other words");
    await says(page, /^The program asks/);
    await page.reload();
    await got("other words");
    await option("c1");
    await says(page, /^The end/);
    await page.reload();
    await says(page, /^The program asks/);
    await soon.equal(() => outputOf(page).getByText("got").count(), 0, "it has ended");
    await option("a1");
    await got("a1");
    await says(page, /^The program asks/);
    await press(page, "Run");
    await until(async () => await outputOf(page).getByText("got").count() === 0, "it begins anew");
    await page.reload();
    await says(page, /^The program asks/);
    await soon.equal(() => outputOf(page).getByText("got").count(), 0);
}));

test("a game of the gallery goes on in a page that was loaded again, and one within another page keeps nothing", () => studio("#play&example=games/rock_paper_scissors", async (page) => {
    await press(page, "New seed");
    const seed = await page.locator("#seed").inputValue();
    const guess = async () => {
        await page.locator("body[data-status=asked]").waitFor();
        await page.locator("#question").getByRole("button").first().click();
        await page.getByRole("button", { name: /^Go back to answer 1/ }).waitFor();
    };
    await guess();
    await says(page, /^The program asks/);
    await page.reload();
    await page.getByRole("button", { name: /^Go back to answer 1/ }).waitFor();
    await soon.equal(() => page.locator("#seed").inputValue(), seed);
    const address = page.url().replace("#play", "#embed&play");
    await page.goto("about:blank");
    await page.goto(address);
    await guess();
    await page.reload();
    await says(page, /^The program asks/);
    await soon.equal(() => page.getByRole("button", { name: /^Go back to answer 1/ }).count(), 0);
}));

test("what can be played or solved is found at once, and a puzzle is opened to be solved", () => studio("", async (page) => {
    await press(page, "Games and puzzles");
    const dialog = page.getByRole("dialog", { name: "Games and puzzles" });
    await dialog.getByRole("button", { name: "Killer sudoku" }).waitFor();
    await soon.deepEqual(() => dialog.getByRole("heading", { level: 3 }).allInnerTexts(), ["Games to play", "Puzzles", "New puzzles, with one solution"]);
    await soon.equal(() => dialog.getByRole("button", { name: "A village" }).count(), 0);
    const card = (name) => dialog.getByRole("listitem").filter({ has: page.getByRole("button", { name, exact: true }) });
    await card("Minesweeper").getByText("Play", { exact: true }).waitFor();
    await card("Killer sudoku").getByText("Solve it yourself").waitFor();
    await soon.deepEqual(async () => [await card("Minesweeper").locator("img").count(), await card("Killer sudoku").locator("img, .shows").count()], [1, 0], "a cover tells no solution");
    await card("Nonogram").scrollIntoViewIfNeeded();
    await dialog.evaluate((element) => { element.scrollTop = element.scrollHeight; });
    const [close, all] = await Promise.all([dialog.getByRole("button", { name: "Close" }).boundingBox(), dialog.boundingBox()]);
    assert.ok(close.y >= all.y && close.y + close.height < all.y + all.height, `the way out stays in sight: ${close.y - all.y}`);
    await shoot(page, "games");
    await dialog.getByRole("button", { name: "Minesweeper" }).click();
    await says(page, /^The program asks/);
    await page.reload();
    await says(page, /^The program asks/);
    await soon.equal(() => page.getByRole("textbox", { name: "Program" }).isVisible(), false, "it is a game also when the page is loaded again");
    await press(page, "Games and puzzles");
    await watch(page);
    await dialog.getByRole("button", { name: "Killer sudoku" }).click();
    await said(page, "81 places to find.");
    assert.equal(await wasShown(page), false);
    await soon.equal(() => page.getByRole("textbox", { name: "Program" }).isVisible(), false, "the code is folded away");
    await press(page, "Gallery");
    await page.getByRole("dialog", { name: "Gallery" }).getByRole("button", { name: "Solve Nonogram" }).click();
    await said(page, "132 places to find.");
}));

test("a dialog in which one searches stays as high as it is", () => studio("", async (page) => {
    for (const [opener, name] of [["Gallery", "Gallery"], ["All words", "Reference"]]) {
        await press(page, opener);
        const dialog = page.getByRole("dialog", { name });
        const before = await dialog.boundingBox();
        await dialog.getByRole("searchbox").fill("shuffled");
        await dialog.getByRole("searchbox").fill("there is no such word");
        await soon.deepEqual(() => dialog.boundingBox(), before);
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "hidden" });
    }
}));

for (const [device, options] of Object.entries({ mouse: {}, phone: { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true } })) {
    test(`a cell of two values is marked with one press, and several by going over them: ${device}`, () => studio("#example=nonogram/nonogram", async (page) => {
        await said(page, "Press a place to fill it, once more or with the right button to cross it out, and again to clear it");
        const cells = page.locator(".puzzle-cell");
        const name = async (at) => (await cells.nth(at).getAttribute("aria-label")).replace(/^.*: /, "");
        for (const expected of ["filled (mark)", "crossed out (mark)", "open", "filled (mark)"]) {
            await (options.hasTouch ? cells.nth(0).tap() : cells.nth(0).click());
            await soon.equal(() => name(0), expected);
        }
        const middle = async (at) => {
            const { x, y, width, height } = await cells.nth(at).boundingBox();
            return [x + width / 2, y + height / 2];
        };
        const stroke = async (from, to) => {
            await page.mouse.move(...await middle(from));
            await page.mouse.down();
            await page.mouse.move(...await middle(to), { steps: 20 });
            await page.mouse.up();
        };
        await cells.nth(4).click();
        await stroke(2, 5);
        await soon.deepEqual(() => Promise.all([1, 2, 3, 4, 5, 6].map(name)), ["open", "filled (mark)", "filled (mark)", "filled (mark)", "filled (mark)", "open"]);
        await stroke(3, 4);
        await soon.deepEqual(() => Promise.all([2, 3, 4, 5].map(name)), ["filled (mark)", "crossed out (mark)", "crossed out (mark)", "filled (mark)"]);
        await page.keyboard.press("#");
        await soon.equal(() => name(4), "filled (mark)");
        await shoot(page, `nonogram-${device}`);
    }, options));
}

test("a nonogram speaks of cells that are filled and crossed out, and the right button crosses out", () => studio("#example=nonogram/nonogram", async (page) => {
    await said(page, "Press a place to fill it");
    const cell = page.locator(".puzzle-cell").first();
    const name = async () => (await cell.getAttribute("aria-label")).replace(/^.*: /, "");
    await cell.click({ button: "right" });
    await soon.equal(() => name(), "crossed out (mark)");
    await cell.click({ button: "right" });
    await soon.equal(() => name(), "open");
    await page.getByRole("group", { name: "Mark the cell as" }).getByRole("button", { name: "fill", exact: true }).click();
    await soon.equal(() => name(), "filled (mark)");
    await page.keyboard.press(".");
    await soon.equal(() => name(), "crossed out (mark)");
    await press(page, "Begin anew");
    for (let hint = 0; hint < 3; hint++) await press(page, "Next hint");
    await said(page, /^\(0,3\) to \(10,3\) are filled, since row 3/);
    await soon.doesNotMatch(() => page.locator(".solve-beside").innerText(), /[#"]/);
}));

test("on a phone the buttons for hints stay where they are as a cell is chosen", () => studio("#example=sudoku/short", async (page) => {
    await said(page, /places to find/);
    const hint = page.getByRole("button", { name: "Next hint" });
    const place = () => hint.evaluate((button) => button.getBoundingClientRect().top + scrollY);
    const before = await place();
    await page.locator(".puzzle-cell:not(.given)").first().tap();
    await page.locator(".values .value").first().waitFor();
    await soon.equal(() => place(), before);
}, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }));

test("a finger that goes down over a puzzle marks cells, and does not move the page", () => studio("#example=nonogram/nonogram", async (page, context) => {
    await said(page, "Press a place to fill it");
    const cells = page.locator(".puzzle-cell");
    await cells.first().scrollIntoViewIfNeeded();
    const places = await cells.evaluateAll((all) => all.map((cell) => {
        const { left, top, width, height } = cell.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
    }));
    const column = places.flatMap(({ x }, at) => Math.abs(x - places[1].x) < 1 ? [at] : []).slice(0, 5);
    const devtools = await context.newCDPSession(page);
    const touch = (type, ...touchPoints) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
    const [from, to] = [places[column[0]], places[column[4]]];
    await touch("touchStart", from);
    for (let step = 1; step <= 20; step++) await touch("touchMove", { x: from.x, y: from.y + step / 20 * (to.y - from.y) });
    await touch("touchEnd");
    await soon.deepEqual(() => Promise.all(column.map((at) => cells.nth(at).getAttribute("aria-label").then((name) => name.replace(/^.*: /, "")))), Array(5).fill("filled (mark)"));
}, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }));

test("a hint in minesweeper is marked in the picture", () => studio("#play&example=games/minesweeper", async (page) => {
    const picture = () => page.locator("#output .big img").evaluate((image) => {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        canvas.getContext("2d").drawImage(image, 0, 0);
        return canvas.toDataURL();
    });
    await says(page, /^The program asks/);
    await page.locator("#output .big img").click({ position: { x: 100, y: 100 } });
    await page.getByRole("button", { name: /^Go back to answer 1/ }).waitFor();
    await page.locator("body[data-status=asked]").waitFor();
    const before = await picture();
    await page.locator("#question .others").getByRole("button", { name: "hint" }).click();
    await outputOf(page).getByText(/ is safe\./).waitFor();
    assert.notEqual(await picture(), before);
}));
