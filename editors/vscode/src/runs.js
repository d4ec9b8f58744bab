// Runs of programs, for the commands Run, Next Solution and New Seed. One goes on at a time.
const vscode = require("vscode");
const { readFileSync } = require("node:fs");
const { basename, dirname } = require("node:path");
const { Adapter } = require("./adapter");

class Runs {
    /**
     * @param {() => string} ndscript the program
     * @param {import("./panel").Panel} panel
     * @param {vscode.OutputChannel} log where errors go
     */
    constructor(ndscript, panel, log) {
        this.ndscript = ndscript;
        this.panel = panel;
        this.log = log;
        /** The seed of each program. */
        this.seeds = new Map();
    }

    dispose() {
        this.stop();
    }

    /** Runs to the first solution, with the seed that the program had before. */
    run(path) {
        return this.begin(path, this.seeds.get(path) ?? 1);
    }

    newSeed(path) {
        return this.begin(path, Math.floor(Math.random() * 1e9));
    }

    /** Goes on to the next solution; to the first one if the program has changed, or did not run. */
    nextSolution(path) {
        const run = this.current;
        if (run?.path !== path || run.text !== readFileSync(path, "utf8") || !run.adapter) {
            return this.run(path);
        }
        return run.isAtSolution ? this.goOn(run) : run.settled;
    }

    stop() {
        const run = this.current;
        this.current = undefined;
        if (run) {
            run.adapter?.dispose();
            run.settle?.();
            this.panel.forget(run);
        }
    }

    async begin(path, seed) {
        this.stop();
        this.seeds.set(path, seed);
        const run = { path, seed, text: readFileSync(path, "utf8"), title: `${basename(path)}: seed ${seed}` };
        this.current = run;
        run.adapter = new Adapter(this.ndscript(), dirname(path), (name, body) => this.hear(run, name, body));
        const { adapter } = run;
        try {
            await adapter.request("initialize", { adapterID: "ndscript" });
            await adapter.request("launch", { program: path, seed, pictures: true });
            await adapter.request("setExceptionBreakpoints", { filters: ["solution"] });
            await this.goOn(run, "configurationDone");
        } catch (error) {
            this.complain(run, `${error.message}\n`);
        }
    }

    /** Lets a run go on until it stops. */
    async goOn(run, command = "continue") {
        run.isAtSolution = false;
        run.settled = new Promise((resolve) => (run.settle = resolve));
        await run.adapter.request(command, { threadId: 1 });
        await run.settled;
    }

    complain(run, text) {
        if (this.current === run) {
            this.log.append(text);
            this.log.show(true);
        }
    }

    hear(run, name, body) {
        if (this.current !== run) {
            return;
        }
        switch (name) {
            case "ndscriptPictures":
                this.panel.change(run, run.title, body);
                break;
            case "output":
                if (body.category === "stderr") {
                    this.complain(run, body.output);
                }
                break;
            case "stopped":
                this.stopped(run, body);
                break;
            case "terminated":
                run.settle?.();
                break;
            case "exit":
                run.adapter = undefined;
                run.settle?.();
        }
    }

    stopped(run, { reason, description = "" }) {
        // It stands behind an answer, and was told to go on.
        if (reason === "goto") {
            return;
        }
        run.isAtSolution = description.startsWith("Solution ");
        const words = run.isAtSolution ? description.toLowerCase() : description;
        run.title = `${basename(run.path)}: seed ${run.seed}, ${words}`;
        this.panel.rename(run, run.title);
        if (reason === "question") {
            this.answer(run, description);
            return;
        }
        if (reason === "end") {
            vscode.window.showInformationMessage(`${basename(run.path)}: ${description}.`);
        }
        run.settle();
    }

    /** Asks the person what the program asks. */
    async answer(run, question) {
        const settle = run.settle;
        try {
            for (;;) {
                const expression = await vscode.window.showInputBox({ prompt: question, ignoreFocusOut: true });
                if (expression === undefined || this.current !== run) {
                    settle();
                    return;
                }
                const answered = run.adapter.request("evaluate", { expression, context: "repl" });
                // What is none of the options is asked once more.
                if (await answered.then(() => true, () => false)) {
                    break;
                }
            }
            await this.goOn(run);
        } catch (error) {
            this.complain(run, `${error.message}\n`);
        }
        settle();
    }
}

module.exports = { Runs };
