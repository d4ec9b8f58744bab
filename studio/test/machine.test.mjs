// The states of the page, and every way from one to another: without a browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";

const source = readFileSync(new URL("../src/machine.ts", import.meta.url), "utf8");
const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } });
const { after, BEGINNING, canBeFollowed, canBeRecorded, canContinue, canStop, mayTellMore } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);

const project = { main: "a.nds", files: [], seed: 1, parameters: {} };
const figures = { steps: 10, failures: 0, choices: 0, memory: 0 };
const question = { prompt: "?", options: ["a"], hearsClicks: false };
const RESTS = {
    stopped: { status: "stopped" }, solved: { status: "solved", solution: 1 }, asked: { status: "asked", question }, failed: { status: "failed", solutions: 0 },
    error: { status: "error", diagnostic: {} }, limit: { status: "limit", message: "" }, broken: { status: "broken", message: "" },
};
const walk = (state, ...events) => events.reduce(after, state);
const stands = (standing, answers = [], run = 1) => ({ event: "stands", run, standing, figures, answers });
const started = { event: "started", project };
const running = walk(BEGINNING, started);
const resting = (name, answers) => walk(running, stands(RESTS[name], answers));

/** The state in a word, as the table below has it. */
const named = ({ phase, time }) => `${phase.is === "resting" ? phase.standing.status : phase.is}${time === "now" ? "" : `, ${time}`}`;

const EVENTS = {
    "go on": { event: "wentOn" }, answer: { event: "answered" }, "go back": { event: "wentBack", answer: 0 },
    touch: { event: "touched" }, recorded: { event: "recorded" }, return: { event: "returned" },
};
/** Every state with what leads out of it; what is not named leaves it as it is. */
const WAYS = {
    idle: {},
    running: { touch: "running, recording" },
    stopped: { "go on": "running", touch: "stopped, recording" },
    solved: { "go on": "running", touch: "solved, recording" },
    asked: { answer: "running", touch: "asked, recording" },
    failed: { touch: "failed, recording" },
    error: { touch: "error, recording" },
    limit: { touch: "limit, recording" },
    broken: {},
    "running, recording": { recorded: "running, moment", return: "running" },
    "stopped, recording": { "go on": "running", recorded: "stopped, moment", return: "stopped" },
    "solved, recording": { "go on": "running", recorded: "solved, moment", return: "solved" },
    "asked, recording": { answer: "running", recorded: "asked, moment", return: "asked" },
    "solved, moment": { "go on": "running", return: "solved" },
    "asked, moment": { answer: "running", return: "asked" },
    "stopped, moment": { "go on": "running", return: "stopped" },
    "failed, moment": { return: "failed" },
};

/** How one comes to a state. */
function come(to) {
    const [first, time] = to.split(", ");
    const state = first === "idle" ? BEGINNING : first === "running" ? running : resting(first);
    return time === "recording" ? walk(state, EVENTS.touch) : time === "moment" ? walk(state, EVENTS.touch, EVENTS.recorded) : state;
}

for (const [from, ways] of Object.entries(WAYS)) {
    test(`from ${from}`, () => {
        const state = come(from);
        assert.equal(named(state), from);
        for (const [name, event] of Object.entries(EVENTS)) {
            const then = after(state, event);
            assert.equal(named(then), ways[name] ?? from, name);
            if (!ways[name]) assert.equal(then, state, `${name} is passed over`);
        }
        // A new run and another project come from everywhere.
        assert.equal(named(after(state, started)), "running");
        assert.equal(after(state, started).run, state.run + 1);
        assert.deepEqual(after(state, { event: "opened" }), { ...BEGINNING, run: state.run + 1 });
    });
}

test("what an earlier run tells is passed over", () => {
    const second = walk(running, started);
    for (const event of [stands(RESTS.solved), { event: "prints", run: 1 }]) assert.equal(after(second, event), second);
    const idle = walk(running, { event: "opened" });
    assert.equal(after(idle, stands(RESTS.solved, [], idle.run)), idle, "a stopped run of the project before");
});

test("what is shown stays until the next run tells something", () => {
    const live = walk(BEGINNING, started);
    assert.ok(live.isOutputOld);
    assert.ok(after(live, stands({ status: "running" })).isOutputOld);
    assert.equal(after(live, { event: "prints", run: 1 }).isOutputOld, false);
    assert.equal(after(live, stands(RESTS.failed)).isOutputOld, false);
});

test("answers grow with what is told, and go with what is gone back to", () => {
    const asked = resting("asked", ["a", "b"]);
    assert.deepEqual(asked.answers, ["a", "b"]);
    assert.deepEqual(after(asked, { event: "wentBack", answer: 1 }).answers, ["a"]);
    assert.equal(after(asked, { event: "wentBack", answer: 2 }), asked);
    const goingOn = walk(asked, { event: "answered" });
    assert.equal(after(goingOn, { event: "wentBack", answer: 0 }), goingOn, "what goes on has to be stopped first");
});

test("what stops while a moment is shown leaves it shown", () => {
    const moment = walk(running, EVENTS.touch, EVENTS.recorded, stands(RESTS.stopped));
    assert.equal(named(moment), "stopped, moment");
    assert.equal(named(walk(moment, EVENTS.return)), "stopped");
});

test("what a person can do in a state", () => {
    const can = (holds) => Object.keys(WAYS).filter((name) => holds(come(name)));
    assert.deepEqual(can(canContinue).filter((name) => !name.includes(",")), ["stopped"]);
    assert.deepEqual(can(canBeFollowed).filter((name) => !name.includes(",")), ["solved"]);
    assert.deepEqual(can(canStop), Object.keys(WAYS).filter((name) => /running|recording/.test(name)));
    assert.deepEqual(can(canBeRecorded).filter((name) => !name.includes(",")), ["running", "stopped", "solved", "asked", "failed", "error", "limit"]);
    assert.deepEqual(can(mayTellMore).filter((name) => !name.includes(",")), ["running", "stopped", "solved", "asked"]);
    const last = walk(running, stands({ ...RESTS.solved, isLast: true }));
    assert.equal(canBeFollowed(last), false, "nothing is left to be chosen otherwise");
    assert.equal(after(last, EVENTS["go on"]), last);
    const mistake = walk(running, { ...stands(RESTS.error), figures: { ...figures, steps: 0 } });
    assert.equal(canBeRecorded(mistake), false, "a program that does not compile has no time");
});
