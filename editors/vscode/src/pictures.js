// A panel beside the editor with what a program prints and draws.
const vscode = require("vscode");
const { spawn } = require("node:child_process");
const { mkdtempSync, readFileSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { basename, dirname, join } = require("node:path");

class Pictures {
    /**
     * @param {() => string} ndscript the program
     * @param {vscode.OutputChannel} log where errors go
     */
    constructor(ndscript, log) {
        this.ndscript = ndscript;
        this.log = log;
        this.folder = mkdtempSync(join(tmpdir(), "ndscript-"));
        /** For each script its seed, and which of its solutions is shown. */
        this.shown = new Map();
    }

    dispose() {
        this.running?.kill();
        this.panel?.dispose();
        rmSync(this.folder, { recursive: true, force: true });
    }

    /** Shows the first solution, with the seed that the script had before. */
    run(path) {
        return this.show(path, this.shown.get(path)?.seed ?? 1, 1);
    }

    nextSolution(path) {
        const { seed, solution } = this.shown.get(path) ?? { seed: 1, solution: 0 };
        return this.show(path, seed, solution + 1);
    }

    newSeed(path) {
        return this.show(path, Math.floor(Math.random() * 1e9), 1);
    }

    /** Runs a script up to a solution. The run before is stopped: what is shown is the latest that was asked for. */
    async show(path, seed, solution) {
        this.shown.set(path, { seed, solution });
        this.running?.kill();
        const page = join(this.folder, "page.html");
        rmSync(page, { force: true });
        const arguments_ = ["run", path, "--seed", `${seed}`, "--solutions", `${solution}`, "--html", page, "--out", this.folder];
        const process_ = spawn(this.ndscript(), arguments_, { cwd: dirname(path), stdio: ["ignore", "ignore", "pipe"] });
        this.running = process_;
        let said = "";
        process_.stderr.on("data", (data) => (said += data));
        const code = await new Promise((resolve) => {
            process_.on("error", (error) => {
                said += `${this.ndscript()} does not start: ${error.message}\nSet "ndscript.path" to the program ndscript.\n`;
                resolve(2);
            });
            process_.on("close", resolve);
        });
        if (this.running !== process_) {
            return;
        }
        this.running = undefined;
        if (code !== 0) {
            this.log.append(said);
            this.log.show(true);
            return;
        }
        this.show_page(`${basename(path)}: seed ${seed}, solution ${solution}`, readFileSync(page, "utf8"));
    }

    show_page(title, html) {
        if (!this.panel) {
            const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
            // Pages have pictures and no scripts.
            this.panel = vscode.window.createWebviewPanel("ndscript.pictures", title, beside, { enableScripts: false });
            this.panel.onDidDispose(() => (this.panel = undefined));
        }
        this.panel.title = title;
        this.panel.webview.html = html;
    }
}

module.exports = { Pictures };
