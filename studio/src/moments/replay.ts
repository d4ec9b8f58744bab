// The recording of a run, and the moment of it that is shown. What a person does with it is in `moments.ts` and `placing.ts`.
import type { Card } from "./card";
import type { CellTools } from "./cell-tools";
import type { Client } from "../worker/client";
import { make } from "../page/dom";
import type { GridView } from "../stage/grid-view";
import { gridsOf, isOfCells, usualGrid } from "./grids";
import type { Inside } from "./inside";
import { howItCame, isBefore } from "./moment-words";
import type { PickList } from "./pick-list";
import type { Extent, GridShown, Pick, Project, Recording, SceneShown, When } from "../worker/protocol";
import type { TimeBar } from "./time-bar";
import { Tree } from "./tree";

export interface MomentsListener {
    /** A person wants to see a moment: the run rests, and this is what is recorded of it. Nothing if there is no run. */
    touched(): Extent | undefined,
    /** A moment is about to be shown. */
    recorded(): void,
    /** A person wants to see the run itself again. */
    returned(): void,
    /** What is on the stage at the moment that is shown. */
    stage(scene: SceneShown, withCells: boolean): void,
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

/** Where it is shown. */
export interface MomentViews { bar: TimeBar, tools: CellTools, picks: PickList, grid: GridView, card: Card, inside: Inside }

export class Replay {
    recording: Recording | undefined;
    tree: Tree | undefined;
    scene: SceneShown | undefined;
    when: When = { step: 0, inside: 0 };
    /** Who leaves, or begins anew, wants nothing any more of what is still on its way. */
    visit = 0;
    /** Whether a moment is shown, or about to be. */
    isShown = false;
    shownGrid = "";
    /** The grid that is shown as long as nobody chooses another. */
    usualGrid = "";
    /** Whether a person wants to see cells; else it depends on the moment. */
    wantsCells: boolean | undefined;
    /** Whether a person places what they wish. */
    takesPart = false;
    /** What is being recorded now without anybody waiting for it. */
    #quiet: Promise<Recording | undefined> | undefined;
    /** The moment that is shown where a search has failed. */
    #failing: SceneShown | undefined;

    constructor(readonly client: Client, readonly listener: MomentsListener, readonly views: MomentViews) {}

    /** Another run has begun, or goes on: nothing of the earlier one can be gone back to. */
    forget(canBeRecorded: boolean): void {
        const { bar, grid, tools, inside } = this.views;
        void this.client.order({ order: "stopSeeing" });
        this.recording = this.scene = this.tree = this.#quiet = this.wantsCells = this.#failing = undefined;
        grid.show("", undefined);
        tools.offer(true);
        tools.gridChoice.hidden = true;
        tools.heat.checked = false;
        this.takePart(false);
        inside.clear();
        bar.forget(canBeRecorded);
        bar.element.parentElement!.classList.toggle("idle", !canBeRecorded);
        this.say("");
    }

    /** A person sees the run itself from now on. What was recorded stays, unless they have placed something. */
    leave(hasPlaced: boolean): void {
        const { bar, card, tools, picks } = this.views;
        this.visit++;
        bar.waits(false);
        card.close();
        const wasShown = this.isShown;
        this.isShown = false;
        if (wasShown) void this.client.order({ order: "stopSeeing" });
        // What is half recorded is recorded anew.
        if (!this.recording) this.#quiet = undefined;
        tools.back.hidden = true;
        this.wantsCells = undefined;
        tools.heat.checked = false;
        tools.cells.setAttribute("aria-pressed", "false");
        this.takePart(false);
        if (!wasShown) return;
        if (hasPlaced) {
            this.recording = this.scene = this.tree = undefined;
            picks.show([], false);
            bar.forget(true);
        } else if (this.recording) {
            bar.show(this.recording);
        }
        this.say("");
    }

    /** Records what has run while nobody waits for it. */
    quietly(extent: Extent): void {
        const project = this.listener.project();
        if (!project || this.recording || this.isShown) return;
        const quiet: Promise<Recording | undefined> = this.client.request("see", { project, extent }).then(async (recording) => {
            if (this.#quiet !== quiet) return undefined;
            // Whoever wants to see it meanwhile waits for the tree as well: without one, nothing can be played.
            const tree = await this.#treeOfNow();
            if (this.#quiet !== quiet) return undefined;
            this.#takeRecording(recording);
            this.#takeTree(recording, tree);
            void this.#lookForCells(recording);
            return recording;
        }, () => undefined);
        this.#quiet = quiet;
    }

    /** A program that has come to its end, or to a failure, without a grid has no use for what is done with cells. */
    async #lookForCells(recording: Recording): Promise<void> {
        const when = recording.came === "solved" ? recording.end : recording.came === "failed" ? recording.deepest : undefined;
        // A person who looks at a moment waits for that one.
        if (this.isShown || !when) return;
        const scene = await this.client.request("scene", { when, isPlaying: true }).catch(() => undefined);
        if (!scene || recording !== this.recording) return;
        this.views.tools.offer(gridsOf(scene).length > 0);
        if (!this.isShown && recording.came === "solved" && gridsOf(scene).length > 0) this.say("Press a cell of the picture to see why it is so.");
    }

    /** Makes sure that there is a recording, which is shown from now on; false if nobody wants it any more. */
    async enter(): Promise<boolean> {
        if (this.isShown) return this.recording !== undefined;
        const extent = this.listener.touched();
        if (!extent) return false;
        const visit = this.visit;
        this.isShown = true;
        this.views.tools.back.hidden = false;
        if (!this.recording) {
            this.say("Recording...");
            this.listener.stands("Recording the run...", "");
            this.views.bar.waits(true);
            await this.#quiet;
            const anew = this.recording ? undefined : await this.client.request("see", { project: this.listener.project()!, extent });
            if (visit !== this.visit) return false;
            this.views.bar.waits(false);
            if (anew) await this.take(anew);
        }
        if (visit !== this.visit) return false;
        this.listener.recorded();
        this.listener.stands("What is shown is a moment of the run. Go to any other, or press a cell.", "");
        return true;
    }

    /** What is recorded, shown at its end or at the solution behind which there is no other; nothing if nobody waits for it any more. */
    async recordedBy(record: () => Promise<Recording>): Promise<Recording | undefined> {
        const visit = this.visit;
        this.views.bar.waits(true);
        const recording = await record().catch((why: Error) => {
            if (visit === this.visit) throw why;
            return undefined;
        }).finally(() => visit === this.visit && this.views.bar.waits(false));
        if (!recording || visit !== this.visit) return undefined;
        await this.take(recording);
        await this.show(recording.came === "failed" && recording.lastSolution || recording.end);
        return visit === this.visit ? recording : undefined;
    }

    async take(recording: Recording): Promise<void> {
        this.#takeRecording(recording);
        const tree = await this.#treeOfNow();
        if (recording === this.recording) this.#takeTree(recording, tree);
    }

    async #treeOfNow(): Promise<Tree> {
        return new Tree(await this.client.request("tree", {}));
    }

    #takeRecording(recording: Recording): void {
        this.recording = recording;
        this.views.bar.show(recording);
        this.#drawPicks();
    }

    #takeTree(recording: Recording, tree: Tree): void {
        this.tree = tree;
        this.views.inside.recorded(recording, tree);
    }

    /** Shows a moment. */
    async show(wanted: When, isPlaying = false): Promise<void> {
        // The tree of a run that goes on from somewhere begins with a start that lies before it.
        const begin = this.recording?.begin;
        const when = begin && isBefore(wanted, begin) ? begin : wanted;
        const visit = this.visit;
        this.when = when;
        const scene = await this.client.request("scene", { when, isPlaying }).catch((why: Error) => this.say(why.message));
        if (!scene || visit !== this.visit) return;
        this.when = scene.when;
        this.scene = scene;
        this.draw(isPlaying);
        this.listener.line(scene.line?.file, scene.line?.line);
    }

    async enterAtEnd(): Promise<boolean> {
        if (!await this.enter()) return false;
        await this.show(this.recording!.end);
        return this.scene !== undefined;
    }

    /** Shows beside what is said of a failure where the search has come deepest, and at which cells it has failed; false if there is no grid for it. */
    async showFailing(): Promise<boolean> {
        const recording = await this.#quiet;
        if (!recording?.deepest || this.isShown || recording !== this.recording) return false;
        const scene = this.#failing ?? await this.client.request("scene", { when: recording.deepest }).catch(() => undefined);
        if (!scene?.globals.some(({ grid }) => grid) || this.isShown || recording !== this.recording) return false;
        this.#failing = this.scene = scene;
        this.when = scene.when;
        this.#drawGrid();
        this.views.grid.heat(await this.client.request("failingCells", { grid: this.shownGrid }).catch(() => undefined));
        return true;
    }

    /** Says behind where it stands why no more was recorded, unless it is plain to see. */
    sayHowItCame(recording: Recording): void {
        const why = howItCame(recording);
        if (why) this.say(`${this.views.bar.said.textContent} ${why}`);
    }

    /** What a person has placed, or wants to; with the name of the grid unless it is the usual one alone. */
    inWords({ grid, x, y, value }: Pick, verb = ""): string {
        const isOnly = [grid, ...(this.recording?.picks ?? []).map((pick) => pick.grid)].every((name) => name === this.usualGrid);
        return `${value} ${verb ? `${verb} ` : ""}at ${x}, ${y}${isOnly ? "" : ` of ${grid}`}`;
    }

    draw(isPlaying = false): void {
        const scene = this.scene;
        if (!scene) return;
        const where = scene.line ? `line ${scene.line.line}` : "the end";
        const call = scene.calls[0]?.function;
        const text = `Step ${scene.when.step.toLocaleString("en")}, ${where}${call ? ` in ${call}` : ""}${scene.open > 0 && scene.line ? `; ${scene.open === 1 ? "one guess" : `${scene.open.toLocaleString("en")} guesses`} so far could go otherwise` : ""}.`;
        this.views.bar.at(scene.when, text);
        this.say(text);
        this.views.card.close();
        const shown = this.#drawGrid(isPlaying);
        const withCells = shown !== undefined && (this.wantsCells ?? isOfCells(scene));
        this.views.tools.cells.setAttribute("aria-pressed", String(withCells));
        this.listener.stage(scene, withCells);
        if (!isPlaying || this.views.inside.isOpen) this.views.inside.show(scene);
        if (!isPlaying) void this.#drawHeat();
    }

    #drawGrid(isPlaying = false): GridShown | undefined {
        const grids = gridsOf(this.scene);
        const names = grids.map(({ name }) => name);
        this.usualGrid = usualGrid(this.scene!);
        if (!names.includes(this.shownGrid)) this.shownGrid = this.usualGrid;
        this.views.tools.gridChoice.hidden = names.length < 2;
        if (!isPlaying) this.views.tools.gridChoice.replaceChildren(...names.map((name) => make("option", { value: name, selected: name === this.shownGrid }, name)));
        const shown = grids.find(({ name }) => name === this.shownGrid)?.grid;
        this.views.grid.show(this.shownGrid, shown);
        this.views.grid.placed((this.recording?.picks ?? []).filter((pick) => pick.grid === this.shownGrid));
        return shown;
    }

    async #drawHeat(): Promise<void> {
        const grid = this.shownGrid;
        this.views.tools.heatSaid.textContent = "";
        if (!this.views.tools.heat.checked || !grid) return this.views.grid.heat(undefined);
        const counts = await this.client.request("failingCells", { grid });
        if (grid !== this.shownGrid || !this.views.tools.heat.checked) return;
        this.views.grid.heat(counts ?? []);
        if (!counts) this.views.tools.heatSaid.textContent = "The search has failed at no cell of this grid.";
    }

    /** A person takes part from now on, or does so no more. */
    takePart(takesPart: boolean): void {
        this.takesPart = takesPart;
        this.views.tools.takePart.setAttribute("aria-pressed", String(takesPart));
        this.#drawPicks();
    }

    #drawPicks(): void {
        this.views.picks.show((this.recording?.picks ?? []).map((pick) => this.inWords(pick)), this.takesPart);
    }

    say(text: string, ...buttons: HTMLElement[]): void {
        this.views.bar.say(text, ...buttons);
    }
}
