// What a person places in the cells of a run: from a moment on they take part in it.
import type { Cell } from "./card";
import { count, isNarrow, make, the } from "../page/dom";
import { openCells } from "./grids";
import { howItCame, isBefore, whyNothing } from "./moment-words";
import { keepPlaced, nameOfRun, placedIn } from "../project/placed";
import type { Replay } from "./replay";
import type { Pick, When } from "../worker/protocol";
import { ended, plain, sentence } from "../page/wording";

export class Placing {
    /** The value that is painted. */
    brush: string | undefined;
    /** From where the person takes part. */
    #base: When | undefined;
    #painting: Promise<void> = Promise.resolve();

    constructor(readonly replay: Replay) {}

    /** Whether something was placed, or taken back again. */
    get hasBegun(): boolean {
        return this.#base !== undefined;
    }

    forget(): void {
        this.paint(undefined);
        this.#base = undefined;
    }

    /** What was placed is kept by this name. */
    get #run(): string {
        const { listener } = this.replay;
        return nameOfRun(listener.project()!, listener.answers());
    }

    /** Goes to where something can be placed. */
    async takePart(): Promise<void> {
        if (!await this.replay.enter()) return;
        const earlier = this.#base ? undefined : placedIn(this.#run);
        if (!this.#base) await this.replay.show(await this.replay.client.request("beforeGuessing", {}));
        const restored = earlier && this.replay.listener.unkept ? await this.#restore(earlier.when, earlier.picks) : "";
        const nothing = this.replay.recording?.picks.length === 0 ? whyNothing(this.replay.scene) : undefined;
        if (nothing) {
            this.replay.say(nothing);
            return this.replay.listener.stands(nothing, "");
        }
        this.replay.wantsCells = true;
        this.replay.takePart(true);
        if (this.#base && !restored) await this.replay.show(this.replay.when);
        else this.replay.draw();
        the("stage").scrollIntoView({ block: isNarrow() ? "start" : "nearest" });
        this.replay.say(`${restored}Choose a cell and then what it shall be. What follows is shown at once.`);
        await this.#placed();
    }

    /** Places again what was placed before the page was loaded anew; says so, unless nothing of it can be. */
    async #restore(when: When, picks: Pick[]): Promise<string> {
        const { visit } = this.replay;
        const done = await this.replay.client.request("restore", { when, picks }).catch(() => undefined);
        if (!done || visit !== this.replay.visit || done.refused.length === picks.length) return "";
        this.#base = when;
        await this.replay.take(done.recording);
        await this.replay.show(done.recording.end);
        const left = done.refused.length > 0 ? ` ${done.refused.map((pick) => this.replay.inWords(pick)).join("; ")} cannot be any more.` : "";
        return `What you have placed before is there again.${left} `;
    }

    /** A person goes over cells to place a value; nothing ends that. */
    paint(value: string | undefined): void {
        this.brush = value;
        this.replay.views.tools.painting(value);
        if (value === undefined) return;
        this.replay.views.card.close();
        this.replay.views.grid.choose(undefined);
        this.replay.say(`Press cells, or go over them, to place ${value}.`);
    }

    /** Places a value in the cell that a person has gone over. */
    paintAt(cell: Cell): Promise<void> {
        const value = this.brush;
        // One after another, as each changes what the next may be; what is decided by then stays as it is.
        this.#painting = this.#painting.catch(() => {}).then(async () => {
            const candidates = this.replay.views.grid.candidatesAt(cell.x, cell.y);
            if (value !== undefined && candidates.length > 1 && candidates.includes(value)) await this.pick(cell, value);
        });
        return this.#painting;
    }

    /** Places a value in a cell. */
    async pick({ x, y }: Cell, value: string): Promise<void> {
        const pick = { grid: this.replay.shownGrid, x, y, value };
        const [when, visit] = [this.#base ?? this.replay.when, this.replay.visit];
        const { misplaced, recording } = await this.replay.client.request("pick", { when: this.replay.when, pick });
        if (visit !== this.replay.visit) return;
        this.#base = when;
        this.replay.takePart(true);
        if (misplaced) {
            this.replay.views.grid.contradict(misplaced.cells, misplaced.on);
            this.replay.views.grid.flash(x, y);
            const main = this.replay.listener.project()?.main;
            const why = `${this.replay.inWords(pick, "cannot be")}: ${ended(plain(misplaced.problem))}`;
            this.replay.say(why, ...misplaced.lines.slice(0, 3).map(({ file, line }) =>
                make("button", { type: "button", onclick: () => this.replay.listener.goTo(file, line) }, file === main ? `Line ${line}` : `${file}, line ${line}`)));
            return this.replay.listener.stands(`That cannot be, and nothing has changed. ${this.#state()}`, "problem");
        }
        this.replay.views.card.close();
        await this.replay.take(recording);
        this.replay.wantsCells = true;
        await this.replay.show(recording.end);
        if (this.brush === undefined) this.replay.views.grid.focusAt({ x, y });
        this.replay.say(`Placed ${this.replay.inWords(pick)}.`);
        await this.#placed();
    }

    /** Takes one thing back that was placed, or all. */
    async unpick(number?: number): Promise<void> {
        const { misplaced, recording } = await this.replay.client.request("unpick", { number });
        if (misplaced) return this.replay.say(sentence(misplaced.problem));
        await this.replay.take(recording);
        await this.replay.show(recording.end);
        await this.#placed();
    }

    /** What follows from what is placed now: it is kept, and if nothing is open any more the program says whether that is a solution. */
    async #placed(): Promise<void> {
        const picks = this.replay.recording?.picks ?? [];
        const { unkept } = this.replay.listener;
        if (this.#base && unkept && !keepPlaced(this.#run, { when: this.#base, picks })) unkept();
        if (picks.length === 0 || openCells(this.replay.scene) !== 0) return this.replay.listener.stands(this.#state(), "");
        const said = this.replay.views.bar.said.textContent;
        this.replay.listener.stands("Every cell is decided. Looking whether that is a solution...", "");
        const recording = await this.replay.recordedBy(() => this.replay.client.request("record", { isNextWanted: false }));
        if (!recording) return;
        const { message } = recording;
        const came = recording.lastSolution ? "solved" : recording.came;
        const line = this.replay.scene?.line;
        const [words, tone] = came === "solved" ? ["Solved: every cell is decided, and no rule is broken.", "good"] as const
            : came === "failed" ? [ended(`Every cell is decided, but that is no solution: ${message ?? "a rule is broken"}${line ? ` (line ${line.line})` : ""}`), "problem"] as const
            : [`Every cell is decided. ${howItCame(recording) ?? ""}`, ""] as const;
        this.replay.say(`${said} ${words}`);
        this.replay.listener.stands(words, tone);
    }

    /** Searches for what is open still. */
    async finishRest(): Promise<void> {
        if (!this.replay.isShown && !await this.replay.enterAtEnd()) return;
        this.replay.say("Recording...");
        this.replay.listener.stands("Searching for the rest...", "");
        // From an earlier moment the search comes to what was found already; who sees that wants another one.
        const isNextWanted = this.replay.recording !== undefined && !isBefore(this.replay.when, this.replay.recording.end);
        const recording = await this.replay.recordedBy(() => this.replay.client.request("record", { isNextWanted }));
        if (!recording) return;
        const placed = recording.picks.length > 0 ? " with what you have placed" : "";
        if (recording.came === "failed") {
            const words = recording.lastSolution ? `There is no other solution${placed}: this is the ${recording.solutions > 1 ? "last" : "only"} one.`
                : `There is no solution with that. ${recording.message ?? ""}`;
            this.replay.say(words);
            return this.replay.listener.stands(words, recording.lastSolution ? "good" : "problem");
        }
        this.replay.sayHowItCame(recording);
        this.replay.listener.stands(recording.came === "solved" ? `Solved${placed}: the rest was found by searching.` : howItCame(recording) ?? this.#state(), recording.came === "solved" ? "good" : "");
    }

    #state(): string {
        const [open, placed] = [openCells(this.replay.scene), this.replay.recording?.picks.length ?? 0];
        return `You take part: ${placed} placed${open === undefined ? "" : `, ${count(open, "cell")} open`}.`;
    }
}
