// What a level designer meets, who paints, saves, waits for long searches, looks words up and plays.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import ts from "typescript";
import { OF_TOUR } from "../build/exercises.mjs";
import { fromMenu, outputOf, press, says, soon, until, useStudio, write } from "./browser.mjs";

const studio = useStudio();
const editor = (page) => page.getByRole("textbox", { name: "Program" });

describe("a press on the picture", () => {
    test("shows the map, and not a white sheet, also where the program has run before", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        const isSeen = async () => {
            await outputOf(page).getByRole("img").click({ position: { x: 60, y: 60 } });
            await page.getByRole("heading", { name: /^Why/ }).waitFor();
            await page.waitForFunction(() => [...document.querySelectorAll("[role=gridcell] .candidate:not(.gone)")]
                .every((tile) => getComputedStyle(tile).backgroundImage !== "none"));
        };
        await isSeen();
        await press(page, "Run");
        await says(page, /^Solution 1/);
        await isSeen();
    }));
});

test("who goes over cells with a value places each once, and nothing moves meanwhile", () => studio("", async (page) => {
    await says(page, /^Solution 1/);
    await press(page, "Take part");
    await says(page, /^You take part: 0 placed/);
    const button = page.getByRole("button", { name: "Take part" });
    await soon.equal(() => button.getAttribute("aria-pressed"), "true");
    const cell = (x, y) => page.getByRole("gridcell", { name: new RegExp(`^${x}, ${y}: `) });
    await cell(3, 3).click();
    await page.locator(".card select").selectOption("grass");
    const grid = page.getByRole("grid");
    const before = await grid.boundingBox();
    await soon.equal(() => grid.evaluate((grid) => getComputedStyle(grid).userSelect), "none");
    const { x, y, width, height } = await cell(4, 4).boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    for (let at = 0; at < 12; at++) await page.mouse.move(x + width / 2 + at % 4 * width, y + height / 2, { steps: 3 });
    await page.mouse.up();
    // The cell at which the stroke ends hears the click as well.
    await page.getByText("4 placed", { exact: true }).waitFor();
    await says(page, /^You take part: 4 placed/);
    await soon.deepEqual(() => grid.boundingBox(), before);
    await soon.equal(() => page.locator("#picks ul").isVisible(), false);
    await press(page, "Undo");
    await page.getByText("3 placed", { exact: true }).waitFor();
    await press(page, "Back to the run");
    await soon.equal(() => button.getAttribute("aria-pressed"), "false");
}));

test("the buttons for hints stay where they are, and what solves a puzzle away can be undone", () => studio("", async (page) => {
    await press(page, "Gallery");
    await page.getByRole("dialog").getByRole("button", { name: "Sudoku", exact: true }).click();
    await page.getByText(/places to find/).waitFor();
    const hint = page.getByRole("button", { name: "Next hint" });
    const place = await hint.boundingBox();
    await page.locator(".puzzle-number").first().waitFor();
    for (let at = 0; at < 4; at++) {
        await hint.click();
        await soon.deepEqual(() => hint.boundingBox(), place);
    }
    await press(page, "Why");
    await soon.deepEqual(() => hint.boundingBox(), place);
    const steps = page.locator(".solve-steps li");
    await soon.equal(() => steps.count(), 1);
    await soon.equal(() => steps.first().evaluate((step) => step.value), 0);
    await press(page, "Begin anew");
    await soon.equal(() => steps.count(), 0);
    await press(page, "Undo");
    await soon.equal(() => steps.count(), 1);
    await press(page, "Solve it for me");
    await until(async () => await steps.count() > 1, "it is solved on");
    await press(page, "Undo");
    await soon.equal(() => steps.count(), 1);
    await page.getByRole("button", { name: "Solve it for me" }).waitFor();
}));

test("who opens a lesson in a game has the program beside it", () => studio("#play&example=games/minesweeper", async (page) => {
    await says(page, /^The program asks/);
    await soon.equal(() => editor(page).isVisible(), false);
    await press(page, "Learn");
    await editor(page).waitFor();
    await page.getByRole("button", { name: "Hide the code" }).click();
    await press(page, "Open this program");
    await editor(page).waitFor();
}));

test("who hides the code has the time line still, and all of the page also beside a chapter; a game has no time line", () => studio("", async (page) => {
    await says(page, /^Solution 1/);
    const line = page.getByRole("slider", { name: "Moment" });
    await press(page, "Learn");
    await page.getByRole("combobox", { name: "Chapter" }).waitFor();
    await press(page, "Hide the code");
    const fills = async () => {
        for (const width of [1280, 1600]) {
            await page.setViewportSize({ width, height: 720 });
            await soon.equal(() => editor(page).isVisible(), false);
            await line.waitFor();
            await page.getByRole("button", { name: "Play", exact: true }).waitFor();
            const { x, width: wide } = await page.locator("#running").boundingBox();
            assert.ok(x + wide > width - 300, `at ${width} it reaches ${x + wide}`);
        }
    };
    await fills();
    await page.reload();
    await page.getByRole("combobox", { name: "Chapter" }).waitFor();
    await fills();
    await press(page, "Close the guide");
    await fills();
    await press(page, "Games and puzzles");
    await page.getByRole("dialog").getByRole("button", { name: "Minesweeper" }).first().click();
    await page.locator("body.playing").waitFor();
    await soon.equal(() => line.isVisible(), false);
}));

test("who begins a new program in a game can write, and a new line stands as deep as it should", () => studio("#play&example=games/minesweeper", async (page) => {
    await page.locator("body.folded").waitFor();
    await fromMenu(page, "File", "New");
    await page.locator("body:not(.folded)").waitFor();
    await editor(page).click();
    await page.keyboard.type("if (true) {\nprint(1);\nprint(2);");
    await soon.equal(() => editor(page).innerText(), "if (true) {\n    print(1);\n    print(2);\n}");
}));

test("the dungeon puzzle is a game: its rules are told, nothing is marked by itself, and who has won is told so", () => studio("", async (page) => {
    await press(page, "Gallery");
    await press(page, "Play Dungeon puzzle");
    await says(page, /^The program asks/);
    await outputOf(page).getByText(/^Every cell is wall or floor/).waitFor();
    await soon.doesNotMatch(() => outputOf(page).innerText(), /column 1: #/);
    const automatic = page.getByRole("checkbox", { name: "automatic" });
    await soon.equal(() => automatic.isVisible(), false);
    await page.getByText("Parameters", { exact: true }).first().click();
    await soon.equal(() => automatic.isChecked(), false);
    await automatic.check();
    await says(page, /^The program asks/);
    await page.getByRole("textbox", { name: /^Your marks/ }).fill("# 1 2, x 1 4-5");
    await press(page, "Answer");
    await says(page, /^The end/);
    await page.locator("#ended").getByText("You have won! Solved: all rules are kept.").waitFor();
}));

describe("a run that does not end", () => {
    test("says what can be done about it when it is stopped", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, readFileSync(new URL("endless.nds", import.meta.url), "utf8"));
        await press(page, "Run");
        await page.getByText(/Stop says where it fails/).waitFor();
        await press(page, "Stop");
        await page.getByText(/^Often another seed is quicker/).first().waitFor();
        await page.getByRole("button", { name: "Try another seed" }).first().waitFor();
        await page.getByRole("button", { name: "Where it fails most" }).first().click();
        await page.locator("[data-failures]").first().waitFor();
        await soon.ok(() => page.getByRole("checkbox", { name: "Heat map" }).isChecked());
    }));

    test("says where it fails also at a moment of a program without a grid", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "var seats = [];\nforeach (i in range(0, 12)) {\n    var c = chooseElement(range(0, 11));\n    if (contains(c, seats)) fail(\"taken\");\n    push(seats, c);\n}\n");
        await press(page, "Run");
        await page.getByText(/Stop says where it fails/).waitFor();
        await press(page, "Stop");
        await page.getByRole("button", { name: "Where it fails most" }).first().click();
        await page.getByText("There is no grid in a variable of the program.").waitFor();
        await page.getByRole("region", { name: /^It is not done yet/ }).getByText("Line 4").waitFor();
    }));

    test("and makes no guess says so, with its line", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "var n = 0;\nwhile (true) {\n    n += 1;\n}\n");
        await press(page, "Run");
        await page.getByText(/It has made no guess so far: if it stands in a loop/).waitFor();
        await press(page, "Stop");
        await page.getByText(/It has made no guess so far; it is in line [23]/).waitFor();
    }));
});

describe("nothing is left of what was there before", () => {
    test("no choice of grids, and no place for words", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "var a = makeGrid(3, 3, setOf(1, 2));\nvar b = makeGrid(3, 3, setOf(1, 2));\nexactly(a, 4, 1);\nexactly(a, 5, 1);\ndecide(a);");
        await press(page, "Run");
        await says(page, /^No solution/);
        await page.getByRole("gridcell").first().waitFor();
        await page.getByRole("combobox", { name: "Grid to show" }).waitFor();
        await write(page, "while (true) {}");
        await press(page, "Run");
        await page.getByText(/^It is still running/).waitFor();
        await soon.equal(() => page.getByRole("combobox", { name: "Grid to show" }).isVisible(), false);
        await soon.equal(() => page.locator("#stage").evaluate((stage) => stage.classList.contains("with-notes")), false);
        await soon.equal(() => page.locator("#cells").isVisible(), false);
    }));

    test("no word of an empty program where one is written", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await fromMenu(page, "File", "New");
        await page.getByText("An empty program").waitFor();
        await write(page, "print(1);");
        await page.getByText("An empty program").waitFor({ state: "hidden" });
        await page.getByRole("button", { name: "Run this program" }).waitFor();
    }));

    test("no outlines of a reason whose card is closed", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await outputOf(page).getByRole("img").click({ position: { x: 200, y: 200 } });
        await page.locator(".card h3").waitFor();
        await until(async () => await page.locator(".reason, [aria-selected=true]").count() > 0, "cells are marked");
        await page.locator(".motto").click();
        await soon.equal(() => page.locator("[role=gridcell].reason, [role=gridcell][aria-selected=true]").count(), 0);
        await soon.equal(() => page.locator(".arrows line").count(), 0);
    }));
});

describe("what a word is for", () => {
    test("stands below the program, once, and covers nothing of it", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "printTilesetMap");
        await page.keyboard.press("Escape");
        await page.keyboard.press("F1");
        const box = page.locator(".word-box");
        await box.getByText(/^printTilesetMap\(/).first().waitFor();
        const [own, program] = [await box.boundingBox(), await page.locator("#editor").boundingBox()];
        assert.ok(own.y >= program.y + program.height, "it is below the program");
        await page.keyboard.press("Control+End");
        await page.keyboard.insertText("\nprintTil");
        await page.keyboard.press("Control+Space");
        await page.getByRole("option", { name: /printTilemap/ }).waitFor();
        await box.getByText(/^printTile/).first().waitFor();
        await page.keyboard.press("F1");
        await page.waitForTimeout(300);
        await soon.equal(() => page.locator(".doc").count(), await box.locator(".doc").count());
        await page.keyboard.press("Escape");
        await box.waitFor({ state: "hidden" });
        await write(page, "printTilesetMap");
        await page.keyboard.press("Escape");
        await page.keyboard.press("F1");
        await box.waitFor();
        await soon.doesNotMatch(() => box.innerText(), /`/);
    }));

    test("is a press away in a lesson", () => studio("#learn=tour/1", async (page) => {
        const guide = page.getByRole("complementary", { name: "Guide" });
        await guide.getByRole("combobox", { name: "Chapter" }).selectOption({ label: "Constraints (exercise)" });
        await soon.doesNotMatch(() => guide.innerText(), /ndscript doc/);
        await guide.getByRole("button", { name: "adjacent", exact: true }).first().click();
        await guide.locator(".doc").getByText(/^adjacent\(/).first().waitFor();
        await guide.getByRole("button", { name: "adjacent", exact: true }).first().click();
        await soon.equal(() => guide.locator(".doc").count(), 0);
    }));

    test("can be looked through and searched, with the tiles that are there", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await press(page, "All words");
        const reference = page.getByRole("dialog", { name: "Reference" });
        await reference.getByRole("listitem").filter({ hasText: "mountain" }).getByRole("img").or(reference.locator("li", { hasText: "mountain" }).locator("img")).first().waitFor();
        await reference.getByRole("heading", { name: "choose", exact: true }).waitFor();
        await soon.ok(async () => await reference.getByRole("article").count() > 150);
        await reference.getByRole("searchbox", { name: "Search" }).fill("shortest way");
        await reference.getByRole("heading", { name: "shortestPath", exact: true }).waitFor();
        await soon.ok(async () => await reference.locator("article:not([hidden])").count() < 20);
        // What is called just so stands first.
        await reference.getByRole("searchbox", { name: "Search" }).fill("print");
        await soon.equal(() => reference.locator("article:not([hidden]) h4").first().textContent(), "print");
        await reference.getByRole("searchbox", { name: "Search" }).fill("zebra qqq");
        await reference.getByText("Nothing has these words.").waitFor();
    }));
});

test("a rule that counts has no arrow from each of its cells", async () => {
    const source = readFileSync(new URL("../src/moments/why.ts", import.meta.url), "utf8");
    const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } });
    const { arrows } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);
    const link = (x, from) => ({ place: `g[${x}, 0]`, cell: { x, y: 0 }, from });
    const chain = (length) => ({ links: [link(0, Array.from({ length }, (_, at) => at + 1)), ...Array.from({ length }, (_, at) => link(at + 1, []))] });
    assert.equal(arrows(chain(3), "g", { x: 0, y: 0 }).length, 3);
    assert.equal(arrows(chain(40), "g", { x: 0, y: 0 }).length, 0);
});

test("why names the grid that it speaks of, where the program has another", () => studio("", async (page) => {
    await says(page, /^Solution 1/);
    await write(page, `var plan = makeGrid(6, 6, setOf("grass", "sea"));
decide(plan);
var island = mapGrid(plan, cell => "road");
printTilesetMap(island);`);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await page.getByRole("img", { name: /road/ }).click({ position: { x: 60, y: 60 } });
    await page.getByRole("heading", { name: /^Why is it (grass|sea) in plan\?$/ }).waitFor();
}));

test("a puzzle that cannot be solved here names one that can", () => studio("", async (page) => {
    await press(page, "Gallery");
    await page.getByRole("dialog").getByRole("button", { name: "Sudoku, the solver written out" }).click();
    await says(page, /^Solution 1/);
    await press(page, "Solve it yourself");
    await press(page, "Solve a sudoku instead");
    await page.getByText(/places to find/).waitFor();
}));

test("a solved exercise gives way to the next chapter, and programs run as one types beside chapters alone", () => studio("", async (page) => {
    await says(page, /^Solution 1/);
    await press(page, "Learn");
    await press(page, "Try it");
    await write(page, OF_TOUR.Guessing.text.replace(OF_TOUR.Guessing.hole, OF_TOUR.Guessing.answer));
    await page.getByText("The exercise is solved.").waitFor();
    await press(page, "Next ▶");
    await until(async () => !/testThereIsADessert/.test(await editor(page).innerText()), "the next program is there");
    const live = page.getByRole("checkbox", { name: "Run as I type" });
    await soon.ok(() => live.isChecked());
    await fromMenu(page, "File", "New");
    await soon.equal(() => live.isChecked(), false);
}));

test("the gallery has a way to each of its groups", () => studio("", async (page) => {
    await press(page, "Gallery");
    const gallery = page.getByRole("dialog", { name: "Gallery" });
    await gallery.getByRole("button", { name: "Simulations", exact: true }).click();
    await until(async () => {
        const { y } = await gallery.getByRole("heading", { name: "Simulations", exact: true }).boundingBox();
        return y < 600;
    }, "the group is in sight");
}));

test("words of two lines leave the picture as large as it is", () => studio("", async (page) => {
    await says(page, /^Solution 1/);
    await write(page, "var map = makeGrid(16, 16, setOf(\"sand\"));\nprintTilesetMap(map);");
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await page.waitForTimeout(500);
    const height = () => page.locator("#stage").evaluate((stage) => stage.getBoundingClientRect().height);
    const before = await height();
    await page.locator("#standing").evaluate((line) => { line.textContent = "words ".repeat(30); });
    await soon.equal(() => height(), before);
}));

test("on a phone a lesson has the page, with its program before the stage, and gives way to the gallery", () => studio("#learn=tour/1", async (page) => {
    const guide = page.getByRole("complementary", { name: "Guide" });
    await guide.waitFor();
    await says(page, /Solution 1|Press Run/);
    const chapter = page.locator(".chapter");
    await chapter.locator("h2").waitFor();
    await soon.ok(() => chapter.evaluate((text) => text.scrollHeight <= text.clientHeight + 1), "it is not scrolled by itself");
    await page.waitForTimeout(500);
    await soon.equal(() => page.evaluate(() => scrollY), 0, "what is read stays in sight");
    const top = (id) => page.locator(id).evaluate((part) => part.getBoundingClientRect().top);
    await soon.ok(async () => await top("#writing") < await top("#running"));
    await press(page, "Gallery");
    await page.getByRole("dialog").getByRole("button", { name: "Eight queens" }).click();
    await says(page, /^Solution 1/);
    await soon.equal(() => guide.isVisible(), false);
}, { viewport: { width: 390, height: 844 } }));

test("a film ends with what was printed, also where that was made of another grid", () => studio("", async (page) => {
    await says(page, /^Solution 1/);
    await write(page, `var plan = makeGrid(5, 4, setOf("sea", "sand"));
decide(plan);
var island = mapGrid(plan, cell => "red");
island[4, 3] = "blue";
printTilesetMap(island);`);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "Export");
    const film = page.waitForEvent("download");
    await press(page, "Save film (GIF)");
    const bytes = readFileSync(await (await film).path());
    const last = await page.evaluate(async (bytes) => {
        const decoder = new ImageDecoder({ data: new Uint8Array(bytes), type: "image/gif" });
        await decoder.tracks.ready;
        await decoder.completed;
        const { image } = await decoder.decode({ frameIndex: decoder.tracks.selectedTrack.frameCount - 1 });
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        const count = (red, green, blue) => Array.from({ length: data.length / 4 }, (_, at) => at)
            .filter((at) => data[4 * at] === red && data[4 * at + 1] === green && data[4 * at + 2] === blue).length;
        return { red: count(255, 0, 0), blue: count(0, 0, 255) };
    }, [...bytes]);
    assert.ok(last.blue > 0);
    assert.equal(last.red, 19 * last.blue, "nineteen cells are red and one is blue");
}));

test("on a phone the board of a game is as wide as the page", () => studio("#play&example=games/minesweeper", async (page) => {
    await says(page, /^The program asks/);
    const { width } = await outputOf(page).getByRole("img").boundingBox();
    assert.ok(width > 320, `${width} pixels wide`);
}, { viewport: { width: 390, height: 844 } }));

test("a finger that is held on a cell of a game means something else than a tap, also where the phone does not tell", () => studio("#play&example=games/minesweeper", async (page) => {
    await says(page, /^The program asks/);
    const { x, y, width, height } = await outputOf(page).getByRole("img").first().boundingBox();
    await outputOf(page).getByRole("img").first().click({ position: { x: 0.95 * width, y: 0.95 * height } });
    await outputOf(page).getByText(/^(?!81)\d+ cells are closed/).first().waitFor();
    const at = { clientX: x + 0.15 * width, clientY: y + 0.15 * height, pointerType: "touch", isPrimary: true, bubbles: true };
    await page.locator(".picture img").first().dispatchEvent("pointerdown", at);
    await outputOf(page).getByText(/Flags: a1/).first().waitFor();
    // The picture is another one by now: the finger leaves that.
    await says(page, /^The program asks/);
    for (const end of ["pointerup", "click"]) await page.locator(".picture img").first().dispatchEvent(end, at);
    await page.locator(".picture img").first().dispatchEvent("pointerdown", { ...at, clientX: x + 0.25 * width });
    await outputOf(page).getByText(/Flags: .*b1/).first().waitFor();
    await soon.match(async () => (await outputOf(page).getByText(/Flags: .*b1/).first().textContent()), /a1/, "the first flag is still there");
}, { viewport: { width: 390, height: 844 } }));
