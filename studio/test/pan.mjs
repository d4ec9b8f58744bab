// How smoothly a tree of 100,000 nodes pans: `node test/pan.mjs`, with the site built. A figure, and no test: it depends on the
// machine and on what else runs on it.
import { launch, open, press, says, serve, write } from "./browser.mjs";

const PROGRAM = "let digits = map(range(5), i => choose(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));\nrequire(sum(digits) == 45);\nprint(digits);";
const SECONDS = 4;

const [browser, site] = await Promise.all([launch(), serve()]);
const { page } = await open(browser, site.address);
await says(page, /^Solution 1/);
await write(page, PROGRAM);
await press(page, "Run");
await says(page, /^Solution 1 after 1,/);
await press(page, "End");
await page.getByText(/^Step \d/).waitFor({ timeout: 120_000 });
await page.evaluate(() => { document.querySelector("#inside").open = true; });
const tree = page.getByRole("tree", { name: "Tree of the search" });
await tree.scrollIntoViewIfNeeded();
const client = await page.context().newCDPSession(page);
await client.send("Performance.enable");
const worked = async () => (await client.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
const before = await worked();
const frames = await tree.evaluate((element, seconds) => new Promise((resolve) => {
    const times = [];
    const start = performance.now();
    const step = (now) => {
        times.push(now);
        // A screenful a frame, so that every frame shows other nodes.
        element.scrollTop = (element.scrollTop + element.clientHeight) % (element.scrollHeight - element.clientHeight);
        if (now - start < seconds * 1000) requestAnimationFrame(step);
        else resolve(times);
    };
    requestAnimationFrame(step);
}), SECONDS);
const took = await worked() - before;
const gaps = frames.slice(1).map((time, at) => time - frames[at]).sort((a, b) => a - b);
const nodes = await tree.locator("[role=treeitem]").first().getAttribute("aria-setsize");
console.log(`${nodes} nodes: ${(frames.length / SECONDS).toFixed(0)} frames a second; half of them within ${gaps[gaps.length >> 1].toFixed(1)} ms, 19 of 20 within ${
    gaps[Math.floor(gaps.length * 0.95)].toFixed(1)} ms; ${(took / frames.length * 1000).toFixed(1)} ms of work for each`);
await browser.close();
site.close();
