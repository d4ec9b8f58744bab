// How long a person waits, in Chromium on this machine: `npm run measure` behind `npm run build`. It tells; it asserts nothing.
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { launch, open, outputOf, press, says, serve, write } from "./browser.mjs";

const TIMES = 7;
const [browser, site] = await Promise.all([launch(), serve()]);

/** Times in order; the one in the middle, and the longest. */
function tell(what, times) {
    const sorted = [...times].sort((a, b) => a - b);
    const [middle, longest] = [sorted[sorted.length >> 1], sorted.at(-1)].map((time) => Math.round(time));
    console.log(`${what.padEnd(40)} ${String(middle).padStart(6)} ms, at most ${longest} ms of ${times.length}`);
}

async function each(work) {
    const times = [];
    for (let time = 0; time < TIMES; time++) {
        // A context of its own has nothing in its caches.
        const { context, page } = await open(browser, "about:blank");
        times.push(await work(page));
        await context.close();
    }
    return times;
}

/** Milliseconds from a press on a button to the moment when the status says something. */
const untilSaid = (page, button, beginning) => page.evaluate(([button, beginning]) => new Promise((resolve) => {
    const standing = document.getElementById("standing");
    const start = performance.now();
    const look = () => standing.textContent.startsWith(beginning) && resolve(performance.now() - start);
    new MutationObserver(look).observe(standing, { childList: true, characterData: true, subtree: true });
    document.getElementById(button).click();
}), [button, beginning]);

const ENDLESS = "let n = 0;\nwhile (true) n += 1;";
async function searching(page) {
    await page.goto(site.address);
    await says(page, /^Solution 1/);
    await write(page, ENDLESS);
    await press(page, "Run");
    await says(page, /^Searching/);
}

const kib = (bytes) => `${Math.ceil(bytes.length / 1024)} KiB`;
const assets = new URL("../dist/assets/", import.meta.url);
const engine = readFileSync(new URL(readdirSync(assets).find((name) => name.endsWith(".wasm")), assets));
console.log(`engine ${kib(gzipSync(engine, { level: 9 }))} by gzip, ${kib(brotliCompressSync(engine))} by brotli; load of the machine ${loadavg()[0].toFixed(1)}`);

tell("the first picture, behind the HTML", await each(async (page) => {
    // It is in the first frame that has anything in it, if it has come by then.
    await page.addInitScript(() => document.addEventListener("load", ({ target }) => {
        if (target.closest("#first-map")) globalThis.loaded ??= performance.now();
    }, true));
    await page.goto(site.address);
    return (await page.waitForFunction(() => {
        const [paint] = performance.getEntriesByName("first-contentful-paint");
        return paint && globalThis.loaded && Math.max(paint.startTime, globalThis.loaded) - performance.getEntriesByType("navigation")[0].responseEnd;
    })).jsonValue();
}));

tell("the first map of the engine, behind a cold load", await each(async (page) => {
    await page.goto(site.address);
    await says(page, /^Solution 1/);
    return page.evaluate(() => performance.now());
}));

tell("a picture of the engine, to its frame", await each(async (page) => {
    // Before the page has begun, so that the time is taken first.
    await page.addInitScript(() => {
        const Real = globalThis.Worker;
        globalThis.Worker = class extends Real {
            constructor(...words) {
                super(...words);
                this.addEventListener("message", ({ data }) => {
                    if (data.notice === "output" && data.pieces.some((piece) => piece.png)) globalThis.came ??= performance.now();
                });
            }
        };
    });
    await page.goto(site.address);
    await says(page, /^Solution 1/);
    return page.evaluate(() => new Promise((resolve) => {
        globalThis.came = undefined;
        const before = document.querySelector("#output .big img").src;
        const look = () => {
            const image = document.querySelector("#output .big img");
            if (globalThis.came && image?.src !== before && image?.complete && image.naturalWidth > 0) setTimeout(() => resolve(performance.now() - globalThis.came));
            else requestAnimationFrame(look);
        };
        look();
        document.getElementById("new-seed").click();
    }));
}));

const frames = await each(async (page) => {
    await page.goto(site.address);
    await says(page, /^Solution 1/);
    // Enter runs it once. Who leaves the field by pressing Run runs it twice, and the words of the first run still stand while the second one runs.
    await page.getByRole("spinbutton", { name: "size" }).fill("32");
    await page.keyboard.press("Enter");
    await outputOf(page).getByRole("img", { name: /32 columns/ }).waitFor();
    await says(page, /^Solution 1/);
    await press(page, "Play");
    await page.getByText(/^Step \d/).waitFor();
    return page.evaluate(() => new Promise((resolve) => {
        const [start, moments] = [performance.now(), document.getElementById("moment-words")];
        let shown = 0;
        new MutationObserver(() => shown++).observe(moments, { childList: true });
        setTimeout(() => resolve(shown / (performance.now() - start) * 1000), 4000);
    }));
});
console.log(`a map of 32 x 32 plays at ${frames.map((rate) => Math.round(rate)).sort((a, b) => a - b).join(", ")} frames a second`);

tell("Stop in a search without end", await each(async (page) => {
    await searching(page);
    return untilSaid(page, "stop", "Stopped");
}));

const keys = [];
await each(async (page) => {
    await searching(page);
    await page.evaluate(() => {
        globalThis.waits = [];
        addEventListener("keydown", (event) => {
            // From the press to the frame that shows what it did.
            requestAnimationFrame(() => setTimeout(() => globalThis.waits.push(performance.now() - event.timeStamp)));
        }, true);
    });
    // The last press was on Run, where Enter and the space bar would begin the search anew.
    await page.getByRole("textbox", { name: "Program" }).focus();
    await page.keyboard.press("Control+End");
    for (const letter of "\n// typed while it searches") await page.keyboard.type(letter, { delay: 30 });
    keys.push(...await page.evaluate(() => globalThis.waits));
});
tell("a key while a search runs, to its frame", keys);

await browser.close();
site.close();
