// What somebody meets who has never seen the page: their work is never lost, there is always a way home, and what they see says what to do.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { load } from "ndscript";
import { OF_LESSON, OF_TOUR } from "../build/exercises.mjs";
import { fromMenu, keeps, outputOf, picturesOf, press, says, soon, until, useStudio, write } from "./browser.mjs";

const studio = useStudio();
const editor = (page) => page.getByRole("textbox", { name: "Program" });
const MINE = "// My own map\nprintLine(\"mine\");";

describe("one's own work", () => {
    for (const [by, replace] of [
        ["a program of the gallery", async (page) => {
            await press(page, "Gallery");
            await page.getByRole("dialog").getByRole("button", { name: "Eight queens" }).click();
        }],
        ["New", (page) => fromMenu(page, "File", "New")],
        ["the start page", (page) => page.getByRole("link", { name: "NDScript" }).click()],
        ["a program of a chapter", async (page) => {
            await press(page, "Learn");
            await press(page, "Open this program");
        }],
    ]) test(`is kept where it gives way to ${by}, which is said, and comes back`, () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, MINE);
        await replace(page);
        await page.getByText("Your program is kept.").waitFor();
        await until(async () => !/My own map/.test(await editor(page).innerText()), "the other one is there");
        await press(page, "Back to it");
        await editor(page).getByText("My own map").waitFor();
        await soon.equal(() => page.getByText("Your program is kept.").isVisible(), false);
    }));

    test("has a place for what is said of it that covers nothing; where there is none, it goes by itself", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, MINE);
        await press(page, "Learn");
        await press(page, "Open this program");
        const note = page.locator("#kept");
        await note.waitFor();
        for (const width of [1600, 1280, 1100, 900]) {
            await page.setViewportSize({ width, height: 720 });
            const [own, head, nav] = await Promise.all([note, page.locator("body > header"), page.getByRole("navigation")].map((part) => part.boundingBox()));
            assert.ok(own.y >= head.y && own.y + own.height <= head.y + head.height, `it stands in the head at ${width}`);
            assert.ok(own.x + own.width <= nav.x || own.y >= nav.y + nav.height, `it covers no button at ${width}`);
        }
        await page.setViewportSize({ width: 390, height: 844 });
        await write(page, MINE);
        await fromMenu(page, "File", "New");
        await note.waitFor();
        await note.waitFor({ state: "hidden" });
    }));

    test("is listed under File with what it says first; what nobody has changed is not", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await fromMenu(page, "File", "My programs");
        await page.getByText(/^Nothing is here yet/).waitFor();
        await page.keyboard.press("Escape");
        await fromMenu(page, "File", "New");
        await write(page, MINE);
        await fromMenu(page, "File", "New");
        await fromMenu(page, "File", "My programs");
        const list = page.getByRole("dialog").getByRole("listitem");
        await soon.equal(() => list.count(), 1);
        await list.getByText("My own map").click();
        await editor(page).getByText("mine").waitFor();
    }));

    test("runs when one comes back, but not what came by a link and was never run", () => studio("", async (page, context) => {
        await says(page, /^Solution 1/);
        await write(page, MINE);
        await press(page, "Run");
        await keeps(page, "My own map");
        const address = page.url();
        const again = await context.newPage();
        await again.goto(address);
        await outputOf(again).getByText("mine").waitFor();
        const linked = await context.newPage();
        await linked.goto(`${address}#example=queens/queens`);
        await says(linked, /^Press Run/);
        await editor(linked).click();
        await linked.keyboard.insertText("// changed\n");
        await keeps(linked, "// changed");
        const later = await context.newPage();
        await later.goto(address);
        await editor(later).getByText("// changed").waitFor();
        await says(later, /^Press Run/);
        await press(later, "Run this program");
        await says(later, /^Solution 1/);
    }));
});

test("the mark leads to the first program, as it was", () => studio("#example=queens/queens", async (page) => {
    await says(page, /^Press Run/);
    await page.getByRole("link", { name: "NDScript" }).click();
    await says(page, /^Solution 1/);
    await editor(page).getByText("A map of sand, grass and sea").waitFor();
    await editor(page).click();
    await page.keyboard.insertText("// changed\n");
    await page.getByRole("link", { name: "NDScript" }).click();
    await says(page, /^Solution 1/);
    await soon.doesNotMatch(() => editor(page).innerText(), /changed/);
    await page.reload();
    await editor(page).getByText("A map of sand").waitFor();
}));

describe("the stage says what one can do", () => {
    test("with an empty program", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await fromMenu(page, "File", "New");
        await page.getByText("An empty program").waitFor();
        await page.reload();
        await press(page, "The first map");
        await says(page, /^Solution 1/);
        await soon.equal(() => page.getByText("An empty program").isVisible(), false);
    }));

    test("where a program runs and runs, and when it was stopped", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "while (true) {}");
        await press(page, "Run");
        await page.getByText(/^It is still running, and has shown nothing yet/).waitFor();
        await press(page, "Stop");
        await page.getByText("It was stopped before it had shown anything.").waitFor();
        await soon.doesNotMatch(() => page.locator("#standing").innerText(), /unfinished/);
        await soon.equal(() => page.locator("#stop").innerText(), "Continue");
    }));

    test("at a mistake, over the picture of the run before", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "print(makeGrid(2, 2)[`a`]);");
        await press(page, "Run");
        await says(page, /^It stopped at a mistake in line 1/);
        await page.locator("#offer").getByRole("button", { name: "Line 1" }).waitFor();
        await soon.ok(() => page.locator("#output .picture.stale img").isVisible());
        await soon.doesNotMatch(() => page.locator("#offer").innerText(), /`/);
    }));
});

test("a game keeps its place from move to move, and its end is one: it can be played again with another seed", () => studio("#play&example=games/minesweeper", async (page) => {
    await says(page, /^The program asks/);
    const board = outputOf(page).getByRole("img");
    const first = await board.boundingBox();
    const press = async (x, y, button) => {
        const [box, before] = [await board.boundingBox(), await picturesOf(page).count()];
        await board.click({ button, position: { x: (x + 1.5) * box.width / 10, y: (y + 1.5) * box.height / 10 } });
        await page.waitForTimeout(700);
        await soon.deepEqual(() => board.boundingBox(), first);
        return await picturesOf(page).count() > before;
    };
    await press(4, 4, "left");
    await press(0, 3, "right");
    const again = page.getByRole("button", { name: "Play again" });
    for (let at = 0; at < 81 && !await again.isVisible(); at++) await press(at % 9, Math.floor(at / 9), "left");
    await says(page, /^The end/);
    await soon.notEqual(() => page.locator("#standing").getAttribute("class"), "good");
    const seed = () => page.getByRole("spinbutton", { name: "Seed" }).inputValue();
    const before = await seed();
    await again.click();
    await says(page, /^The program asks/);
    await soon.notEqual(() => seed(), before);
}));

test("a new puzzle is shown before its solution", () => studio("", async (page) => {
    await press(page, "Gallery");
    await page.getByRole("searchbox", { name: "Search" }).fill("dungeons/make");
    await page.getByRole("dialog").getByRole("button", { name: "A new dungeon puzzle" }).click();
    await says(page, /^Solution 1/);
    await soon.equal(() => picturesOf(page).first().getAttribute("aria-current"), "true");
    await press(page, "Gallery");
    await page.getByRole("searchbox", { name: "Search" }).fill("makers/nonogram");
    await page.getByRole("dialog").getByRole("button", { name: "A new nonogram", exact: true }).click();
    await page.getByRole("group", { name: "Puzzle" }).waitFor();
    await soon.equal(() => page.locator("#output").isVisible(), false);
    await page.getByText(/^225 places to find/).waitFor();
    await soon.equal(() => page.locator(".puzzle-beside").count(), 15);
}));

test("a link is short, and says what its picture costs", () => studio("", async (page, context) => {
    await says(page, /^Solution 1/);
    await press(page, "Share");
    const link = () => page.getByRole("textbox", { name: "Link", exact: true }).inputValue();
    assert.match(await link(), /&picture=/);
    const withPicture = page.getByRole("checkbox", { name: /^With a small picture, .*characters more/ });
    await withPicture.uncheck();
    assert.ok((await link()).length < 800, `${(await link()).length} characters`);
    await withPicture.check();
    const other = await context.newPage();
    await other.goto(await link());
    const image = outputOf(other).getByRole("img");
    await image.waitFor();
    await soon.equal(() => image.evaluate((image) => getComputedStyle(image).imageRendering), "pixelated");
    await soon.ok(async () => (await image.boundingBox()).width > 250);
    await press(other, "Run this program");
    await says(other, /^Solution 1/);
}));

test("Enter in a parameter runs, also at a moment of the run, and once", () => studio("", async (page) => {
    await says(page, /^Solution 1/);
    await press(page, "Start");
    await says(page, /^What is shown is a moment/);
    const size = page.getByRole("spinbutton", { name: "size" });
    await size.fill("24");
    await size.press("Enter");
    await says(page, /^Solution 1/);
    await soon.match(() => outputOf(page).getByRole("img").getAttribute("alt"), /24 columns/);
    const { width } = await outputOf(page).getByRole("img").boundingBox();
    assert.ok(width > 420, `${width} pixels wide`);
}));

test("commands for a terminal are folded away at the head of a program", () => studio("#example=makers/stars", async (page) => {
    await editor(page).getByText("A star battle").first().waitFor();
    await soon.doesNotMatch(() => editor(page).innerText(), /ndscript run/);
    await page.getByText("commands for a terminal").waitFor();
}));

describe("exercises", async () => {
    const { programs, files, guides } = JSON.parse(readFileSync(new URL("../build/gallery.json", import.meta.url), "utf8"));
    const { Engine } = await load();
    const passes = (folder, text) => {
        const engine = new Engine();
        for (const [place, file] of Object.entries(files)) if (place.startsWith(`${folder}/`) && "text" in file) engine.setFile(place.slice(folder.length + 1), Buffer.from(file.text));
        return [...text.matchAll(/^function (test\w*)/gm)].map(([, name]) => {
            const program = engine.compile("exercise.nds", `${text}\nvar passed = solutions(${name}, 1);\nif (isEmpty(passed)) error("it fails");\nif (passed[0] == false) error("it gives false");`);
            return program.run(1).resume(1e9).kind === "solved";
        });
    };
    const all = [...Object.entries(OF_TOUR).map(([title, exercise]) => [`tour/exercise_${title.toLowerCase()}`, exercise]), ...OF_LESSON.map((exercise, at) => [`lesson/exercise_${at + 1}`, exercise])];
    for (const [name, { hole, answer }] of all) test(`is not solved as it is, and is with its answer: ${name}`, () => {
        const { text } = files[`${name}.nds`];
        assert.ok(text.includes(hole));
        const before = passes(name.split("/")[0], text);
        assert.ok(before.length > 0 && before.includes(false), `${before}`);
        assert.ok(passes(name.split("/")[0], text.replace(hole, answer)).every((passed) => passed));
    });

    test("the first chapter has one, which is marked when it is solved", () => studio("", async (page) => {
        assert.match(guides[0].chapters[0].html, /data-exercise/);
        assert.ok(programs.length > 0);
        await says(page, /^Solution 1/);
        await press(page, "Learn");
        await press(page, "Try it");
        await page.getByText(/testThereIsADessert: it gives false/).waitFor();
        await page.getByText("An answer").click();
        await write(page, OF_TOUR.Guessing.text.replace(OF_TOUR.Guessing.hole, OF_TOUR.Guessing.answer));
        await page.getByText("The exercise is solved.").waitFor();
        await page.getByRole("button", { name: /^✔ Solved/ }).waitFor();
        await soon.match(() => page.getByRole("combobox", { name: "Chapter" }).locator("option").first().textContent(), /✔$/);
    }));
});
