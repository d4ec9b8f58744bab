// The zone of the code: the program as it is written, with its files, its mistakes and the controls of its parameters.
import type { Client } from "../worker/client";
import { Controls } from "./controls";
import { download, the } from "../page/dom";
import { Editor } from "./editor";
import { FileTabs } from "../project/files";
import type { LineRange } from "./locked-lines";
import { showProblems } from "./problems";
import type { Diagnostic, Project, ProjectFile } from "../worker/protocol";

const TYPING_PAUSE = 250;

export interface WritingHost {
    project(): Project,
    /** A person has changed the program or its files. */
    typed(): void,
    /** They have paused since; whether the program can run. */
    paused(isSound: boolean): void,
    /** They have changed what it is given; who has pressed Enter for it runs it as well. */
    parametersChanged(isEntered: boolean): void,
    run(): void,
    /** Other files are about to take the place of these; whether these are kept somewhere. */
    replaces(): boolean,
    /** What stands beside the program has changed, and may have moved the rest. */
    grown(): void,
    say(text: string): void,
}

export class Writing {
    readonly #editor: Editor;
    readonly #files: FileTabs;
    readonly #controls: Controls;
    #typed: ReturnType<typeof setTimeout> | undefined;
    /** What was found in the program, and what the run of it has stopped at. */
    #found: Diagnostic[] = [];
    #mistake: Diagnostic | undefined;
    #locked: LineRange[] = [];
    #lockedFile: ProjectFile | undefined;

    constructor(readonly client: Client, readonly host: WritingHost) {
        this.#editor = new Editor({ parent: the("editor"), client, onChange: (text) => this.#changed(text), onRun: () => host.run() });
        this.#files = new FileTabs(the("files"), document.body, {
            changed: () => {
                this.#showFile();
                this.#later();
            },
            shown: () => this.#showFile(), made: () => this.focus(), said: (text) => host.say(text), replaces: () => host.replaces(),
        });
        this.#controls = new Controls(the<HTMLFieldSetElement>("parameters"), (parameters, isEntered) => {
            host.project().parameters = parameters;
            host.parametersChanged(isEntered);
        }, () => host.run());
        the("save-program").addEventListener("click", () => {
            const file = this.#file;
            if (file) download(file.path.split("/").at(-1)!, ["text" in file ? file.text : new Uint8Array(file.bytes)], "text/plain");
        });
    }

    get #file(): ProjectFile | undefined {
        return this.host.project().files.find((file) => file.path === this.#files.shownPath);
    }

    /** Lines of this project's program are not to be changed, as long as it is the one that is shown. */
    lock(project: Project, locked: LineRange[]): void {
        this.#locked = locked;
        this.#lockedFile = project.files.find((file) => file.path === project.main);
    }

    /** Shows another project. */
    show(project: Project): void {
        this.forgetTyped();
        this.#mistake = undefined;
        this.#controls.reset();
        this.#files.show(project);
        this.#showFile();
    }

    focus(): void {
        this.#editor.view.focus();
    }

    /** Shows the line that runs. */
    showLine(file: string | undefined, line: number | undefined): void {
        this.#editor.showLine(file === undefined || file === this.#files.shownPath ? line : undefined);
    }

    goTo(file: string, line: number, column = 1): void {
        this.#files.select(file);
        this.#editor.goTo(line, column);
    }

    /** Nothing follows any more from what was typed up to here. */
    forgetTyped(): void {
        clearTimeout(this.#typed);
        this.#typed = undefined;
    }

    /** The run has stopped at a mistake, or begins and has come to none. */
    mistaken(mistake: Diagnostic | undefined): void {
        if (mistake === this.#mistake) return;
        this.#mistake = mistake;
        this.#showProblems();
    }

    /** Shows what is wrong with the program; whether it can run. */
    async check(): Promise<boolean> {
        const project = this.host.project();
        const found = await this.client.request("check", { project }).catch(() => undefined);
        if (!found || project !== this.host.project()) return false;
        this.#found = found.diagnostics;
        this.#showProblems();
        if (found.parameters) this.#controls.show(found.parameters, project.parameters);
        this.host.grown();
        return found.parameters !== undefined;
    }

    #changed(text: string): void {
        const file = this.#file;
        if (!file || !("text" in file)) return;
        file.text = text;
        this.#later();
    }

    /** What follows from typing, when the person pauses. */
    #later(): void {
        // A mistake of the run is of the program before.
        this.#mistake = undefined;
        this.host.typed();
        clearTimeout(this.#typed);
        const typed = setTimeout(async () => {
            const isSound = await this.check();
            if (typed === this.#typed) this.host.paused(isSound);
        }, TYPING_PAUSE);
        this.#typed = typed;
    }

    #showFile(): void {
        const file = this.#file;
        if (file && "text" in file) this.#editor.open(file, file.text, file === this.#lockedFile ? this.#locked : []);
        void this.check();
    }

    /** One mistake is told once: what was found before the run may be what it has stopped at. */
    #showProblems(): void {
        const [found, mistake] = [this.#found, this.#mistake];
        const isTold = !mistake || found.some(({ severity, place }) => severity === "error" || place?.file === mistake.place?.file && place?.line === mistake.place?.line);
        const all = isTold ? found : [mistake, ...found];
        this.#editor.show(all, this.#files.shownPath);
        showProblems(all, this.host.project().main, (file, line, column) => this.goTo(file, line, column));
    }
}
