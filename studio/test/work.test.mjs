// What a person has written is not lost, nor is their place when they work with the keyboard; what is shown of a program that has changed is said.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { keeps, outputOf, press, says, soon, studioFile, until, useStudio, write } from "./browser.mjs";

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

    test("also where another program has just taken its place", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "printLine(\"put aside\");");
        await page.evaluate(() => {
            document.querySelector("#new-project").click();
            location.reload();
        });
        await page.getByRole("tab", { name: "program.nds" }).waitFor();
        await press(page, "Gallery");
        await page.getByRole("region", { name: "My programs" }).getByRole("button", { name: /^map.nds, / }).click();
        await editor(page).getByText("put aside").waitFor();
    }));
});

const focused = (page) => page.evaluate(() => {
    const it = document.activeElement;
    return it === document.body ? "nothing" : it.getAttribute("aria-label") ?? it.textContent;
});
const isAt = (page, name) => until(async () => await focused(page) === name, `the keyboard is at ${name}`);

async function addFile(page, name, text = "") {
    await press(page, "Add a file to this program");
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
        await press(page, "Take part");
        await says(page, /^You take part/);
        for (const [x, value] of [[0, "1"], [2, "1"]]) {
            await page.getByRole("gridcell", { name: new RegExp(`^${x}, 0: `) }).click();
            await page.getByRole("group", { name: `Cell ${x}, 0` }).getByRole("button", { name: value, exact: true }).click();
            await page.getByText(`Placed ${value} at ${x}, 0.`).waitFor();
        }
        await page.getByText("2 placed", { exact: true }).click();
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
    await soon.equal(() => page.getByText("Removed b.nds.").count(), 0);
}));

describe("a run of a program that has changed says so", () => {
    const CHANGED = /The program has changed since: this is of the program before\. Run it again\.$/;
    const TWO = "let x = choose(1, 2);\nprintLine(\"x is \", x);";
    const silent = async (page) => assert.doesNotMatch(await page.locator("#standing").innerText(), CHANGED);

    test("where it goes on to the next solution", () => studio("", async (page) => {
        await write(page, TWO);
        await press(page, "Run");
        await says(page, /^Solution 1 after \d+ steps, 0 failures\.$/);
        await silent(page);
        await editor(page).click();
        await page.keyboard.insertText("// new\n");
        await says(page, CHANGED);
        await page.keyboard.press("Control+z");
        await until(async () => !CHANGED.test(await page.locator("#standing").innerText()), "what is as it was is not said");
        await page.keyboard.insertText("// new\n");
        await press(page, "Next solution");
        await says(page, /^Solution 2 .* The program has changed/);
        await press(page, "Run");
        await says(page, /^Solution 1 after \d+ steps, 0 failures\.$/);
        await silent(page);
    }));

    test("where it was stopped, and a file was removed or another one runs", () => studio("", async (page) => {
        await write(page, "let i = 0;\nwhile (true) i += 1;");
        await addFile(page, "b.nds", "var seven = 7;");
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await says(page, /^Searching/);
        await press(page, "Stop");
        await says(page, /^Stopped/);
        await silent(page);
        await press(page, "Remove b.nds");
        await says(page, CHANGED);
        await press(page, "Continue");
        await says(page, /^Searching: .* The program has changed/);
        await press(page, "Bring b.nds back");
        await until(async () => !CHANGED.test(await page.locator("#standing").innerText()), "what is as it was is not said");
        await press(page, "Run b.nds");
        await says(page, CHANGED);
        await press(page, "Stop");
        await says(page, /^Stopped .* The program has changed/);
    }));

    test("where it asks", () => studio("", async (page) => {
        await write(page, "let a = ask(\"Which?\", [\"red\", \"blue\"]);\nlet b = ask(\"Now?\", [\"yes\", \"no\"]);\nprintLine(a, b);");
        await press(page, "Run");
        await page.getByRole("toolbar", { name: "Which?" }).waitFor();
        await editor(page).click();
        await page.keyboard.insertText("// new\n");
        await says(page, /^The program asks\. The program has changed/);
        await press(page, "red");
        await page.getByRole("toolbar", { name: "Now?" }).waitFor();
        await says(page, CHANGED);
        await press(page, "yes");
        await says(page, /^The end\. The program has changed/);
    }));
});

describe("the seed", () => {
    const seed = (page) => page.getByRole("spinbutton", { name: "Seed" });
    const odd = (page) => page.getByText("A seed is a whole number from 0 to 9,007,199,254,740,991. The seed is 42 as before.");

    test("stays as it was where what is written is none", () => studio("", async (page) => {
        await write(page, "printLine(\"got \", randomInt(1, 1000000));");
        await seed(page).fill("42");
        await seed(page).press("Enter");
        await outputOf(page).getByText(/got \d+/).waitFor();
        const shown = await outputOf(page).innerText();
        for (const key of ["Enter", "Tab"]) {
            for (const wrong of ["-5", "3.5", "1e30", "18446744073709551616", "9007199254740993", "", "e"]) {
                await seed(page).focus();
                await page.keyboard.press("Control+a");
                await page.keyboard.press("Delete");
                await page.keyboard.type(wrong);
                await soon.ok(async () => !wrong || !await odd(page).isVisible(), "it is not said any more once one writes");
                await page.keyboard.press(key);
                await odd(page).waitFor({ timeout: 5000 });
                await soon.equal(() => seed(page).inputValue(), "42", `${wrong} and ${key}`);
            }
        }
        await press(page, "Run");
        await until(async () => await outputOf(page).innerText() === shown, "it is seed 42");
        await seed(page).fill("7");
        await seed(page).press("Enter");
        await odd(page).waitFor({ state: "hidden" });
        await until(async () => /got/.test(await outputOf(page).innerText()) && await outputOf(page).innerText() !== shown, "seed 7 gives another number");
    }));

    test("may change while one takes part, and the click that leaves the field counts", () => studio("", async (page) => {
        await write(page, "let g = makeGrid(4, 1, setOf(1, 2, 3));\nadjacent(g, (a, b) => a != b);\ndecide(g);\nprintLine(g);");
        await press(page, "Run");
        await says(page, /^Solution 1/);
        await press(page, "Take part");
        await says(page, /^You take part/);
        await page.getByRole("gridcell", { name: /^0, 0: / }).click();
        await page.getByRole("group", { name: "Cell 0, 0" }).getByRole("button", { name: "3", exact: true }).click();
        await page.getByText("Placed 3 at 0, 0.").waitFor();
        await seed(page).fill("99");
        await press(page, "Finish the rest");
        await says(page, /^Solved with what you have placed: .* The seed has changed since: this is of the seed before\. Run it again\.$/);
        await soon.match(() => page.getByRole("gridcell", { name: /^0, 0: / }).getAttribute("aria-label"), /: 3/);
        await soon.equal(() => seed(page).inputValue(), "99");
    }));
});

test("a name that would lie elsewhere, or is none, is refused with the reason", () => studio("", async (page) => {
    await says(page, /^Solution 1/);
    await press(page, "Add a file to this program");
    const field = page.getByRole("textbox", { name: "Name of the new file" });
    for (const [name, why] of [
        ["../x.nds", "A path goes down into folders only."], ["./map.nds", "A path goes down into folders only."], ["a/./b.nds", "A path goes down into folders only."],
        ["a\\b.nds", "Folders are written with /, as in parts/walls.nds."], [".nds", "Give it a name before the .nds."], ["parts/.nds", "Give it a name before the .nds."],
        [`${"a".repeat(300)}.nds`, "A name has at most 200 characters."], [" ", "Give it a name."],
    ]) {
        await field.fill(name);
        await page.keyboard.press("Enter");
        await page.getByRole("alert").getByText(why, { exact: true }).waitFor({ timeout: 5000 });
    }
    await field.fill("parts/walls.nds");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "parts/walls.nds", selected: true }).waitFor();
    await soon.equal(() => page.getByRole("tab").count(), 2);
}));
