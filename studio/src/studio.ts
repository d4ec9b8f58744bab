// The studio: makes the parts of the page, and says which hears of what.
import { Client } from "./worker/client";
import { Course } from "./course";
import { Failing } from "./failing";
import { ranIn } from "./machine";
import { Moments } from "./moments/moments";
import { SolveView } from "./moments/solve-view";
import { Opening } from "./opening";
import { isNarrow, make, the, whenReleased } from "./page/dom";
import { MainLine } from "./page/main-line";
import { startMenu } from "./page/menu";
import type { Parts } from "./parts";
import { empty } from "./project/beginnings";
import { showPrograms } from "./project/programs";
import { outdated } from "./project/ran";
import { SharingDialog } from "./project/sharing";
import { keepFolded } from "./project/storage";
import type { Folding } from "./project/storage";
import { Work } from "./project/work";
import { Results } from "./results";
import { Running } from "./running";
import { Ended } from "./stage/ended";
import { ExportBar } from "./stage/exports";
import { Offer } from "./stage/offer";
import { OutputView } from "./stage/output";
import { QuestionForm } from "./stage/question";
import { RunBar } from "./stage/run-bar";
import { Stage } from "./stage/stage";
import { openGallery, programOf, projectOf } from "./writing/gallery";
import type { Gallery } from "./writing/gallery";
import { GuidePanel } from "./writing/guide";
import { openReference } from "./writing/reference";
import { SeedField } from "./writing/seed-field";
import { TestList } from "./writing/test-list";
import { Writing } from "./writing/writing";
import { loadGallery } from "#start";

/** What runs as one types runs for so long. */
const LIVE_MILLISECONDS = 2000;

/** A puzzle of the gallery that is solved in the page. */
const SOLVABLE = "sudoku/short";

export class Studio implements Parts {
    readonly client = new Client();
    readonly course = new Course();
    readonly work: Work;
    readonly line = new MainLine(this.course, () => this.work.project);
    readonly writing: Writing;
    readonly seed: SeedField;
    readonly output: OutputView;
    readonly then: OutputView;
    readonly question: QuestionForm;
    readonly moments: Moments;
    readonly stage: Stage;
    readonly offer: Offer;
    readonly ended = new Ended();
    readonly exports: ExportBar;
    readonly solving: SolveView;
    readonly sharing = new SharingDialog();
    readonly guide: GuidePanel;
    readonly running: Running;
    readonly opening: Opening;
    readonly #live = the<HTMLInputElement>("live");
    #isLiveByGuide = false;

    constructor(isEmbedded: boolean) {
        const { client, course, line } = this;
        const bar = new RunBar();
        course.listen((state) => bar.show(state));
        this.work = new Work(!isEmbedded, (shelved) => void this.opening.takeUp(shelved));
        this.writing = new Writing(client, {
            project: () => this.work.project,
            typed: () => this.#typed(),
            paused: (isSound) => isSound && this.#live.checked ? this.running.start(LIVE_MILLISECONDS) : line.sayAgain(),
            parametersChanged: (isEntered) => {
                this.work.keep();
                if (!isEntered) this.#runUnlessInThePast();
            },
            run: () => this.running.run(),
            replaces: () => {
                this.work.putAside();
                return this.work.isKept;
            },
            grown: () => this.output.stayInSight(),
            say: (text) => line.say(text),
        });
        this.seed = new SeedField({
            seed: () => this.work.project.seed,
            changed: (seed) => {
                this.work.project.seed = seed;
                this.work.keep();
            },
            run: (isThrown) => isThrown ? this.running.runInSight() : this.running.run(),
            left: () => this.#runUnlessInThePast(),
        });
        this.output = new OutputView(the("output"), {
            click: (x, y, button) => void this.running.click(x, y, button),
            goTo: (answer) => this.running.goTo(answer),
        });
        this.then = new OutputView(the("moment-output"), {
            click: (x, y, button) => this.running.askWhy(this.then, x, y, button),
            goTo: () => {},
        });
        this.question = new QuestionForm(the<HTMLFormElement>("question"), (answer) => this.running.answer(answer), () => this.output.focusPointer());
        this.moments = new Moments(client, {
            touched: () => this.running.touched(),
            recorded: () => void course.change({ event: "recorded" }),
            returned: () => void course.change({ event: "returned" }),
            stage: ({ output }, withCells) => {
                this.then.showOnly(output);
                this.stage.show("then", withCells);
            },
            line: (file, at) => this.writing.showLine(file, at),
            stands: (words, tone) => line.say(words, tone),
            goTo: (file, at) => this.writing.goTo(file, at),
            project: () => ranIn(course.state),
            answers: () => course.state.answers,
            unkept: isEmbedded ? undefined : () => this.work.sayKept(false),
        });
        this.stage = new Stage(this.output, this.then, this.moments.grid, this.moments.card.element);
        this.offer = new Offer(the("offer"), {
            run: () => this.running.runInSight(), goOn: () => this.running.goOn(), start: () => this.opening.startPage(),
            gallery: () => the("open-gallery").click(), learn: () => the("open-guide").click(),
            goTo: (file, at, column) => this.writing.goTo(file, at, column),
            see: () => this.moments.seeSearch(false), heat: () => this.moments.seeSearch(true), otherSeed: () => the("new-seed").click(),
        });
        this.exports = new ExportBar(the("exports"), client, this.output, {
            project: () => this.work.project, grid: () => this.moments.shownGrid,
            say: (text) => line.say(text), sayProblem: (why) => line.sayProblem(why),
        });
        this.solving = new SolveView(the("solving"), the<HTMLButtonElement>("solve"), client, {
            program: () => {
                const ran = ranIn(course.state);
                const main = ran?.files.find(({ path }) => path === ran.main);
                return main && "text" in main ? main.text : "";
            },
            pictures: () => this.output.pictures,
            isExpected: () => this.work.standing.known.isRiddle,
            refuse: (text) => line.say(text, "", make("button", { type: "button", className: "link", onclick: () => void loadGallery().then((gallery) => this.#openProgram(gallery, SOLVABLE, false)) }, "Solve a sudoku instead")),
            shown: (isShown) => {
                document.body.classList.toggle("solving", isShown);
                if (isShown && course.state.time !== "now") course.change({ event: "returned" });
            },
            unkept: isEmbedded ? undefined : () => this.work.sayKept(false),
            solves: (isSolved) => {
                this.work.solves(isSolved);
                results.sayAgain();
            },
        });
        const tests = new TestList(client, course, () => this.guide.passed(this.work.project));
        const results = new Results(this, new Failing(this, () => this.running.goOn()), tests);
        this.running = new Running(this, results);
        this.opening = new Opening(this, this.running, results, this.seed, tests, () => this.fold(""));
        this.guide = new GuidePanel(loadGallery, {
            open: (project, plays, isAsked) => {
                this.fold("");
                this.opening.openAndRun(project, undefined, isAsked);
                // What is written beside a chapter is seen at once; what is opened elsewhere is as the person had it.
                this.#isLiveByGuide = !this.#live.checked;
                this.#live.checked = true;
                if (plays) results.want(true);
            },
            mayReplace: (own) => !this.work.standing.isChanged || own === this.work.project,
            moved: () => this.work.keep(),
        });
        course.listen(({ phase }) => {
            if (phase.is === "idle" && this.#isLiveByGuide) this.#live.checked = this.#isLiveByGuide = false;
        });
        this.#live.addEventListener("change", () => { this.#isLiveByGuide = false; });
        client.onNotice = (notice) => results.hear(notice);
        this.#connect();
    }

    #connect(): void {
        const { line, opening, running } = this;
        const on = (id: string, work: () => void) => the(id).addEventListener("click", work);
        on("run", () => running.runInSight());
        on("stop", () => running.stopOrContinue());
        on("next", () => {
            running.goOn();
            this.output.bringIntoSight();
        });
        on("new-project", () => {
            this.fold("");
            opening.open(empty(), { isChanged: false, mayRun: true, known: {} });
            this.writing.focus();
        });
        the("home").addEventListener("click", (event) => {
            event.preventDefault();
            opening.startPage();
        });
        on("play-again", () => the("new-seed").click());
        on("start-page", () => opening.startPage());
        on("my-programs", () => showPrograms(the<HTMLDialogElement>("programs"), (shelved) => void opening.takeUp(shelved)));
        on("open-gallery", () => void this.#openGallery(false).catch((why: Error) => line.sayProblem(why)));
        on("open-games", () => void this.#openGallery(true).catch((why: Error) => line.sayProblem(why)));
        on("open-reference", () => void loadGallery().then(({ reference }) => openReference(reference)).catch((why: Error) => line.sayProblem(why)));
        on("open-guide", () => {
            // What is learned is written: that has no room where a game has all of it.
            this.fold("");
            if (this.guide.isShown) this.guide.hide();
            else void this.showChapter();
        });
        on("share", () => void this.sharing.show(this.work.project, this.#ranAsItIs() ? this.output.usualPicture : undefined, this.work.standing.known, this.solving.isOffered));
        on("fold", () => this.fold("code"));
        on("unfold", () => this.fold(""));
        document.querySelectorAll<HTMLElement>(".menu").forEach(startMenu);
        document.querySelectorAll<HTMLElement>("dialog .close").forEach((button) =>
            button.addEventListener("click", () => button.closest("dialog")?.close()));
        document.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) running.run();
        });
    }

    /** Folds the code away to look at what comes of it, or all that is not played; or shows everything. */
    fold(folding: Folding): void {
        const isFolded = folding !== "";
        const wasWriting = the("writing").contains(document.activeElement);
        const wasFolded = document.body.classList.contains("folded");
        document.body.classList.toggle("folded", isFolded);
        document.body.classList.toggle("playing", folding === "play");
        keepFolded(folding);
        // Who plays has set what they wanted, or leaves it as it is.
        if (isFolded !== wasFolded) the<HTMLDetailsElement>("settings").open = !isFolded;
        the("unfold").hidden = !isFolded;
        if (!isFolded && wasFolded) this.writing.focus();
        else if (isFolded && wasWriting) the("unfold").focus({ preventScroll: true });
    }

    /** Shows a chapter of a guide, with its program if that is wanted; false if there is none of that name. */
    async showChapter(wanted?: string, withProgram = true): Promise<boolean> {
        return this.guide.show(wanted, withProgram).catch((why: Error) => {
            this.line.sayProblem(why);
            return true;
        });
    }

    #typed(): void {
        this.work.changed();
        this.offer.typed();
        if (!this.#live.checked || this.course.state.time !== "now") this.line.sayAgain();
    }

    /** Who looks at a moment of a run, and takes part in it, goes on with that. */
    #runUnlessInThePast(): void {
        if (this.course.state.time === "now") return this.running.run();
        whenReleased(() => this.line.sayAgain());
    }

    /** Whether what is shown is of the present project. */
    #ranAsItIs(): boolean {
        const ran = ranIn(this.course.state);
        return ran !== undefined && outdated(ran, this.work.project) === "";
    }

    async #openGallery(isToPlay: boolean): Promise<void> {
        const gallery = await loadGallery();
        openGallery(the<HTMLDialogElement>("gallery"), gallery, {
            program: (name, isToBePlayed) => this.#openProgram(gallery, name, isToBePlayed),
            work: (shelved) => void this.opening.takeUp(shelved),
        }, isToPlay);
    }

    #openProgram(gallery: Gallery, name: string, isToBePlayed: boolean): void {
        const project = projectOf(gallery, name);
        if (!project) return;
        this.fold(isToBePlayed ? "play" : "");
        // On a phone the lesson would stand between the person and the program.
        if (isNarrow() && this.guide.isShown) this.guide.hide();
        const program = programOf(gallery, name);
        this.opening.openAndRun(project, program && { ...program, isSolvedHere: program.isSolvedHere || isToBePlayed && program.isPlayable && !program.isGame });
    }
}
