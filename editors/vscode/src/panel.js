// A panel beside the editor: what a run prints and draws, as it comes. A click on a picture goes to the line that draws it.
const vscode = require("vscode");
const { randomBytes } = require("node:crypto");
const { page } = require("./page");

class Panel {
    constructor() {
        /** For each run what it shows: pictures, and the text behind them. */
        this.runs = new Map();
        this.over = new Set();
    }

    dispose() {
        this.panel?.dispose();
    }

    /**
     * A run has drawn something, or something of it is gone.
     * @param {object} run whatever tells runs apart
     * @param {string} title
     * @param {{keep: number, pictures: object[], text: string}} body of the event `ndscriptPictures`
     */
    change(run, title, { keep, pictures, text }) {
        const shown = this.runs.get(run) ?? { pictures: [] };
        this.runs.set(run, shown);
        shown.pictures.splice(keep, Infinity, ...pictures);
        shown.text = text;
        shown.title = title;
        const isShown = this.current === run;
        if (!isShown && !pictures.length && !text) {
            return;
        }
        this.current = run;
        this.sweep();
        this.open();
        this.panel.title = title;
        this.send(isShown ? keep : 0);
    }

    /** What a run is called has changed. */
    rename(run, title) {
        const shown = this.runs.get(run);
        if (shown) {
            shown.title = title;
        }
        if (this.current === run && this.panel) {
            this.panel.title = title;
        }
    }

    /** A run is over: what it shows stays until another one shows something. */
    forget(run) {
        this.over.add(run);
        this.sweep();
    }

    sweep() {
        for (const run of this.over) {
            if (run !== this.current) {
                this.runs.delete(run);
                this.over.delete(run);
            }
        }
    }

    open() {
        if (this.panel) {
            return;
        }
        const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
        const options = { enableScripts: true, localResourceRoots: [] };
        this.panel = vscode.window.createWebviewPanel("ndscript.pictures", "Pictures", beside, options);
        this.panel.onDidDispose(() => (this.panel = this.isReady = undefined));
        this.panel.webview.onDidReceiveMessage((message) => this.hear(message));
        this.panel.webview.html = page(randomBytes(16).toString("hex"));
    }

    /** Sends the page the pictures from a number on. */
    send(keep) {
        const shown = this.runs.get(this.current);
        if (!this.isReady || !shown) {
            return;
        }
        const pictures = shown.pictures.slice(keep).map(({ image, alt, before, source, line }) => ({
            image,
            alt,
            before,
            place: source?.path ? `${source.name}:${line}` : undefined,
        }));
        this.panel.webview.postMessage({ keep, pictures, text: shown.text });
    }

    async hear(message) {
        // A page that was hidden begins anew.
        if (message.isReady) {
            this.isReady = true;
            this.send(0);
            return;
        }
        const { source, line } = this.runs.get(this.current)?.pictures[message.goTo] ?? {};
        if (!source?.path) {
            return;
        }
        const document = await vscode.workspace.openTextDocument(vscode.Uri.file(source.path));
        const place = new vscode.Position(line - 1, 0);
        const column = vscode.window.visibleTextEditors.find((editor) => editor.document === document)?.viewColumn;
        await vscode.window.showTextDocument(document, {
            viewColumn: column ?? vscode.ViewColumn.One,
            selection: new vscode.Range(place, document.lineAt(place).range.end),
        });
    }
}

module.exports = { Panel };
