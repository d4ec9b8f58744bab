// A browser and a site for tests.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
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

export function launch() {
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** A page that notes what goes wrong in it. */
export async function open(browser, address, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(address);
    return { context, page, problems };
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
    await page.getByRole("status").first().filter({ hasText: pattern }).waitFor({ timeout: 60_000 });
}
