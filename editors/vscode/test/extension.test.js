// Loads the extension with an editor that only notes what it is told, and the real `ndscript` (from NDSCRIPT, or PATH).
const assert = require("node:assert/strict");
const { existsSync, mkdtempSync, readFileSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const root = join(__dirname, "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const binary = process.env.NDSCRIPT ?? "ndscript";

const commands = new Map();
const factories = new Map();
const panels = [];
const logged = [];
let configured = binary;
let document;
const channel = {
    append: (text) => logged.push(text),
    appendLine: (text) => logged.push(text),
    show: () => logged.push("(shown)"),
    dispose() {},
};
class Uri {}
const vscode = {
    Uri,
    ViewColumn: { Beside: -2 },
    DebugAdapterExecutable: class {
        constructor(command, args) {
            Object.assign(this, { command, args });
        }
    },
    workspace: { getConfiguration: () => ({ get: () => configured }) },
    window: {
        get activeTextEditor() {
            return document && { document };
        },
        createOutputChannel: () => channel,
        showInformationMessage: (text) => logged.push(text),
        terminals: [],
        createTerminal: (options) => ({ ...options, show: () => logged.push(options) }),
        createWebviewPanel: (_, title, __, options) => {
            const panel = { title, options, webview: { html: "" }, onDidDispose() {}, dispose() {} };
            panels.push(panel);
            return panel;
        },
    },
    commands: { registerCommand: (name, act) => (commands.set(name, act), { dispose() {} }) },
    debug: {
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
    assert.deepEqual(clients[0].given[2], { command: binary, args: ["lsp"] });
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
    writeFileSync(path, 'printTilemap(grid([["red", choose("green", "blue")]]));\nprintLine(choose(1, 2));\n');
    assert.equal(provider.resolveDebugConfiguration(undefined, {}).program, "${file}");
    await commands.get("ndscript.run")();
    assert.equal(panels.length, 1);
    assert.equal(panels[0].title, "map.nds: seed 1, solution 1");
    const pictures = (html) => html.match(/<img /g).length;
    assert.equal(pictures(panels[0].webview.html), 1);
    await commands.get("ndscript.nextSolution")();
    await commands.get("ndscript.nextSolution")();
    assert.equal(panels[0].title, "map.nds: seed 1, solution 3");
    assert.equal(pictures(panels[0].webview.html), 3);
    await commands.get("ndscript.newSeed")();
    assert.match(panels[0].title, /^map\.nds: seed \d+, solution 1$/);
    const { seed } = /seed (?<seed>\d+)/.exec(panels[0].title).groups;
    await commands.get("ndscript.run")();
    assert.equal(panels[0].title, `map.nds: seed ${seed}, solution 1`);
    assert.equal(panels.length, 1);

    // Errors go to the log, and the picture before stays.
    const before = panels[0].webview.html;
    writeFileSync(path, "print(missing);\n");
    await commands.get("ndscript.run")();
    assert.equal(logged.at(-1), "(shown)");
    assert.match(logged.at(-2), /`missing` is not defined/);
    assert.equal(panels[0].webview.html, before);
    configured = "/nowhere/ndscript";
    await commands.get("ndscript.run")();
    assert.match(logged.at(-2), /does not start/);

    await commands.get("ndscript.test")();
    assert.deepEqual(logged.at(-1).shellArgs, ["test", path]);
    subscriptions.forEach((each) => each?.dispose?.());
    deactivate();
    console.log("VS Code: the extension does what it is told");
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
