// The moments of a run, as a person goes to them: along the time line, by playing, by asking why a cell is as it is.
import { Card } from "./card";
import { CellTools } from "./cell-tools";
import type { Cell } from "./card";
import type { Client } from "../worker/client";
import { the } from "../page/dom";
import { GridView } from "../stage/grid-view";
import { gridsOf } from "./grids";
import { Inside } from "./inside";
import { timeKey } from "./keys";
import type { TimeKey } from "./keys";
import { isBefore, words } from "./moment-words";
import { PickList } from "./pick-list";
import { Placing } from "./placing";
import { frames, Player } from "./player";
import type { Frame } from "./player";
import { Replay } from "./replay";
import type { MomentsListener } from "./replay";
import type { Extent, When } from "../worker/protocol";
import { TileImages } from "./tile-images";
import { TimeBar } from "./time-bar";
import { arrows, sentences } from "./why";
import { ended, plain } from "../page/wording";

export class Moments {
    readonly bar: TimeBar;
    readonly grid: GridView;
    readonly card: Card;
    readonly #tiles: TileImages;
    readonly #player = new Player();
    readonly #replay: Replay;
    readonly #placing: Placing;

    constructor(readonly client: Client, readonly listener: MomentsListener) {
        const tools = new CellTools({
            toggle: () => this.#try(this.#toggleCells()),
            chosen: (grid) => {
                this.#replay.shownGrid = grid;
                this.#replay.draw();
            },
            heated: () => this.#try(this.#heated()),
            takePart: () => {
                this.#pause();
                this.#try(this.#placing.takePart());
            },
            finish: () => {
                this.#pause();
                this.#try(this.#placing.finishRest());
            },
            stopPainting: () => this.#placing.paint(undefined),
            back: () => listener.returned(),
        });
        const picks = new PickList({ takeBack: (number) => this.#try(this.#placing.unpick(number)), emptied: () => this.grid.focus() });
        this.#tiles = new TileImages(client);
        this.grid = new GridView({
            tile: (name) => this.#tiles.of(name),
            open: (x, y) => this.#try(this.#open({ x, y })),
            paint: (x, y) => this.#placing.brush !== undefined && this.#try(this.#open({ x, y })),
        });
        this.card = new Card({
            pick: (cell, value) => this.#try(this.#placing.pick(cell, value)),
            brush: (value) => this.#placing.paint(value),
            closed: (cell, isByPerson) => {
                this.grid.choose(undefined);
                this.grid.arrows([]);
                this.grid.mark([]);
                if (isByPerson) this.grid.focusAt(cell);
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
        const inside = new Inside(the<HTMLDetailsElement>("inside"), (when) => this.#try(this.#goTo(() => when)), async () => {
            const { recording } = this.#replay;
            return recording && this.client.request("scene", { when: recording.end, isPlaying: true });
        });
        this.#replay = new Replay(client, listener, { bar: this.bar, tools, picks, grid: this.grid, card: this.card, inside });
        this.#placing = new Placing(this.#replay);
        the("time").append(this.bar.element, tools.element, picks.element);
        for (const place of [the("time"), the("stage")]) place.addEventListener("keydown", (event) => this.#pressed(event));
        document.addEventListener("keydown", (event) => event.target === document.body && this.#pressed(event));
        this.forget(false);
    }

    #pressed(event: KeyboardEvent): void {
        const key = timeKey(event);
        if (!key || key === "takeBack" && !this.#replay.recording?.picks.length) return;
        event.preventDefault();
        this.#try(this.#obey(key));
    }

    #obey(key: TimeKey): Promise<void> {
        switch (key) {
            case "play": return this.#playOrPause();
            case "back": return this.#step(true, this.bar.unit);
            case "on": return this.#step(false, this.bar.unit);
            case "begin": return this.#goTo(() => this.#replay.recording!.begin);
            case "end": return this.#goTo(() => this.#replay.recording!.end);
            case "takeBack": return this.#placing.unpick(this.#replay.recording!.picks.length - 1);
        }
    }

    /** What a person does may come to nothing, say since the engine was started again; then that is said where they look. */
    #try(work: Promise<void>): void {
        const visit = this.#replay.visit;
        work.catch((why: Error) => {
            if (visit !== this.#replay.visit) return;
            this.#replay.say(`That could not be done: ${ended(plain(why.message))}`);
            this.listener.stands("That could not be done. Press Run, and go to the moment anew.", "problem");
        });
    }

    /** Another run has begun, or goes on: nothing of the earlier one can be gone back to. */
    forget(canBeRecorded: boolean): void {
        this.leave();
        this.#tiles.forget();
        this.#replay.forget(canBeRecorded);
    }

    /** A person sees the run itself from now on. What was recorded stays, unless they have placed something. */
    leave(): void {
        this.#pause();
        this.#replay.leave(this.#placing.hasBegun);
        this.#placing.forget();
    }

    /** Records what has run while nobody waits for it. */
    quietly(extent: Extent): void {
        this.#replay.quietly(extent);
    }

    /** Shows beside what is said of a failure where the search has come deepest; false if there is no grid for it. */
    showFailing(): Promise<boolean> {
        return this.#replay.showFailing();
    }

    async #goTo(where: () => When): Promise<void> {
        this.#pause();
        const wasShown = this.#replay.isShown;
        if (!await this.#replay.enter()) return;
        await this.#replay.show(where());
        if (!wasShown && this.#replay.recording?.came === "outOfFuel") this.#replay.sayHowItCame(this.#replay.recording);
    }

    /** Moves along the time line. */
    async #slide(step: number): Promise<void> {
        this.#pause();
        const wasShown = this.#replay.isShown;
        const part = Number(the<HTMLInputElement>("moment").max);
        if (!await this.#replay.enter()) return;
        // What was moved over a line without steps means as much of the one that is there now.
        const { begin, end } = this.#replay.recording!;
        const wanted = wasShown || part === end.step ? step : Math.round(begin.step + step / part * (end.step - begin.step));
        await this.#replay.show({ step: wanted, inside: 0 });
    }

    /** Plays from the beginning. */
    async replay(): Promise<void> {
        this.#pause();
        if (this.#replay.isShown) await this.#replay.show(this.#replay.recording!.end);
        this.#try(this.#playOrPause());
    }

    async #playOrPause(): Promise<void> {
        if (this.#player.isPlaying) return this.#pause();
        if (!await this.#replay.enter() || !this.#replay.tree) return;
        const all = frames(this.#replay.recording!.begin, this.#replay.recording!.end, this.#replay.tree);
        const isAtEnd = this.#replay.scene === undefined || !isBefore(this.#replay.when, this.#replay.recording!.end);
        const from = isAtEnd ? 0 : Math.max(0, all.findIndex(({ when }) => !isBefore(when, this.#replay.when)));
        this.card.close();
        this.bar.showPlaying(true);
        const visit = this.#replay.visit;
        const isOver = await this.#player.play(all, from, (frame) => this.#frame(frame)).finally(() => this.#player.isPlaying || this.bar.showPlaying(false));
        if (!isOver || visit !== this.#replay.visit) return;
        // At the end the run itself is seen again, with all that it has printed and asks.
        if (!this.#placing.hasBegun && this.#replay.wantsCells === undefined) this.listener.returned();
        else await this.#replay.show(this.#replay.recording!.end);
    }

    async #frame({ when, isFailure }: Frame): Promise<void> {
        await this.#replay.show(when, true);
        if (isFailure) this.grid.flashAll();
    }

    #pause(): void {
        this.#player.stop();
        this.bar.showPlaying(false);
    }

    async #step(back: boolean, what: string): Promise<void> {
        this.#pause();
        const wasShown = this.#replay.isShown;
        if (!await this.#replay.enter()) return;
        if (!wasShown) this.#replay.when = this.#replay.recording!.end;
        await this.#seek(back, what);
    }

    async #seek(back: boolean, what: string): Promise<void> {
        const found = await this.client.request("seek", { from: this.#replay.when, back, what });
        if (!found) {
            if (!this.#replay.scene) await this.#replay.show(this.#replay.when);
            return this.#replay.say(`There is no ${back ? "earlier" : "later"} ${what}.`);
        }
        // To look further on is to record further.
        const isFurther = this.#replay.recording !== undefined && isBefore(this.#replay.recording.end, found.when);
        if (isFurther) await this.#replay.take(await this.client.request("recording", {}));
        await this.#replay.show(found.when);
        this.#replay.say(words(found, this.#replay.scene));
    }

    /** Cells in place of the picture, or the other way. */
    async #toggleCells(wants = this.#replay.views.tools.cells.getAttribute("aria-pressed") !== "true"): Promise<void> {
        this.#pause();
        if (!this.#replay.isShown && !await this.#replay.enterAtEnd()) return;
        this.#replay.wantsCells = wants;
        this.#replay.draw();
        this.#sayIfNoGrid(wants);
    }

    /** The cells as far as the search has come; or how often it has failed at each. */
    seeSearch(withHeat: boolean): void {
        this.#replay.views.tools.heat.checked = withHeat;
        this.#try(withHeat ? this.#heated() : this.#toggleCells(true));
    }

    async #heated(): Promise<void> {
        const wants = this.#replay.views.tools.heat.checked;
        if (!this.#replay.isShown && !await this.#replay.enterAtEnd()) return;
        this.#replay.views.tools.heat.checked = wants;
        if (wants) this.#replay.wantsCells = true;
        this.#replay.draw();
        this.#sayIfNoGrid(wants);
    }

    #sayIfNoGrid(wants: boolean): void {
        if (wants && gridsOf(this.#replay.scene).length === 0) this.#replay.say("There is no grid in a variable of the program.");
    }

    /** A person has pressed a cell of the picture that is shown: why is it so? */
    async explain(cell: Cell, columns: number, rows: number): Promise<void> {
        if (!this.#replay.isShown && !await this.#replay.enterAtEnd()) return;
        const fitting = gridsOf(this.#replay.scene).filter(({ grid }) => grid.width === columns && grid.height === rows);
        const shown = fitting.find(({ name }) => name === this.#replay.usualGrid) ?? fitting[0];
        if (!shown) return this.#replay.say("No grid of the program has as many cells as the picture.");
        this.#replay.shownGrid = shown.name;
        this.#replay.wantsCells = true;
        this.#replay.draw();
        await this.#open(cell);
    }

    /** The card of a cell; or what is painted there. */
    async #open(cell: Cell): Promise<void> {
        this.#pause();
        if (!this.#replay.isShown) {
            // It was pressed where a failure is shown.
            const when = this.#replay.when;
            if (!await this.#replay.enter()) return;
            this.#replay.wantsCells = true;
            await this.#replay.show(when);
        }
        if (this.#placing.brush !== undefined) return this.#placing.paintAt(cell);
        const candidates = this.grid.candidatesAt(cell.x, cell.y);
        const beside = this.grid.cell(cell.x, cell.y);
        if (!beside) return;
        this.grid.choose(cell);
        const around = [[-1, 0], [1, 0], [0, -1], [0, 1]].flatMap(([x, y]) => this.grid.cell(cell.x + x!, cell.y + y!) ?? []);
        this.card.open(cell, beside, candidates, this.#replay.shownGrid === this.#replay.usualGrid ? "" : `${this.#replay.shownGrid} `, around);
        await this.#why(cell);
    }

    async #why(cell: Cell): Promise<void> {
        const grid = this.#replay.shownGrid;
        const place = `${grid}[${cell.x}, ${cell.y}]`;
        const [project, visit] = [this.listener.project(), this.#replay.visit];
        const reasons = await this.client.request("why", { place, when: this.#replay.when }).catch((why: Error) => this.card.because("Why?", [{ words: why.message }]));
        if (!reasons || !project || visit !== this.#replay.visit || this.card.cell !== cell) return;
        const told = sentences(reasons, grid, cell, project).map(({ words, link }) => ({
            words, detail: "Go to this moment", go: () => this.#try(this.#follow(link.when, link.cell ?? cell)),
            over: () => this.grid.mark(link.cell ? [link.cell] : []),
        }));
        const candidates = this.grid.candidatesAt(cell.x, cell.y);
        // What is printed may be another grid, which was made of this one.
        const where = gridsOf(this.#replay.scene).length > 1 ? ` in \`${grid}\`` : "";
        const title = candidates.length === 1 ? `Why is it ${candidates[0]}${where}?` : `Why so${where}?`;
        const cells = reasons.links.flatMap((link) => link.cell && link.place.startsWith(`${grid}[`) ? [link.cell] : []);
        this.card.because(title, told.length > 0 ? told : [{ words: this.#noReason(cell) }], cells.flatMap(({ x, y }) => this.grid.cell(x, y) ?? []));
        this.grid.arrows(arrows(reasons, grid, cell));
        this.grid.mark(cells);
    }

    #noReason({ x, y }: Cell): string {
        const picks = this.#replay.recording?.picks ?? [];
        const own = picks.find((pick) => pick.grid === this.#replay.shownGrid && pick.x === x && pick.y === y);
        const since = picks.at(-1);
        return own ? `You have placed ${own.value} there.`
            : since ? `Nothing was taken from it since you have placed ${this.#replay.inWords(since)}.` : "Nothing was taken from it so far.";
    }

    /** One step back on the way to a guess: the moment, and the cell that it is about. */
    async #follow(when: When, cell: Cell): Promise<void> {
        await this.#replay.show(when);
        this.#replay.wantsCells = true;
        this.#replay.draw();
        const said = this.bar.said.textContent!;
        await this.#open(cell);
        this.#replay.say(said);
    }

    /** The name of the grid that is shown, if there is one. */
    get shownGrid(): string | undefined {
        return this.#replay.isShown && this.#replay.shownGrid || undefined;
    }
}
