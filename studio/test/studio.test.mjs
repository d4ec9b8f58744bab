// The studio as a person uses it: by role and name.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { fromMenu, isAccessible, keeps, keyboardOf, outputOf, picturesOf, press, says, servePage, settled, shoot, soon, studioFile, until, useStudio, write } from "./browser.mjs";

const studio = useStudio();

describe("edit and run", () => {
    test("the first map comes by itself, with picture and words for it", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await outputOf(page).getByRole("img", { name: /a map with 16 columns and 16 rows/ }).waitFor();
        for (const seed of ["2", "3", "4", "5"]) {
            await page.getByRole("spinbutton", { name: "Seed" }).fill(seed);
            await page.keyboard.press("Enter");
            await outputOf(page).getByRole("img", { name: /a map with 16 columns and 16 rows/ }).waitFor();
        }
    }));

    test("Ctrl-Enter runs what was typed, colored by the engine", () => studio("", async (page) => {
        await write(page, "// words\nlet x = choose(1, 2);\nprintLine(\"x is \", x);");
        await page.keyboard.press("Control+Enter");
        await says(page, /^Solution 1/);
        await outputOf(page).getByText("x is 1").waitFor();
        await page.locator(".token-comment", { hasText: "// words" }).waitFor();
        await page.locator(".token-keyword", { hasText: "choose" }).waitFor();
        await page.getByRole("button", { name: "Next solution" }).click();
        await says(page, /^Solution 2/);
        await outputOf(page).getByText("x is 2").waitFor();
        await page.getByRole("button", { name: "Next solution" }).click();
        await says(page, /^No more solutions/);
    }));

    test("mistakes are listed with hints as one types, and lead to their place", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "var count = 1;\ncuont = 2;\nprint(count);");
        const mistake = page.getByRole("list", { name: "Mistakes" }).getByRole("button", { name: /nothing declares cuont/ });
        await mistake.waitFor();
        await page.getByText("Hint: did you mean count?").waitFor();
        await page.locator(".cm-lintRange-warning").waitFor();
        await mistake.click();
        await page.keyboard.insertText("count; //");
        await page.locator(".cm-lintRange-warning").waitFor({ state: "detached" });
    }));

    test("an error of the run says where", () => studio("", async (page) => {
        await write(page, "var stock = { apples: 3 };\nprint(stock.aples);");
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await says(page, /^It stopped at a mistake/);
        await page.getByRole("button", { name: /^Line 2: the object has no field aples/ }).waitFor();
        // It is told once, and gone when it is mended.
        await soon.equal(() => page.getByRole("list", { name: "Mistakes" }).getByText(/has no field/).count(), 1);
        await page.locator("#offer").getByText(/^Line 2: the object has no field aples/).waitFor();
        await write(page, "var stock = { apples: 3 };\nprint(stock.apples);");
        await page.getByRole("button", { name: /^Line 2:/ }).waitFor({ state: "detached" });
    }));

    test("a search without a solution says what failed, leads to the line, and says what to try", () => studio("", async (page) => {
        await write(page, "let who = ask(\"Who?\", [\"cat\", \"dog\"]);\nlet x = choose(1, 2, 3);\nrequire(x > 3, `too small for a ${who}`);");
        await press(page, "Run");
        await page.getByRole("button", { name: "dog" }).click();
        await says(page, /^No solution/);
        const panel = outputOf(page).getByRole("region", { name: "Why there is no solution" });
        await panel.getByText("Line 3 failed 3 times: too small for a dog; the last time with x = 3, who = \"dog\".").waitFor();
        await panel.getByRole("button", { name: "Line 3" }).click();
        await page.keyboard.insertText("// here: ");
        await page.getByRole("textbox", { name: "Program" }).getByText("// here: require").waitFor();
        await panel.getByRole("button", { name: "See the search" }).click();
        await says(page, /^What is shown is a moment of the run/);
        await write(page, "let a = 1;\nrequire(a > 1, \"never\");");
        await press(page, "Run");
        await panel.getByText("Line 2 failed 1 time: never; the last time with a = 1.").waitFor();
        await panel.getByText("Nothing was guessed before it failed: the program contradicts itself as it stands.").waitFor();
        await write(page, "printLine(\"fine\");");
        await press(page, "Run");
        await outputOf(page).getByText("fine").waitFor();
        await soon.equal(() => panel.count(), 0);
    }));

    test("what a word may become, the engine says", () => studio("", async (page) => {
        await write(page, "printTil");
        await page.keyboard.press("Control+Space");
        await page.getByRole("option", { name: /printTilemap/ }).click();
        await page.getByRole("textbox", { name: "Program" }).getByText("printTilemap").waitFor();
    }));

    test("the mouse over a word shows what it is for", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await page.getByRole("textbox", { name: "Program" }).getByText("printTilesetMap").last().hover({ position: { x: 40, y: 8 } });
        await page.locator(".cm-tooltip .doc").getByText(/^printTilesetMap\(/).first().waitFor();
    }));

    test("Stop keeps the state, Press Continue to go on, and typing goes on meanwhile", () => studio("", async (page) => {
        await write(page, "let n = 0;\nprintLine(\"begun\");\nwhile (n < 400000000) n += 1;\nprintLine(n);");
        await page.keyboard.press("Control+Enter");
        await says(page, /^Searching/);
        await page.keyboard.press("Control+End");
        await page.keyboard.insertText("\n// typed meanwhile");
        await page.getByText("typed meanwhile").waitFor();
        await page.getByRole("button", { name: "Stop" }).click();
        await says(page, /^Stopped after/);
        await outputOf(page).getByText("begun").waitFor();
        await page.getByRole("button", { name: "Continue" }).click();
        await says(page, /^Solution 1/);
        await outputOf(page).getByText("400000000").waitFor();
    }));

    test("a hanging program, a memory bomb and a huge picture leave the page alive", () => studio("", async (page) => {
        await write(page, "while (true) {}");
        await page.keyboard.press("Control+Enter");
        await says(page, /^Searching/);
        const isAlive = async (word) => {
            await write(page, `print("${word}");`);
            await page.keyboard.press("Control+Enter");
            await outputOf(page).getByText(word).waitFor();
        };
        await isAlive("one");
        await write(page, "let a = []; while (true) push(a, range(10000));");
        await page.keyboard.press("Control+Enter");
        await says(page, /^Stopped: the run reached its limit of 536,870,912 bytes/);
        await isAlive("two");
        await write(page, "printTilemap(makeGrid(100000, 100000, \"red\"));");
        await page.keyboard.press("Control+Enter");
        await says(page, /^(It stopped|Stopped)/);
        await isAlive("three");
    }));

    test("pictures without end come to a limit, and what comes next is heard", () => studio("", async (page) => {
        await write(page, "var g = makeGrid(30, 30, \"grass\");\nwhile (true) printTilemap(g);");
        await page.keyboard.press("Control+Enter");
        await says(page, /^Stopped: .*pictures/);
        // They are being drawn meanwhile, which the next program does not wait for.
        await write(page, "print(\"next\");");
        await page.keyboard.press("Control+Enter");
        await outputOf(page).getByText("next").waitFor({ timeout: 5000 });
    }));

    test("pictures that Stop leaves undrawn are said so, and the rest is there", () => studio("", async (page) => {
        // Each of them takes a good while.
        await write(page, "var g = makeGrid(220, 220, \"grass\");\nfor (let i = 0; i < 150; i++) { printLine(`at ${i}`); printTilemap(g); }");
        await page.keyboard.press("Control+Enter");
        await says(page, /^Searching/);
        // The program itself is over soon: what was stopped before goes on.
        for (;;) {
            await page.waitForTimeout(1000);
            await press(page, "Stop");
            await says(page, /^(Stopped after|Solution 1)/);
            if (/^Solution/.test(await page.getByRole("status").first().innerText())) break;
            await press(page, "Continue");
            await says(page, /^Searching/);
        }
        const note = outputOf(page).getByText(/^\[stopped before the last \d+ pictures were drawn\]/);
        await note.waitFor();
        const left = Number((await note.innerText()).match(/last (\d+) pictures/)[1]);
        await soon.equal(async () => await picturesOf(page).count() + left, 150, "none is passed over in silence");
        await outputOf(page).getByText("at 149").waitFor();
    }));

    test("of many pictures the latest are shown, in order with the text", () => studio("", async (page) => {
        await write(page, "for (let i = 0; i < 230; i++) { printLine(`at ${i}`); printTilemap(makeGrid(2, 1, \"grass\")); }");
        await page.keyboard.press("Control+Enter");
        await says(page, /^Solution 1/);
        await outputOf(page).getByText("30 pictures are left out: the latest 200 are shown").waitFor();
        await soon.equal(() => picturesOf(page).count(), 200);
    }));

    test("a run that was stopped and another that begins at once do not meet", () => studio("", async (page) => {
        for (let time = 0; time < 12; time++) {
            await write(page, `let i = ${time};\nwhile (true) i += 1;`);
            await page.keyboard.press("Control+Enter");
            await says(page, /^Searching/);
            await page.evaluate(() => {
                const press = (name) => [...document.querySelectorAll("button")].find((button) => button.textContent.trim() === name || button.getAttribute("aria-label") === name)?.click();
                press("Stop");
                press("New seed");
            });
            await says(page, /^Searching/);
            await soon.equal(() => page.getByText("broke down").count(), 0);
        }
    }));

    test("seeds: the same one gives the same, a new one another", () => studio("", async (page) => {
        await write(page, "print(randomInt(1, 1000000));");
        const seed = page.getByRole("spinbutton", { name: "Seed" });
        let shown = "";
        const result = async (value) => {
            await seed.fill(value);
            await seed.press("Enter");
            const before = shown;
            await until(async () => {
                shown = await outputOf(page).innerText();
                return /^\d+\s*$/.test(shown) && shown !== before;
            }, `seed ${value} prints another number than ${before}`);
            return shown;
        };
        const [first, second, again] = [await result("5"), await result("6"), await result("5")];
        assert.equal(first, again);
        assert.notEqual(first, second);
        await page.getByRole("button", { name: "New seed" }).click();
        await soon.notEqual(() => seed.inputValue(), "5");
    }));

    test("every parameter has a control of its kind", () => studio("", async (page) => {
        await write(page, "let wind = param(\"wind\", \"east\"); // north | east\nlet size = param(\"size\", 3);\nlet on = param(\"on\", false);\nlet who = param(\"who\", \"Ada\");\nprintLine(wind, size, on, who);");
        await page.keyboard.press("Control+Enter");
        await outputOf(page).getByText("east3falseAda").waitFor();
        await page.getByRole("combobox", { name: "wind" }).selectOption("north");
        await page.getByRole("spinbutton", { name: "size" }).fill("7");
        await page.getByRole("checkbox", { name: "on" }).check();
        await page.getByRole("textbox", { name: "who" }).fill("Bob");
        await page.getByRole("textbox", { name: "who" }).press("Enter");
        await outputOf(page).getByText("north7trueBob").waitFor();
    }));

    test("files are added, imported and drawn", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await press(page, "Add a file to this program");
        await page.getByRole("textbox", { name: "Name of the new file" }).fill("map.nds");
        await page.keyboard.press("Enter");
        await page.getByText("There is a map.nds already.").waitFor();
        await page.getByRole("textbox", { name: "Name of the new file" }).fill("tools.nds");
        await page.keyboard.press("Enter");
        await page.getByRole("tab", { name: "tools.nds", selected: true }).waitFor();
        await write(page, "var tools = 7;");
        const png = readFileSync(new URL("../../examples/witches/tiles/fern.png", import.meta.url));
        await page.locator("input[type=file]").setInputFiles({ name: "fern.png", mimeType: "image/png", buffer: png });
        await page.getByText("1 image").waitFor();
        await page.getByRole("tab", { name: /map.nds/ }).click();
        await write(page, "import \"tools.nds\";\nprintLine(tools);\nprintImage(\"fern\");");
        await page.keyboard.press("Control+Enter");
        await outputOf(page).getByRole("img", { name: /the tile fern/ }).waitFor();
        await outputOf(page).getByText("7").waitFor();
        await page.getByRole("tab", { name: "tools.nds" }).click();
        await press(page, "Rename");
        await page.getByRole("textbox", { name: "New name of tools.nds" }).fill("more.nds");
        await press(page, "OK");
        await press(page, "Run");
        await page.getByRole("list", { name: "Mistakes" }).getByText(/cannot import "tools.nds"/).waitFor();
        await page.getByRole("tab", { name: "more.nds" }).click();
        await write(page, "printLine(\"I run\");");
        await press(page, "Run more.nds");
        await press(page, "Run");
        await outputOf(page).getByText("I run").waitFor();
        await page.getByRole("tab", { name: "▶ more.nds" }).waitFor();
    }));

    test("a folder is dropped onto the page, with all that is in it", () => studio("", async (page, context) => {
        const folder = mkdtempSync(join(tmpdir(), "ndscript-"));
        try {
            mkdirSync(join(folder, "game/parts"), { recursive: true });
            writeFileSync(join(folder, "game/main.nds"), "import \"parts/words.nds\";\nprintLine(greeting());");
            writeFileSync(join(folder, "game/parts/words.nds"), "function greeting() { return \"from a folder\"; }");
            // The browser takes it for what a person drags from a window of files.
            const session = await context.newCDPSession(page);
            const { x, y, width, height } = await page.locator("#editor").boundingBox();
            const data = { items: [], files: [join(folder, "game")], dragOperationsMask: 1 };
            for (const type of ["dragEnter", "dragOver", "drop"]) {
                await session.send("Input.dispatchDragEvent", { type, x: x + width / 2, y: y + height / 2, data });
            }
            await page.getByRole("tab", { name: "game/parts/words.nds" }).waitFor();
            await page.getByRole("tab", { name: "game/main.nds" }).waitFor();
        } finally {
            rmSync(folder, { recursive: true });
        }
    }));

    test("images and programs are dropped onto the page, even onto the editor", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        const png = readFileSync(new URL("../../examples/witches/tiles/fern.png", import.meta.url)).toString("base64");
        const drop = async (place, files) => {
            const transfer = await page.evaluateHandle((files) => {
                const transfer = new DataTransfer();
                for (const { name, base64 } of files) {
                    transfer.items.add(new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name));
                }
                return transfer;
            }, files);
            for (const type of ["dragenter", "dragover", "drop"]) await place.dispatchEvent(type, { dataTransfer: transfer });
        };
        const text = (words) => Buffer.from(words).toString("base64");
        await drop(page.getByRole("textbox", { name: "Program" }), [
            { name: "fern.png", base64: png }, { name: "seven.nds", base64: text("var seven = 7;") }, { name: "odd.bin", base64: text("a\0b") },
        ]);
        await says(page, "Added 2 files. Left out: odd.bin is neither a text nor a PNG image.");
        await page.getByText("1 image").waitFor();
        await page.getByRole("textbox", { name: "Program" }).getByText("seven").waitFor({ state: "detached" });
        await write(page, "import \"seven.nds\";\nprintLine(seven);\nprintImage(\"fern\");");
        await press(page, "Run");
        await outputOf(page).getByRole("img", { name: /the tile fern/ }).waitFor();
        await outputOf(page).getByText("7").waitFor();
        // A file of the same name takes the place of a text, which is not lost.
        await drop(page.locator("body"), [{ name: "map.nds", base64: text("printLine(\"another\");") }]);
        await says(page, /^Replaced map.nds; what was there is in My programs, in the menu File/);
        await press(page, "Gallery");
        await page.getByRole("region", { name: "My programs" }).getByRole("button", { name: /^map.nds, / }).click();
        await page.getByRole("textbox", { name: "Program" }).getByText("printLine(seven)").waitFor();
    }));

    test("what runs as one types stops by itself and can go on; what is half written leaves the output alone", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await page.getByRole("checkbox", { name: "Run as I type" }).check();
        await write(page, "printLine(\"one\");");
        await outputOf(page).getByText("one").waitFor();
        await page.keyboard.insertText("\nprintLine(");
        await page.getByRole("list", { name: "Mistakes" }).getByRole("button", { name: /^Line 2: / }).waitFor();
        await outputOf(page).getByText("one").waitFor();
        // It has no end, so that it is stopped however fast the machine is, and never waited for.
        await page.keyboard.insertText("\"two\"); let n = 0; while (true) n += 1;");
        await says(page, /^Stopped after .* runs for 2 seconds\. Press Continue to go on\.$/);
        await outputOf(page).getByText("two").waitFor();
        const steps = async () => Number(/([\d,]+) steps/.exec(await page.getByRole("status").first().innerText())?.[1].replaceAll(",", "") ?? 0);
        const before = await steps();
        await press(page, "Continue");
        await says(page, /^Searching/);
        await until(async () => await steps() > before, `it goes on behind step ${before}`);
        await press(page, "Stop");
        await says(page, /^Stopped after .* is unfinished\.$/);
    }));

    test("what a run stops at is told beside the warnings, and goes when another run begins", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "let size = param(\"size\", 5);\nlet lists = [1, 2];\nif (size > 6) printLine(mapp);\nprintLine(lists[size]);");
        await press(page, "Run");
        const mistakes = page.getByRole("list", { name: "Mistakes" });
        await mistakes.getByRole("button", { name: /^Line 4: index 5 is out of range/ }).waitFor();
        await mistakes.getByRole("button", { name: /^Line 3, to look at: nothing gives mapp/ }).waitFor();
        await page.getByRole("spinbutton", { name: "size" }).fill("1");
        await page.getByRole("spinbutton", { name: "size" }).press("Enter");
        await says(page, /^Solution 1/);
        await mistakes.getByText(/^Line 4/).waitFor({ state: "detached" });
        await soon.equal(() => mistakes.getByRole("button").count(), 1);
    }));

    test("the keyboard asks what a word is for", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "adjacent");
        await page.keyboard.press("Escape");
        await page.keyboard.press("F1");
        const doc = page.getByRole("status").filter({ hasText: "adjacent(" });
        await doc.waitFor();
        await page.keyboard.press("Escape");
        await doc.waitFor({ state: "detached" });
    }));
});

describe("take part", () => {
    const GAME = "let said = [];\nwhile (sizeOf(said) < 3) push(said, ask(`Door ${sizeOf(said) + 1}?`, [\"red\", \"blue\"]));\nlet name = input(\"Your name?\");\nprintLine(name, \": \", join(said, \" \"));";

    test("questions are buttons and fields, and any answer can be gone back to", () => studio("", async (page) => {
        await write(page, GAME);
        await page.keyboard.press("Control+Enter");
        for (const answer of ["red", "blue", "red"]) await page.getByRole("button", { name: answer, exact: true }).click();
        await page.getByRole("textbox", { name: "Your name?" }).fill("Ada");
        await page.getByRole("button", { name: "Answer", exact: true }).click();
        await outputOf(page).getByText("Ada: red blue red").waitFor();
        await page.getByRole("button", { name: "Go back to answer 2: blue" }).click();
        await page.getByRole("toolbar", { name: "Door 2?" }).waitFor();
        for (const answer of ["red", "red"]) await page.getByRole("button", { name: answer, exact: true }).click();
        await page.getByRole("textbox", { name: "Your name?" }).fill("Bob");
        await page.keyboard.press("Enter");
        await outputOf(page).getByText("Bob: red red red").waitFor();
        await outputOf(page).getByText("Ada: red blue red").waitFor({ state: "detached" });
    }));

    test("who presses Run on a phone sees what is asked", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "input(\"Your name?\");");
        await press(page, "Run");
        const field = page.getByRole("textbox", { name: "Your name?" });
        await field.waitFor();
        const { y, height } = await field.boundingBox();
        assert.ok(y >= 0 && y + height <= 740, `the field stands at ${y}`);
    }, { viewport: { width: 360, height: 740 } }));

    test("who presses Run on a phone sees what comes of it", () => studio("#example=tiles/map", async (page) => {
        await press(page, "Run");
        await says(page, /^Solution 1/);
        await settled(page);
        const sees = async () => {
            const { y, height } = await outputOf(page).getByRole("img").last().boundingBox();
            return y >= 0 && y + height <= 844;
        };
        await until(sees, "the map is in sight");
        await page.evaluate(() => scrollTo(0, 0));
        await page.getByRole("button", { name: "New seed" }).click();
        await until(sees, "the next map is in sight");
        const tops = await page.getByRole("navigation").getByRole("button").evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
        assert.equal(new Set(tops).size, 1, "the buttons of the head stand in one row");
    }, { viewport: { width: 390, height: 844 } }));

    test("minesweeper is played with the mouse", () => studio("#example=games/minesweeper", async (page) => {
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await says(page, /^The program asks/);
        const board = outputOf(page).getByRole("img");
        await board.waitFor();
        const before = await picturesOf(page).count();
        const box = await board.boundingBox();
        await board.click({ position: { x: box.width / 2, y: box.height / 2 } });
        await until(async () => await picturesOf(page).count() > before, "the next picture is there");
    }));
});

describe("share", () => {
    test("a link holds program, seed and parameters, and nothing of it runs before the person asks", () => studio("", async (page, context) => {
        await write(page, "let size = param(\"size\", 3);\nprintLine(\"size \", size, \" \", randomInt(1, 1000));");
        await page.keyboard.press("Control+Enter");
        await page.getByRole("spinbutton", { name: "size" }).fill("9");
        await page.getByRole("spinbutton", { name: "size" }).press("Enter");
        await outputOf(page).getByText(/size 9/).waitFor();
        const before = await outputOf(page).innerText();
        await page.getByRole("spinbutton", { name: "Seed" }).fill("77");
        await page.getByRole("spinbutton", { name: "Seed" }).press("Enter");
        let text = "";
        await until(async () => {
            text = await outputOf(page).innerText();
            return /size 9/.test(text) && text !== before;
        }, "another seed prints something else");
        await page.getByRole("button", { name: "Share" }).click();
        const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
        const other = await context.newPage();
        await other.goto(link);
        await says(other, /^Press Run/);
        await soon.equal(() => outputOf(other).innerText(), "");
        await other.getByRole("button", { name: "Run", exact: true }).click();
        await outputOf(other).getByText(/size 9/).waitFor();
        await soon.equal(() => outputOf(other).innerText(), text);
    }));


    // Never change this link: it is what people have.
    const OLD = "#v1=VY1LCsIwFEW38rijFh4OVBBT3IE78DkItEKg-ZiEDgzZmTM3Jo0iOLznwjkFFgp-HjduTGDcoC4F4Y9lKBgbfMwkyN7PaT0Eg7gQjctn46aucSYBCZiCjtp2gmQe07p3fbteT0E_oPIn8XN9I4uO1Bid6DCgXhkJar9l3KFKk0Eda30D";
    test("links of version 1 keep working", () => studio(OLD, async (page) => {
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await outputOf(page).getByText("7 9 \u00fc").waitFor();
        await soon.equal(() => page.getByRole("spinbutton", { name: "Seed" }).inputValue(), "42");
    }));

    for (const [fragment, said] of [
        ["#v1=abcd", /^The link is damaged/],
        ["#v2=abcd", /^The link is damaged: it is of the form v2/],
        ["#example=tiles/nothing", /^The program could not be loaded: the gallery has no tiles\/nothing/],
    ]) test(`an odd link says so, or is made the best of: ${fragment}`, () => studio(fragment, (page) => says(page, said)));

    test("a page that is loaded again goes on with its own work, whatever another has kept", () => studio("#example=tiles/map", async (page, context) => {
        const editor = (page) => page.getByRole("textbox", { name: "Program" });
        await says(page, /^Press Run/);
        await write(page, "printLine(\"first page\");");
        await keeps(page, "first page");
        const other = await context.newPage();
        await other.goto(page.url());
        await editor(other).getByText("Tiles: sand").first().waitFor();
        await write(other, "printLine(\"second page\");");
        await keeps(other, "second page");
        await page.reload();
        await editor(page).getByText("first page").waitFor();
        // Who follows the link anew gets what it holds; what was there is put aside.
        await write(page, "printLine(\"first page again\");");
        await keeps(page, "first page again");
        const address = page.url();
        await page.goto("about:blank");
        await page.goto(address);
        await editor(page).getByText("Tiles: sand").first().waitFor();
        await press(page, "Gallery");
        const work = page.getByRole("region", { name: "My programs" });
        await work.getByRole("button", { name: /^map.nds, / }).first().click();
        await editor(page).getByText("first page again").waitFor();
    }));

    test("work that cannot be kept is said so, and what was put aside makes room for it", () => studio("", async (page) => {
        const fill = (key) => page.evaluate((key) => {
            // As much as there is room for.
            for (let size = 1 << 22; size >= 1; size >>= 1) {
                for (;;) {
                    const text = (localStorage.getItem(key) ?? "") + "x".repeat(size);
                    try { localStorage.setItem(key, text); } catch { break; }
                }
            }
        }, key);
        await says(page, /^Solution 1/);
        const unkept = page.getByRole("alert").filter({ hasText: "not kept" });
        await page.evaluate(() => localStorage.setItem("ndscript-studio:shelf", JSON.stringify([{ name: "old", time: 1, text: "x".repeat(100_000) }])));
        await fill("other");
        await write(page, "printLine(\"there is room\");");
        await keeps(page, "there is room");
        await soon.equal(() => unkept.isVisible(), false);
        await fill("other");
        await page.evaluate(() => localStorage.removeItem("ndscript-studio:shelf"));
        await fill("other");
        await write(page, `printLine("${Array.from({ length: 500 }, (_, at) => at * 7919).join(" ")}");`);
        await unkept.waitFor();
        await page.evaluate(() => localStorage.removeItem("other"));
        await page.keyboard.type(" ");
        await unkept.waitFor({ state: "hidden" });
    }));

    test("work survives a crash of the page", () => studio("", async (page, context) => {
        await says(page, /^Solution 1/);
        await write(page, "printLine(\"kept\");");
        await keeps(page, "kept");
        const address = page.url();
        const crashed = page.waitForEvent("crash");
        await page.goto("chrome://crash").catch(() => {});
        await crashed;
        const other = await context.newPage();
        await other.goto(address);
        await other.getByRole("textbox", { name: "Program" }).getByText("kept").waitFor();
        await says(other, /^Solution 1/);
    }));

    test("work that another program takes the place of is put aside, and comes back", () => studio("", async (page, context) => {
        await says(page, /^Solution 1/);
        await write(page, "printLine(\"mine\");");
        await press(page, "Gallery");
        await page.getByRole("searchbox", { name: "Search" }).fill("eight queens no such words");
        await page.getByText("No program has these words.").waitFor();
        await page.getByRole("searchbox", { name: "Search" }).fill("queens");
        await page.getByRole("dialog").getByRole("button", { name: "Eight queens" }).click();
        const editor = page.getByRole("textbox", { name: "Program" });
        await editor.getByText(/queens/i).first().waitFor();
        await press(page, "Gallery");
        const work = page.getByRole("region", { name: "My programs" });
        await work.getByRole("button", { name: /^map.nds, / }).click();
        await editor.getByText("mine").waitFor();
        await keeps(page, "mine");
        // A link of somebody else does not take its place either.
        const other = await context.newPage();
        await other.goto(`${page.url().split("#")[0]}#example=tiles/map`);
        await says(other, /^Press Run/);
        await press(other, "Gallery");
        await other.getByRole("region", { name: "My programs" }).getByRole("button", { name: /^Delete map.nds, / }).click();
        await other.getByRole("region", { name: "My programs" }).waitFor({ state: "hidden" });
    }));

    test("what is changed in a page of another page is not kept in place of one's work", () => studio("", async (page, context) => {
        await says(page, /^Solution 1/);
        await write(page, "printLine(\"mine\");");
        await keeps(page, "mine");
        const embedded = await context.newPage();
        await embedded.goto(`${page.url()}#embed&example=tiles/map`);
        await write(embedded, "printLine(\"course\"); nothing_such;");
        // What is wrong with it is shown when it would have been kept.
        await embedded.locator(".cm-lintRange-warning").waitFor();
        await page.reload();
        await page.getByRole("textbox", { name: "Program" }).getByText("mine").waitFor();
    }));

    test("every program of the gallery has words, and a picture or what it prints, or hides what is to be found", () => studio("", async (page) => {
        await press(page, "Gallery");
        // Those of the last groups are folded.
        const cards = page.getByRole("dialog").locator(".cards > li");
        await cards.first().waitFor();
        const poor = await cards.evaluateAll((cards) => cards
            .filter((card) => !card.querySelector("p")?.textContent?.trim() || !card.querySelector("img, .shows, .hides")).map((card) => card.textContent));
        assert.deepEqual(poor, []);
        await soon.ok(async () => await cards.count() > 60);
        await shoot(page, "gallery");
    }));

    test("an embedded page has read-only lines", () => studio("#embed&lock=1-2&example=tiles/map", async (page) => {
        const editor = page.getByRole("textbox", { name: "Program" });
        await editor.getByText("Tiles: sand, grass, and water").click();
        const before = await editor.innerText();
        await page.keyboard.insertText("XYZ");
        await soon.equal(() => editor.innerText(), before);
        await page.keyboard.press("Control+End");
        await page.keyboard.insertText("// mine");
        await editor.getByText("// mine").waitFor();
        await soon.equal(() => page.getByRole("button", { name: "Gallery" }).isVisible(), false);
    }));

    const GIVEN = "// one\n// two\nlet three = 3;\nlet four = 4;\nimport \"other.nds\";\n";
    const COURSE = { m: "main.nds", f: [{ p: "main.nds", t: GIVEN }, { p: "other.nds", t: "let a = 1;\nlet b = 2;\nlet c = 3;\n" }], s: 1, q: {} };
    const course = `#embed&lock=2-3&v1=${deflateRawSync(JSON.stringify(COURSE)).toString("base64url")}`;
    test("locked lines stay as they are, also at their ends, with what is written above them, and behind another file", () => studio(course, async (page) => {
        const editor = page.getByRole("textbox", { name: "Program" });
        await says(page, /^Press Run/);
        const lines = () => editor.locator(".cm-line").allTextContents();
        const locked = () => editor.locator(".locked-line").allTextContents();
        const before = await lines();
        const given = before.slice(1, 3);
        await soon.deepEqual(() => locked(), given);
        const press = async (line, ...keys) => {
            await editor.locator(".cm-line").nth(line).click();
            for (const key of keys) await page.keyboard.press(key);
        };
        for (const [line, ...keys] of [[1, "End", "x"], [1, "Home", "x"], [2, "Home", "Enter"], [2, "End", "x"], [3, "Home", "Backspace"], [0, "End", "Delete"], [1, "Home", "Shift+ArrowDown", "Delete"]]) {
            await press(line, ...keys);
            await soon.deepEqual(() => lines(), before, `line ${line + 1}: ${keys.join(" ")}`);
        }
        // Lines of one's own stand above and below.
        await press(1, "Home", "Enter");
        await press(3, "End", "Enter");
        await soon.deepEqual(async () => (await lines()).slice(0, 6), [before[0], "", ...given, "", before[3]]);
        await page.getByRole("tab", { name: "other.nds" }).click();
        await until(async () => (await locked()).length === 0, "nothing is locked in another file");
        await page.getByRole("tab", { name: /main.nds/ }).click();
        await until(async () => (await locked()).length === 2, "the lines are locked again");
        await soon.deepEqual(() => locked(), given);
        await press(0, "Control+a", "Delete");
        await soon.deepEqual(() => lines(), given, "of a change that reaches over them, the rest is done");
        await page.keyboard.press("Control+z");
        await until(async () => (await lines()).length > 5, "it is undone");
        await soon.deepEqual(() => locked(), given);
    }));

    test("a page of a course has the program in a frame, with read-only lines, and nothing runs before the person asks", () => studio("", async (page, context) => {
        await says(page, /^Solution 1/);
        await write(page, "let wood = 3;\nlet size = 4;\nprintLine(wood * size);");
        await press(page, "Share");
        await page.getByRole("textbox", { name: "Lines of the program that nobody can change there" }).fill("1, 3 - 3");
        const frame = await page.getByRole("textbox", { name: "For a page of yours" }).inputValue();
        assert.match(frame, /#embed&lock=1,3&v1=/);
        const course = await context.newPage();
        const site = await servePage(`<!DOCTYPE html><title>Course</title><h1>Lesson 1</h1>${frame}`);
        await course.goto(site.address);
        const inner = course.frameLocator("iframe[title=NDScript]");
        await inner.getByRole("status").first().filter({ hasText: /^Press Run/ }).waitFor();
        await soon.equal(() => inner.getByRole("region", { name: "Output" }).innerText(), "");
        await soon.equal(() => inner.locator(".locked-line").count(), 2);
        await inner.getByRole("textbox", { name: "Program" }).getByText("size = 4").click();
        await course.keyboard.press("End");
        await course.keyboard.press("ArrowLeft");
        await course.keyboard.insertText("2");
        await inner.getByRole("button", { name: "Run", exact: true }).click();
        await inner.getByRole("region", { name: "Output" }).getByText("126").waitFor();
        await shoot(course, "course");
        site.close();
    }));

    test("the gallery opens what one picks", () => studio("", async (page) => {
        await page.getByRole("button", { name: "Gallery" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Eight queens" }).click();
        await page.getByRole("textbox", { name: "Program" }).getByText(/N queens/).waitFor();
        // It runs by itself.
        await says(page, /^Solution 1/);
        await outputOf(page).getByRole("img").first().waitFor();
    }));

    test("what one picks runs for some seconds, up to a question", () => studio("", async (page) => {
        await press(page, "Gallery");
        await page.getByRole("dialog").getByRole("button", { name: "Guess a number", exact: true }).click();
        await says(page, /^The program asks/);
        await press(page, "Gallery");
        await page.getByRole("dialog").getByRole("button", { name: "1. Guess and check" }).click();
        await says(page, /^Searching/);
        await says(page, /^Stopped after .* runs for 10 seconds\. Press Continue to go on\.$/);
        await press(page, "Continue");
        await says(page, /^Searching/);
    }));

    test("the gallery has groups for people, maps first, and is searched by their names and by paths", () => studio("", async (page) => {
        await press(page, "Gallery");
        const gallery = page.getByRole("dialog");
        await gallery.getByRole("listitem").first().waitFor();
        const titles = await gallery.getByRole("heading", { level: 3 }).allInnerTexts();
        assert.deepEqual(titles.filter((title) => title !== "My programs"), [
            "Maps", "Puzzles", "New puzzles, with one solution", "Dungeons and treasure", "Stories and people", "Games to play", "Simulations", "To learn from", "More programs", "The tour, program by program",
        ]);
        await soon.match(() => gallery.getByRole("listitem").first().innerText(), /^A village/);
        const names = await gallery.locator(".cards strong").allTextContents();
        assert.deepEqual(names.filter((name) => /[/_]/.test(name)), [], "a path is no name");
        assert.deepEqual(names.filter((name, at) => names.indexOf(name) !== at), [], "no two have one name");
        for (const [words, found] of [["safe minesweeper", "Minesweeper"], ["levels/lock", "The key before the door"]]) {
            await gallery.getByRole("searchbox", { name: "Search" }).fill(words);
            await soon.deepEqual(() => gallery.getByRole("listitem").filter({ visible: true }).locator("strong").allInnerTexts(), [found]);
        }
    }));

    test("a game is played alone, and its code can be seen", () => studio("", async (page) => {
        await press(page, "Gallery");
        await press(page, "Play Minesweeper");
        await says(page, /^The program asks/);
        const editor = page.getByRole("textbox", { name: "Program" });
        await soon.equal(() => editor.isVisible(), false);
        const { width } = await outputOf(page).getByRole("img").boundingBox();
        assert.ok(width > 300, `the board is ${width} wide`);
        await press(page, "Show the code");
        await editor.getByText(/Minesweeper/).first().waitFor();
        await press(page, "Hide the code");
        await soon.equal(() => editor.isVisible(), false);
    }));

    test("a link to play a game of the gallery starts it; one that somebody has made waits", () => studio("#play&example=games/minesweeper", async (page, context) => {
        await says(page, /^The program asks/);
        await soon.equal(() => page.getByRole("textbox", { name: "Program" }).isVisible(), false);
        await press(page, "Share");
        await page.getByRole("checkbox", { name: "To be played: the code is folded away" }).check();
        await soon.match(() => page.getByRole("textbox", { name: "Link" }).inputValue(), /#play&example=games\/minesweeper$/);
        await page.keyboard.press("Escape");
        await press(page, "Show the code");
        await page.keyboard.press("Control+Home");
        await page.keyboard.type("// Ours.\n");
        await page.keyboard.press("Control+Enter");
        await says(page, /^The program asks/);
        await press(page, "Share");
        await page.getByRole("checkbox", { name: /^With a small picture/ }).check();
        const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
        assert.match(link, /#play&v1=/);
        await soon.match(() => page.getByRole("textbox", { name: "For a page of yours" }).inputValue(), /#embed&play&v1=/);
        const other = await context.newPage();
        await other.goto(link);
        await says(other, /^Press Run/);
        // What came of it where the link was made is shown meanwhile.
        await outputOf(other).getByRole("img", { name: /^What came of the program/ }).waitFor();
        await press(other, "Run");
        await says(other, /^The program asks/);
        await outputOf(other).getByRole("img", { name: /^Picture/ }).waitFor();
        await soon.equal(() => outputOf(other).getByRole("img", { name: /^What came/ }).count(), 0);
    }));

    test("the tour is in the gallery, too", () => studio("", async (page) => {
        await page.getByRole("button", { name: "Gallery" }).click();
        await page.getByText(/^\d+ programs$/).last().click();
        await page.getByRole("dialog").getByRole("button", { name: "Guessing", exact: true }).click();
        await page.getByRole("textbox", { name: "Program" }).getByText("choose main").waitFor();
    }));

    test("pictures and programs are saved", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        const [picture] = await Promise.all([page.waitForEvent("download"), fromMenu(page, "Export", "Save picture (PNG)")]);
        assert.equal(picture.suggestedFilename(), "map.png");
        const png = readFileSync(await picture.path());
        assert.equal(png.subarray(1, 4).toString(), "PNG");
        assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [512, 512], "about as large as on the screen");
        await says(page, /^Saved map\.png\.$/);
        const [drawing] = await Promise.all([page.waitForEvent("download"), fromMenu(page, "Export", "Save picture (SVG)")]);
        assert.match(readFileSync(await drawing.path(), "utf8"), /^<svg/);
        const saved = async (name) => {
            const [file] = await Promise.all([page.waitForEvent("download"), fromMenu(page, "Export", name)]);
            return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
        };
        const gif = await saved("Save film (GIF)");
        assert.equal(gif.name, "map.gif");
        assert.equal(gif.bytes.readUInt16LE(6), 520, "as large as the picture, with a frame");
        const width = async (size) => {
            await page.getByRole("button", { name: "Export" }).click();
            await page.getByRole("combobox", { name: "Size" }).selectOption(size);
            await page.keyboard.press("Escape");
            return (await saved("Save picture (PNG)")).bytes.readUInt32BE(16);
        };
        await soon.deepEqual(async () => [await width("small"), await width("large")], [256, 1024]);
        assert.equal(gif.bytes.subarray(0, 6).toString(), "GIF89a");
        const frames = gif.bytes.toString("latin1").split("\x21\xf9\x04").length - 1;
        assert.ok(frames > 20, `${frames} pictures`);
        const film = await saved("Save film (page)");
        assert.equal(film.name, "map.html");
        // It plays in any browser, without a network.
        const player = await page.context().newPage();
        await player.route("https://saved.test/film", (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body: film.bytes }));
        await player.goto("https://saved.test/film");
        await player.getByRole("heading", { name: "map.nds" }).waitFor();
        const moment = player.getByRole("slider", { name: "moment" });
        await player.getByRole("button", { name: "on", exact: true }).click();
        await soon.equal(() => moment.inputValue(), "1");
        await player.getByRole("button", { name: "play" }).click();
        await until(async () => Number(await moment.inputValue()) > 2, "the film goes on by itself");
        await player.close();
        const [program] = await Promise.all([page.waitForEvent("download"), fromMenu(page, "File", "Save")]);
        assert.equal(program.suggestedFilename(), "map.nds");
        assert.match(readFileSync(await program.path(), "utf8"), /adjacent\(map, .*\n[^]*printTilesetMap\(map\);\n$/);
    }));

    test("what cannot be done is said in a sentence of its own color, and nothing lies over it", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "print(choose(1, 2));");
        await press(page, "Run");
        await outputOf(page).getByText(/^[12]$/).waitFor();
        const line = page.getByRole("status").first();
        const color = () => line.evaluate((element) => getComputedStyle(element).color);
        const good = await color();
        await press(page, "End");
        await page.getByText(/^Step [\d,]+, /).waitFor();
        await fromMenu(page, "Export", "Save film (GIF)");
        await says(page, /^There is no film: .*candidates\.$/);
        await soon.notEqual(() => color(), good);
        const [said, output] = [await line.boundingBox(), await outputOf(page).boundingBox()];
        const [inner, outer] = await line.evaluate((element) => [element.scrollHeight, element.clientHeight]);
        assert.ok(said.y + said.height <= output.y && inner <= outer, "all of what is said can be read");
    }, { viewport: { width: 900, height: 500 } }));

    test("a film that takes long is stopped, and the page goes on", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        // Hundreds of large pictures: that takes much longer than a press on a button.
        await page.getByRole("spinbutton", { name: "size" }).fill("40");
        await page.getByRole("spinbutton", { name: "size" }).press("Enter");
        await outputOf(page).getByRole("img", { name: /a map with 40 columns/ }).waitFor();
        await fromMenu(page, "Export", "Save film (GIF)");
        await press(page, "Stop filming");
        await says(page, /^The film was stopped/);
        await page.getByRole("button", { name: "Stop filming" }).waitFor({ state: "detached" });
        await press(page, "Next solution");
        await says(page, /^Solution 2/);
    }));
});

describe("learn", () => {
    const guide = (page) => page.getByRole("complementary", { name: "Guide" });

    test("the tour and the lesson stand beside the program, and their programs open in it", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await press(page, "Learn");
        await guide(page).getByRole("heading", { name: "Guessing" }).waitFor();
        await guide(page).getByRole("button", { name: "Open this program" }).first().click();
        await outputOf(page).getByText("rice with tea").waitFor();
        await guide(page).getByRole("combobox", { name: "Chapter" }).selectOption({ label: "4. Propagate" });
        await guide(page).getByRole("heading", { name: "4. Propagate" }).waitFor();
        await guide(page).getByRole("button", { name: "Open 4_propagate, seed 3" }).click();
        await soon.equal(() => page.getByRole("spinbutton", { name: "Seed" }).inputValue(), "3");
        await says(page, /^Solution 1/);
        await press(page, "Next ▶");
        await guide(page).getByRole("heading", { name: /^5\./ }).waitFor();
        await guide(page).getByRole("button", { name: /where=choose/ }).click();
        await page.getByRole("textbox", { name: "where" }).filter({ visible: true }).waitFor();
        await soon.equal(() => page.getByLabel("where", { exact: true }).inputValue(), "choose");
        await press(page, "Close the guide");
        await guide(page).waitFor({ state: "hidden" });
    }));

    test("a link to a chapter that is not there says so, and opens the first", () => studio("#learn=nothing/7", async (page) => {
        await page.getByText("There is no chapter nothing/7: here is the first.").waitFor();
        await guide(page).getByRole("heading", { level: 2 }).first().waitFor();
    }));

    test("a link opens a chapter, on a phone as well", () => studio("#learn=lesson/2", async (page) => {
        await guide(page).getByRole("heading", { name: "2. Check early" }).waitFor();
        await settled(page);
        await shoot(page, "guide-375");
        const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.equal(isWide, false, "nothing is wider than the window");
        await isAccessible(page);
    }, { viewport: { width: 375, height: 800 }, bypassCSP: true }));

    for (const theme of ["light", "dark"]) {
        test(`no serious finding of axe in a chapter: ${theme}`, () => studio("#learn=lesson/5", async (page) => {
            await guide(page).getByRole("heading", { name: /^5\./ }).waitFor();
            await shoot(page, `guide-${theme}`);
            await isAccessible(page);
        }, { colorScheme: theme, bypassCSP: true }));
    }
});

test("a stranger reads what this is, and finds its tab by the mark", () => studio("", async (page) => {
    await page.getByRole("banner").getByText("Programs that guess, and take back what turns out wrong: for maps, puzzles and stories.").waitFor();
    const mark = await page.locator("link[rel=icon]").getAttribute("href");
    await soon.equal(() => page.locator("h1 img").getAttribute("src"), mark);
    assert.match(Buffer.from(mark.replace("data:image/svg+xml;base64,", ""), "base64").toString(), /^<svg /);
    await page.locator("h1 img").evaluate((image) => image.decode());
}));

describe("for everyone", () => {
    for (const theme of ["light", "dark"]) {
        for (const width of [375, 800, 1280]) {
            test(`no serious finding of axe: ${theme}, ${width} wide`, () => studio("#example=sudoku/sudoku", async (page) => {
                await page.getByRole("button", { name: "Run", exact: true }).click();
                await says(page, /^Solution 1/);
                await settled(page);
                await shoot(page, `${theme}-${width}`);
                const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
                assert.equal(isWide, false, "nothing is wider than the window");
                await isAccessible(page);
            }, { colorScheme: theme, viewport: { width, height: 800 }, bypassCSP: true }));
        }
    }

    for (const [what, viewport] of [["a phone", { width: 375, height: 700 }], ["a desk", { width: 1280, height: 800 }]]) {
        test(`a program is scrolled to its last line on ${what}, also while its search is seen`, () => studio("#example=tiles/weights", async (page) => {
            await press(page, "Run");
            await says(page, /^Solution 1/);
            await press(page, "End");
            await page.getByText(/^Step \d/).waitFor();
            const editor = page.locator("#editor");
            await editor.scrollIntoViewIfNeeded();
            await editor.hover();
            const last = editor.locator(".cm-line", { hasText: "cells are sand" });
            await until(async () => {
                await page.mouse.wheel(0, 100);
                if (await last.count() === 0) return false;
                const [line, box] = [await last.boundingBox(), await editor.boundingBox()];
                return line.y >= box.y && line.y + line.height <= box.y + box.height + 1;
            }, "the last line is in sight");
            // From top to bottom there is text.
            const heights = await editor.locator(".cm-line").evaluateAll((lines, [top, bottom]) =>
                lines.map((line) => line.getBoundingClientRect()).map((box) => Math.max(0, Math.min(box.bottom, bottom) - Math.max(box.top, top))).reduce((sum, height) => sum + height, 0),
                await editor.boundingBox().then(({ y, height }) => [y, y + height]));
            const { height } = await editor.boundingBox();
            assert.ok(heights > height * 0.9, `${heights} of ${height} pixels are text`);
        }, { viewport }));
    }

    test("the keyboard alone suffices", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        const reached = new Set();
        for (let presses = 0; presses < 40; presses++) {
            await page.keyboard.press("Tab");
            reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent));
        }
        for (const id of ["run", "seed", "new-seed", "moment", "open-gallery", "share"]) assert.ok(reached.has(id), `${id} is reached by Tab`);
        // Through the editor, and out of it on both sides.
        const { tabTo } = keyboardOf(page);
        for (const [name, key] of [[/^Run$/, "Tab"], [/^Gallery$/, "Shift+Tab"], [/^Run$/, "Tab"]]) await tabTo(name, key);
    }));
});

describe("one file", () => {
    test("studio.html runs from disk with the network off", () => studio(studioFile, async (page, _, asked) => {
        await says(page, /^Solution 1/);
        await outputOf(page).getByRole("img").waitFor();
        await page.getByRole("button", { name: "Gallery" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Sudoku", exact: true }).click();
        await page.locator(".puzzle-cell").first().waitFor();
        await says(page, /yours to solve/);
        await press(page, "Learn");
        await page.getByRole("heading", { name: "Guessing" }).waitFor();
        assert.deepEqual(asked.filter((address) => !/^(blob|data|file):/.test(address)), []);
    }, { offline: true }));
});
