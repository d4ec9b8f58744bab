// How long a person waits, in Chromium on this machine: `npm run measure` behind `npm run build`. It tells; it asserts nothing.
import { launch, open, press, says, serve, write } from "./browser.mjs";

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

tell("the first map behind a cold load", await each(async (page) => {
    await page.goto(site.address, { waitUntil: "commit" });
    return page.evaluate(() => new Promise((resolve) => {
        const look = () => {
            const image = document.querySelector("#output img");
            if (image?.complete && image.naturalWidth > 0) resolve(performance.now());
            else requestAnimationFrame(look);
        };
        look();
    }));
}));

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
    await page.keyboard.press("Control+End");
    for (const letter of "\n// typed while it searches") await page.keyboard.type(letter, { delay: 30 });
    keys.push(...await page.evaluate(() => globalThis.waits));
});
tell("a key while a search runs, to its frame", keys);

await browser.close();
site.close();
