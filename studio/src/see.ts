// Seeing a search: the time line, the grid with its candidates, variables, and the tree.
import { boardsOf } from "./boards";
import type { Client } from "./client";
import { count, isNarrow, make } from "./dom";
import { GridView } from "./grid-view";
import { keepPlaced, nameOfRun, placedIn } from "./placed";
import type { Found, Pick, Project, Reasons, Recording, SceneShown, When } from "./protocol";
import { Tree } from "./tree";
import { TreeView } from "./tree-view";
import { ended, plain, sentence } from "./wording";

export interface SeeListener {
    /** The line that runs at the moment that is shown. */
    line(file: string | undefined, line: number | undefined): void,
    /** What was printed up to the moment that is shown. */
    output(scene: SceneShown): void,
    /** How it stands with what a person does here. */
    stands(words: string, tone: "" | "good" | "problem"): void,
    /** A person wants to see a line of the program. */
    goTo(file: string, line: number): void,
    /** Whether something is recorded now, which can be stopped. */
    records(isRecording: boolean): void,
    /** The program that is to be seen, and what it was answered so far. */
    project(): Project,
    answers(): readonly string[],
    /** What was placed could not be kept; a page that keeps nothing has none of it. */
    unkept?(): void,
}

const STATES = { failed: "--mark-failed", solution: "--mark-solution", open: "--mark-choice", inner: "--mark-choice" } as const;

export class SeePanel {
    #recording: Recording | undefined;
    #when: When = { step: 0, inside: 0 };
    /** The run that is seen, and from where a person takes part in it. */
    #run = "";
    /** Who leaves, or begins anew, wants nothing any more of what is still on its way. */
    #visit = 0;
    #base: When | undefined;
    #scene: SceneShown | undefined;
    #shownGrid = "";
    /** The grid that is shown as long as nobody chooses another. */
    #usualGrid = "";
    readonly #tiles = new Map<string, Promise<string | undefined>>();
    readonly #slider = make("input", { type: "range", min: "0", step: "1", "aria-label": "Moment", id: "moment" });
    readonly #marks = make("canvas", { height: 14, "aria-hidden": "true" });
    readonly #said = make("p", { id: "moment-words", "aria-live": "polite" });
    readonly #variables = make("div", { id: "variables", tabIndex: 0, role: "region", "aria-label": "Variables" });
    readonly #picks = make("ul", { id: "picks", "aria-label": "What you have placed" });
    readonly #reasons = make("div", { id: "reasons", role: "region", "aria-label": "Why" });
    readonly #gridChoice = make("select", { "aria-label": "Grid to show" });
    readonly #heat = make("input", { type: "checkbox", id: "heat" });
    readonly #heatLabel = make("label", { className: "check" }, this.#heat, "Heat map of where it failed");
    readonly #heatSaid = make("span", { role: "status" });
    readonly #failing = make("details", { id: "failing" });
    readonly #grid: GridView;
    readonly #tree: TreeView;

    constructor(readonly place: HTMLElement, readonly client: Client, readonly listener: SeeListener) {
        this.#grid = new GridView({
            tile: (name) => this.#tile(name),
            pick: (x, y, value) => this.#try(this.#pick(x, y, value)),
            why: (x, y) => this.#try(this.#why(x, y)),
        });
        this.#tree = new TreeView((when) => this.#try(this.show(when)));
        const button = (text: string, work: () => void, title = text) =>
            make("button", { type: "button", title, "aria-label": title, onclick: work }, text);
        this.#slider.addEventListener("input", () => this.#try(this.#slide(Number(this.#slider.value))));
        const steps = make("div", { role: "group", "aria-label": "Steps", className: "steps" },
            button("Start", () => this.#try(this.show(this.#recording!.begin))),
            button("◀ failure", () => this.#try(this.#seek(true, "failure")), "Previous failure"),
            button("◀ choice", () => this.#try(this.#seek(true, "choice")), "Previous choice"),
            button("◀ line", () => this.#try(this.#seek(true, "line")), "Previous line"),
            button("line ▶", () => this.#try(this.#seek(false, "line")), "Next line"),
            button("choice ▶", () => this.#try(this.#seek(false, "choice")), "Next choice"),
            button("failure ▶", () => this.#try(this.#seek(false, "failure")), "Next failure"),
            button("End", () => this.#try(this.show(this.#recording!.end))));
        this.#heat.addEventListener("change", () => this.#draw());
        this.#gridChoice.addEventListener("change", () => {
            this.#shownGrid = this.#gridChoice.value;
            this.#draw();
        });
        const line = make("div", { className: "time-line" }, this.#slider, this.#marks);
        place.replaceChildren(
            line, steps, this.#said,
            make("div", { className: "see-parts" },
                make("section", { "aria-label": "Grid" }, make("div", { className: "grid-bar" },
                    button("Take part", () => this.#try(this.#takePart())), button("Finish the rest", () => this.#try(this.#finish())),
                    this.#gridChoice, this.#heatLabel, this.#heatSaid), this.#grid.element, this.#reasons, this.#picks),
                make("section", {}, this.#variables, this.#failing),
                make("section", { "aria-label": "Tree of the search" }, this.#tree.element)));
        new ResizeObserver(() => this.#drawMarks()).observe(line);
    }

    /** What a person does may come to nothing, say since the engine was started again; then that is said where they look. */
    #try(work: Promise<void>): void {
        work.catch((why: Error) => {
            this.#say(`That could not be done: ${ended(plain(why.message))}`);
            this.listener.stands("That could not be done. Press See twice to record the run anew.", "problem");
        });
    }

    /** Images are asked for once. */
    #tile(name: string): Promise<string | undefined> {
        let address = this.#tiles.get(name);
        if (!address) {
            const image = this.client.request("tile", { name });
            address = image.then((drawn) => drawn && URL.createObjectURL(new Blob([drawn.png], { type: "image/png" })), () => undefined);
            this.#tiles.set(name, address);
        }
        return address;
    }

    /** Records the program anew and shows its end. */
    async begin(): Promise<void> {
        this.#tiles.forEach((address) => void address.then((known) => known && URL.revokeObjectURL(known)));
        this.#tiles.clear();
        this.#visit++;
        this.#clear();
        this.#say("Recording...");
        this.listener.stands("Recording the run...", "");
        const project = this.listener.project();
        [this.#run, this.#base] = [nameOfRun(project, this.listener.answers()), undefined];
        const recording = await this.#recordedBy(() => this.client.request("see", { project }));
        if (!recording) return;
        if (isNarrow()) this.place.scrollIntoView({ block: "start" });
        this.#sayHowItCame(recording);
        this.listener.stands("What is shown is a recorded run. Go to any moment of it, or take part.", "");
    }

    /** A person sees something else from now on. */
    leave(): void {
        this.#visit++;
        void this.client.order({ order: "stopSeeing" });
        this.listener.records(false);
    }

    /** What is recorded, shown at its end or at the solution behind which there is no other; nothing if nobody waits for it any more. */
    async #recordedBy(record: () => Promise<Recording>): Promise<Recording | undefined> {
        const visit = this.#visit;
        this.listener.records(true);
        const recording = await record().catch((why: Error) => {
            if (visit === this.#visit) throw why;
            return undefined;
        }).finally(() => visit === this.#visit && this.listener.records(false));
        if (!recording || visit !== this.#visit) return undefined;
        await this.#recorded(recording, recording.came === "failed" ? recording.lastSolution : undefined);
        return visit === this.#visit ? recording : undefined;
    }

    /** Nothing of an earlier run can be seen or taken back while another is recorded. */
    #clear(): void {
        this.#recording = this.#scene = undefined;
        this.#grid.show("", undefined);
        this.#picks.replaceChildren();
        [this.#variables, this.#reasons, this.#failing].forEach((part) => part.replaceChildren());
    }

    /** Moves along the time line. One step back from a moment leads to the moment before it, however far that is. */
    async #slide(step: number): Promise<void> {
        const before = this.#when;
        await this.show({ step, inside: 0 });
        if (step < before.step && !isBefore(this.#when, before)) await this.#seek(true, "line");
    }

    /** Shows a moment. */
    async show(wanted: When): Promise<void> {
        // The tree of a run that goes on from somewhere begins with a start that lies before it.
        const begin = this.#recording?.begin;
        const when = begin && isBefore(wanted, begin) ? begin : wanted;
        this.#when = when;
        const scene = await this.client.request("scene", { when }).catch((why: Error) => this.#say(why.message));
        if (!scene) return;
        this.#when = scene.when;
        this.#scene = scene;
        this.#reasons.replaceChildren();
        this.#draw();
        this.listener.line(scene.line?.file, scene.line?.line);
        this.listener.output(scene);
    }

    async #recorded(recording: Recording, moment?: When): Promise<void> {
        const when = moment ?? recording.end;
        this.#recording = recording;
        this.#slider.min = String(recording.begin.step);
        this.#slider.max = String(recording.end.step);
        this.#drawMarks();
        this.#drawPicks();
        this.#drawFailing();
        this.#tree.show(new Tree(await this.client.request("tree", {})));
        await this.show(when);
    }

    async #seek(back: boolean, what: string): Promise<void> {
        const found = await this.client.request("seek", { from: this.#when, back, what });
        if (!found) return this.#say(`There is no ${back ? "earlier" : "later"} ${what}.`);
        // To look further on is to record further.
        const isFurther = this.#recording !== undefined && isBefore(this.#recording.end, found.when);
        if (isFurther) await this.#recorded(await this.client.request("recording", {}), found.when);
        else await this.show(found.when);
        this.#say(words(found, this.#scene));
    }

    async #takePart(): Promise<void> {
        const earlier = this.#base ? undefined : placedIn(this.#run);
        const restored = earlier && this.listener.unkept ? await this.#restore(earlier.when, earlier.picks) : "";
        if (!restored) await this.show(await this.client.request("beforeGuessing", {}));
        const nothing = this.#recording?.picks.length === 0 ? whyNothing(this.#scene) : undefined;
        if (nothing) {
            this.#say(nothing);
            return this.listener.stands(nothing, "");
        }
        this.#grid.element.parentElement!.scrollIntoView({ block: isNarrow() ? "start" : "nearest" });
        this.#say(`${restored}Choose a cell and then what it shall be. What follows is shown at once.`);
        await this.#placed();
    }

    /** Places again what was placed before the page was loaded anew; says so, unless nothing of it can be. */
    async #restore(when: When, picks: Pick[]): Promise<string> {
        const done = await this.client.request("restore", { when, picks }).catch(() => undefined);
        if (!done || done.refused.length === picks.length) return "";
        this.#base = when;
        await this.#recorded(done.recording);
        const left = done.refused.length > 0 ? ` ${done.refused.map((pick) => this.#words(pick)).join("; ")} cannot be any more.` : "";
        return `What you have placed before is there again.${left} `;
    }

    async #pick(x: number, y: number, value: string): Promise<void> {
        const pick = { grid: this.#shownGrid, x, y, value };
        const when = this.#base ?? this.#when;
        const { misplaced, recording } = await this.client.request("pick", { when: this.#when, pick });
        this.#base = when;
        if (misplaced) {
            this.#grid.contradict(misplaced.cells, misplaced.on);
            this.#grid.flash(x, y);
            const { main } = this.listener.project();
            this.#say(`${this.#words(pick, "cannot be")}: ${ended(plain(misplaced.problem))}`, ...misplaced.lines.slice(0, 3).map(({ file, line }) =>
                make("button", { type: "button", onclick: () => this.listener.goTo(file, line) }, file === main ? `Line ${line}` : `${file}, line ${line}`)));
            return this.listener.stands(`That cannot be, and nothing has changed. ${this.#state()}`, "problem");
        }
        await this.#recorded(recording);
        this.#say(`Placed ${this.#words(pick)}.`);
        await this.#placed();
    }

    async #unpick(number?: number): Promise<void> {
        const { misplaced, recording } = await this.client.request("unpick", { number });
        if (misplaced) return this.#say(sentence(misplaced.problem));
        await this.#recorded(recording);
        await this.#placed();
    }

    /** What follows from what is placed now: it is kept, and if nothing is open any more the program says whether that is a solution. */
    async #placed(): Promise<void> {
        const picks = this.#recording?.picks ?? [];
        const { unkept } = this.listener;
        if (this.#base && unkept && !keepPlaced(this.#run, { when: this.#base, picks })) unkept();
        if (picks.length === 0 || this.#open() !== 0) return this.listener.stands(this.#state(), "");
        const said = this.#said.textContent;
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

    async #finish(): Promise<void> {
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

    /** How many cells of boards may still be several things; `undefined` if there is no board. */
    #open(): number | undefined {
        const boards = boardsOf(this.#scene?.globals ?? []);
        return boards.length === 0 ? undefined : boards.flatMap(({ grid }) => grid.cells).filter((cell) => cell.length > 1).length;
    }

    #state(): string {
        const [open, placed] = [this.#open(), this.#recording?.picks.length ?? 0];
        return `You take part: ${placed} placed${open === undefined ? "" : `, ${count(open, "cell")} open`}.`;
    }

    /** Says behind where it stands why no more was recorded, unless it is plain to see. */
    #sayHowItCame(recording: Recording): void {
        const why = howItCame(recording);
        if (why) this.#say(`${this.#said.textContent} ${why}`);
    }

    /** What a person has placed, or wants to; with the name of the grid unless it is the usual one alone. */
    #words({ grid, x, y, value }: Pick, verb = ""): string {
        const isOnly = [grid, ...(this.#recording?.picks ?? []).map((pick) => pick.grid)].every((name) => name === this.#usualGrid);
        return `${value} ${verb ? `${verb} ` : ""}at ${x}, ${y}${isOnly ? "" : ` of ${grid}`}`;
    }

    async #why(x: number, y: number): Promise<void> {
        const place = `${this.#shownGrid}[${x}, ${y}]`;
        const reasons = await this.client.request("why", { place, when: this.#when }).catch((why: Error) => this.#say(why.message));
        if (!reasons) return;
        // What comes from what is said by numbers: a list is read out better than a net of lines.
        const rows = reasons.links.map((link) => make("li", {},
            make("button", { type: "button", onclick: () => this.#try(this.show(link.when)) }, reasonWords(link)),
            link.from.length > 0 ? ` from ${link.from.slice(0, 12).map((from) => from + 1).join(", ")}` : ""));
        const picks = this.#recording?.picks ?? [];
        const own = picks.find((pick) => pick.grid === this.#shownGrid && pick.x === x && pick.y === y);
        const since = picks.at(-1);
        const none = make("p", {}, own ? `You have placed ${own.value} there.`
            : since ? `Nothing was taken from it since you have placed ${this.#words(since)}.` : "Nothing was taken from it so far.");
        this.#reasons.replaceChildren(make("h3", {}, `Why is ${place} ${reasons.value}?`), rows.length > 0 ? make("ol", {}, ...rows) : none);
        this.#grid.mark(reasons.links.flatMap(({ cell, place: written }) => cell && written.startsWith(`${this.#shownGrid}[`) ? [cell] : []));
    }

    /** The name of the grid that is shown, if there is one. */
    get shownGrid(): string | undefined {
        return this.#shownGrid || undefined;
    }

    #draw(): void {
        const scene = this.#scene;
        if (!scene) return;
        this.#slider.value = String(scene.when.step);
        const where = scene.line ? `line ${scene.line.line}` : "the end";
        const call = scene.calls[0]?.function;
        const text = `Step ${scene.when.step.toLocaleString("en")}, ${where}${call ? ` in ${call}` : ""}; ${count(scene.open, "open choice")}.`;
        this.#slider.setAttribute("aria-valuetext", text);
        this.#say(text);
        const grids = scene.globals.filter((variable) => variable.grid);
        const names = grids.map((variable) => variable.name);
        this.#usualGrid = (boardsOf(scene.globals)[0] ?? grids[0])?.name ?? "";
        if (!names.includes(this.#shownGrid)) this.#shownGrid = this.#usualGrid;
        this.#gridChoice.hidden = names.length < 2;
        this.#heatLabel.hidden = names.length === 0;
        this.#gridChoice.replaceChildren(...names.map((name) => make("option", { value: name, selected: name === this.#shownGrid }, name)));
        this.#grid.show(this.#shownGrid, grids.find((variable) => variable.name === this.#shownGrid)?.grid);
        this.#grid.placed((this.#recording?.picks ?? []).filter((pick) => pick.grid === this.#shownGrid));
        this.#drawVariables(scene);
        this.#tree.mark(scene.when);
        void this.#drawHeat();
    }

    async #drawHeat(): Promise<void> {
        const grid = this.#shownGrid;
        this.#heatSaid.textContent = "";
        if (!this.#heat.checked || !grid) return this.#grid.heat(undefined);
        const counts = await this.client.request("failingCells", { grid });
        if (grid !== this.#shownGrid || !this.#heat.checked) return;
        this.#grid.heat(counts ?? []);
        if (!counts) this.#heatSaid.textContent = "The search has failed at no cell of this grid.";
    }

    #drawVariables(scene: SceneShown): void {
        const table = (caption: string, variables: { name: string, text: string }[]) => variables.length === 0 ? undefined :
            make("table", {}, make("caption", {}, caption), make("tbody", {}, ...variables.map(({ name, text }) =>
                make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, text)))));
        const calls = scene.calls.slice(0, 8).map((call) => table(call.function ?? "Blocks of the program", call.variables));
        const open = scene.choices.slice(0, 8).map((choice) => make("li", {},
            `line ${choice.line?.line ?? "?"}: ${choice.left} left${choice.alternatives.length > 0 ? `: ${choice.alternatives.slice(0, 6).join(", ")}` : ""}`));
        const choices = open.length > 0 ? make("details", {}, make("summary", {}, `${scene.open} open choices`), make("ul", {}, ...open)) : undefined;
        this.#variables.replaceChildren(...[...calls, table("Variables", scene.globals), choices].filter((part) => part !== undefined));
    }

    #drawFailing(): void {
        const lines = this.#recording?.failingLines ?? [];
        this.#failing.hidden = lines.length === 0;
        const most = Math.max(1, ...lines.map((line) => line.failures));
        this.#failing.replaceChildren(make("summary", {}, "Where it failed"), make("table", {}, make("tbody", {}, ...lines.map(({ line, failures, why }) =>
            make("tr", {}, make("th", { scope: "row" }, `line ${line}`), make("td", {}, make("meter", { max: most, value: failures, "aria-label": `Failures at line ${line}` })),
                make("td", {}, `${failures.toLocaleString("en")} × ${why}`))))));
    }

    #drawPicks(): void {
        const picks = this.#recording?.picks ?? [];
        const focused = [...this.#picks.querySelectorAll("button")].findIndex((button) => button === document.activeElement);
        this.#picks.hidden = picks.length === 0;
        const all = picks.length < 2 ? undefined : make("li", {}, make("button", { type: "button", onclick: () => this.#try(this.#unpick()) }, "Take all back"));
        this.#picks.replaceChildren(...picks.map((pick, at) => make("li", {}, `${this.#words(pick)} `,
            make("button", { type: "button", "aria-label": `Take back ${this.#words(pick)}`, onclick: () => this.#try(this.#unpick(at)) }, "take back"))), ...all ? [all] : []);
        // Who takes something back by keyboard goes on with the next.
        if (focused < 0) return;
        if (picks.length === 0) this.#grid.focus();
        else this.#picks.querySelectorAll("button")[Math.min(focused, picks.length - 1)]?.focus();
    }

    #drawMarks(): void {
        const { begin, end, marks } = this.#recording ?? {};
        const context = this.#marks.getContext("2d");
        if (!begin || !end || !marks || !context) return;
        const width = this.#marks.width = this.#marks.clientWidth || 300;
        const styles = getComputedStyle(document.documentElement);
        const span = Math.max(1, end.step - begin.step);
        context.clearRect(0, 0, width, 14);
        // What is rare is drawn last. Height tells the kinds apart as well as color does.
        for (const [state, top] of [["inner", 9], ["open", 9], ["failed", 4], ["solution", 0]] as const) {
            context.fillStyle = styles.getPropertyValue(STATES[state]);
            for (const mark of marks) {
                if (mark.state === state) context.fillRect((mark.step - begin.step) / span * (width - 2), top, 2, 14 - top);
            }
        }
    }

    #say(text: string, ...buttons: HTMLElement[]): void {
        this.#said.replaceChildren(text, ...buttons.flatMap((button) => [" ", button]));
    }
}

/** Why nothing can be placed at a moment, if that is so. */
function whyNothing(scene: SceneShown | undefined): string | undefined {
    if (!scene) return undefined;
    const grids = scene.globals.flatMap(({ grid }) => grid ? [grid] : []);
    if (grids.length === 0) return "There is no grid in a variable of the program to place in.";
    if (grids.some(({ cells }) => cells.some((cell) => cell.length > 1))) return undefined;
    return grids.some(({ isBoard }) => isBoard) ? "All cells are decided by the rules already: there is nothing to place."
        : "No cell of a grid may be several things: there is nothing to place.";
}

/** Why no more was recorded, unless it is plain to see. */
function howItCame({ came, message }: Recording): string | undefined {
    return came === "error" || came === "limit" ? `It stops here: ${ended(plain(message ?? ""))}`
        : came === "asked" ? "It waits here for an answer."
        : came === "outOfFuel" ? "It was recorded up to here; \u201cFinish the rest\u201d goes on."
        : undefined;
}

function reasonWords({ place, value, lost, was, by, line, isGuess }: Reasons["links"][number]): string {
    const where = line ? `line ${line.line}: ` : "";
    if (isGuess) return `${where}guessed ${value}`;
    if (!place) return where + value;
    const before = was === undefined ? "" : `, was ${was}`;
    const without = lost.length > 0 ? `, without ${lost.join(", ")}` : "";
    return `${where}${place} = ${value}${before}${without}${by ? ` (${by})` : ""}`;
}

function isBefore(a: When, b: When): boolean {
    return a.step < b.step || a.step === b.step && a.inside < b.inside;
}

function words(found: Found, scene: SceneShown | undefined): string {
    const line = found.line ? `line ${found.line.line}: ` : "";
    return `Step ${scene?.when.step.toLocaleString("en") ?? ""}, ${line}${found.text || found.kind}`;
}
