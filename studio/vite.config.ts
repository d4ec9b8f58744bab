// Two forms of the page: a site (`vite build`), and all in one file (`vite build --mode single`).
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { firstMap } from "./build/first.mjs";

const root = import.meta.dirname;

/** What the page may load and do. Styles are made by the editor as it runs; nothing else is made up on the way. */
function policy(scripts: string, connect: string): string {
    const rules = [
        "default-src 'none'", `script-src ${scripts} 'wasm-unsafe-eval'`, "worker-src 'self' blob:", "style-src 'self' 'unsafe-inline'",
        "img-src 'self' blob: data:", `connect-src ${connect}`, "base-uri 'none'", "form-action 'none'",
    ];
    return `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}">`;
}

const withPolicy = (html: string, meta: string) => html.replace("<meta charset=\"utf-8\">", `<meta charset="utf-8">\n${meta}`);

/** The page says where its engine is, so the engine's own guess would only be shipped in vain. */
const noGuess: Plugin = {
    name: "no-guess",
    enforce: "pre",
    transform: (code, id) => id.endsWith("bindings/wasm/dist/ndscript.js")
        ? code.replace(/new URL\('ndscript_bg\.wasm', import\.meta\.url\)/g, "undefined") : id.endsWith("bindings/wasm/dist/index.js")
            ? code.replace(/new URL\("\.\/ndscript_bg\.wasm", import\.meta\.url\)/g, "undefined") : undefined,
};

/** An icon as it stands in the page. */
function icon(name: string): string {
    const svg = readFileSync(join(root, "node_modules/lucide-static/icons", `${name}.svg`), "utf8");
    return svg.replace(/<!--[^]*?-->/g, "").replace(/\s+/g, " ").replace(/> </g, "><").replace("<svg", "<svg aria-hidden=\"true\"").trim();
}

/** What the page has in it from the beginning: its mark, its icons, and the first map. */
const within: Plugin = {
    name: "within",
    transformIndexHtml: {
        order: "pre",
        async handler(html) {
            const mark = readFileSync(join(root, "src/mark.svg")).toString("base64");
            return html.replace(/%icon:([\w-]+)%/g, (_, name) => icon(name)).replaceAll("%mark%", `data:image/svg+xml;base64,${mark}`).replace("%first-map%", await firstMap());
        },
    },
};

/** How a policy names a script that stands in the page. */
const named = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
const early = (html: string) => named(/<script>([^]*?)<\/script>/.exec(html)![1]!);

const site: Plugin = {
    name: "site",
    apply: "build",
    transformIndexHtml: {
        order: "post",
        handler(html, { bundle }) {
            const wasm = Object.keys(bundle ?? {}).find((name) => name.includes("ndscript_bg"));
            if (!wasm) throw new Error("the bundle has no engine");
            // It is what takes longest, so it is asked for first.
            const preload = `<link rel="preload" href="./${wasm}" as="fetch" type="application/wasm" crossorigin>`;
            return withPolicy(html, `${policy(`'self' ${early(html)}`, "'self' https:")}\n${preload}`);
        },
    },
};

/** Puts style, script, engine and gallery into the page. */
const single: Plugin = {
    name: "single",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
        const take = (end: string) => {
            const [name, item] = Object.entries(bundle).find(([name]) => name.endsWith(end)) ?? [];
            if (!name || !item) throw new Error(`the bundle has no ${end}`);
            delete bundle[name];
            return String(item.type === "chunk" ? item.code : item.source);
        };
        const html = take("index.html");
        const style = take(".css");
        const script = take(".js").replaceAll("</script", "<\\/script");
        const data = (id: string, path: string) => {
            const packed = gzipSync(readFileSync(join(root, path)), { level: 9 }).toString("base64");
            return `<script type="application/octet-stream" id="${id}">${packed}</script>`;
        };
        const body = html.replace(/<script[^>]*><\/script>/g, "").replace(/<link rel="stylesheet"[^>]*>/g, "");
        const inHead = `<style>${style}</style>`;
        const atEnd = `${data("packed-engine", "../bindings/wasm/dist/ndscript_bg.wasm")}\n${data("packed-gallery", "build/gallery.json")}\n<script type="module">${script}</script>`;
        const page = withPolicy(body, policy(`${early(html)} ${named(script)} blob:`, "https: data: blob:"))
            .replace("</head>", () => `${inHead}\n</head>`).replace("</body>", () => `${atEnd}\n</body>`);
        this.emitFile({ type: "asset", fileName: "studio.html", source: page });
    },
};

export default defineConfig(({ mode }) => {
    const isSingle = mode === "single";
    return {
        base: "./",
        plugins: [noGuess, within, isSingle ? single : site],
        worker: { format: isSingle ? "iife" : "es", plugins: () => [noGuess] },
        resolve: { alias: { "#start": join(root, isSingle ? "src/worker/start-single.ts" : "src/worker/start-site.ts") } },
        build: {
            target: "es2022",
            outDir: "dist",
            emptyOutDir: !isSingle,
            assetsInlineLimit: 0,
            modulePreload: { polyfill: false },
        },
    };
});
