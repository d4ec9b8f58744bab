// Going back: to an earlier answer, and from a moment to the run that it is of; what a person takes part in, seen once more.
import { test } from "node:test";
import { look, press, says, soon, takeBack, until, useStudio, write } from "./browser.mjs";

const studio = useStudio();
const outputOf = (page) => page.getByRole("region", { name: "Output" });
const lines = async (page) => (await outputOf(page).innerText()).split("\n").map((line) => line.trim()).filter(Boolean);

const ASKS = `printLine("start");
let a = ask("A?", ["a1", "a2"]); printLine("got ", a);
let b = ask("B?", ["b1", "b2"]); printLine("got ", b);
let c = ask("C?", ["c1", "c2"]); printLine("got ", c);`;

async function answer(page, ...answers) {
    for (const each of answers) {
        await says(page, /^The program asks/);
        await page.locator("#question").getByRole("button", { name: each, exact: true }).click();
        await outputOf(page).getByText(`got ${each}`).waitFor();
    }
}

test("an earlier question comes with what was printed before it, once", () => studio("", async (page) => {
    await write(page, ASKS);
    await press(page, "Run");
    await answer(page, "a1", "b1", "c1");
    for (const [number, expected] of [[2, ["start", "↩ a1", "got a1"]], [1, ["start"]]]) {
        await page.getByRole("button", { name: new RegExp(`^Go back to answer ${number}: `) }).click();
        await page.getByRole("button", { name: new RegExp(`^Go back to answer ${number}: `) }).waitFor({ state: "detached" });
        await page.waitForFunction(() => !document.querySelector("#output .again"));
        await soon.deepEqual(() => lines(page), expected);
    }
    await answer(page, "a2", "b2");
    await soon.deepEqual(() => lines(page), ["start", "↩ a2", "got a2", "↩ b2", "got b2"]);
}));

test("a game is looked at and gone on with", () => studio("", async (page) => {
    await write(page, ASKS);
    await press(page, "Run");
    await answer(page, "a1", "b1");
    const before = await lines(page);
    await press(page, "End");
    await says(page, /^What is shown is a moment of the run/);
    await outputOf(page).getByText("got b1").waitFor();
    await soon.equal(() => page.locator("#question").isVisible(), false);
    await soon.match(() => outputOf(page).innerText(), /start\s+got a1\s+got b1/);
    await soon.ok(() => page.getByRole("button", { name: "Next solution" }).isDisabled());
    await press(page, "Back to the run");
    await says(page, /^The program asks/);
    await soon.deepEqual(() => lines(page), before);
    await answer(page, "c2");
    await soon.deepEqual(async () => (await lines(page)).slice(-1), ["got c2"]);
}));

test("a game that has ended has a next solution only if something is left to be chosen", () => studio("", async (page) => {
    const next = page.getByRole("button", { name: "Next solution" });
    await write(page, ASKS);
    await press(page, "Run");
    await answer(page, "a1", "b1", "c1");
    await says(page, /^The end\./);
    await soon.ok(() => next.isDisabled());
    await write(page, `${ASKS}\nprintLine("drawn ", choose(1, 2));`);
    await press(page, "Run");
    await answer(page, "a1", "b1", "c1");
    await outputOf(page).getByText("drawn 1").waitFor();
    await next.click();
    await outputOf(page).getByText("drawn 2").waitFor();
    await until(() => next.isDisabled(), "nothing is left");
}));

test("who looks at a moment can go on to the next solution", () => studio("", async (page) => {
    await write(page, "let a = choose(1, 2);\nprintLine(\"it is \", a);");
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await look(page);
    await press(page, "Next solution");
    await says(page, /^Solution 2/);
    await outputOf(page).getByText("it is 2").waitFor();
}));

test("the solution that one was at is there again", () => studio("", async (page) => {
    await write(page, "let x = choose(1, 2, 3); printLine(\"x\", x);");
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "Next solution");
    await says(page, /^Solution 2/);
    const before = await lines(page);
    await press(page, "End");
    await says(page, /^What is shown is a moment of the run/);
    await soon.match(() => outputOf(page).innerText(), /x2/, "it is recorded as far as the run has come");
    await press(page, "Back to the run");
    await says(page, /^Solution 2/);
    await soon.deepEqual(() => lines(page), before);
    await press(page, "Next solution");
    await says(page, /^Solution 3/);
}));

const ONE = `var g = makeGrid(2, 1, setOf(1, 2)), other = makeGrid(2, 2, setOf("a", "b"));
allDifferent(g);
decide(g);
require(g[0, 0] == setOf(2));
printLine("found");`;

test("the rest is finished where there is one solution, and cells of other grids do not count", () => studio("", async (page) => {
    await write(page, ONE);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "Take part");
    await says(page, /^You take part: 0 placed, 2 cells open\.$/);
    await press(page, "Finish the rest");
    await says(page, /^Solved: the rest was found by searching\.$/);
    const cell = (x) => page.getByRole("gridcell", { name: new RegExp(`^${x}, 0: `) });
    await soon.match(() => cell(0).getAttribute("aria-label"), /: 2/);
    await press(page, "Finish the rest");
    await says(page, /^There is no other solution: this is the only one\.$/);
    await soon.match(() => cell(0).getAttribute("aria-label"), /: 2/);
}));

test("a board that is solved stays solved", () => studio("", async (page) => {
    await write(page, ONE);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "Take part");
    await page.getByRole("gridcell", { name: /^0, 0: / }).click();
    await page.getByRole("group", { name: "Cell 0, 0" }).getByRole("button", { name: "2", exact: true }).click();
    await says(page, /^Solved: every cell is decided, and no rule is broken\.$/);
    await press(page, "Take part");
    await says(page, /^Solved: every cell is decided, and no rule is broken\.$/);
    await press(page, "Finish the rest");
    await says(page, /^There is no other solution with what you have placed: this is the only one\.$/);
}));

test("what is run right behind the last key is kept, and so is what is left then", () => studio("", async (page) => {
    const program = () => page.getByRole("textbox", { name: "Program" }).innerText();
    await write(page, "printLine(\"A\");");
    await page.keyboard.press("Control+Enter");
    await outputOf(page).getByText("A", { exact: true }).waitFor();
    await page.reload();
    await page.waitForFunction(() => document.querySelector(".cm-content")?.textContent.includes("printLine(\"A\")"));
    await write(page, "printLine(\"B\");");
    await page.waitForTimeout(100);
    await page.reload();
    await page.waitForFunction(() => document.querySelector(".cm-content")?.textContent.length > 0);
    await soon.match(() => program(), /printLine\("B"\)/);
}));

const LONG = `var g = makeGrid(2, 2, setOf(1, 2));
let n = 0;
while (n < 100000000000) n = n + 1;`;

test("a recording that was left does not come back, and one that goes on can be stopped", () => studio("", async (page) => {
    await write(page, LONG);
    await press(page, "Run");
    await says(page, /^Searching/);
    await press(page, "End");
    await says(page, /^Recording the run/);
    await write(page, "printLine(\"short\");");
    await page.keyboard.press("Control+Enter");
    await outputOf(page).getByText("short").waitFor();
    await page.waitForTimeout(11_000);
    await soon.deepEqual(() => lines(page), ["short"]);
    await says(page, /^Solution 1/);
    await write(page, LONG);
    await press(page, "Run");
    await says(page, /^Searching/);
    await press(page, "End");
    await says(page, /^Recording the run/);
    await page.getByRole("progressbar", { name: "Recording" }).waitFor();
    await press(page, "Stop");
    await says(page, /^What is shown is a moment of the run/);
    await page.getByText(/It was recorded up to here/).waitFor({ timeout: 5000 });
}));

const LATIN = `let g = makeGrid(4, 4, setOf(1, 2, 3, 4));
foreach (n in range(4)) {
    allDifferent(g, map(range(4), m => position(n, m)));
    allDifferent(g, map(range(4), m => position(m, n)));
}
decide(g);`;

test("the time line goes back by keyboard, and along with what is looked at further on", () => studio("", async (page) => {
    await write(page, LATIN);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "End");
    await says(page, /^What is shown is a moment of the run/);
    const slider = page.getByRole("slider", { name: "Moment" });
    const at = async () => Number(await slider.inputValue());
    const end = await at();
    await slider.focus();
    for (let last = end, count = 0; count < 3; count++) {
        await page.keyboard.press("ArrowLeft");
        // What is shown has come back, not the slider alone.
        await page.waitForFunction((last) => {
            const step = document.querySelector("#moment").getAttribute("aria-valuetext").match(/^Step ([\d,]+)/)[1].replaceAll(",", "");
            return Number(step) < last && document.querySelector("#moment").value === step;
        }, last);
        await soon.ok(async () => await at() < last, `${await at()} lies before ${last}`);
        last = await at();
    }
    await press(page, "Take part");
    await page.getByText(/Choose a cell and then/).waitFor();
    await page.getByRole("gridcell", { name: /^0, 0: / }).click();
    await page.getByRole("group", { name: "Cell 0, 0" }).getByRole("button", { name: "1", exact: true }).click();
    await page.getByText("Placed 1 at 0, 0.").waitFor();
    const placed = await at();
    await press(page, "Next choice");
    await page.waitForFunction((placed) => Number(document.querySelector("#moment").value) > placed, placed);
}));

const HANGS = `var g = makeGrid(1, 1, setOf(0, 1));
decide(g);
let n = 0;
if (singletonValue(g[0, 0]) == 1) while (n < 100000000000) n = n + 1;`;

test("what was placed is taken back while the search goes on", () => studio("", async (page) => {
    await write(page, HANGS);
    await press(page, "Run");
    await says(page, /^Searching/);
    await press(page, "End");
    await says(page, /^Recording the run/);
    await press(page, "Stop");
    await says(page, /^What is shown is a moment of the run/);
    await press(page, "Take part");
    await page.getByText(/Choose a cell and then/).waitFor();
    await page.getByRole("gridcell", { name: /^0, 0: / }).click();
    await page.getByRole("group", { name: "Cell 0, 0" }).getByRole("button", { name: "1", exact: true }).click();
    await says(page, /^Every cell is decided\. Looking whether that is a solution/);
    await takeBack(page, "1 at 0, 0");
    await says(page, /^You take part: 0 placed, 1 cell open\.$/);
    await page.waitForTimeout(500);
    await soon.equal(() => page.locator("#picks li").count(), 0);
    await says(page, /^You take part: 0 placed, 1 cell open\.$/);
}));
