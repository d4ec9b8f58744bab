// What the page says is of what there is in the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { press, says, soon, useStudio, write } from "./browser.mjs";

const studio = useStudio();

async function takePart(page) {
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "Take part");
}

const placing = (body) => `let g = makeGrid(2, 1, setOf(1, 2));
function place(grid, position, value) { ${body} }
decide(g);
printLine(g);`;

async function place(page, body) {
    await write(page, placing(body));
    await takePart(page);
    await page.getByRole("gridcell", { name: /^0, 0: / }).click();
    await page.getByRole("group", { name: "Cell 0, 0" }).getByRole("button", { name: "2", exact: true }).click();
    const words = page.locator("#moment-words", { hasText: /^2 cannot be at 0, 0: / });
    await words.waitFor();
    return words.innerText();
}

test("a limit that was reached says nothing of hosts and commands", () => studio("", async (page) => {
    assert.match(await place(page, "while (true) {}"), /the run reached its limit of [\d,]*,\d{3} steps\.$/);
}));

test("a question is said with one mark", () => studio("", async (page) => {
    assert.match(await place(page, "ask(\"which?\", [\"a\", \"b\"]);"), /which\?$/);
}));

test("who takes part where nothing is open is told so", () => studio("#example=nonogram/nonogram", async (page) => {
    const words = "All cells are decided by the rules already: there is nothing to place.";
    await press(page, "Run");
    // The puzzle is there before its solution is seen.
    await page.locator(".puzzle-cell").first().waitFor();
    await press(page, "Solve it yourself");
    await press(page, "Show the code");
    await press(page, "Take part");
    await says(page, words);
    await page.locator("#moment-words", { hasText: words }).waitFor();
}));

for (const [what, fragment, text] of [["a program without a grid", "", "printLine(choose(1, 2));"], ["the gallery's zebra", "#example=zebra/zebra", undefined]]) {
    test(`${what} is offered nothing for cells, and one with a grid is`, () => studio(fragment, async (page) => {
        if (text) await write(page, text);
        await press(page, "Run");
        const parts = page.getByRole("group", { name: "Cells" }).getByRole("button");
        await says(page, /^Solution 1/);
        await page.getByRole("button", { name: "Take part" }).waitFor({ state: "hidden" });
        await soon.equal(() => parts.count(), 0);
        await write(page, placing("return narrow(grid, position, value);"));
        await takePart(page);
        await page.getByRole("gridcell", { name: /^0, 0: / }).waitFor();
    }));
}
