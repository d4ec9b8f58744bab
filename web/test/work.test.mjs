// What a person has written is not lost, nor is their place when they work with the keyboard; what is shown of a program that has changed is said.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { keeps, outputOf, press, says, studioFile, until, useStudio, write } from "./browser.mjs";

const studio = useStudio();
const editor = (page) => page.getByRole("textbox", { name: "Program" });

describe("what is written is kept", () => {
    for (const [where, address] of [["the site", ""], ["the file on disk", studioFile]]) {
        test(`also where it runs right after typing: ${where}`, () => studio(address, async (page) => {
            await says(page, /^Solution 1/);
            for (const word of ["first", "second"]) {
                await write(page, `printLine("${word}");`);
                await page.keyboard.press("Control+Enter");
                await outputOf(page).getByText(word).waitFor();
                await page.waitForTimeout(600);
                await page.reload();
                await editor(page).getByText(word).waitFor({ timeout: 5000 });
            }
        }));
    }

    test("before the person pauses", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "// begun");
        for (let time = 0; time < 30; time++) {
            await page.keyboard.type("x");
            await page.waitForTimeout(100);
        }
        const kept = await page.evaluate(() => localStorage.getItem("ndscript-studio:work"));
        assert.ok(kept, "it is kept while they type");
    }));

    test("at once where the page is left or hidden", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "printLine(\"left at once\");");
        await page.reload();
        await editor(page).getByText("left at once").waitFor({ timeout: 5000 });
        await write(page, "printLine(\"hidden at once\");");
        const kept = await page.evaluate(() => {
            Object.defineProperty(document, "visibilityState", { value: "hidden" });
            document.dispatchEvent(new Event("visibilitychange"));
            return localStorage.getItem("ndscript-studio:work");
        });
        assert.match(kept, /hidden at once/);
        await keeps(page, "hidden at once");
    }));
});

const focused = (page) => page.evaluate(() => {
    const it = document.activeElement;
    return it === document.body ? "nothing" : it.getAttribute("aria-label") ?? it.textContent;
});
const isAt = (page, name) => until(async () => await focused(page) === name, `the keyboard is at ${name}`);

async function addFile(page, name, text = "") {
    await press(page, "New file");
    await page.getByRole("textbox", { name: "Name of the new file" }).fill(name);
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name, selected: true }).waitFor();
    await page.keyboard.insertText(text);
}

describe("the keyboard keeps its place", () => {
    test("where a file is made, renamed, run and removed", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await addFile(page, "b.nds");
        await isAt(page, "Program");
        await page.getByRole("button", { name: "Rename" }).focus();
        await page.keyboard.press("Enter");
        await page.keyboard.type("c");
        await page.keyboard.press("Enter");
        await page.getByRole("tab", { name: "c.nds", selected: true }).waitFor();
        await isAt(page, "Rename");
        await page.keyboard.press("Enter");
        await page.keyboard.press("Escape");
        await isAt(page, "Rename");
        await page.getByRole("button", { name: "Run c.nds" }).focus();
        await page.keyboard.press("Enter");
        await isAt(page, "▶ c.nds");
        await page.getByRole("tab", { name: "map.nds" }).click();
        await page.getByRole("button", { name: "Remove map.nds" }).focus();
        await page.keyboard.press("Enter");
        await isAt(page, "c.nds");
    }));

    test("where what was placed is taken back", () => studio("", async (page) => {
        await write(page, "let g = makeGrid(4, 1, setOf(1, 2, 3));\nadjacent(g, (a, b) => a != b);\ndecide(g);\nprintLine(g);");
        await press(page, "Run");
        await says(page, /^Solution 1/);
        await press(page, "See");
        await says(page, /^What is shown is a recorded run/);
        await press(page, "Take part");
        await says(page, /^You take part/);
        for (const [x, value] of [[0, "1"], [2, "1"]]) {
            await page.getByRole("gridcell", { name: new RegExp(`^${x}, 0: `) }).click();
            await page.getByRole("group", { name: `Cell ${x}, 0` }).getByRole("button", { name: value, exact: true }).click();
            await page.getByText(`Placed ${value} at ${x}, 0.`).waitFor();
        }
        const placed = page.getByRole("list", { name: "What you have placed" });
        await placed.getByRole("button").first().focus();
        await page.keyboard.press("Enter");
        await says(page, /^You take part: 1 placed/);
        await isAt(page, "Take back 1 at 2, 0");
        await page.keyboard.press("Enter");
        await says(page, /^You take part: 0 placed/);
        await until(async () => /^\d, 0: /.test(await focused(page)), "the keyboard is at the board");
    }));
});

test("a file that was removed comes back as it was", () => studio("", async (page) => {
    await says(page, /^Solution 1/);
    await addFile(page, "b.nds", "printLine(\"not lost\");");
    await press(page, "Remove b.nds");
    await page.getByRole("tab", { name: "b.nds" }).waitFor({ state: "detached" });
    await page.getByText("Removed b.nds.").waitFor();
    await press(page, "Bring b.nds back");
    await page.getByRole("tab", { name: "b.nds", selected: true }).waitFor();
    await editor(page).getByText("not lost").waitFor();
    await keeps(page, "not lost");
    // What has its name now is not replaced.
    await press(page, "Remove b.nds");
    await addFile(page, "b.nds", "printLine(\"another\");");
    assert.equal(await page.getByText("Removed b.nds.").count(), 0);
}));
