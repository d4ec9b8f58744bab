// The studio: what a person works on, and what the parts of the page do with it. What it is doing is a state of `machine.ts`.
import { Client } from "./worker/client";
import { make, the, whenReleased } from "./page/dom";
import { ExportBar } from "./stage/exports";
import { openGallery, programOf, projectOf } from "./writing/gallery";
import type { Gallery } from "./writing/gallery";
import { GuidePanel } from "./writing/guide";
import { icon } from "./page/icons";
import { Keeping } from "./project/keeping";
import { after, BEGINNING, canBeFollowed, canBeRecorded, canContinue, canStop, mayTellMore, ranIn } from "./machine";
import type { Event, Rest, State } from "./machine";
import { startMenu } from "./page/menu";
import { Moments } from "./moments/moments";
import { OutputView } from "./stage/output";
import type { Extent, Figures, Notice, Piece, Project, SceneShown, Standing } from "./worker/protocol";
import { QuestionForm } from "./stage/question";
import { asItIs, outdated } from "./project/ran";
import { showPrograms } from "./project/programs";
import { Offer } from "./stage/offer";
import { SeedField } from "./writing/seed-field";
import type { Wish } from "./project/share";
import { SharingDialog } from "./project/sharing";
import { SolveView } from "./moments/solve-view";
import { Stage } from "./stage/stage";
import { standingWords, TONES } from "./page/standing-words";
import type { Tone } from "./page/standing-words";
import { isBlank, restored, shelve, unshelve } from "./project/storage";
import type { Shelved, Standing as Kept } from "./project/storage";
import { coded, sentence } from "./page/wording";
import { Writing } from "./writing/writing";
import { loadGallery } from "#start";
import FIRST_TEXT from "./first.nds?raw";

/** What a person sees who comes for the first time; what they change is a copy. */
const BEGINNER: Project = { main: "map.nds", files: [{ path: "map.nds", text: FIRST_TEXT }], seed: 1, parameters: {} };
export const FIRST: Project = structuredClone(BEGINNER);
const EMPTY: Project = { main: "program.nds", files: [{ path: "program.nds", text: "" }], seed: 1, parameters: {} };
/** What runs as one types runs for so long, and what runs as it is opened. */
const LIVE_MILLISECONDS = 2000;
const OPENING_MILLISECONDS = 10_000;
/** A map of 16 x 16 tiles has so many pixels on a side. */
const FORESHOWN_SIDE = 256;
/** A run of so many steps is recorded at once; a longer one when somebody touches the time line. */
const CHEAP_STEPS = 3_000_000;

/** What the gallery knows of a program of its own: see there. */
export type Known = Pick<Gallery["programs"][number], "picture" | "isPuzzle" | "isSolvedHere" | "isRiddle">;

export class Studio {
    project: Project = FIRST;
    readonly client = new Client();
    readonly writing: Writing;
    readonly seed: SeedField;
    readonly output: OutputView;
    readonly then: OutputView;
    readonly stage: Stage;
    readonly question: QuestionForm;
    readonly moments: Moments;
    readonly exports: ExportBar;
    readonly solving: SolveView;
    readonly sharing = new SharingDialog();
    readonly guide = new GuidePanel(loadGallery, {
        open: (project, plays) => {
            this.openAndRun(project);
            // What is written beside a chapter is seen at once.
            the<HTMLInputElement>("live").checked = true;
            if (plays) this.#playsNext = true;
        },
        mayReplace: () => !this.#isChanged,
    });
    /** Whether a person wants to see how the run that has begun comes about. */
    #playsNext = false;
    /** Whether it is a puzzle of the gallery. */
    #isRiddle = false;
    /** Whether what comes is a puzzle that is to be solved by the person, and not to be seen. */
    #solvesNext = false;
    #state: State = BEGINNING;
    #said: { text: string, tone: Tone } = { text: "", tone: "" };
    /** What had been printed at the moment that is shown. */
    #thenPrinted: Piece[] = [];
    /** Whether a person has changed the project, so that it must not be lost. */
    #isChanged = false;
    /** Whether it may run by itself: it did not come by a link, or a person has run it. */
    #mayRun = true;
    readonly #offer: Offer;
    /** A page within another page keeps nothing: it would take the place of what a person works on. */
    readonly #keeps: boolean;
    readonly #keeping: Keeping | undefined;

    constructor(wishes: Wish) {
        const { client } = this;
        this.#keeps = !wishes.isEmbedded;
        this.#keeping = this.#keeps ? new Keeping({
            project: () => this.project, standing: () => ({ isChanged: this.#isChanged, mayRun: this.#mayRun }), kept: (isKept) => { the("unkept").hidden = isKept; },
        }) : undefined;
        this.writing = new Writing(client, {
            project: () => this.project,
            typed: () => this.#changed(),
            paused: (isSound) => {
                if (!isSound || !this.#isLive) return this.#sayAgain();
                // What is there stays until there is something else: a page that flickers is no help in writing.
                this.#start(LIVE_MILLISECONDS, true);
            },
            parametersChanged: (isEntered) => {
                this.#keep();
                if (!isEntered) this.#runUnlessInThePast();
            },
            run: () => this.run(),
            replaces: () => {
                this.#putAside();
                return this.#keeps;
            },
            grown: () => this.output.stayInSight(),
            say: (text) => this.say(text),
        });
        this.seed = new SeedField({
            seed: () => this.project.seed,
            changed: (seed) => {
                this.project.seed = seed;
                this.#keep();
            },
            run: (isThrown) => isThrown ? this.#runInSight() : this.run(),
            left: () => this.#runUnlessInThePast(),
        });
        this.output = new OutputView(the("output"), {
            click: (x, y, button) => void this.#clicked(x, y, button),
            goTo: (answer) => this.#goTo(answer),
        });
        this.then = new OutputView(the("moment-output"), {
            click: (x, y, button) => this.#ask(this.then, x, y, button),
            goTo: () => {},
        });
        this.question = new QuestionForm(the<HTMLFormElement>("question"), (answer) => this.#answer(answer), () => this.output.focusPointer());
        this.moments = new Moments(client, {
            touched: () => this.#touched(),
            recorded: () => void this.#change({ event: "recorded" }),
            returned: () => void this.#change({ event: "returned" }),
            stage: (scene, withCells, isPlaying) => this.#showScene(scene, withCells, isPlaying),
            line: (file, line) => this.writing.showLine(file, line),
            stands: (words, tone) => this.say(words, tone),
            goTo: (file, line) => this.writing.goTo(file, line),
            project: () => ranIn(this.#state),
            answers: () => this.#state.answers,
            unkept: this.#keeps ? () => { the("unkept").hidden = false; } : undefined,
        });
        this.stage = new Stage(this.output, this.then, this.moments.grid, this.moments.card.element);
        this.#offer = new Offer(the("offer"), {
            run: () => this.#runInSight(), goOn: () => this.#goOn(), start: () => this.startPage(),
            gallery: () => the("open-gallery").click(), learn: () => the("open-guide").click(),
            goTo: (file, line, column) => this.writing.goTo(file, line, column),
        });
        this.exports = new ExportBar(the("exports"), client, this.output, {
            project: () => this.project, grid: () => this.moments.shownGrid, say: (text) => this.say(text), sayProblem: (why) => this.sayProblem(why),
        });
        this.solving = new SolveView(the("solving"), the<HTMLButtonElement>("solve"), client, {
            program: () => {
                const ran = ranIn(this.#state);
                const main = ran?.files.find(({ path }) => path === ran.main);
                return main && "text" in main ? main.text : "";
            },
            pictures: () => this.output.pictures,
            isExpected: () => this.#isRiddle,
            say: (text) => this.say(text),
            shown: (isShown) => {
                document.body.classList.toggle("solving", isShown);
                if (isShown && this.#state.time !== "now") this.#change({ event: "returned" });
            },
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
        on("new-project", () => {
            this.open(structuredClone(EMPTY), { isChanged: false, mayRun: true });
            this.writing.focus();
        });
        the("home").addEventListener("click", (event) => {
            event.preventDefault();
            this.startPage();
        });
        on("play-again", () => the("new-seed").click());
        on("start-page", () => this.startPage());
        on("my-programs", () => showPrograms(the<HTMLDialogElement>("programs"), (shelved) => void this.#takeUp(shelved)));
        on("open-gallery", () => void this.#openGallery().catch((why: Error) => this.sayProblem(why)));
        on("open-guide", () => this.guide.isShown ? this.guide.hide() : void this.showChapter());
        on("share", () => void this.sharing.show(this.project, this.#ranAsItIs() ? this.output.pictures.at(-1) : undefined));
        on("fold", () => this.fold(true));
        on("unfold", () => this.fold(false));
        document.querySelectorAll<HTMLElement>(".menu").forEach(startMenu);
        document.querySelectorAll<HTMLElement>("dialog .close").forEach((button) =>
            button.addEventListener("click", () => button.closest("dialog")?.close()));
        the("kept").querySelector("[aria-label]")!.addEventListener("click", () => { the("kept").hidden = true; });
        document.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) this.run();
        });
    }

    /** Goes to the state that comes of an event, and shows it; false if the event does not fit. */
    #change(event: Event): boolean {
        const [before, state] = [this.#state, after(this.#state, event)];
        if (state === before) return false;
        this.#state = state;
        document.body.dataset["status"] = state.phase.is === "resting" ? state.phase.standing.status : state.phase.is;
        document.body.dataset["time"] = state.time;
        const isStopped = canContinue(state) && state.time !== "recording";
        const stop = the<HTMLButtonElement>("stop");
        stop.disabled = !canStop(state) && !isStopped;
        if (stop.title !== (isStopped ? "Continue" : "Stop")) {
            stop.title = isStopped ? "Continue" : "Stop";
            stop.setAttribute("aria-label", stop.title);
            stop.classList.toggle("icon", !isStopped);
            stop.replaceChildren(icon(isStopped ? "play" : "stop"), ...isStopped ? ["Continue"] : []);
        }
        the<HTMLButtonElement>("next").disabled = state.time !== "now" || !canBeFollowed(state);
        if (before.time !== "now" && state.time === "now") this.#returned();
        return true;
    }

    /** Whether what is shown is of the present project. */
    #ranAsItIs(): boolean {
        const ran = ranIn(this.#state);
        return ran !== undefined && outdated(ran, this.project) === "";
    }

    /** Folds the code away: what is left is to be played, or looked at. */
    fold(isFolded: boolean): void {
        const wasWriting = the("writing").contains(document.activeElement);
        document.body.classList.toggle("folded", isFolded);
        the("unfold").hidden = !isFolded;
        if (!isFolded) this.writing.focus();
        else if (wasWriting) the("unfold").focus({ preventScroll: true });
    }

    /** Shows a picture of what will come of the program, until something has. */
    foreshow(address: string, isRunning = false): void {
        const image = make("img", { src: address, alt: isRunning ? "What came of the program elsewhere" : "What came of the program where the link was made" });
        const { project } = this;
        image.addEventListener("load", () => {
            if (this.project !== project || !(isRunning ? this.#state.isOutputOld : this.#state.phase.is === "idle")) return;
            // A small one stands as large as what comes.
            const times = Math.max(1, Math.floor(FORESHOWN_SIDE / Math.max(image.naturalWidth, image.naturalHeight)));
            [image.width, image.height] = [image.naturalWidth * times, image.naturalHeight * times];
            this.output.foreshow(make("div", { className: isRunning ? "picture stale" : "picture" }, image));
            if (isRunning) this.#offer.hide();
        });
    }

    /** Shows a project. Nothing of it runs before the person asks. */
    open(project: Project, { isChanged, mayRun }: Kept = { isChanged: false, mayRun: false }): void {
        the("kept").hidden = true;
        if (this.#isChanged && !isBlank(this.project)) this.#putAside();
        this.#solvesNext = this.#isRiddle = false;
        this.project = project;
        this.#mayRun = mayRun;
        // Until there is a program, nothing can be done with it.
        document.querySelectorAll<HTMLElement>("[inert]").forEach((part) => part.inert = false);
        this.#isChanged = isChanged;
        this.#keep();
        this.seed.show();
        this.writing.show(project);
        this.#change({ event: "opened" });
        this.solving.forget();
        this.moments.forget(false);
        this.output.clear();
        this.stage.show("now", false);
        the("tests").hidden = true;
        this.exports.hide();
        this.question.hide();
        void this.client.order({ order: "stop" });
        this.say("Press Run, or Ctrl-Enter in the program.");
        this.#offer.waits(isBlank(project));
        this.output.isPuzzle = false;
    }

    /** Keeps what another program takes the place of, and says how one comes back to it. */
    #putAside(): void {
        if (!this.#keeps) return;
        const kept = shelve(this.project, this.#mayRun);
        the("kept").hidden = false;
        the("kept").querySelector<HTMLElement>(".back")!.onclick = () => void kept.then((shelved) => this.#takeUp(shelved));
    }

    /** Goes on with what was put aside. */
    async #takeUp(shelved: Shelved): Promise<void> {
        const project = await restored(shelved.text);
        if (!project) return this.say("This work cannot be read any more.");
        unshelve(shelved);
        this.fold(false);
        this.open(project, { isChanged: true, mayRun: shelved.mayRun === true });
        if (this.#mayRun) this.runAsOpened();
    }

    /** The page as it is for who comes for the first time. */
    startPage(): void {
        // Who loads the page again has this, and not what the address asked for.
        if (location.hash) history.replaceState(null, "", location.href.split("#")[0]);
        this.fold(false);
        this.openAndRun({ ...structuredClone(BEGINNER), seed: 1 });
    }

    /** Runs what is there for some seconds, or up to its first question. */
    runAsOpened(): void {
        this.#start(OPENING_MILLISECONDS, true);
    }

    /** Shows a program of our own, and what comes of it: it runs for some seconds, or up to its first question. */
    openAndRun(project: Project, known: Known = {}): void {
        this.open(project, { isChanged: false, mayRun: true });
        this.know(known);
        if (known.picture && !known.isSolvedHere) this.foreshow(`data:image/png;base64,${known.picture}`, true);
        this.runAsOpened();
        this.output.bringIntoSight();
    }

    /** What the gallery knows of the program that was opened. */
    know({ isPuzzle = false, isSolvedHere = false, isRiddle = isPuzzle }: Known): void {
        this.output.isPuzzle = isPuzzle;
        this.#solvesNext = isSolvedHere;
        this.#isRiddle = isRiddle;
    }

    /** Runs our own first program. The map that the page came with stays until the engine has drawn it. */
    runFirst(map: HTMLElement): void {
        this.output.foreshow(map);
        this.#start(undefined, true);
    }

    run(): void {
        this.writing.forgetTyped();
        this.#keeping?.whatIsDue();
        this.output.dim();
        this.#start(undefined, true);
        void this.writing.check();
    }

    /** Who looks at a moment of a run, and takes part in it, goes on with that. */
    #runUnlessInThePast(): void {
        if (this.#state.time === "now") return this.run();
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
    #start(budget?: number, keepsOutput = false): void {
        this.#change({ event: "started", project: asItIs(this.project), keepsOutput });
        if (!this.#mayRun) {
            this.#mayRun = true;
            this.#keep();
        }
        this.writing.mistaken(undefined);
        this.#offer.runs();
        the("ended").hidden = true;
        this.solving.forget();
        this.moments.forget(true);
        this.exports.hide();
        this.question.hide();
        if (!this.client.isReady) {
            this.say("Loading the engine...");
            this.client.ready().catch((why: Error) => this.sayProblem(why));
        }
        void this.client.order({ order: "run", run: this.#state.run, project: this.project, budget });
    }

    /** The first program of all is there without being kept. */
    #keep(): void {
        if (!this.#isChanged && this.project === FIRST) return;
        void this.#keeping?.now();
    }

    /** A person goes to a moment: the run rests, and is recorded as far as it has come. */
    #touched(): Extent | undefined {
        const { phase } = this.#state;
        if (!this.#change({ event: "touched" })) return undefined;
        if (phase.is === "running") void this.client.order({ order: "stop" });
        this.#offer.hide();
        the("ended").hidden = true;
        this.question.hide();
        return extent(this.#state, phase.is === "running");
    }

    /** Back to the run itself, with what it has printed and asks. */
    #returned(): void {
        this.moments.leave();
        this.then.clear();
        this.#thenPrinted = [];
        this.writing.showLine(undefined, undefined);
        this.stage.show("now", false);
        const { phase } = this.#state;
        if (phase.is !== "resting") return;
        const { standing, figures } = phase;
        this.#sayHowItStands(standing, figures);
        if (standing.status === "asked") this.question.ask(standing.question);
        this.#offerWhatFits(standing);
        this.#showFailing();
    }

    #showScene(scene: SceneShown, withCells: boolean, isPlaying: boolean): void {
        // Who plays sees many moments at which nothing was printed.
        if (!isPlaying || !isSame(this.#thenPrinted, scene.output)) {
            this.then.clear();
            this.then.add(scene.output, 0);
            this.#thenPrinted = scene.output;
        }
        this.stage.show("then", withCells);
    }

    #stopOrContinue(): void {
        if (this.#state.time === "recording") void this.client.order({ order: "stopSeeing" });
        else if (canStop(this.#state)) void this.client.order({ order: "stop" });
        else this.#goOn();
    }

    #goOn(): void {
        if (!this.#change({ event: "wentOn" })) return;
        this.#offer.runs();
        the("ended").hidden = true;
        this.solving.forget();
        this.moments.forget(true);
        this.stage.show("now", false);
        this.output.dropUnfinished();
        void this.client.order({ order: "continue" });
    }

    #answer(answer: { option?: number, line?: string }): void {
        if (!this.#change({ event: "answered" })) return;
        this.solving.forget();
        this.moments.forget(true);
        this.question.rest();
        void this.client.order({ order: "answer", ...answer });
    }

    #goTo(answer: number): void {
        // What goes on has to be stopped first.
        if (!this.#change({ event: "wentBack", answer })) return;
        this.#offer.hide();
        the("ended").hidden = true;
        this.solving.forget();
        this.moments.forget(true);
        this.writing.mistaken(undefined);
        // The question that stands is no more, and the other one is not there yet.
        this.question.hide();
        this.stage.show("now", false);
        this.say("Going back to that question...");
        this.output.rewind(answer);
        void this.client.order({ order: "goTo", answer });
    }

    /** A press on the picture answers, where the program wants that; else it asks why the picture is so. */
    async #clicked(x: number, y: number, button: string): Promise<void> {
        const { phase } = this.#state;
        if (phase.is !== "resting") return;
        if (phase.standing.status !== "asked" || !phase.standing.question.hearsClicks) return this.#ask(this.output, x, y, button);
        const meant = await this.client.request("click", { x, y, button }).catch((why: Error) => this.sayProblem(why));
        if (meant !== undefined && meant !== null) this.question.answerWith(meant);
    }

    #ask(view: OutputView, x: number, y: number, button: string): void {
        const picture = view.pictures.at(-1);
        if (button === "left" && picture && canBeRecorded(this.#state)) void this.moments.explain({ x, y }, picture.columns, picture.rows);
    }

    #heard(notice: Notice): void {
        if (notice.notice !== "output" && notice.notice !== "standing") return;
        // What an earlier run has still told came too late.
        if (notice.run !== this.#state.run) return;
        const { isOutputOld, answers: before } = this.#state;
        if (notice.notice === "output") {
            this.#change({ event: "prints", run: notice.run });
            if (isOutputOld) this.output.clear();
            if (notice.pieces.length > 0) this.#offer.hide();
            this.output.add(notice.pieces, notice.answers, notice.unfinished ? "unfinished" : "");
            return;
        }
        const { standing, figures, answers } = notice;
        if (!this.#change({ event: "stands", run: notice.run, standing, figures, answers })) return;
        // Where nothing came of it, the picture of the run before still says where one is.
        if (isOutputOld && !this.#state.isOutputOld) ["solved", "asked"].includes(standing.status) ? this.output.clear() : this.output.dim();
        for (let at = before.length; at < answers.length; at++) this.output.answer(answers[at]!, at);
        if (this.#state.time === "now") this.#sayHowItStands(standing, figures);
        // While it works on an answer, who plays by keyboard stays at the picture.
        this.output.stayInSight();
        if (standing.status === "running") this.question.rest();
        else this.#rests(standing, figures);
    }

    #sayHowItStands(standing: Standing, figures: Figures): void {
        const isGame = this.#state.answers.length > 0;
        this.say(standingWords(standing, figures, { isGame, hasPrinted: !this.output.isEmpty }), isGame && standing.status === "solved" ? "" : TONES[standing.status]);
    }

    /** Says on the stage what can be done, where nothing else is there; and offers a game that is over once more. */
    #offerWhatFits(standing: Rest): void {
        const { status } = standing;
        const isOver = status === "solved" && this.#state.answers.length > 0;
        // It takes as much room as the question did, so that the picture stays where it is.
        if (isOver && the("ended").hidden) the("ended").style.minHeight = `${this.question.height}px`;
        the("ended").hidden = !isOver;
        if (status === "error") this.#offer.mistake(standing.diagnostic);
        else if (status === "stopped" && this.output.isEmpty) this.#offer.stopped();
        else if (status === "solved" && this.output.isEmpty) this.#offer.silent();
        else this.#offer.hide();
    }

    #rests(standing: Rest, figures: Figures): void {
        const { status } = standing;
        const { answers, time } = this.#state;
        if (time === "now") this.#offerWhatFits(standing);
        if (status === "error") this.writing.mistaken(standing.diagnostic);
        if (status === "asked" && (standing.question.hearsClicks || this.output.pictures.length > 0)) this.output.isGame = true;
        this.output.hearClicks(status === "asked" && standing.question.hearsClicks);
        if (status === "asked" && time === "now") this.question.ask(standing.question);
        else this.question.hide();
        // Who has answered sees what came of it, also where that is the end.
        if (status === "asked" || answers.length > 0) this.output.showLatest();
        if (status === "broken") this.client.restart();
        if (status === "solved" || status === "asked") this.exports.offer();
        if (status === "solved") {
            void this.#test();
            const opens = this.#solvesNext && time === "now";
            this.#solvesNext = false;
            void this.solving.offer(opens);
        }
        if (!canBeRecorded(this.#state)) return this.moments.forget(false);
        const isInVain = status === "limit" || status === "failed" && standing.solutions === 0 || status === "stopped" && figures.failures > 0;
        if (time === "now" && (isInVain || figures.steps < CHEAP_STEPS && answers.length === 0)) this.moments.quietly(extent(this.#state, false));
        if (this.#playsNext && time === "now") {
            this.#playsNext = false;
            return void this.moments.replay();
        }
        if (isInVain && time === "now") {
            void this.#explain();
            this.#showFailing();
        }
    }

    /** Says which of the program's own tests have passed. */
    async #test(): Promise<void> {
        const { run } = this.#state;
        const ran = ranIn(this.#state)!;
        const tests = await this.client.request("tests", { project: ran }).catch(() => []);
        if (run !== this.#state.run) return;
        the("tests").hidden = tests.length === 0;
        the("tests").replaceChildren(...tests.map(({ name, problem }) => make("li", { className: problem === undefined ? "passed" : "failed" },
            problem === undefined ? `✔ ${name}: solved` : `✘ ${name}: ${problem}`)));
        const isSolved = tests.length > 0 && tests.every(({ problem }) => problem === undefined);
        if (isSolved && this.guide.passed(this.project)) the("tests").append(make("li", { className: "passed" }, "The exercise is solved."));
    }

    /** Says in place of what there would be why nothing came of the run. */
    async #explain(): Promise<void> {
        const { run, phase, answers } = this.#state;
        if (phase.is !== "resting") return;
        const { ran, standing } = phase;
        const found = await this.client.request("explain", { project: ran }).catch(() => []);
        if (found.length === 0 || run !== this.#state.run || this.#state.phase !== phase) return;
        const [worst, ...advice] = found.map(sentence);
        this.#offer.hide();
        const place = /^Line (\d+)(?= failed)/.exec(worst!);
        const what = place ? make("p", {}, make("button", { type: "button", className: "link", onclick: () => this.writing.goTo(ran.main, Number(place[1])) }, place[0]), ...coded(worst!.slice(place[0].length)))
            : make("p", {}, ...coded(worst!));
        const see = make("button", { type: "button", onclick: () => void this.moments.replay() }, "See the search");
        const goOn = standing.status === "stopped" ? make("button", { type: "button", className: "main", onclick: () => this.#goOn() }, icon("play"), "Go on") : undefined;
        this.output.explain(standing.status === "failed" ? "Why there is no solution" : standing.status === "stopped" ? "It is not done yet. Where it came to a dead end most often:" : "Where the search got stuck", answers.length, what, ...advice.map((words) => make("p", {}, ...coded(words))), make("p", { className: "offers" }, ...goOn ? [goOn] : [], see));
        this.#showFailing();
    }

    /** Where there is a grid, the stage shows beside it how far the search has come, and where it has failed. */
    #showFailing(): void {
        const { run, phase } = this.#state;
        if (phase.is !== "resting" || !["failed", "limit", "stopped"].includes(phase.standing.status)) return;
        void this.moments.showFailing().then((isShown) => {
            if (!isShown || run !== this.#state.run || this.#state.phase !== phase || this.#state.time !== "now") return;
            this.#offer.hide();
            this.stage.show("now", true);
        });
    }

    /** Says something in the line over the stage. */
    say(text: string, tone: Tone = ""): void {
        this.#said = { text, tone };
        this.#sayAgain();
    }

    /** What was said last, and whether what is shown is of the present program still. */
    #sayAgain(): void {
        const line = the("standing");
        const { text, tone } = this.#said;
        const ran = ranIn(this.#state);
        const isOld = ran && (this.#state.time !== "now" || mayTellMore(this.#state)) ? outdated(ran, this.project) : "";
        line.replaceChildren(...coded([text, isOld].filter(Boolean).join(" ")));
        line.className = tone;
    }

    /** Says what could not be done. What the engine says of it is no sentence yet, and its first line is enough. */
    sayProblem(why: unknown): void {
        this.say(sentence(why instanceof Error ? why.message : String(why)), "problem");
    }

    get #isLive(): boolean {
        return the<HTMLInputElement>("live").checked;
    }

    #changed(): void {
        this.#isChanged = true;
        the("kept").hidden = true;
        this.#keeping?.soon();
        if (!this.#isLive || this.#state.time !== "now") this.#sayAgain();
    }

    async #openGallery(): Promise<void> {
        const gallery = await loadGallery();
        openGallery(the<HTMLDialogElement>("gallery"), gallery, {
            program: (name, isToBePlayed) => {
                const project = projectOf(gallery, name);
                if (!project) return;
                this.fold(isToBePlayed);
                this.openAndRun(project, programOf(gallery, name));
            },
            work: (shelved) => void this.#takeUp(shelved),
        });
    }
}

/** As far as a run has come, so far its recording goes. One that was running a moment ago goes as far as it is let. */
function extent({ phase }: State, wasRunning: boolean): Extent {
    if (wasRunning || phase.is !== "resting") return { solutions: 1, steps: Infinity };
    const { standing, figures } = phase;
    return { solutions: standing.status === "solved" ? standing.solution : Infinity, steps: standing.status === "stopped" ? figures.steps : Infinity };
}

/** Whether the same was printed. */
function isSame(a: readonly Piece[], b: readonly Piece[]): boolean {
    return a.length === b.length && a.every((piece, at) => {
        const other = b[at]!;
        if (typeof piece !== "object" || !("png" in piece)) return piece === other;
        return typeof other === "object" && "png" in other && piece.png.length === other.png.length && piece.png.every((byte, at) => byte === other.png[at]);
    });
}
