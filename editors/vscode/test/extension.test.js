// Loads the extension with an editor that only notes what it is told, and the real `ndscript` (from NDSCRIPT, or PATH).
const assert = require("node:assert/strict");
const { existsSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { setTimeout: sleep } = require("node:timers/promises");
const { runInNewContext } = require("node:vm");

const root = join(__dirname, "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const binary = process.env.NDSCRIPT ?? "ndscript";

const commands = new Map();
const factories = new Map();
const panels = [];
const logged = [];
const shown = [];
const answers = [];

/** A part of a page: as much of one as the panel's script needs. */
class Part {
    constructor() {
        this.children = [];
        this.listeners = {};
    }
    get lastChild() {
        const parent = this;
        return { remove: () => parent.children.pop() };
    }
    append(...parts) {
        this.children.push(...parts);
    }
    addEventListener(name, act) {
        this.listeners[name] = act;
    }
}

/** The page of the panel, whose script is run. */
class Page {
    constructor(html, post) {
        this.post = (message) => message.isReady || post(message);
        const parts = { pictures: new Part(), text: new Part() };
        const window = new Part();
        this.parts = parts;
        this.hear = (data) => window.listeners.message({ data });
        const document = { getElementById: (id) => parts[id], createElement: () => new Part() };
        const [, nonce, script] = /<script nonce="(\w+)">(.*)<\/script>/s.exec(html);
        assert.ok(html.includes(`script-src 'nonce-${nonce}'`) && html.includes("default-src 'none'"));
        // It is ready once whoever made it has it.
        runInNewContext(script, { document, window, acquireVsCodeApi: () => ({ postMessage: (message) => this.post(message) }) });
        setImmediate(() => post({ isReady: true }));
            }
    get images() {
        return this.parts.pictures.children.map((figure) => figure.children[1]);
    }
    get text() {
        return this.parts.pictures.children.map((figure) => figure.children[0].textContent).join("|") + `|${this.parts.text.textContent}`;
    }
}
let configured = binary;
const more = ["--host", "host.json"];
let document;
const channel = {
    append: (text) => logged.push(text),
    appendLine: (text) => logged.push(text),
    show: () => logged.push("(shown)"),
    dispose() {},
};
class Uri {
    static file(fsPath) {
        return Object.assign(new Uri(), { fsPath });
    }
}
const vscode = {
    Uri,
    ViewColumn: { Beside: -2, One: 1 },
    Position: class {
        constructor(line, character) {
            Object.assign(this, { line, character });
        }
    },
    Range: class {
        constructor(start, end) {
            Object.assign(this, { start, end });
        }
    },
    DebugAdapterExecutable: class {
        constructor(command, args) {
            Object.assign(this, { command, args });
        }
    },
    workspace: {
        getConfiguration: () => ({ get: (name) => (name === "path" ? configured : more) }),
        openTextDocument: async (uri) => ({ uri, lineAt: ({ line }) => ({ range: { end: new vscode.Position(line, 80) } }) }),
    },
    window: {
        get activeTextEditor() {
            return document && { document };
        },
        createOutputChannel: () => channel,
        showInformationMessage: (text) => logged.push(text),
        visibleTextEditors: [],
        showTextDocument: async (document, options) => shown.push({ path: document.uri.fsPath, ...options }),
        showInputBox: async ({ prompt }) => (logged.push(prompt), answers.shift()),
        terminals: [],
        createTerminal: (options) => ({ ...options, show: () => logged.push(options) }),
        createWebviewPanel: (_, title, __, options) => {
            const panel = { title, options, onDidDispose() {}, dispose() {} };
            const hears = [];
            // The page runs as soon as it is there.
            panel.webview = {
                onDidReceiveMessage: (hear) => hears.push(hear),
                postMessage: (message) => panel.page.hear(structuredClone(message)),
                set html(html) {
                    panel.page = new Page(html, (message) => hears.forEach((hear) => hear(message)));
                },
            };
            panels.push(panel);
            return panel;
        },
    },
    commands: { registerCommand: (name, act) => (commands.set(name, act), { dispose() {} }) },
    debug: {
        onDidReceiveDebugSessionCustomEvent: (hear) => (factories.set("event", hear), { dispose() {} }),
        onDidTerminateDebugSession: (hear) => (factories.set("end", hear), { dispose() {} }),
        registerDebugConfigurationProvider: (_, provider) => factories.set("configuration", provider),
        registerDebugAdapterDescriptorFactory: (_, factory) => factories.set("adapter", factory),
    },
};
const clients = [];
class LanguageClient {
    constructor(...given) {
        this.given = given;
        clients.push(this);
    }
    async start() {
        throw new Error("not in this test");
    }
    stop() {}
}
const load = Module._load;
Module._load = (request, ...rest) => {
    if (request === "vscode") {
        return vscode;
    }
    return request === "vscode-languageclient/node" ? { LanguageClient } : load(request, ...rest);
};

async function main() {
    // Whatever the manifest names is there.
    const { languages, grammars, debuggers, commands: named, menus } = manifest.contributes;
    for (const path of [manifest.main, languages[0].configuration, grammars[0].path]) {
        assert.ok(existsSync(join(root, path)), path);
    }
    for (const path of [languages[0].configuration, grammars[0].path]) {
        JSON.parse(readFileSync(join(root, path), "utf8"));
    }
    const { wordPattern, indentationRules } = JSON.parse(readFileSync(join(root, languages[0].configuration), "utf8"));
    assert.deepEqual("größe + x2".match(new RegExp(wordPattern, "gu")), ["größe", "x2"]);
    const increase = new RegExp(indentationRules.increaseIndentPattern);
    assert.ok(increase.test("while (true) {") && !increase.test("f(x);") && !increase.test("// {"));
    assert.equal(debuggers[0].type, "ndscript");
    assert.ok(require("vscode-languageclient/package.json").version.startsWith("9."));

    const { activate, deactivate } = require(join(root, manifest.main));
    const subscriptions = [];
    await activate({ subscriptions });
    assert.deepEqual([...commands.keys()].sort(), named.map(({ command }) => command).sort());
    for (const item of Object.values(menus).flat()) {
        assert.ok(commands.has(item.command), item.command);
    }
    // Without a language server the rest works.
    assert.deepEqual(clients[0].given[2], { command: binary, args: ["lsp", ...more] });
    assert.ok(logged.some((text) => `${text}`.includes("does not start")));

    assert.deepEqual({ ...factories.get("adapter").createDebugAdapterDescriptor() }, { command: binary, args: ["dap"] });
    const provider = factories.get("configuration");
    assert.equal(provider.resolveDebugConfiguration(undefined, {}), undefined);
    const written = { type: "ndscript", request: "launch", name: "mine", seed: 3 };
    assert.equal(provider.resolveDebugConfiguration(undefined, written).program, "${file}");

    // No program, or none that is saved.
    await commands.get("ndscript.run")();
    assert.match(logged.at(-1), /Open an NDScript program/);
    const path = join(mkdtempSync(join(tmpdir(), "ndscript-test-")), "map.nds");
    document = { languageId: "ndscript", isUntitled: true, uri: { fsPath: path }, save: async () => {} };
    await commands.get("ndscript.run")();
    assert.match(logged.at(-1), /Save the program/);

    // Pictures of a program.
    document.isUntitled = false;
    const seed = (title) => /seed (?<seed>\d+)/.exec(title).groups.seed;
    writeFileSync(path, 'print("a");\nprintTilemap(grid([["red", choose("green", "blue")]]));\nprintLine(choose(1, 2));\n');
    assert.equal(provider.resolveDebugConfiguration(undefined, {}).program, "${file}");
    assert.equal(provider.resolveDebugConfiguration(undefined, {}).pictures, true);
    await commands.get("ndscript.run")();
    await sleep(50);
    assert.equal(panels.length, 1);
    const [{ page }] = panels;
    assert.equal(panels[0].title, "map.nds: seed 1, solution 1");
    assert.equal(page.images.length, 1);
    assert.match(page.images[0].src, /^data:image\/png;base64,/);
    assert.match(page.text, /^a\|[12]\n$/);
    const first = page.images[0];
    await commands.get("ndscript.nextSolution")();
    assert.equal(panels[0].title, "map.nds: seed 1, solution 2");
    // The choice behind it has another alternative: the picture is the same one.
    assert.equal(page.images[0], first);
    await commands.get("ndscript.nextSolution")();
    assert.equal(panels[0].title, "map.nds: seed 1, solution 3");
    assert.notEqual(page.images[0].src, first.src);
    // A click goes to the line.
    assert.equal(page.images[0].title, "map.nds:2");
    page.images[0].listeners.click();
    await sleep(10);
    const { start, end } = shown[0].selection;
    assert.deepEqual([shown[0].path, shown[0].viewColumn, start.line, end.line], [realpathSync(path), 1, 1, 1]);
    for (let solution = 4; solution <= 5; solution++) {
        await commands.get("ndscript.nextSolution")();
    }
    assert.match(panels[0].title, /There are no more solutions/);
    await commands.get("ndscript.newSeed")();
    assert.match(panels[0].title, /^map\.nds: seed \d+, solution 1$/);
    const drawn = seed(panels[0].title);
    await commands.get("ndscript.run")();
    assert.equal(panels[0].title, `map.nds: seed ${drawn}, solution 1`);
    assert.equal(panels.length, 1);

    // They come while the program runs, and another run ends it.
    writeFileSync(path, 'printImage("red");\nwhile (true) {}\n');
    const endless = commands.get("ndscript.run")();
    while (page.images[0]?.title !== "map.nds:1") {
        await sleep(20);
    }
    // A program that has changed begins anew. It asks, until it gets what it can take.
    writeFileSync(path, 'let size = ask("How large?", ["small", "large"]);\nprintImage(size == "large" ? "red" : "blue");\nprint(size);\n');
    answers.push("huge", "large");
    await commands.get("ndscript.nextSolution")();
    await endless;
    assert.equal(logged.filter((text) => `${text}`.startsWith("The program asks: How large?")).length, 2);
    assert.equal(panels[0].title, `map.nds: seed ${drawn}, solution 1`);
    assert.equal(page.images[0].title, "map.nds:2");
    assert.match(page.text, /large$/);

    // A debugged program shows its pictures there, too.
    const session = { name: "Debug this program" };
    const told = (event, body) => factories.get("event")({ session, event, body });
    told("somethingElse", {});
    told("ndscriptPictures", { keep: 0, pictures: [], text: "" });
    assert.equal(panels[0].title, `map.nds: seed ${drawn}, solution 1`);
    const picture = { image: "data:x", alt: "x", before: "", source: { name: "std/maps.nds" }, line: 3 };
    told("ndscriptPictures", { keep: 0, pictures: [picture, picture], text: "t" });
    told("ndscriptPictures", { keep: 1, pictures: [], text: "u" });
    assert.deepEqual([panels[0].title, page.images.length, page.text], ["Debug this program", 1, "|u"]);
    // What lies in no file cannot be gone to.
    assert.equal(page.images[0].title, undefined);
    factories.get("end")(session);

    // Errors go to the log, and the picture before stays.
    writeFileSync(path, "print(missing);\n");
    await commands.get("ndscript.run")();
    assert.equal(logged.at(-1), "(shown)");
    assert.match(logged.at(-2), /`missing` is not defined/);
    assert.equal(page.images.length, 1);
    configured = "/nowhere/ndscript";
    await commands.get("ndscript.run")();
    assert.match(logged.at(-2), /does not start/);

    await commands.get("ndscript.test")();
    assert.deepEqual(logged.at(-1).shellArgs, ["test", path]);
    // A lens names its test; a menu hands over what it is the menu of.
    await commands.get("ndscript.test")(undefined, "testPath");
    assert.deepEqual(logged.at(-1).shellArgs, ["test", path, "--only", "testPath"]);
    await commands.get("ndscript.test")(undefined, { groupId: 0 });
    assert.deepEqual(logged.at(-1).shellArgs, ["test", path]);
    subscriptions.forEach((each) => each?.dispose?.());
    deactivate();
    console.log("VS Code: the extension does what it is told");
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
