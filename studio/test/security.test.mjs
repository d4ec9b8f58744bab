// What a program of somebody else cannot do, and what it cannot look like.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { fromMenu, look, outputOf, press, says, soon, step, studioFile, useStudio, write } from "./browser.mjs";

const studio = useStudio();

/** A link as anybody can make it. */
const link = (files, main, seed = 1) =>
    `#v1=${deflateRawSync(JSON.stringify({ m: main, f: files, s: seed, q: {} })).toString("base64url")}`;

const EVIL = "<img src=x onerror=\"globalThis.hacked = true\"><script>globalThis.hacked = true</script>";
const quoted = JSON.stringify(EVIL);

/** That nothing of a hostile text has become a part of the page. */
async function isHarmless(page) {
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
    await soon.equal(() => page.locator("[onerror], [src='x']").count(), 0);
}

/** Opens the studio where the browser's complaints of the policy are what is wanted. */
const tried = (fragment, work) => studio(fragment, async (page, context, asked, problems) => {
    await work(page, context, asked);
    problems.length = 0;
});

describe("the policy", () => {
    for (const [name, fragment] of [["site", ""], ["one file", studioFile]]) {
        test(`no script that the page was not built with, no image and no text from elsewhere: ${name}`, () => tried(fragment, async (page) => {
            await says(page, /^Solution 1/);
            let reached = 0;
            const server = createServer((_, response) => {
                reached++;
                response.writeHead(200, { "access-control-allow-origin": "*" }).end("hello");
            });
            await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
            const address = `http://127.0.0.1:${server.address().port}/`;
            const told = async (work) => {
                await page.evaluate(() => {
                    globalThis.told = [];
                    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => globalThis.told.push(effectiveDirective));
                });
                await page.evaluate(work, address);
                await page.waitForTimeout(400);
                return page.evaluate(() => globalThis.told);
            };
            const add = (tag, key, value) => `(() => { const one = document.createElement("${tag}"); one.${key} = ${value}; document.head.append(one); })()`;
            assert.ok((await told(add("script", "textContent", "'globalThis.hacked = true'"))).includes("script-src-elem"));
            assert.ok((await told(add("script", "src", `'${address}a.js'`))).includes("script-src-elem"));
            assert.ok((await told(add("img", "src", `'${address}a.png'`))).includes("img-src"));
            assert.ok((await told(`fetch("${address}").catch(() => {})`)).includes("connect-src"));
            assert.ok((await told(`fetch("https://example.com/").catch(() => {})`)).includes("connect-src"));
            assert.ok((await told(`navigator.sendBeacon("${address}", "x")`)).includes("connect-src"));
            assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
            assert.equal(reached, 0);
            server.close();
        }));
    }

    test("the worker, in which programs run, has nothing to reach out with", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        const [worker] = page.workers();
        const left = await worker.evaluate(() => ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "importScripts", "Worker", "indexedDB", "caches", "BroadcastChannel"]
            .filter((name) => globalThis[name] !== undefined));
        assert.deepEqual(left, []);
    }));
});

describe("a program of somebody else", () => {
    const COUNTER = "printLine(\"it ran\");\nlet size = param(\"size\", 3);";

    for (const embed of ["", "embed&"]) {
        test(`nothing of a link runs before the person asks${embed && ", embedded"}`, () =>
            studio(link([{ p: "a.nds", t: COUNTER }], "a.nds").replace("#", `#${embed}`), async (page) => {
                await says(page, /^Press Run/);
                await page.waitForTimeout(1000);
                await soon.equal(() => outputOf(page).innerText(), "");
                await press(page, "Run");
                await outputOf(page).getByText("it ran").waitFor();
            }));
    }

    test("a text is loaded from another place, is shown, and does not run before the person asks", () => studio("", async (page, context, asked) => {
        await context.route("https://course.test/*", (route) => route.request().url().endsWith("gone.nds")
            ? route.fulfill({ status: 404 }) : route.fulfill({ body: COUNTER, headers: { "access-control-allow-origin": "*" } }));
        await says(page, /^Solution 1/);
        const other = await context.newPage();
        await other.goto(`${page.url()}#url=https://course.test/lesson.nds`);
        await other.getByRole("tab", { name: "lesson.nds" }).waitFor();
        await other.getByRole("textbox", { name: "Program" }).getByText("it ran").waitFor();
        await other.waitForTimeout(500);
        await soon.equal(() => outputOf(other).innerText(), "");
        await press(other, "Run");
        await outputOf(other).getByText("it ran").waitFor();
        const gone = await context.newPage();
        await gone.goto(`${page.url()}#url=https://course.test/gone.nds`);
        await says(gone, /^The program could not be loaded from https:\/\/course\.test\/gone\.nds: the place answers 404/);
        for (const address of ["javascript:globalThis.hacked=true", "data:text/plain,print(1);", "http://127.0.0.1:1/"]) {
            const odd = await context.newPage();
            await odd.goto(`${page.url()}#url=${encodeURIComponent(address)}`);
            await says(odd, /^The program could not be loaded/);
            assert.equal(await odd.evaluate(() => globalThis.hacked), undefined);
        }
        assert.deepEqual(asked.filter((address) => !address.startsWith(page.url()) && !address.startsWith("blob:")), []);
    }));

    test("a link with a hostile path, name and parameters is only text", () => {
        const files = [{ p: `${EVIL}.nds`, t: "print(1);" }, { p: `a/${EVIL}.nds`, t: "" }, { p: `${EVIL}.png`, b: "iVBORw0KGgo=" }];
        return studio(link(files, `${EVIL}.nds`), async (page) => {
            await says(page, /^Press Run/);
            await press(page, "Run");
            await says(page, /^Solution 1/);
            await page.getByText("1 image").click();
            await press(page, "Share");
            await isHarmless(page);
        });
    });

    test("what it prints, asks, names and fails with is only text", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, `printLine(${quoted});
let size = param(${quoted}, "a"); // a | ${EVIL}
let g = makeGrid(2, 1, setOf(${quoted}, "b"));
adjacent(g, (a, b) => a != b);
g[0, 0] = setOf(chooseElement(g[0, 0]));
printTilemap(makeGrid(1, 1, label(${quoted}, { color: "red" })));
let said = ask(${quoted}, [${quoted}, "no"]);
require(said == "no", ${quoted});`);
        await press(page, "Run");
        await says(page, /^The program asks/);
        await isHarmless(page);
        await page.getByRole("toolbar", { name: EVIL }).getByRole("button", { name: EVIL }).click();
        await says(page, /^(No solution|Solution|The program asks)/);
        await isHarmless(page);
        await look(page);
        await step(page, "Previous", "failure");
        await page.getByRole("gridcell").first().click();
        await isHarmless(page);
        await write(page, `error(${quoted});`);
        await press(page, "Run");
        await says(page, /^It stopped at a mistake/);
        await isHarmless(page);
    }));

    test("films and drawings of it carry no script of its own", () => studio(link([{ p: `${EVIL}.nds`, t: `let g = makeGrid(2, 1, setOf(${quoted}, "b"));
decide(g);
printTilemap(mapGrid(g, (cell, p) => label(singletonValue(cell), { color: "red" })));` }], `${EVIL}.nds`), async (page, context) => {
        await press(page, "Run");
        await says(page, /^Solution 1/);
        const saved = async (name) => {
            const [file] = await Promise.all([page.waitForEvent("download"), fromMenu(page, "Export", name)]);
            return readFileSync(await file.path(), "utf8");
        };
        for (const [text, type] of [[await saved("Save film (page)"), "text/html"], [await saved("Save picture (SVG)"), "image/svg+xml"]]) {
            const other = await context.newPage();
            await context.route("https://saved.test/*", (route) => route.fulfill({ body: text, contentType: type }));
            await other.goto("https://saved.test/it");
            await other.waitForTimeout(500);
            assert.equal(await other.evaluate(() => globalThis.hacked), undefined);
            await soon.equal(() => other.evaluate(() => document.querySelectorAll("[onerror]").length), 0);
            await context.unroute("https://saved.test/*");
        }
    }));
});
