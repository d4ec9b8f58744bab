// The puzzles and games of the gallery, played to their end by who has no mouse.
import assert from "node:assert/strict";
import { test } from "node:test";
import { keyboardOf, outputOf, picturesOf, says, shoot, soon, until, useStudio } from "./browser.mjs";

const studio = useStudio();

const pictures = (page) => picturesOf(page);
const cell = (page, x, y) => page.getByRole("gridcell", { name: new RegExp(`^${x}, ${y}: `) });
/** What may be in a cell. */
const candidates = async (page, x, y) => (await cell(page, x, y).getAttribute("aria-label")).split(": ")[1].split(", ");
/** How many cells may be several things. */
const open = (page) => page.getByRole("gridcell").evaluateAll((cells) =>
    cells.filter((cell) => cell.getAttribute("aria-label").split(": ")[1].includes(",")).length);

/** Runs the program, by keyboard alone. */
async function run(page, said) {
    const keyboard = keyboardOf(page);
    await keyboard.tabTo(/^Run$/);
    await keyboard.press("Enter");
    await says(page, said);
    return keyboard;
}

/** One who takes part in the grid of a program by keyboard. */
async function player(page) {
    const keyboard = await run(page, /^Solution 1/);
    await keyboard.tabTo(/^Take part$/);
    await keyboard.press("Enter");
    await page.getByText(/^Choose a cell/).waitFor();
    const goTo = async (x, y) => {
        const stops = await keyboard.tabTo(/^\d+, \d+: /, "Shift+Tab");
        const [, left, top] = (await keyboard.focused()).match(/^(\d+), (\d+): /);
        await keyboard.press(x > left ? "ArrowRight" : "ArrowLeft", Math.abs(x - left));
        await keyboard.press(y > top ? "ArrowDown" : "ArrowUp", Math.abs(y - top));
        await soon.match(() => keyboard.focused(), new RegExp(`^${x}, ${y}: `));
        return stops;
    };
    const place = async (x, y, value) => {
        await goTo(x, y);
        await keyboard.press("Enter");
        await page.getByRole("group", { name: `Cell ${x}, ${y}` }).waitFor();
        await keyboard.tabTo(new RegExp(`^${value}$`));
        await keyboard.press("Enter");
    };
    return {
        keyboard, goTo,
        place: async (x, y, value) => {
            await place(x, y, value);
            await page.getByText(`Placed ${value} at ${x}, ${y}.`).waitFor();
        },
        /** Places what cannot be; what is said of it. */
        placeInVain: async (x, y, value) => {
            await place(x, y, value);
            const said = page.getByText(new RegExp(`^${value} cannot be at ${x}, ${y}: `));
            await said.waitFor();
            await keyboard.press("Escape");
            return said.textContent();
        },
        takeBack: async (x, y, value) => {
            if (!await page.evaluate(() => document.querySelector("#picks details").open)) {
                await keyboard.tabTo(/^\d+ placed$/);
                await keyboard.press("Enter");
            }
            await keyboard.tabTo(new RegExp(`^Take back ${value} at ${x}, ${y}$`));
            await keyboard.press("Enter");
            await page.getByRole("button", { name: `Take back ${value} at ${x}, ${y}` }).waitFor({ state: "detached" });
            await until(async () => (await candidates(page, x, y)).length > 1, `${x}, ${y} is open again`);
        },
        finish: async () => {
            await keyboard.tabTo(/^Finish the rest$/);
            await keyboard.press("Enter");
            await page.getByText(/^Step [\d,]+, /).waitFor();
        },
    };
}

test("sudoku: digits are placed, one that cannot be says why, the first is taken back, and the rest is finished", () => studio("#example=sudoku/sudoku", async (page) => {
    const play = await player(page);
    const before = await open(page);
    await play.place(1, 0, "1");
    await soon.ok(async () => await open(page) < before, "the cell is decided");
    await soon.ok(async () => !(await candidates(page, 4, 0)).includes("1"), "its row has lost the digit");
    assert.match(await play.placeInVain(4, 8, "6"), /: there is no place left for 8 \(it fails at 7, 4, line \d+\)\./);
    await cell(page, 7, 4).and(page.locator(".contradiction")).waitFor();
    assert.match(await play.placeInVain(6, 1, "9"), /: no digit is left \(it fails at 4, 7, line \d+\)\./);
    await play.place(4, 8, "8");
    await play.takeBack(1, 0, "1");
    await soon.deepEqual(() => candidates(page, 4, 8), ["8"], "what was placed later stays");
    await play.takeBack(4, 8, "8");
    await soon.equal(() => open(page), before);
    await play.finish();
    await until(async () => await open(page) === 0, "all cells are decided");
    await shoot(page, "keyboard-sudoku");
    const digits = await page.getByRole("gridcell").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label").split(": ")[1]));
    for (let line = 0; line < 9; line++) {
        assert.equal(new Set(digits.slice(9 * line, 9 * line + 9)).size, 9, `row ${line}`);
        assert.equal(new Set(digits.filter((_, at) => at % 9 === line)).size, 9, `column ${line}`);
    }
}));

test("the dungeon puzzle by constraints: walls are placed, one that cannot be says why, any is taken back, and the rest is finished", () => studio("#example=dungeons/short", async (page) => {
    const play = await player(page);
    const before = await open(page);
    assert.match(await play.placeInVain(2, 2, "x"), /connected \(line \d+\) would leave nothing for 3, 4\./);
    await soon.equal(() => open(page), before, "nothing has changed");
    await play.place(2, 2, "#");
    await soon.ok(async () => await open(page) < before - 1, "more than the cell itself is known");
    await play.takeBack(2, 2, "#");
    await soon.equal(() => open(page), before);
    await play.place(4, 2, "x");
    await play.finish();
    await until(async () => await open(page) === 0, "all cells are decided");
    await soon.deepEqual(() => candidates(page, 4, 2), ["x"]);
    await shoot(page, "keyboard-dungeon");
}));

test("minesweeper by constraints: cells are marked, a mark that cannot be says why, the first is taken back, and the hints come", () => studio("#example=puzzles/mines", async (page) => {
    const play = await player(page);
    await play.place(8, 2, "safe");
    assert.match(await play.placeInVain(8, 5, "mine"), /exactly on .* \(line \d+.*\) could not hold; the last cell to lose candidates would be 8, 6\./);
    await cell(page, 8, 6).and(page.locator(".contradiction")).waitFor();
    await play.place(8, 5, "safe");
    await play.takeBack(8, 2, "safe");
    await soon.deepEqual(() => candidates(page, 8, 5), ["safe"], "what was placed later stays");
    await play.finish();
    await outputOf(page).getByText(/cells are certainly mines, \d+ certainly none/).waitFor();
}));

/** Where a click on the picture answers, the answers as buttons are opened first. */
async function allAnswers(page, keyboard) {
    if (await page.locator("#question details:not([open])").count() === 0) return;
    await keyboard.tabTo(/^All answers as buttons$/);
    await keyboard.press("Enter");
    await page.getByRole("toolbar").waitFor();
}

/** Goes to a question's option by what it begins with, and answers with it. */
async function choose(page, keyboard, option) {
    await allAnswers(page, keyboard);
    await keyboard.tabTo(/^(hint|(no )?flag \w+|[a-i]\d)$/);
    await keyboard.press("Home");
    await page.keyboard.type(option);
    await soon.equal(() => keyboard.focused(), option);
    const before = await outputOf(page).getByText("↩").count();
    await keyboard.press("Enter");
    await outputOf(page).getByText("↩").nth(before).waitFor();
    await says(page, /^(The program asks|The end)/);
}

test("minesweeper: it is won by hints and flags, an early answer is gone back to, and all cells are one stop of Tab", () => studio("#example=games/minesweeper", async (page) => {
    const keyboard = await run(page, /^The program asks/);
    const told = async () => (await outputOf(page).innerText()).split(/(?=\b\d+ cells are closed|All mines|That was a mine)/).at(-1);
    await allAnswers(page, keyboard);
    await keyboard.tabTo(/^hint$/);
    await keyboard.press("Tab");
    await soon.doesNotMatch(() => keyboard.focused(), /^[a-i]\d$/, "all options are one stop");
    await keyboard.press("Shift+Tab");
    await soon.equal(() => keyboard.focused(), "hint");
    // Cells stand in rows: an arrow leads to the next row, and back.
    await keyboard.press("ArrowRight");
    await keyboard.press("ArrowDown");
    const below = await keyboard.focused();
    assert.ok(!["hint", "a1"].includes(below) && /^[a-i]\d$/.test(below), `${below} is below a1`);
    await keyboard.press("ArrowUp");
    await soon.equal(() => keyboard.focused(), "a1");
    await keyboard.press("End");
    await soon.equal(() => keyboard.focused(), "i9");
    await choose(page, keyboard, "f6");
    await choose(page, keyboard, "flag i2");
    await soon.match(() => told(), /Flags: i2\./);
    await keyboard.tabTo(/^Go back to answer 2: flag i2$/, "Shift+Tab");
    await keyboard.press("Enter");
    await outputOf(page).getByText("↩ flag i2").waitFor({ state: "detached" });
    await says(page, /^The program asks/);
    for (let answers = 1; !/You have won/.test(await told()); answers++) {
        await choose(page, keyboard, "hint");
        answers += 1;
        const safe = /([a-i]\d) is safe\./.exec(await told());
        if (safe) {
            await choose(page, keyboard, safe[1]);
            continue;
        }
        // Nothing is certain: whoever has opened a mine goes back to before it.
        for (const guess of await page.getByRole("toolbar").getByRole("button", { name: /^[a-i]\d$/ }).allTextContents()) {
            await choose(page, keyboard, guess);
            if (!/You have lost/.test(await told())) break;
            await keyboard.tabTo(new RegExp(`^Go back to answer ${answers + 1}: ${guess}$`), "Shift+Tab");
            await keyboard.press("Enter");
            await says(page, /^The program asks/);
        }
    }
    await until(() => outputOf(page).getByText("You have won!").evaluate((words) => {
        const [own, frame] = [words.getBoundingClientRect(), words.closest("#output").getBoundingClientRect()];
        return own.top >= frame.top && own.bottom <= frame.bottom;
    }), "who has won sees it");
    await shoot(page, "keyboard-minesweeper");
}));

test("minesweeper: a cell of the picture is chosen, opened and flagged", () => studio("#example=games/minesweeper", async (page) => {
    const keyboard = await run(page, /^The program asks/);
    const answer = async (key) => {
        const before = await pictures(page).count();
        await page.keyboard.press(key);
        await until(async () => await pictures(page).count() > before, "the next picture is there");
        await says(page, /^The program asks/);
    };
    const told = async () => (await outputOf(page).innerText()).split(/\d+ cells are closed/).at(-1);
    await keyboard.tabTo(/^Choose a cell by keyboard$/);
    await keyboard.press("Enter");
    await soon.match(() => keyboard.focused(), /^Cells of the picture/);
    await keyboard.press("ArrowRight", 5);
    await keyboard.press("ArrowDown", 5);
    await outputOf(page).getByText("Cell 5, 5").waitFor({ state: "attached" });
    await answer("Enter");
    await soon.match(() => keyboard.focused(), /^Cells of the picture/, "who plays stays at the picture");
    await keyboard.press("End");
    await keyboard.press("ArrowUp", 3);
    await answer("Shift+Enter");
    await outputOf(page).getByText("↩ flag i2").waitFor();
    await soon.match(() => told(), /Flags: i2\./);
    await shoot(page, "minesweeper-keyboard");
    await keyboard.press("ArrowUp");
    await answer("Enter");
    await soon.match(() => told(), /Mines then: i3\. Safe then: i4\./);
}));

test("the dungeon puzzle: it is solved by marks, one that cannot be says why, and an early mark is gone back to", () => studio("#example=dungeons/play", async (page) => {
    const keyboard = await run(page, /^The program asks/);
    let answers = 0;
    const mark = async (line) => {
        if (!/^Your marks/.test(await keyboard.focused())) await keyboard.tabTo(/^Your marks/);
        await page.keyboard.type(line);
        await keyboard.press("Enter");
        answers += 1;
        await page.getByRole("button", { name: `Go back to answer ${answers}: ${line}` }).waitFor();
        await says(page, /^(The program asks|The end)/);
        return (await outputOf(page).innerText()).split(`↩ ${line}`).at(-1);
    };
    const goBack = async (answer, line) => {
        await keyboard.tabTo(new RegExp(`^Go back to answer ${answer}: ${line}$`), "Shift+Tab");
        await keyboard.press("Enter");
        await page.getByRole("button", { name: `Go back to answer ${answer}: ${line}` }).waitFor({ state: "detached" });
        await says(page, /^The program asks/);
        answers = answer - 1;
    };
    const toggle = async () => {
        await keyboard.tabTo(/^automatic$/, "Shift+Tab");
        await keyboard.press("Space");
        await says(page, /^The program asks/);
    };
    await toggle();
    assert.match(await mark("# 1 2, # 4 2"), /That cannot be: column 2 cannot be kept\./);
    await mark("hint");
    await goBack(1, "# 1 2, # 4 2");
    assert.match(await mark("# 1 2"), /column 2: x 4 2[^]*Solved: all rules are kept\./, "what follows is told");
    // All of it by hand, without what follows.
    await toggle();
    answers = 0;
    let told = "";
    for (let turn = 0; turn < 60 && !/Solved: all rules are kept/.test(told); turn++) {
        const hint = await mark("hint");
        const [line] = /[#x] \d \d/.exec(hint) ?? assert.fail(`a hint names a mark: ${hint}`);
        told = await mark(line);
    }
    assert.match(told, /Solved: all rules are kept\./);
    await shoot(page, "keyboard-dungeon-play");
}));
