// The studio in a browser, as a person has it: what tests of it share.
import assert from "node:assert/strict";
import { createReadStream, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join, normalize } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";

const dist = join(dirname(fileURLToPath(import.meta.url)), "../dist");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };

export const studioFile = pathToFileURL(join(dist, "studio.html")).href;

/** Serves `dist/` on this machine. */
export async function serve() {
    const server = createServer((request, response) => {
        const path = normalize(new URL(request.url, "http://localhost").pathname).replace(/\/$/, "/index.html");
        const file = join(dist, path);
        if (!file.startsWith(dist) || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
        response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
        createReadStream(file).pipe(response);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** Serves a page of somebody else, from another place. */
export async function servePage(html) {
    const server = createServer((_, response) => response.writeHead(200, { "content-type": TYPES[".html"] }).end(html));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export function launch() {
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** A page that notes what goes wrong in it, and what it asks of the network. */
export async function open(browser, address, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    // A machine may be slow: what never comes is told late rather than too soon.
    context.setDefaultTimeout(Number(process.env.PATIENCE ?? 90_000));
    const page = await context.newPage();
    const [problems, asked] = [[], []];
    page.on("request", (request) => asked.push(request.url()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(address);
    return { context, page, problems, asked };
}

/** Puts a program into the editor in place of what is there. */
export async function write(page, text) {
    const editor = page.getByRole("textbox", { name: "Program" });
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
}

/** Waits until the status line says something. */
export async function says(page, pattern) {
    await page.getByRole("status").first().filter({ hasText: pattern }).waitFor({ timeout: Number(process.env.PATIENCE ?? 60_000) });
}

/** The keyboard, as one who has nothing else uses it. */
export function keyboardOf(page) {
    /** The name of what would hear a key. */
    const focused = () => page.evaluate(() => {
        const it = document.activeElement;
        return it?.getAttribute("aria-label") ?? it?.labels?.[0]?.textContent ?? it?.textContent ?? "";
    });
    const press = async (key, times = 1) => {
        for (let time = 0; time < times; time++) await page.keyboard.press(key);
    };
    return {
        focused, press,
        /** Presses Tab until it is at what has that name; how often. */
        tabTo: async (name, key = "Tab") => {
            for (let presses = 0; presses < 80; presses++) {
                if (name.test(await focused())) return presses;
                await page.keyboard.press(key);
            }
            return assert.fail(`Tab does not come to ${name}, but to ${await focused()}`);
        },
    };
}

/** Goes to a moment of the run: its end, with the cells of its grid in place of the picture if there is one, and with all that lies inside. */
export async function look(page) {
    await press(page, "End");
    await page.getByText(/^Step \d/).waitFor();
    const cells = page.getByRole("button", { name: "Show cells" });
    const hasGrid = await page.evaluate(() => document.querySelector("[role=gridcell]") !== null);
    if (hasGrid && await cells.getAttribute("aria-pressed") === "false") await cells.click();
    await page.evaluate(() => { document.querySelector("#inside").open = true; });
}

/** Steps to the next or the previous choice, failure or line. */
export async function step(page, where, unit) {
    await page.getByRole("combobox", { name: "Step by" }).selectOption(unit);
    await press(page, `${where} ${unit}`);
}

/** Takes back one thing that was placed: each by itself is folded away. */
export async function takeBack(page, what) {
    await page.evaluate(() => { document.querySelector("#picks details").open = true; });
    await press(page, `Take back ${what}`);
}

/** Opens a menu of the page, and presses what is in it. */
export async function fromMenu(page, menu, name) {
    await press(page, menu);
    await press(page, name);
}

/** Waits until something holds, however long the machine takes for it. */
export async function until(holds, what) {
    const end = Date.now() + Number(process.env.PATIENCE ?? 60_000);
    while (!await holds()) {
        assert.ok(Date.now() < end, `it never came to this: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

/**
 * `assert`, for what is read from a page: reads again until it holds, as a page answers what is pressed when it comes to it.
 * What is read must change nothing.
 */
export const soon = new Proxy(assert, {
    get: (assert, name) => async (read, ...rest) => {
        const end = Date.now() + Number(process.env.PATIENCE ?? 20_000);
        for (;;) {
            const value = await read();
            try {
                return assert[name](value, ...rest);
            } catch (why) {
                if (Date.now() > end) throw why;
                await new Promise((resolve) => setTimeout(resolve, 20));
            }
        }
    },
});

/** Waits until the browser's storage holds a project with some words in its program. */
export function keeps(page, words) {
    return until(async () => {
        const text = await page.evaluate(() => localStorage.getItem("ndscript-studio:work") ?? "");
        return text.startsWith("v1=") && inflateRawSync(Buffer.from(text.slice(3), "base64url")).toString().includes(words);
    }, `${words} is kept`);
}

/** Waits until all that was begun is on the screen: pictures are there (but for those far below, which come when they are scrolled to), and what moves stands still (a cursor never does). */
export async function settled(page) {
    await page.waitForFunction(() => [...document.images].every((image) => image.complete || image.loading === "lazy"));
    await page.waitForFunction(() => document.getAnimations().every((animation) =>
        animation.playState !== "running" || animation.effect?.getComputedTiming().endTime === Infinity));
}

export const outputOf = (page) => page.getByRole("region", { name: "Output" });
/** What was printed in pictures: the small ones, each of which can be made large. */
export const picturesOf = (page) => outputOf(page).locator(".thumb");
export const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

/**
 * A browser and a site for all tests of a file. What it gives opens the studio, does something, and looks that nothing went
 * wrong on the way.
 */
export function useStudio() {
    const shared = {};
    before(async () => {
        [shared.browser, shared.site] = await Promise.all([launch(), serve()]);
    });
    after(async () => {
        await shared.browser?.close();
        shared.site?.close();
    });
    return async (fragment, work, options = {}) => {
        const address = /^file:/.test(fragment) ? fragment : shared.site.address + fragment;
        const { context, page, problems, asked } = await open(shared.browser, address, options);
        try {
            await work(page, context, asked, problems);
            assert.deepEqual(problems, []);
        } catch (why) {
            if (problems.length > 0) console.error("the page said:", problems);
            throw why;
        } finally {
            await context.close();
        }
    };
}

/** What a page looks like, where somebody wants to look: SHOTS names the folder. */
export async function shoot(page, name) {
    if (!process.env.SHOTS) return;
    mkdirSync(process.env.SHOTS, { recursive: true });
    await settled(page);
    await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`), fullPage: true });
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Looks that axe has no serious finding; the page has to be opened with `bypassCSP`. */
export async function isAccessible(page) {
    await settled(page);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document));
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(" ")}`), []);
}
