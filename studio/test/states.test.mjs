// Axe in what a person can open, on a phone and on a desk, light and dark.
import { describe, test } from "node:test";
import { fromMenu, isAccessible, press, says, shoot, useStudio, write } from "./browser.mjs";

const studio = useStudio();

/** Each state: the address that it begins at, and how one comes to it. */
const STATES = {
    gallery: ["", async (page) => {
        await press(page, "Gallery");
        await page.getByRole("searchbox", { name: "Search" }).fill("mine");
    }],
    sharing: ["", (page) => press(page, "Share")],
    exports: ["", async (page) => {
        await says(page, /^Solution 1/);
        await press(page, "Export");
    }],
    "why a cell is so": ["", async (page) => {
        await says(page, /^Solution 1/);
        await press(page, "Show cells");
        await page.getByRole("gridcell", { name: /^8, 6: / }).click();
        await page.getByText(/^Why is it/).waitFor();
    }],
    "all that lies inside": ["#example=sudoku/sudoku", async (page) => {
        await press(page, "Run");
        await says(page, /^Solution 1/);
        await press(page, "End");
        await page.getByText(/^Step \d/).waitFor();
        await page.evaluate(() => document.querySelectorAll(".more details").forEach((details) => { details.open = true; }));
    }],
    "a game that asks": ["#play&example=games/minesweeper", (page) => says(page, /^The program asks/)],
    "a search without end": ["", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "while (true) {}");
        await press(page, "Run");
        await says(page, /^Searching/);
    }],
    "a search that fails": ["", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "let g = makeGrid(3, 1, setOf(1, 2));\nallDifferent(g);\ndecide(g);");
        await press(page, "Run");
        await says(page, /^No solution/);
    }],
    "a mistake": ["", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "let a = ;");
        await page.getByRole("list", { name: "Mistakes" }).getByRole("listitem").first().waitFor();
    }],
    "a chapter": ["#learn=lesson/1", (page) => page.getByRole("complementary", { name: "Guide" }).getByRole("heading").first().waitFor()],
    "a mistake of the run": ["", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "let a = [1];\nprint(a[`b`]);");
        await press(page, "Run");
        await says(page, /^It stopped at a mistake/);
    }],
    "the end of a game": ["", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "printTilemap(makeGrid(3, 3, \"red\"));\nprintLine(ask(\"Which?\", [\"this\", \"that\"]));");
        await press(page, "Run");
        await press(page, "this");
        await page.getByRole("button", { name: "Play again" }).waitFor();
    }],
    "a puzzle that is solved": ["#example=makers/stars", async (page) => {
        await press(page, "Run");
        await press(page, "Solve it yourself");
        await page.getByText(/^64 places to find/).waitFor();
        for (let hint = 0; hint < 3; hint++) await press(page, "Next hint");
    }],
    "my programs": ["", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "// Mine");
        await fromMenu(page, "File", "New");
        await page.getByText("Your program is kept.").waitFor();
        await fromMenu(page, "File", "My programs");
    }],
    "a new project": ["", async (page) => {
        await says(page, /^Solution 1/);
        await fromMenu(page, "File", "New");
    }],
};

for (const colorScheme of ["light", "dark"]) {
    for (const [width, height] of [[390, 844], [1366, 768]]) {
        describe(`no serious finding of axe: ${colorScheme}, ${width} wide`, () => {
            for (const [name, [address, come]] of Object.entries(STATES)) {
                test(name, () => studio(address, async (page) => {
                    await come(page);
                    await shoot(page, `${name}-${colorScheme}-${width}`);
                    await isAccessible(page);
                }, { colorScheme, viewport: { width, height }, bypassCSP: true }));
            }
        });
    }
}
