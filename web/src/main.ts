// The studio: what a person works on, and what the parts of the page do with it.
import { Client } from "./client";
import { Controls } from "./controls";
import { download, make, the } from "./dom";
import { Editor } from "./editor";
import { FileTabs } from "./files";
import { projectOf, showGallery } from "./gallery";
import { OutputView } from "./output";
import { GuidePanel } from "./guide";
import type { Diagnostic, Figures, Notice, Project, Standing } from "./protocol";
import { QuestionForm } from "./question";
import { SeePanel } from "./see";
import { packed, wish } from "./share";
import type { Wish } from "./share";
import { keep, kept } from "./storage";
import { startTheme } from "./theme";
import { loadGallery } from "#start";

const FIRST: Project = {
    main: "map.nds",
    files: [{ path: "map.nds", text: `// A map of sand, grass and water. Water and grass do not touch.
// Ctrl-Enter runs it; each seed is another map.

var size = param("size", 16);
var map = makeGrid(size, size, setOf("sand", "grass", "water"));

// What may lie beside what.
adjacent(map, (a, b) => !(a == "grass" && b == "water" || a == "water" && b == "grass"));
decide(map, {weights: {sand: 1, grass: 8, water: 8}});

printTilesetMap(map);
` }],
    seed: 1,
    parameters: {},
};
const EMPTY: Project = { main: "program.nds", files: [{ path: "program.nds", text: "" }], seed: 1, parameters: {} };
const TYPING_PAUSE = 250;

class Studio {
    project: Project = structuredClone(FIRST);
    readonly client = new Client();
    readonly editor: Editor;
    readonly files: FileTabs;
    readonly controls: Controls;
    readonly output: OutputView;
    readonly question: QuestionForm;
    readonly see: SeePanel;
    readonly guide = new GuidePanel(loadGallery, (project) => this.open(project));
    /** Whether the moments of the run are shown in place of its end. */
    #isSeeing = false;
    #typed: ReturnType<typeof setTimeout> | undefined;
    /** Notices of earlier runs are passed over. */
    #run = 0;
    #answers: string[] = [];
    #standing: Standing | undefined;

    constructor(wishes: Wish) {
        const { client } = this;
        this.editor = new Editor({
            parent: the("editor"), client, readOnly: wishes.readOnly,
            onChange: (text) => this.#changed(text), onRun: () => this.run(),
        });
        this.files = new FileTabs(the("files"), document.body, {
            changed: () => this.#filesChanged(), shown: () => this.#showFile(),
        });
        this.controls = new Controls(the<HTMLFieldSetElement>("parameters"), (parameters) => {
            this.project.parameters = parameters;
            void keep(this.project);
            this.run();
        });
        this.output = new OutputView(the("output"), {
            click: (x, y, button) => void this.#clicked(x, y, button),
            goTo: (answer) => this.#goTo(answer),
        });
        this.question = new QuestionForm(the<HTMLFormElement>("question"), (answer) => this.#answer(answer));
        this.see = new SeePanel(the("seeing"), client, {
            line: (file, line) => this.editor.showLine(file === undefined || file === this.files.shownPath ? line : undefined),
            output: ({ output }) => {
                this.output.clear();
                this.output.add(output, 0);
            },
        }, () => this.project);
        client.onNotice = (notice) => this.#heard(notice);
        this.#connect();
    }

    #connect(): void {
        const on = (id: string, work: () => void) => the(id).addEventListener("click", work);
        on("run", () => this.run());
        on("stop", () => this.#stopOrContinue());
        on("next", () => this.#goOn());
        on("new-seed", () => {
            this.#setSeed(crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000);
            this.run();
        });
        the<HTMLInputElement>("seed").addEventListener("change", () => {
            const seed = the<HTMLInputElement>("seed").valueAsNumber;
            this.#setSeed(Number.isSafeInteger(seed) && seed >= 0 ? seed : 1);
            this.run();
        });
        on("see", () => this.#isSeeing ? this.#endSeeing() : void this.#beginSeeing());
        on("new-project", () => this.open(structuredClone(EMPTY)));
        on("save-program", () => {
            const file = this.project.files.find((file) => file.path === this.files.shownPath);
            if (file) download(file.path.split("/").at(-1)!, ["text" in file ? file.text : new Uint8Array(file.bytes)], "text/plain");
        });
        on("open-gallery", () => void this.#openGallery());
        on("open-guide", () => this.guide.isShown ? this.guide.hide() : void this.guide.show());
        on("share", () => void this.#openSharing());
        on("copy-link", () => void this.#copyLink());
        document.querySelectorAll<HTMLElement>("dialog .close").forEach((button) =>
            button.addEventListener("click", () => button.closest("dialog")?.close()));
        document.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) this.run();
        });
    }

    /** Shows a project. Nothing of it runs before the person asks. */
    open(project: Project): void {
        this.project = project;
        the<HTMLInputElement>("seed").value = String(project.seed);
        this.controls.reset();
        this.files.show(project);
        this.#showFile();
        this.#run += 1;
        this.output.clear();
        this.question.hide();
        if (this.#isSeeing) this.#showSeeing(false);
        void this.client.order({ order: "stop" });
        this.#stand({ status: "stopped" }, undefined);
        this.#say("Press Run, or Ctrl-Enter in the program.");
        this.#check();
    }

    run(): void {
        clearTimeout(this.#typed);
        if (this.#isSeeing) this.#showSeeing(false);
        void keep(this.project);
        this.#run += 1;
        this.#answers = [];
        this.output.clear();
        this.question.hide();
        void this.client.order({ order: "run", run: this.#run, project: this.project });
        this.#check();
    }

    async #beginSeeing(): Promise<void> {
        this.#showSeeing(true);
        void this.client.order({ order: "stop" });
        await this.see.begin().catch((why: Error) => this.#say(why.message));
    }

    #endSeeing(): void {
        this.#showSeeing(false);
        this.run();
    }

    #showSeeing(isSeeing: boolean): void {
        this.#isSeeing = isSeeing;
        the("see").setAttribute("aria-pressed", String(isSeeing));
        the("seeing").hidden = !isSeeing;
        document.body.classList.toggle("seeing", isSeeing);
        if (isSeeing) this.question.hide();
        else this.editor.showLine(undefined);
    }

    #stopOrContinue(): void {
        if (this.#standing?.status === "running") void this.client.order({ order: "stop" });
        else this.#goOn();
    }

    #goOn(): void {
        this.output.dropUnfinished();
        void this.client.order({ order: "continue" });
    }

    #answer(answer: { option?: number, line?: string }): void {
        this.question.hide();
        void this.client.order({ order: "answer", ...answer });
    }

    #goTo(answer: number): void {
        this.output.rewind(answer + 1);
        this.#answers.length = Math.min(this.#answers.length, answer);
        void this.client.order({ order: "goTo", answer });
    }

    async #clicked(x: number, y: number, button: string): Promise<void> {
        if (this.#standing?.status !== "asked" || !this.#standing.question.hearsClicks) return;
        const meant = await this.client.request("click", { x, y, button }).catch((why: Error) => void this.#say(why.message));
        if (meant !== undefined && meant !== null) this.question.answerWith(meant);
    }

    #heard(notice: Notice): void {
        if (notice.notice !== "output" && notice.notice !== "standing") return;
        // What an earlier run has still told came too late.
        if (notice.run !== this.#run) return;
        if (notice.notice === "output") {
            this.output.add(notice.pieces, notice.answers, notice.unfinished ? "unfinished" : "");
            return;
        }
        const { standing, figures, answers } = notice;
        if (answers.length > this.#answers.length) {
            for (let at = this.#answers.length; at < answers.length; at++) this.output.answer(answers[at]!, at);
        }
        this.#answers = [...answers];
        this.#stand(standing, figures);
    }

    #stand(standing: Standing, figures: Figures | undefined): void {
        this.#standing = standing;
        const { status } = standing;
        const stop = the<HTMLButtonElement>("stop");
        stop.disabled = !(status === "running" || (status === "stopped" && figures !== undefined));
        stop.textContent = status === "stopped" ? "Continue" : "Stop";
        the<HTMLButtonElement>("next").disabled = status !== "solved";
        document.body.dataset["status"] = status;
        if (figures) this.#say(words(standing, figures));
        if (status === "error") this.#showProblems([standing.diagnostic]);
        if (status === "asked") this.question.ask(standing.question);
        else this.question.hide();
        if (status === "broken") this.client.restart();
        if (status === "solved" || status === "asked") this.#offerExports();
    }

    #say(text: string): void {
        the("standing").textContent = text;
    }

    #offerExports(): void {
        const place = the("exports");
        const { pictures, text } = this.output;
        const name = this.project.main.split("/").at(-1)!.replace(/\.nds$/, "");
        const buttons: HTMLElement[] = [];
        const latest = pictures.at(-1);
        if (latest) {
            const saveSvg = async () => {
                const svg = await this.client.request("svg", {}).catch((why: Error) => void this.#say(why.message));
                if (svg) download(`${name}.svg`, [svg], "image/svg+xml");
            };
            buttons.push(
                make("button", { type: "button", onclick: () => download(`${name}.png`, [latest.png], "image/png") }, "Save picture (PNG)"),
                make("button", { type: "button", onclick: () => void saveSvg() }, "Save picture (SVG)"));
        }
        if (text) buttons.push(make("button", { type: "button", onclick: () => download(`${name}.txt`, [this.output.text], "text/plain") }, "Save text"));
        place.hidden = buttons.length === 0;
        place.replaceChildren(...buttons);
    }

    #changed(text: string): void {
        const file = this.project.files.find((file) => file.path === this.files.shownPath);
        if (!file || !("text" in file)) return;
        file.text = text;
        this.#later();
    }

    #filesChanged(): void {
        this.#showFile();
        this.#later();
    }

    /** What follows from typing, when the person pauses. */
    #later(): void {
        clearTimeout(this.#typed);
        this.#typed = setTimeout(() => {
            void keep(this.project);
            if (the<HTMLInputElement>("live").checked) this.run();
            else this.#check();
        }, TYPING_PAUSE);
    }

    #showFile(): void {
        const file = this.project.files.find((file) => file.path === this.files.shownPath);
        if (file && "text" in file) this.editor.text = file.text;
        this.#check();
    }

    #check(): void {
        const { project } = this;
        void this.client.request("check", { project }).then(({ diagnostics, parameters }) => {
            if (project !== this.project) return;
            if (this.#standing?.status !== "error" || diagnostics.length > 0) this.#showProblems(diagnostics);
            if (parameters) this.controls.show(parameters, project.parameters);
        }).catch(() => {});
    }

    #showProblems(diagnostics: Diagnostic[]): void {
        this.editor.show(diagnostics, this.files.shownPath);
        the("problems").replaceChildren(...diagnostics.slice(0, 50).map((diagnostic) => this.#problem(diagnostic)));
    }

    #problem({ severity, message, place, hints, calls }: Diagnostic): HTMLElement {
        const goTo = () => {
            if (!place) return;
            this.files.select(place.file);
            this.editor.goTo(place.line, place.column);
        };
        const where = place ? `${place.file}:${place.line}` : "";
        const more = [...hints.map((hint) => `hint: ${hint}`), ...calls.map((call) => `called from ${call.text}${call.place ? ` at line ${call.place.line}` : ""}`)];
        return make("li", { className: severity },
            make("button", { type: "button", onclick: goTo }, `${severity}${where && ` in ${where}`}: ${message}`),
            ...more.map((line) => make("p", {}, line)));
    }

    #setSeed(seed: number): void {
        this.project.seed = seed;
        the<HTMLInputElement>("seed").value = String(seed);
    }

    async #openGallery(): Promise<void> {
        const gallery = await loadGallery();
        showGallery(the("gallery-list"), gallery, (name) => {
            the<HTMLDialogElement>("gallery").close();
            const project = projectOf(gallery, name);
            if (project) this.open(project);
        });
        the<HTMLDialogElement>("gallery").showModal();
    }

    async #openSharing(): Promise<void> {
        const address = location.href.split("#")[0];
        const text = await packed(this.project);
        the<HTMLInputElement>("link").value = `${address}#${text}`;
        the<HTMLTextAreaElement>("frame").value = `<iframe src="${address}#embed&${text}" width="100%" height="600" title="NDScript"></iframe>`;
        the("copied").textContent = "";
        the<HTMLDialogElement>("sharing").showModal();
        the<HTMLInputElement>("link").select();
    }

    async #copyLink(): Promise<void> {
        const link = the<HTMLInputElement>("link");
        try {
            await navigator.clipboard.writeText(link.value);
            the("copied").textContent = "Copied.";
        } catch {
            link.select();
            the("copied").textContent = "The browser does not allow it: press Ctrl-C.";
        }
    }
}

/** How a run stands, as a person reads it. */
function words(standing: Standing, figures: Figures): string {
    const did = `${count(figures.steps, "step")}, ${count(figures.failures, "failure")}`;
    switch (standing.status) {
        case "running": return `Searching: ${did}`;
        case "stopped": return `Stopped after ${did}. What was printed so far is unfinished.`;
        case "solved": return `Solution ${standing.solution} after ${did}.`;
        case "asked": return "The program asks.";
        case "failed": {
            const why = standing.message ? ` The last failure said: ${standing.message}` : "";
            return standing.solutions > 0 ? `No more solutions after ${did}.` : `No solution after ${did}.${why}`;
        }
        case "error": return `Error: ${standing.diagnostic.message}`;
        case "limit": return `Stopped: ${standing.message}.`;
        case "broken": return `The engine broke down (${standing.message}) and was started again. Please tell us of it.`;
    }
}

function count(number: number, what: string): string {
    return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}

async function textFrom(url: string): Promise<Project> {
    const response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer" });
    if (!response.ok) throw new Error(`the place answers ${response.status}`);
    const path = new URL(url).pathname.split("/").at(-1) || "program.nds";
    return { ...structuredClone(EMPTY), main: path, files: [{ path, text: await response.text() }] };
}

async function begin(): Promise<void> {
    startTheme(the<HTMLButtonElement>("theme"));
    let problem = "";
    const wishes = await wish(location.hash).catch((why: Error): Wish => {
        problem = `The link is damaged: ${why.message}.`;
        return { isEmbedded: false, readOnly: [] };
    });
    document.body.classList.toggle("embedded", wishes.isEmbedded);
    const studio = new Studio(wishes);
    const asked = async (): Promise<Project | undefined> => {
        if (wishes.project) return wishes.project;
        if (wishes.url) return textFrom(wishes.url);
        if (wishes.example) return projectOf(await loadGallery(), wishes.example);
        return undefined;
    };
    const project = await asked().catch((why: Error) => {
        problem = `The program could not be loaded: ${why.message}.`;
        return undefined;
    });
    const own = project ?? (problem ? undefined : await kept());
    studio.open(own ?? structuredClone(FIRST));
    if (wishes.chapter) await studio.guide.show(wishes.chapter);
    // Our own first program may run by itself; what others have sent may not.
    if (!own && !problem) studio.run();
    if (problem) the("standing").textContent = problem;
    // A link within the page, to the editor, is no wish.
    window.addEventListener("hashchange", () => location.hash.includes("=") && location.reload());
}

void begin();
