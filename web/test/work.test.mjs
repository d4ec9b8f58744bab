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
