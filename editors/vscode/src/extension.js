// NDScript in Visual Studio Code: the language server, the debugger and pictures, all by the program `ndscript`.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { Panel } = require("./panel");
const { Runs } = require("./runs");

let client;

/** The program `ndscript`, as the settings name it. */
function ndscript() {
    return vscode.workspace.getConfiguration("ndscript").get("path") || "ndscript";
}

/** The script that a command is about: what the command was given, or the one that is being edited. */
async function script(given) {
    const document = given
        ? await vscode.workspace.openTextDocument(given instanceof vscode.Uri ? given : vscode.Uri.parse(given))
        : vscode.window.activeTextEditor?.document;
    if (!document || document.languageId !== "ndscript") {
        vscode.window.showInformationMessage("Open an NDScript program first: a file whose name ends in .nds.");
        return undefined;
    }
    if (document.isUntitled) {
        vscode.window.showInformationMessage("Save the program first: it runs as a file.");
        return undefined;
    }
    await document.save();
    return document.uri.fsPath;
}

/** Runs the tests of a script, or the one of a name, in a terminal. */
function runTests(path, test) {
    const name = "NDScript tests";
    const old = vscode.window.terminals.find((terminal) => terminal.name === name);
    old?.dispose();
    const shellArgs = ["test", path, ...(test ? ["--only", test] : [])];
    const terminal = vscode.window.createTerminal({ name, shellPath: ndscript(), shellArgs });
    terminal.show(true);
}

/** What is debugged if nobody has written a launch configuration. */
const configurations = {
    resolveDebugConfiguration(_folder, configuration) {
        if (!configuration.type && !configuration.request && !configuration.name) {
            if (vscode.window.activeTextEditor?.document.languageId !== "ndscript") {
                return undefined;
            }
            configuration = { type: "ndscript", request: "launch", name: "Debug this program" };
        }
        configuration.program ??= "${file}";
        configuration.pictures ??= true;
        return configuration;
    },
    provideDebugConfigurations() {
        return [{ type: "ndscript", request: "launch", name: "Debug this program", program: "${file}" }];
    },
};

async function activate(context) {
    const log = vscode.window.createOutputChannel("NDScript");
    const panel = new Panel();
    const runs = new Runs(ndscript, panel, log);
    const command = (name, act) =>
        vscode.commands.registerCommand(name, async (given, name) => {
            const path = await script(given);
            if (path) {
                // A menu hands over what it is the menu of.
                await act(path, typeof name === "string" ? name : undefined);
            }
        });
    context.subscriptions.push(
        log,
        panel,
        runs,
        command("ndscript.run", (path) => runs.run(path)),
        command("ndscript.nextSolution", (path) => runs.nextSolution(path)),
        command("ndscript.newSeed", (path) => runs.newSeed(path)),
        command("ndscript.test", runTests),
        vscode.debug.onDidReceiveDebugSessionCustomEvent(({ session, event, body }) => {
            if (event === "ndscriptPictures") {
                panel.change(session, session.name, body);
            }
        }),
        vscode.debug.onDidTerminateDebugSession((session) => panel.forget(session)),
        vscode.debug.registerDebugConfigurationProvider("ndscript", configurations),
        vscode.debug.registerDebugAdapterDescriptorFactory("ndscript", {
            createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(ndscript(), ["dap"]),
        }),
    );
    const more = vscode.workspace.getConfiguration("ndscript").get("serverArguments") ?? [];
    client = new LanguageClient(
        "ndscript",
        "NDScript",
        { command: ndscript(), args: ["lsp", ...more] },
        { documentSelector: [{ language: "ndscript" }], outputChannel: log },
    );
    try {
        await client.start();
    } catch (error) {
        // Colors, pictures and the debugger do without it.
        log.appendLine(`The language server does not start: ${error}. Set "ndscript.path" to the program ndscript.`);
    }
}

function deactivate() {
    return client?.stop();
}

module.exports = { activate, deactivate };
