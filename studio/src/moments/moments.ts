// The moments of a run: its recording, which of them is shown, and what a person places there.
import { Card } from "./card";
import { CellTools } from "./cell-tools";
import type { Cell } from "./card";
import type { Client } from "../worker/client";
import { count, isNarrow, make, the } from "../page/dom";
import { GridView } from "../stage/grid-view";
import { gridsOf, isOfCells, openCells, usualGrid } from "./grids";
import { Inside } from "./inside";
import { timeKey } from "./keys";
import type { TimeKey } from "./keys";
import { howItCame, isBefore, whyNothing, words } from "./moment-words";
import { PickList } from "./pick-list";
import { keepPlaced, nameOfRun, placedIn } from "../project/placed";
import { frames, Player } from "./player";
import type { Frame } from "./player";
import type { Extent, GridShown, Pick, Project, Recording, SceneShown, When } from "../worker/protocol";
import { TileImages } from "./tile-images";
import { TimeBar } from "./time-bar";
import { Tree } from "./tree";
import { arrows, sentences } from "./why";
import { ended, plain, sentence } from "../page/wording";

export interface MomentsListener {
    /** A person wants to see a moment: the run rests, and this is what is recorded of it. Nothing if there is no run. */
    touched(): Extent | undefined,
    /** A moment is about to be shown. */
    recorded(): void,
    /** A person wants to see the run itself again. */
    returned(): void,
    /** What is on the stage at the moment that is shown. */
    stage(scene: SceneShown, withCells: boolean, isPlaying: boolean): void,
    /** The line that runs at the moment that is shown. */
    line(file: string | undefined, line: number | undefined): void,
    /** How it stands with what a person does here. */
    stands(words: string, tone: "" | "good" | "problem"): void,
    /** A person wants to see a line of the program. */
    goTo(file: string, line: number): void,
    /** The program that has run, and what it was answered so far. */
    project(): Project | undefined,
    answers(): readonly string[],
    /** What was placed could not be kept; a page that keeps nothing has none of it. */
    unkept?(): void,
}

export class Moments {
    #recording: Recording | undefined;
    #tree: Tree | undefined;
    /** What is being recorded now without anybody waiting for it. */
    #quiet: Promise<Recording | undefined> | undefined;
    #when: When = { step: 0, inside: 0 };
    /** The run that is seen, and from where a person takes part in it. */
    #run = "";
    /** Who leaves, or begins anew, wants nothing any more of what is still on its way. */
    #visit = 0;
    #isShown = false;
    #base: When | undefined;
    #scene: SceneShown | undefined;
    #shownGrid = "";
    /** The grid that is shown as long as nobody chooses another. */
    #usualGrid = "";
    /** Whether a person wants to see cells; else it depends on the moment. */
    #wantsCells: boolean | undefined;
    /** The moment that is shown where a search has failed. */
    #failing: SceneShown | undefined;
    #brush: string | undefined;
    #painting: Promise<void> = Promise.resolve();
    readonly #tiles: TileImages;
    readonly #player = new Player();
    readonly bar: TimeBar;
    readonly #picks = new PickList({ takeBack: (number) => this.#try(this.#unpick(number)), emptied: () => this.grid.focus() });
    readonly #tools = new CellTools({
        toggle: () => this.#try(this.#toggleCells()),
        chosen: (grid) => {
            this.#shownGrid = grid;
            this.#draw();
        },
        heated: () => this.#try(this.#heated()),
        takePart: () => this.#try(this.#takePart()),
        finish: () => this.#try(this.#finishRest()),
        stopPainting: () => this.#paint(undefined),
        back: () => this.listener.returned(),
    });
    readonly grid: GridView;
    readonly card: Card;
    readonly #inside: Inside;

    constructor(readonly client: Client, readonly listener: MomentsListener) {
        this.#tiles = new TileImages(client);
        this.grid = new GridView({
            tile: (name) => this.#tiles.of(name),
            open: (x, y) => this.#try(this.#open({ x, y })),
            paint: (x, y) => this.#brush !== undefined && this.#try(this.#open({ x, y })),
        });
        this.card = new Card({
            pick: (cell, value) => this.#try(this.#pick(cell, value)),
            brush: (value) => this.#paint(value),
            closed: (cell) => {
                this.grid.choose(undefined);
                this.grid.arrows([]);
                this.grid.focusAt(cell);
            },
            drawn: (value) => this.grid.drawn(value),
        }, the("stage"));
        this.bar = new TimeBar({
            slide: (step) => this.#try(this.#slide(step)),
            begin: () => this.#try(this.#obey("begin")),
            end: () => this.#try(this.#obey("end")),
            step: (isBack, unit) => this.#try(this.#step(isBack, unit)),
            playOrPause: () => this.#try(this.#obey("play")),
            speed: (factor) => { this.#player.speed = factor; },
        });
        this.#inside = new Inside(the<HTMLDetailsElement>("inside"), (when) => this.#try(this.#goTo(() => when)));
        the("time").append(this.bar.element, this.#tools.element, this.#picks.element);
        for (const place of [the("time"), the("stage")]) place.addEventListener("keydown", (event) => this.#pressed(event));
        document.addEventListener("keydown", (event) => event.target === document.body && this.#pressed(event));
        this.forget(false);
    }

    #pressed(event: KeyboardEvent): void {
        const key = timeKey(event);
        if (!key || key === "takeBack" && !this.#recording?.picks.length) return;
        event.preventDefault();
        this.#try(this.#obey(key));
    }

    #obey(key: TimeKey): Promise<void> {
        switch (key) {
            case "play": return this.#playOrPause();
            case "back": return this.#step(true, "choice");
            case "on": return this.#step(false, "choice");
            case "begin": return this.#goTo(() => this.#recording!.begin);
            case "end": return this.#goTo(() => this.#recording!.end);
            case "takeBack": return this.#unpick(this.#recording!.picks.length - 1);
        }
    }

    /** What a person does may come to nothing, say since the engine was started again; then that is said where they look. */
    #try(work: Promise<void>): void {
        const visit = this.#visit;
        work.catch((why: Error) => {
            if (visit !== this.#visit) return;
            this.#say(`That could not be done: ${ended(plain(why.message))}`);
            this.listener.stands("That could not be done. Press Run, and go to the moment anew.", "problem");
        });
    }

    /** Another run has begun, or goes on: nothing of the earlier one can be gone back to. */
    forget(canBeRecorded: boolean): void {
        this.leave();
        void this.client.order({ order: "stopSeeing" });
        this.#tiles.forget();
        this.#recording = this.#scene = this.#tree = this.#quiet = this.#base = this.#wantsCells = this.#failing = undefined;
        this.grid.show("", undefined);
        this.#tools.heat.checked = false;
        this.#picks.show([]);
        this.#inside.clear();
        this.bar.forget(canBeRecorded);
        this.bar.element.parentElement!.classList.toggle("idle", !canBeRecorded);
        this.#say("");
    }

    /** A person sees the run itself from now on. What was recorded stays, unless they have placed something. */
    leave(): void {
        this.#visit++;
        this.#player.stop();
        this.bar.showPlaying(false);
        this.bar.waits(false);
        this.card.close();
        this.#paint(undefined);
        const wasShown = this.#isShown;
        this.#isShown = false;
        if (wasShown) void this.client.order({ order: "stopSeeing" });
        // What is half recorded is recorded anew.
        if (!this.#recording) this.#quiet = undefined;
        this.#tools.back.hidden = true;
        this.#wantsCells = undefined;
        this.#tools.heat.checked = false;
        this.#tools.cells.setAttribute("aria-pressed", "false");
        if (!wasShown) return;
        if (this.#base) {
            this.#recording = this.#scene = this.#tree = this.#base = undefined;
            this.#picks.show([]);
            this.bar.forget(true);
        } else if (this.#recording) {
            this.bar.show(this.#recording);
        }
        this.#say("");
    }

    /** Records what has run while nobody waits for it. */
    quietly(extent: Extent): void {
        const project = this.listener.project();
        if (!project || this.#recording || this.#isShown) return;
        const quiet: Promise<Recording | undefined> = this.client.request("see", { project, extent }).then(async (recording) => {
            if (this.#quiet !== quiet) return undefined;
            await this.#take(recording);
            return recording;
        }, () => undefined);
        this.#quiet = quiet;
    }

    /** Makes sure that there is a recording, which is shown from now on; false if nobody wants it any more. */
    async #enter(): Promise<boolean> {
        if (this.#isShown) return this.#recording !== undefined;
        const extent = this.listener.touched();
        if (!extent) return false;
        const visit = this.#visit;
        this.#isShown = true;
        this.#tools.back.hidden = false;
        const project = this.listener.project()!;
        this.#run = nameOfRun(project, this.listener.answers());
        if (!this.#recording) {
            this.#say("Recording...");
            this.listener.stands("Recording the run...", "");
            this.bar.waits(true);
            await this.#quiet;
            const anew = this.#recording ? undefined : await this.client.request("see", { project, extent });
            if (visit !== this.#visit) return false;
            this.bar.waits(false);
            if (anew) await this.#take(anew);
        }
        if (visit !== this.#visit) return false;
        this.listener.recorded();
        this.listener.stands("What is shown is a moment of the run. Go to any other, or press a cell.", "");
        return true;
    }

    /** What is recorded, shown at its end or at the solution behind which there is no other; nothing if nobody waits for it any more. */
    async #recordedBy(record: () => Promise<Recording>): Promise<Recording | undefined> {
        const visit = this.#visit;
        this.bar.waits(true);
        const recording = await record().catch((why: Error) => {
            if (visit === this.#visit) throw why;
            return undefined;
        }).finally(() => visit === this.#visit && this.bar.waits(false));
        if (!recording || visit !== this.#visit) return undefined;
        await this.#take(recording);
        await this.show(recording.came === "failed" && recording.lastSolution || recording.end);
        return visit === this.#visit ? recording : undefined;
    }

    async #take(recording: Recording): Promise<void> {
        this.#recording = recording;
        this.bar.show(recording);
        this.#drawPicks();
        const tree = new Tree(await this.client.request("tree", {}));
        this.#tree = tree;
        this.#inside.recorded(recording, tree);
    }

    async #goTo(where: () => When): Promise<void> {
        this.#pause();
        const wasShown = this.#isShown;
        if (!await this.#enter()) return;
        await this.show(where());
        if (!wasShown && this.#recording?.came === "outOfFuel") this.#sayHowItCame(this.#recording);
    }

    /** Moves along the time line. One step back from a moment leads to the moment before it, however far that is. */
    async #slide(step: number): Promise<void> {
        this.#pause();
        const wasShown = this.#isShown;
        const part = Number(the<HTMLInputElement>("moment").max);
        if (!await this.#enter()) return;
        // What was moved over a line without steps means as much of the one that is there now.
        const { begin, end } = this.#recording!;
        const wanted = wasShown || part === end.step ? step : Math.round(begin.step + step / part * (end.step - begin.step));
        const before = wasShown ? this.#when : end;
        await this.show({ step: wanted, inside: 0 });
        if (wanted < before.step && !isBefore(this.#when, before)) await this.#seek(true, "line");
    }

    /** Shows a moment. */
    async show(wanted: When, isPlaying = false): Promise<void> {
        // The tree of a run that goes on from somewhere begins with a start that lies before it.
        const begin = this.#recording?.begin;
        const when = begin && isBefore(wanted, begin) ? begin : wanted;
        const visit = this.#visit;
        this.#when = when;
        const scene = await this.client.request("scene", { when, isPlaying }).catch((why: Error) => this.#say(why.message));
        if (!scene || visit !== this.#visit) return;
        this.#when = scene.when;
        this.#scene = scene;
        this.#draw(isPlaying);
        this.listener.line(scene.line?.file, scene.line?.line);
    }

    /** Plays from the beginning. */
    async replay(): Promise<void> {
        this.#pause();
        if (this.#isShown) await this.show(this.#recording!.end);
        this.#try(this.#playOrPause());
    }

    async #playOrPause(): Promise<void> {
        if (this.#player.isPlaying) return this.#pause();
        if (!await this.#enter() || !this.#tree) return;
        const all = frames(this.#recording!.begin, this.#recording!.end, this.#tree);
        const isAtEnd = this.#scene === undefined || !isBefore(this.#when, this.#recording!.end);
        const from = isAtEnd ? 0 : Math.max(0, all.findIndex(({ when }) => !isBefore(when, this.#when)));
        this.card.close();
        this.bar.showPlaying(true);
        const visit = this.#visit;
        const isOver = await this.#player.play(all, from, (frame) => this.#frame(frame)).finally(() => this.#player.isPlaying || this.bar.showPlaying(false));
        if (!isOver || visit !== this.#visit) return;
        // At the end the run itself is seen again, with all that it has printed and asks.
        if (!this.#base && this.#wantsCells === undefined) this.listener.returned();
        else await this.show(this.#recording!.end);
    }

    async #frame({ when, isFailure }: Frame): Promise<void> {
        await this.show(when, true);
        if (isFailure) this.grid.flashAll();
    }

    #pause(): void {
        this.#player.stop();
        this.bar.showPlaying(false);
    }

    async #step(back: boolean, what: string): Promise<void> {
        this.#pause();
        const wasShown = this.#isShown;
        if (!await this.#enter()) return;
        if (!wasShown) this.#when = this.#recording!.end;
        await this.#seek(back, what);
    }

    async #seek(back: boolean, what: string): Promise<void> {
        const found = await this.client.request("seek", { from: this.#when, back, what });
        if (!found) {
            if (!this.#scene) await this.show(this.#when);
            return this.#say(`There is no ${back ? "earlier" : "later"} ${what}.`);
        }
        // To look further on is to record further.
        const isFurther = this.#recording !== undefined && isBefore(this.#recording.end, found.when);
        if (isFurther) await this.#take(await this.client.request("recording", {}));
        await this.show(found.when);
        this.#say(words(found, this.#scene));
    }

    /** Cells in place of the picture, or the other way. */
    async #toggleCells(): Promise<void> {
        this.#pause();
        const wants = this.#tools.cells.getAttribute("aria-pressed") !== "true";
        if (!this.#isShown && !await this.#enterAtEnd()) return;
        this.#wantsCells = wants;
        this.#draw();
        if (wants && gridsOf(this.#scene).length === 0) this.#say("There is no grid in a variable of the program.");
    }

    async #enterAtEnd(): Promise<boolean> {
        if (!await this.#enter()) return false;
        await this.show(this.#recording!.end);
        return this.#scene !== undefined;
    }

    async #heated(): Promise<void> {
        const wants = this.#tools.heat.checked;
        if (!this.#isShown && !await this.#enterAtEnd()) return;
        this.#tools.heat.checked = wants;
        if (wants) this.#wantsCells = true;
        this.#draw();
    }

    /** A person has pressed a cell of the picture that is shown: why is it so? */
    async explain(cell: Cell, columns: number, rows: number): Promise<void> {
        if (!this.#isShown && !await this.#enterAtEnd()) return;
        const fitting = gridsOf(this.#scene).filter(({ grid }) => grid.width === columns && grid.height === rows);
        const shown = fitting.find(({ name }) => name === this.#usualGrid) ?? fitting[0];
        if (!shown) return this.#say("No grid of the program has as many cells as the picture.");
        this.#shownGrid = shown.name;
        this.#wantsCells = true;
        this.#draw();
        await this.#open(cell);
    }

    /** Shows beside what is said of a failure where the search has come deepest, and at which cells it has failed; false if there is no grid for it. */
    async showFailing(): Promise<boolean> {
        const recording = await this.#quiet;
        if (!recording?.deepest || this.#isShown || recording !== this.#recording) return false;
        const scene = this.#failing ?? await this.client.request("scene", { when: recording.deepest }).catch(() => undefined);
        if (!scene?.globals.some(({ grid }) => grid) || this.#isShown || recording !== this.#recording) return false;
        this.#failing = this.#scene = scene;
        this.#when = scene.when;
        this.#drawGrid();
        this.grid.heat(await this.client.request("failingCells", { grid: this.#shownGrid }).catch(() => undefined));
        return true;
    }

    /** The card of a cell; or what is painted there. */
    async #open(cell: Cell): Promise<void> {
        this.#pause();
        if (!this.#isShown) {
            // It was pressed where a failure is shown.
            const when = this.#when;
            if (!await this.#enter()) return;
            this.#wantsCells = true;
            await this.show(when);
        }
        const candidates = this.grid.candidatesAt(cell.x, cell.y);
        if (this.#brush !== undefined) {
            const value = this.#brush;
            if (candidates.length < 2 || !candidates.includes(value)) return;
            this.#painting = this.#painting.catch(() => {}).then(() => this.#pick(cell, value));
            return this.#painting;
        }
        const beside = this.grid.cell(cell.x, cell.y);
        if (!beside) return;
        this.grid.choose(cell);
        this.card.open(cell, beside, candidates, this.#shownGrid === this.#usualGrid ? "" : `${this.#shownGrid} `);
        await this.#why(cell);
    }

    async #why(cell: Cell): Promise<void> {
        const grid = this.#shownGrid;
        const place = `${grid}[${cell.x}, ${cell.y}]`;
        const [project, visit] = [this.listener.project(), this.#visit];
        const reasons = await this.client.request("why", { place, when: this.#when }).catch((why: Error) => this.card.because("Why?", [{ words: why.message }]));
        if (!reasons || !project || visit !== this.#visit || this.card.cell !== cell) return;
        const told = sentences(reasons, grid, cell, project).map(({ words, link }) => ({
            words, detail: "Go to this moment", go: () => this.#try(this.#follow(link.when, link.cell ?? cell)),
            over: () => this.grid.mark(link.cell ? [link.cell] : []),
        }));
        const candidates = this.grid.candidatesAt(cell.x, cell.y);
        const title = candidates.length === 1 ? `Why is it ${candidates[0]}?` : "Why so?";
        this.card.because(title, told.length > 0 ? told : [{ words: this.#noReason(cell) }]);
        this.grid.arrows(arrows(reasons, grid, cell));
        this.grid.mark(reasons.links.flatMap((link) => link.cell && link.place.startsWith(`${grid}[`) ? [link.cell] : []));
    }

    #noReason({ x, y }: Cell): string {
        const picks = this.#recording?.picks ?? [];
        const own = picks.find((pick) => pick.grid === this.#shownGrid && pick.x === x && pick.y === y);
        const since = picks.at(-1);
        return own ? `You have placed ${own.value} there.`
            : since ? `Nothing was taken from it since you have placed ${this.#words(since)}.` : "Nothing was taken from it so far.";
    }

    /** One step back on the way to a guess: the moment, and the cell that it is about. */
    async #follow(when: When, cell: Cell): Promise<void> {
        await this.show(when);
        this.#wantsCells = true;
        this.#draw();
        const said = this.bar.said.textContent!;
        await this.#open(cell);
        this.#say(said);
    }

    async #takePart(): Promise<void> {
        this.#pause();
        if (!await this.#enter()) return;
        const earlier = this.#base ? undefined : placedIn(this.#run);
        if (!this.#base) await this.show(await this.client.request("beforeGuessing", {}));
        const restored = earlier && this.listener.unkept ? await this.#restore(earlier.when, earlier.picks) : "";
        const nothing = this.#recording?.picks.length === 0 ? whyNothing(this.#scene) : undefined;
        if (nothing) {
            this.#say(nothing);
            return this.listener.stands(nothing, "");
        }
        this.#wantsCells = true;
        if (this.#base && !restored) await this.show(this.#when);
        else this.#draw();
        the("stage").scrollIntoView({ block: isNarrow() ? "start" : "nearest" });
        this.#say(`${restored}Choose a cell and then what it shall be. What follows is shown at once.`);
        await this.#placed();
    }

    /** Places again what was placed before the page was loaded anew; says so, unless nothing of it can be. */
    async #restore(when: When, picks: Pick[]): Promise<string> {
        const done = await this.client.request("restore", { when, picks }).catch(() => undefined);
        if (!done || done.refused.length === picks.length) return "";
        this.#base = when;
        await this.#take(done.recording);
        await this.show(done.recording.end);
        const left = done.refused.length > 0 ? ` ${done.refused.map((pick) => this.#words(pick)).join("; ")} cannot be any more.` : "";
        return `What you have placed before is there again.${left} `;
    }

    #paint(value: string | undefined): void {
        this.#brush = value;
        this.#tools.painting(value);
        if (value === undefined) return;
        this.card.close();
        this.grid.choose(undefined);
        this.#say(`Press cells, or go over them, to place ${value}.`);
    }

    async #pick({ x, y }: Cell, value: string): Promise<void> {
        const pick = { grid: this.#shownGrid, x, y, value };
        const when = this.#base ?? this.#when;
        const { misplaced, recording } = await this.client.request("pick", { when: this.#when, pick });
        this.#base = when;
        if (misplaced) {
            this.grid.contradict(misplaced.cells, misplaced.on);
            this.grid.flash(x, y);
            const main = this.listener.project()?.main;
            const why = `${this.#words(pick, "cannot be")}: ${ended(plain(misplaced.problem))}`;
            this.#say(why, ...misplaced.lines.slice(0, 3).map(({ file, line }) =>
                make("button", { type: "button", onclick: () => this.listener.goTo(file, line) }, file === main ? `Line ${line}` : `${file}, line ${line}`)));
            return this.listener.stands(`That cannot be, and nothing has changed. ${this.#state()}`, "problem");
        }
        this.card.close();
        await this.#take(recording);
        this.#wantsCells = true;
        await this.show(recording.end);
        if (this.#brush === undefined) this.grid.focusAt({ x, y });
        this.#say(`Placed ${this.#words(pick)}.`);
        await this.#placed();
    }

    async #unpick(number?: number): Promise<void> {
        const { misplaced, recording } = await this.client.request("unpick", { number });
        if (misplaced) return this.#say(sentence(misplaced.problem));
        await this.#take(recording);
        await this.show(recording.end);
        await this.#placed();
    }

    /** What follows from what is placed now: it is kept, and if nothing is open any more the program says whether that is a solution. */
    async #placed(): Promise<void> {
        const picks = this.#recording?.picks ?? [];
        const { unkept } = this.listener;
        if (this.#base && unkept && !keepPlaced(this.#run, { when: this.#base, picks })) unkept();
        if (picks.length === 0 || openCells(this.#scene) !== 0) return this.listener.stands(this.#state(), "");
        const said = this.bar.said.textContent;
        this.listener.stands("Every cell is decided. Looking whether that is a solution...", "");
        const recording = await this.#recordedBy(() => this.client.request("record", { isNextWanted: false }));
        if (!recording) return;
        const { message } = recording;
        const came = recording.lastSolution ? "solved" : recording.came;
        const line = this.#scene?.line;
        const [words, tone] = came === "solved" ? ["Solved: every cell is decided, and no rule is broken.", "good"] as const
            : came === "failed" ? [ended(`Every cell is decided, but that is no solution: ${message ?? "a rule is broken"}${line ? ` (line ${line.line})` : ""}`), "problem"] as const
            : [`Every cell is decided. ${howItCame(recording) ?? ""}`, ""] as const;
        this.#say(`${said} ${words}`);
        this.listener.stands(words, tone);
    }

    async #finishRest(): Promise<void> {
        this.#pause();
        if (!this.#isShown && !await this.#enterAtEnd()) return;
        this.#say("Recording...");
        this.listener.stands("Searching for the rest...", "");
        // From an earlier moment the search comes to what was found already; who sees that wants another one.
        const isNextWanted = this.#recording !== undefined && !isBefore(this.#when, this.#recording.end);
        const recording = await this.#recordedBy(() => this.client.request("record", { isNextWanted }));
        if (!recording) return;
        const placed = recording.picks.length > 0 ? " with what you have placed" : "";
        if (recording.came === "failed") {
            const words = recording.lastSolution ? `There is no other solution${placed}: this is the ${recording.solutions > 1 ? "last" : "only"} one.`
                : `There is no solution with that. ${recording.message ?? ""}`;
            this.#say(words);
            return this.listener.stands(words, recording.lastSolution ? "good" : "problem");
        }
        this.#sayHowItCame(recording);
        this.listener.stands(recording.came === "solved" ? `Solved${placed}: the rest was found by searching.` : howItCame(recording) ?? this.#state(), recording.came === "solved" ? "good" : "");
    }

    #state(): string {
        const [open, placed] = [openCells(this.#scene), this.#recording?.picks.length ?? 0];
        return `You take part: ${placed} placed${open === undefined ? "" : `, ${count(open, "cell")} open`}.`;
    }

    /** Says behind where it stands why no more was recorded, unless it is plain to see. */
    #sayHowItCame(recording: Recording): void {
        const why = howItCame(recording);
        if (why) this.#say(`${this.bar.said.textContent} ${why}`);
    }

    /** What a person has placed, or wants to; with the name of the grid unless it is the usual one alone. */
    #words({ grid, x, y, value }: Pick, verb = ""): string {
        const isOnly = [grid, ...(this.#recording?.picks ?? []).map((pick) => pick.grid)].every((name) => name === this.#usualGrid);
        return `${value} ${verb ? `${verb} ` : ""}at ${x}, ${y}${isOnly ? "" : ` of ${grid}`}`;
    }

    /** The name of the grid that is shown, if there is one. */
    get shownGrid(): string | undefined {
        return this.#isShown && this.#shownGrid || undefined;
    }

    #draw(isPlaying = false): void {
        const scene = this.#scene;
        if (!scene) return;
        const where = scene.line ? `line ${scene.line.line}` : "the end";
        const call = scene.calls[0]?.function;
        const text = `Step ${scene.when.step.toLocaleString("en")}, ${where}${call ? ` in ${call}` : ""}; ${count(scene.open, "open choice")}.`;
        this.bar.at(scene.when, text);
        this.#say(text);
        this.card.close();
        const shown = this.#drawGrid(isPlaying);
        const withCells = shown !== undefined && (this.#wantsCells ?? isOfCells(scene));
        this.#tools.cells.setAttribute("aria-pressed", String(withCells));
        this.listener.stage(scene, withCells, isPlaying);
        if (!isPlaying || this.#inside.isOpen) this.#inside.show(scene);
        if (!isPlaying) void this.#drawHeat();
    }

    #drawGrid(isPlaying = false): GridShown | undefined {
        const grids = gridsOf(this.#scene);
        const names = grids.map(({ name }) => name);
        this.#usualGrid = usualGrid(this.#scene!);
        if (!names.includes(this.#shownGrid)) this.#shownGrid = this.#usualGrid;
        this.#tools.gridChoice.hidden = names.length < 2;
        if (!isPlaying) this.#tools.gridChoice.replaceChildren(...names.map((name) => make("option", { value: name, selected: name === this.#shownGrid }, name)));
        const shown = grids.find(({ name }) => name === this.#shownGrid)?.grid;
        this.grid.show(this.#shownGrid, shown);
        this.grid.placed((this.#recording?.picks ?? []).filter((pick) => pick.grid === this.#shownGrid));
        return shown;
    }

    async #drawHeat(): Promise<void> {
        const grid = this.#shownGrid;
        this.#tools.heatSaid.textContent = "";
        if (!this.#tools.heat.checked || !grid) return this.grid.heat(undefined);
        const counts = await this.client.request("failingCells", { grid });
        if (grid !== this.#shownGrid || !this.#tools.heat.checked) return;
        this.grid.heat(counts ?? []);
        if (!counts) this.#tools.heatSaid.textContent = "The search has failed at no cell of this grid.";
    }

    #drawPicks(): void {
        this.#picks.show((this.#recording?.picks ?? []).map((pick) => this.#words(pick)));
    }

    #say(text: string, ...buttons: HTMLElement[]): void {
        this.bar.say(text, ...buttons);
    }
}
