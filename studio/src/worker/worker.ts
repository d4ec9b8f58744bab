// The worker: it owns the engine, the files and the runs.
import "./alone";
import { load } from "ndscript";
import type { Diagnostic, Engine } from "ndscript";
import type { Notice, Order, Project, RequestName, Requests } from "./protocol";
import { explained } from "./explaining";
import { film } from "./film";
import { drawn } from "./drawing";
import { Search } from "./search";
import { Seeing } from "./seeing";
import { tested } from "./testing";

const tell = (notice: Notice) => postMessage(notice);

let engine: Engine;
let search: Search | undefined;
let seeing: Seeing | undefined;
let latest = 0;
let filming = new AbortController();
let explaining = new AbortController();
let testing = new AbortController();

const encoder = new TextEncoder();
let files: string[] = [];

/** Lets the engine have the files of a project and no others; returns the text of its program. */
function lay(project: Project): string {
    files.forEach((path) => engine.removeFile(path));
    files = project.files.map((file) => file.path);
    for (const file of project.files) {
        engine.setFile(file.path, "text" in file ? encoder.encode(file.text) : file.bytes);
    }
    const main = project.files.find((file) => file.path === project.main);
    return main && "text" in main ? main.text : "";
}

type Reply<Name extends RequestName> = Requests[Name]["reply"] | Promise<Requests[Name]["reply"]>;

function seen(): Seeing {
    if (!seeing) throw new Error("nothing was recorded yet");
    return seeing;
}

const replies: { [Name in RequestName]: (request: Requests[Name]["request"]) => Reply<Name> } = {
    check({ project }) {
        const text = lay(project);
        const diagnostics = engine.check(project.main, text);
        if (diagnostics.some((diagnostic) => diagnostic.severity === "error")) return { diagnostics, parameters: undefined };
        const program = engine.compile(project.main, text);
        const parameters = program.parameters() ?? [];
        program.free();
        return { diagnostics, parameters };
    },
    tokens: ({ text }) => engine.tokens(text),
    complete: ({ text, cursor }) => engine.complete(text, cursor),
    doc: ({ name }) => engine.doc(name),
    click: ({ x, y, button }) => search?.click(x, y, button),
    rightClick: () => search?.rightClick(),
    boards: () => search?.boards() ?? [],
    isOnly: ({ board }) => search?.isOnly(board) ?? false,
    puzzle: ({ board }) => search?.puzzle(board),
    variables: ({ names }) => search?.variables(names) ?? [],
    whereabouts: () => search?.whereabouts(),
    booklet: ({ title }) => search?.booklet(title),
    png: ({ tileSize }) => search?.png(tileSize),
    svg: () => search?.svg(),
    layers: () => search?.layers() ?? [],
    async film({ project, wish }) {
        const program = engine.compile(project.main, lay(project));
        filming = new AbortController();
        try {
            return await film(program, project.seed, project.parameters, search?.answers ?? [], wish, project.main, filming.signal);
        } finally {
            program.free();
        }
    },
    async explain({ project }) {
        const program = engine.compile(project.main, lay(project));
        explaining = new AbortController();
        try {
            return await explained(program, project.seed, project.parameters, search?.answers ?? [], explaining.signal);
        } finally {
            program.free();
        }
    },
    tests({ project }) {
        testing.abort();
        testing = new AbortController();
        return tested(engine, project.main, lay(project), project.seed, project.parameters, testing.signal);
    },
    failingCells: ({ grid }) => seen().failingCells(grid),
    see({ project, extent }) {
        seeing?.free();
        const program = engine.compile(project.main, lay(project));
        seeing = new Seeing(program, project.seed, project.parameters, search?.answers ?? [], extent);
        return seeing.record();
    },
    record: ({ isNextWanted }) => seen().record(isNextWanted),
    tree: () => seen().tree().columns,
    scene: ({ when, isPlaying }) => seen().scene(when, isPlaying ? 1 : undefined),
    seek: ({ from, back, what }) => seen().seek(from, back, what),
    why: ({ place, when }) => seen().why(place, when),
    beforeGuessing: () => seen().beforeGuessing(),
    async tile({ name }) {
        const run = engine.compile("tile", `printImage(${JSON.stringify(name)});`).run(1);
        const outcome = run.resume(1e6);
        run.free();
        const [piece] = outcome.kind === "solved" ? await drawn(outcome.output, { mayGoOn: () => true }) : [];
        return typeof piece === "object" && "png" in piece ? piece : undefined;
    },
    async pick({ when, pick }) {
        return { misplaced: await seen().pick(when, pick), recording: seen().recording() };
    },
    async unpick({ number }) {
        return { misplaced: await seen().unpick(number), recording: seen().recording() };
    },
    recording: () => seen().recording(),
    async restore({ when, picks }) {
        return { refused: await seen().restore(when, picks), recording: seen().recording() };
    },
};

function start(run: number, project: Project, budget?: number, answers: readonly string[] = []): void {
    search?.free();
    search = undefined;
    explaining.abort();
    testing.abort();
    latest = run;
    const none = { steps: 0, failures: 0, choices: 0, memory: 0 };
    let program;
    try {
        program = engine.compile(project.main, lay(project));
    } catch (thrown) {
        const { diagnostics } = thrown as { diagnostics?: Diagnostic[] };
        if (!diagnostics?.[0]) throw thrown;
        return tell({ notice: "standing", run, standing: { status: "error", diagnostic: diagnostics[0] }, figures: none, answers: [] });
    }
    search = new Search(program, project.seed, project.parameters, {
        output: (pieces, answers, unfinished) => tell({ notice: "output", run, pieces, answers, unfinished }),
        standing: (standing, figures, answers) => tell({ notice: "standing", run, standing, figures, answers }),
    }, answers);
    void guarded(search.goOn(budget));
}

/** Only a defect of the engine gets as far as here. */
async function guarded(work: Promise<void> | void): Promise<void> {
    try {
        await work;
    } catch (thrown) {
        const message = thrown instanceof Error ? thrown.message : String(thrown);
        tell({ notice: "standing", run: latest, standing: { status: "broken", message }, figures: { steps: 0, failures: 0, choices: 0, memory: 0 }, answers: [] });
    }
}

async function obey(order: Order): Promise<void> {
    switch (order.order) {
        case "start": {
            const loaded = await load(order.engine);
            engine = new loaded.Engine({});
            return tell({ notice: "ready", version: loaded.version() });
        }
        case "run":
            return start(order.run, order.project, order.budget, order.answers);
        case "stop":
            return search?.stop();
        case "stopSeeing":
            return seeing?.stop();
        case "stopFilm":
            return filming.abort();
        case "continue":
            explaining.abort();
            return search?.goOn();
        case "answer":
            return search?.answer(order);
        case "goTo":
            return search?.goTo(order.answer);
        case "request":
            try {
                const reply = await (replies[order.name] as (request: unknown) => unknown)(order.request);
                tell({ notice: "reply", id: order.id, reply });
            } catch (thrown) {
                tell({ notice: "reply", id: order.id, problem: thrown instanceof Error ? thrown.message : String(thrown) });
            }
    }
}

// What goes on by itself has nobody who waits for it.
addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    void guarded(Promise.reject(event.reason));
});

onmessage = ({ data }: MessageEvent<Order>) => void guarded(obey(data));
