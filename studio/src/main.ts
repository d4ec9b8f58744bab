// The studio: what a person works on, and what the parts of the page do with it.
import { asked, cameByLink, forbidNetwork } from "./arrival";
import { Client } from "./client";
import { Controls } from "./controls";
import { count, download, make, the, whenReleased } from "./dom";
import { Editor } from "./editor";
import { ExportBar } from "./exports";
import { FileTabs } from "./files";
import { openGallery, projectOf } from "./gallery";
import { OutputView, type Aside } from "./output";
import { GuidePanel } from "./guide";
import { Keeping } from "./keeping";
import type { Diagnostic, Figures, Notice, Project, ProjectFile, Standing } from "./protocol";
import type { LineRange } from "./locked-lines";
import { QuestionForm } from "./question";
import { asItIs, outdated } from "./ran";
import { SeePanel } from "./see";
import { isWish, wish } from "./share";
import type { Wish } from "./share";
import { SharingDialog } from "./sharing";
import { kept, restored, shelve, unshelve } from "./storage";
import { startTheme } from "./theme";
import { ended, plain, plainHints, sentence } from "./wording";
import { loadGallery } from "#start";
import FIRST_TEXT from "./first.nds?raw";

const FIRST: Project = {
    main: "map.nds",
    files: [{ path: "map.nds", text: FIRST_TEXT }],
    seed: 1,
    parameters: {},
};
const EMPTY: Project = { main: "program.nds", files: [{ path: "program.nds", text: "" }], seed: 1, parameters: {} };
const TYPING_PAUSE = 250;
/** What runs as one types runs for so long, and what runs as it is opened. */
const LIVE_MILLISECONDS = 2000;
const OPENING_MILLISECONDS = 10_000;

class Studio {
    project: Project = FIRST;
    readonly client = new Client();
    readonly editor: Editor;
    readonly files: FileTabs;
    readonly controls: Controls;
    readonly output: OutputView;
    readonly question: QuestionForm;
    readonly see: SeePanel;
    readonly exports: ExportBar;
    readonly sharing = new SharingDialog();
    readonly guide = new GuidePanel(loadGallery, (project) => this.#openAndRun(project));
    /** Whether the moments of the run are shown in place of its end. */
    #isSeeing = false;
    #typed: ReturnType<typeof setTimeout> | undefined;
    /** Notices of earlier runs are passed over. */
    #run = 0;
    #answers: string[] = [];
    #standing: Standing | undefined;
    #figures: Figures | undefined;
    /** What the run, and the recorded one, were begun with. */
    #ran: Project | undefined;
    #seen: Project | undefined;
    #said: { text: string, tone: Tone } = { text: "", tone: "" };
    /** What the run has shown before a recorded one took its place. */
    #aside: Aside | undefined;
    #isRecording = false;
    /** Whether the run has told of something meanwhile that is not shown. */
    #isAsideOld = false;
    /** Whether a person has changed the project, so that it must not be lost. */
    #isChanged = false;
    /** Whether the output still is that of the run before. */
    #isOutputOld = false;
    /** The lines that a link locks are those of the program that it opens. */
    readonly #locked: LineRange[];
    #lockedFile: ProjectFile | undefined;
    /** A page within another page keeps nothing: it would take the place of what a person works on. */
    readonly #keeps: boolean;
    readonly #keeping: Keeping | undefined;

    constructor(wishes: Wish) {
        const { client } = this;
        this.#keeps = !wishes.isEmbedded;
        this.#keeping = this.#keeps ? new Keeping({
            project: () => this.project, isChanged: () => this.#isChanged, kept: (isKept) => { the("unkept").hidden = isKept; },
        }) : undefined;
        this.#locked = wishes.readOnly;
        this.editor = new Editor({
            parent: the("editor"), client,
            onChange: (text) => this.#changed(text), onRun: () => this.run(),
        });
        this.files = new FileTabs(the("files"), document.body, {
            changed: () => this.#filesChanged(), shown: () => this.#showFile(), made: () => this.editor.view.focus(), said: (text) => this.say(text),
            replaces: () => {
                if (this.#keeps) void shelve(this.project);
                return this.#keeps;
            },
        });
        this.controls = new Controls(the<HTMLFieldSetElement>("parameters"), (parameters) => {
            this.project.parameters = parameters;
            this.#keep();
            this.#runUnlessSeeing();
        });
        this.output = new OutputView(the("output"), {
            click: (x, y, button) => void this.#clicked(x, y, button),
            goTo: (answer) => this.#goTo(answer),
        });
        this.question = new QuestionForm(the<HTMLFormElement>("question"), (answer) => this.#answer(answer), () => this.output.focusPointer());
        this.see = new SeePanel(the("seeing"), client, {
            line: (file, line) => this.editor.showLine(file === undefined || file === this.files.shownPath ? line : undefined),
            output: ({ output }) => {
                this.output.clear();
                this.output.add(output, 0);
            },
            stands: (words, tone) => this.say(words, tone),
            goTo: (file, line) => this.#goToLine(file, line, 1),
            records: (isRecording) => {
                this.#isRecording = isRecording;
                this.#enable();
            },
            project: () => this.project,
            answers: () => this.#answers,
            unkept: this.#keeps ? () => { the("unkept").hidden = false; } : undefined,
        });
        this.exports = new ExportBar(the("exports"), client, this.output, {
            project: () => this.project, grid: () => this.#isSeeing ? this.see.shownGrid : undefined, say: (text) => this.say(text), sayProblem: (why) => this.sayProblem(why),
        });
        client.onNotice = (notice) => this.#heard(notice);
        this.#connect();
    }

    #connect(): void {
        const on = (id: string, work: () => void) => the(id).addEventListener("click", work);
        on("run", () => this.#runInSight());
        on("stop", () => this.#stopOrContinue());
        on("next", () => {
            this.#goOn();
            this.output.bringIntoSight();
        });
        on("new-seed", () => {
            this.#setSeed(crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000);
            this.#runInSight();
        });
        const seed = the<HTMLInputElement>("seed");
        seed.addEventListener("input", () => { the("seed-odd").hidden = true; });
        seed.addEventListener("change", () => this.#takeSeed() && this.#runUnlessSeeing());
        seed.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
            if (key === "Enter" && this.#takeSeed() && !ctrlKey && !metaKey) this.run();
        });
        on("see", () => this.#isSeeing ? this.#endSeeing() : void this.#beginSeeing());
        on("new-project", () => this.open(structuredClone(EMPTY)));
        on("save-program", () => {
            const file = this.project.files.find((file) => file.path === this.files.shownPath);
            if (file) download(file.path.split("/").at(-1)!, ["text" in file ? file.text : new Uint8Array(file.bytes)], "text/plain");
        });
        on("open-gallery", () => void this.#openGallery().catch((why: Error) => this.sayProblem(why)));
        on("open-guide", () => this.guide.isShown ? this.guide.hide() : void this.showChapter());
        on("share", () => void this.sharing.show(this.project));
        document.querySelectorAll<HTMLElement>("dialog .close").forEach((button) =>
            button.addEventListener("click", () => button.closest("dialog")?.close()));
        document.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) this.run();
        });
    }

    /** Shows the first project, of which lines may be locked. */
    begin(project: Project, isChanged = false): void {
        this.#lockedFile = project.files.find((file) => file.path === project.main);
        this.open(project, isChanged);
    }

    /** Shows a project. Nothing of it runs before the person asks. */
    open(project: Project, isChanged = false): void {
        if (this.#isChanged && this.#keeps) void shelve(this.project);
        this.project = project;
        this.#forgetTyped();
        this.#ran = undefined;
        // Until there is a program, nothing can be done with it.
        document.querySelectorAll<HTMLElement>("[inert]").forEach((part) => part.inert = false);
        this.#isChanged = isChanged;
        this.#keep();
        this.#showSeed();
        this.controls.reset();
        this.files.show(project);
        this.#showFile();
        this.#run += 1;
        this.output.clear();
        this.exports.hide();
        this.question.hide();
        this.#leaveSeeing();
        void this.client.order({ order: "stop" });
        this.#stand({ status: "stopped" }, undefined);
        this.say("Press Run, or Ctrl-Enter in the program.");
        this.#check();
    }

    /** Shows a program of our own, and what comes of it: it runs for some seconds, or up to its first question. */
    #openAndRun(project: Project): void {
        this.open(project);
        this.#start(OPENING_MILLISECONDS);
        this.output.bringIntoSight();
    }

    /** Runs our own first program. The map that the page came with stays until the engine has drawn it. */
    runFirst(map: Element): void {
        the("output").replaceChildren(map);
        this.#isOutputOld = true;
        this.#start();
    }

    run(): void {
        this.#forgetTyped();
        this.#keeping?.whatIsDue();
        this.output.clear();
        this.#start();
        void this.#check();
    }

    /** Who looks at a recorded run, and takes part in it, goes on with that. */
    #runUnlessSeeing(): void {
        if (!this.#isSeeing) return this.run();
        whenReleased(() => this.#sayAgain());
    }

    #runInSight(): void {
        this.run();
        this.output.bringIntoSight();
    }

    /** Shows a chapter of a guide; false if there is none of that name. */
    async showChapter(wanted?: string): Promise<boolean> {
        return this.guide.show(wanted).catch((why: Error) => {
            this.sayProblem(why);
            return true;
        });
    }

    /** Starts a run, which works for at most so long before it stops. */
    #start(budget?: number): void {
        this.#leaveSeeing();
        this.#run += 1;
        this.#ran = asItIs(this.project);
        this.#answers = [];
        this.exports.hide();
        this.question.hide();
        if (!this.client.isReady) {
            this.say("Loading the engine...");
            this.client.ready().catch((why: Error) => this.sayProblem(why));
        }
        void this.client.order({ order: "run", run: this.#run, project: this.project, budget });
    }

    /** The first program of all is there without being kept. */
    #keep(): void {
        if (!this.#isChanged && this.project === FIRST) return;
        void this.#keeping?.now();
    }

    async #beginSeeing(): Promise<void> {
        const hasRun = this.#figures !== undefined;
        this.#showSeeing(true);
        this.#seen = asItIs(this.project);
        this.#isAsideOld = false;
        if (hasRun) this.#aside = this.output.takeAside();
        void this.client.order({ order: "stop" });
        await this.see.begin().catch((why: Error) => {
            this.#endSeeing(false);
            this.sayProblem(why);
        });
    }

    /** Back to where the run was, if there was one. */
    #endSeeing(mayRun = true): void {
        const aside = this.#aside;
        this.#aside = undefined;
        this.#showSeeing(false);
        if (!aside || this.#isAsideOld) return mayRun ? this.run() : undefined;
        this.output.putBack(aside);
        if (this.#standing) this.#stand(this.#standing, this.#figures);
    }

    /** What comes next takes the place of what is seen, and of what was before. */
    #leaveSeeing(): void {
        this.#aside?.addresses.forEach((address) => URL.revokeObjectURL(address));
        this.#aside = undefined;
        if (this.#isSeeing) this.#showSeeing(false);
    }

    #showSeeing(isSeeing: boolean): void {
        this.#isSeeing = isSeeing;
        the("see").setAttribute("aria-pressed", String(isSeeing));
        the("seeing").hidden = !isSeeing;
        document.body.classList.toggle("seeing", isSeeing);
        if (isSeeing) {
            this.question.hide();
        } else {
            this.see.leave();
            this.editor.showLine(undefined);
        }
        this.#enable();
    }

    /** A run goes on where one sees it; a recording can be stopped where it is. */
    #enable(): void {
        const status = this.#standing?.status;
        const canContinue = status === "stopped" && this.#figures !== undefined;
        const canStop = this.#isSeeing ? this.#isRecording : status === "running" || canContinue;
        the<HTMLButtonElement>("stop").disabled = !canStop;
        the("stop").textContent = canContinue && !this.#isSeeing ? "Continue" : "Stop";
        the<HTMLButtonElement>("next").disabled = this.#isSeeing || status !== "solved";
    }

    #stopOrContinue(): void {
        if (this.#isSeeing) void this.client.order({ order: "stopSeeing" });
        else if (this.#standing?.status === "running") void this.client.order({ order: "stop" });
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
        // What goes on has to be stopped first.
        if (this.#standing?.status === "running") return;
        // The question that stands is no more, and the other one is not there yet.
        this.question.hide();
        this.say("Going back to that question...");
        this.output.rewind(answer);
        this.#answers.length = Math.min(this.#answers.length, answer);
        void this.client.order({ order: "goTo", answer });
    }

    async #clicked(x: number, y: number, button: string): Promise<void> {
        if (this.#standing?.status !== "asked" || !this.#standing.question.hearsClicks) return;
        const meant = await this.client.request("click", { x, y, button }).catch((why: Error) => this.sayProblem(why));
        if (meant !== undefined && meant !== null) this.question.answerWith(meant);
    }

    #heard(notice: Notice): void {
        if (notice.notice !== "output" && notice.notice !== "standing") return;
        // What an earlier run has still told came too late.
        if (notice.run !== this.#run) return;
        if (this.#isSeeing) return this.#heardAside(notice);
        if (this.#isOutputOld && (notice.notice === "output" || notice.standing.status !== "running")) {
            this.#isOutputOld = false;
            this.output.clear();
        }
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

    /** What the run tells while a recorded one is shown: that it was stopped, or more, which it has to tell anew. */
    #heardAside(notice: Extract<Notice, { notice: "output" | "standing" }>): void {
        if (notice.notice === "standing" && (notice.standing.status === "stopped" || notice.standing.status === "running")) {
            [this.#standing, this.#figures] = [notice.standing, notice.figures];
        } else if (notice.notice === "standing" || !notice.unfinished) {
            this.#isAsideOld = true;
        }
    }

    #stand(standing: Standing, figures: Figures | undefined): void {
        this.#standing = standing;
        this.#figures = figures;
        const { status } = standing;
        this.#enable();
        document.body.dataset["status"] = status;
        if (figures) this.say(words(standing, figures), TONES[status]);
        if (status === "error") this.#showProblems([standing.diagnostic]);
        // While it works on an answer, who plays by keyboard stays at the picture.
        this.output.stayInSight();
        if (status !== "running") this.output.hearClicks(status === "asked" && standing.question.hearsClicks);
        if (status === "asked") {
            this.question.ask(standing.question);
        } else {
            this.question.hide();
        }
        // Who has answered sees what came of it, also where that is the end.
        if (status === "asked" || status !== "running" && this.#answers.length > 0) this.output.showLatest();
        if (status === "broken") this.client.restart();
        if (status === "solved" || status === "asked") this.exports.offer();
        if (status === "limit" || status === "failed" && standing.solutions === 0) void this.#explain(standing);
    }

    /** Says in the empty panel why nothing came of the run. */
    async #explain({ status }: Standing): Promise<void> {
        const run = this.#run;
        if (!this.#ran) return;
        const sentences = await this.client.request("explain", { project: this.#ran }).catch(() => []);
        if (sentences.length === 0 || run !== this.#run || this.#isSeeing || this.#standing?.status !== status) return;
        const [worst, ...advice] = sentences.map(sentence);
        const place = /^Line (\d+)(?= failed)/.exec(worst!);
        const { main } = this.#ran;
        const what = place ? make("p", {}, make("button", { type: "button", className: "link", onclick: () => this.#goToLine(main, Number(place[1]), 1) }, place[0]), worst!.slice(place[0].length))
            : make("p", {}, worst!);
        const see = make("button", { type: "button", onclick: () => the("see").click() }, "See the search");
        this.output.explain(status === "failed" ? "Why there is no solution" : "Where the search got stuck", this.#answers.length, what, ...advice.map((words) => make("p", {}, words)), see);
    }

    /** Says something in the line over the output. */
    say(text: string, tone: Tone = ""): void {
        this.#said = { text, tone };
        this.#sayAgain();
    }

    /** What was said last, and whether what is shown is of the present program still. */
    #sayAgain(): void {
        const line = the("standing");
        const { text, tone } = this.#said;
        line.textContent = [text, this.#outdated()].filter(Boolean).join(" ");
        line.className = tone;
    }

    #outdated(): string {
        if (this.#isSeeing) return this.#seen ? outdated(this.#seen, this.project) : "";
        return this.#ran && this.#canGoOn() ? outdated(this.#ran, this.project) : "";
    }

    /** Whether the run may still tell something new. */
    #canGoOn(): boolean {
        const { status } = this.#standing ?? {};
        return status === "running" || status === "solved" || status === "asked" || status === "stopped" && this.#figures !== undefined || this.#answers.length > 0;
    }

    /** Says what could not be done. What the engine says of it is no sentence yet, and its first line is enough. */
    sayProblem(why: unknown): void {
        this.say(sentence(why instanceof Error ? why.message : String(why)), "problem");
    }

    #changed(text: string): void {
        const file = this.project.files.find((file) => file.path === this.files.shownPath);
        if (!file || !("text" in file)) return;
        file.text = text;
        this.#isChanged = true;
        this.#later();
    }

    #filesChanged(): void {
        this.#isChanged = true;
        this.#showFile();
        this.#later();
    }

    /** Nothing follows any more from what was typed up to here. */
    #forgetTyped(): void {
        clearTimeout(this.#typed);
        this.#typed = undefined;
    }

    /** What follows from typing, when the person pauses. */
    #later(): void {
        this.#keeping?.soon();
        const isLive = () => the<HTMLInputElement>("live").checked;
        if (!isLive() || this.#isSeeing) this.#sayAgain();
        clearTimeout(this.#typed);
        const typed = setTimeout(async () => {
            const isSound = await this.#check();
            if (typed !== this.#typed) return;
            if (!isSound || !isLive()) return this.#sayAgain();
            // What is there stays until there is something else: a page that flickers is no help in writing.
            this.#isOutputOld = true;
            this.#start(LIVE_MILLISECONDS);
        }, TYPING_PAUSE);
        this.#typed = typed;
    }

    #showFile(): void {
        const file = this.project.files.find((file) => file.path === this.files.shownPath);
        if (file && "text" in file) this.editor.open(file, file.text, file === this.#lockedFile ? this.#locked : []);
        void this.#check();
    }

    /** Shows what is wrong with the program; whether it can run. */
    async #check(): Promise<boolean> {
        const { project } = this;
        const found = await this.client.request("check", { project }).catch(() => undefined);
        if (!found || project !== this.project) return false;
        const { diagnostics, parameters } = found;
        if (this.#standing?.status !== "error" || diagnostics.length > 0) this.#showProblems(diagnostics);
        if (parameters) this.controls.show(parameters, project.parameters);
        this.output.stayInSight();
        return parameters !== undefined;
    }

    #showProblems(diagnostics: Diagnostic[]): void {
        this.editor.show(diagnostics, this.files.shownPath);
        the("problems").replaceChildren(...diagnostics.slice(0, 50).map((diagnostic) => this.#problem(diagnostic)));
    }

    #problem({ severity, message, place, hints, calls }: Diagnostic): HTMLElement {
        const goTo = () => place && this.#goToLine(place.file, place.line, place.column);
        const where = place ? `${place.file}:${place.line}` : "";
        const more = [...plainHints(hints).map((hint) => `hint: ${hint}`), ...calls.map((call) => `called from ${call.text}${call.place ? ` at line ${call.place.line}` : ""}`)];
        return make("li", { className: severity },
            make("button", { type: "button", onclick: goTo }, `${severity}${where && ` in ${where}`}: ${message}`),
            ...more.map((line) => make("p", {}, line)));
    }

    #goToLine(file: string, line: number, column: number): void {
        this.files.select(file);
        this.editor.goTo(line, column);
    }

    #setSeed(seed: number): void {
        this.project.seed = seed;
        this.#keep();
        this.#showSeed();
    }

    #showSeed(): void {
        the<HTMLInputElement>("seed").value = String(this.project.seed);
        the("seed-odd").hidden = true;
    }

    /** Takes what is written in the field, if that is another seed. What is none is said, and the seed stays as it was. */
    #takeSeed(): boolean {
        const { value, validity } = the<HTMLInputElement>("seed");
        const { seed } = this.project;
        if (value === String(seed) && !validity.badInput) return false;
        const wanted = /^\d+$/.test(value) ? Number(value) : NaN;
        if (Number.isSafeInteger(wanted)) {
            this.#setSeed(wanted);
            return wanted !== seed;
        }
        this.#showSeed();
        whenReleased(() => {
            const odd = the("seed-odd");
            odd.textContent = `A seed is a whole number from 0 to ${Number.MAX_SAFE_INTEGER.toLocaleString("en")}. The seed is ${seed} as before.`;
            odd.hidden = false;
        });
        return false;
    }

    async #openGallery(): Promise<void> {
        const gallery = await loadGallery();
        openGallery(the<HTMLDialogElement>("gallery"), gallery, {
            program: (name) => {
                const project = projectOf(gallery, name);
                if (project) this.#openAndRun(project);
            },
            work: async (shelved) => {
                const project = await restored(shelved.text);
                if (!project) return this.say("This work cannot be read any more.");
                unshelve(shelved);
                this.open(project, true);
            },
        });
    }
}

/** In which color something is said. */
type Tone = "" | "good" | "problem";

const TONES: Partial<Record<Standing["status"], Tone>> = { solved: "good", error: "problem", limit: "problem", broken: "problem" };

/** How a run stands, as a person reads it. */
function words(standing: Standing, figures: Figures): string {
    const did = `${count(figures.steps, "step")}, ${count(figures.failures, "failure")}`;
    switch (standing.status) {
        case "running": return `Searching: ${did}`;
        case "stopped": return standing.budget !== undefined
            ? `Stopped after ${did}: what runs by itself runs for ${standing.budget / 1000} seconds. Continue goes on.`
            : `Stopped after ${did}. What was printed so far is unfinished.`;
        case "solved": return `Solution ${standing.solution} after ${did}.`;
        case "asked": return "The program asks.";
        case "failed": {
            const why = standing.message ? ` The last failure said: ${standing.message}` : "";
            return standing.solutions > 0 ? `No more solutions after ${did}.` : `No solution after ${did}.${why}`;
        }
        case "error": return `Error: ${standing.diagnostic.message}`;
        case "limit": return `Stopped: ${ended(plain(standing.message))}`;
        case "broken": return `The engine broke down (${standing.message}) and was started again. Please tell us of it.`;
    }
}

async function begin(): Promise<void> {
    startTheme(the<HTMLButtonElement>("theme"));
    const firstMap = the("first-map");
    const wishes = await wish(location.hash);
    document.body.classList.toggle("embedded", wishes.isEmbedded);
    const studio = new Studio(wishes);
    const { project, problem } = await asked(wishes);
    forbidNetwork();
    const earlier = wishes.isEmbedded ? undefined : await kept();
    // Who loads a page again goes on with what they have made of it. A link that leads to nothing takes nothing away.
    const isAgain = earlier?.isOfThisPage && earlier.isChanged && !cameByLink();
    if (earlier && (!project || isAgain)) {
        studio.begin(earlier.project, earlier.isChanged);
    } else {
        if (earlier?.isChanged) await shelve(earlier.project);
        studio.begin(project ?? FIRST);
    }
    const said = problem === undefined ? [] : [problem, earlier ? "Here is your own work." : "Here is the program to begin with."];
    said.push(...wishes.notes);
    if (wishes.chapter && !await studio.showChapter(wishes.chapter)) said.push(`There is no chapter ${wishes.chapter}: here is the first.`);
    // Our own first program may run by itself; what others have sent may not.
    if (studio.project === FIRST && said.length === 0) studio.runFirst(firstMap);
    if (said.length > 0) studio.say(said.join(" "), "problem");
    window.addEventListener("hashchange", () => isWish(location.hash) && location.reload());
}

void begin();
