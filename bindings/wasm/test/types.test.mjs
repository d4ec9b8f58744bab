// Whatever JavaScript hands in, the engine answers with an error that says what was wanted, and goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { load } from "ndscript";
import { SIGNATURES } from "../dist/signatures.js";

const classes = await load();
const { Engine } = classes;
const PROGRAM = "let g = makeGrid(2, 1, setOf(1, 2));\nadjacent(g, (a, b) => a != b);\ndecide(g);\nprintTilemap(mapGrid(g, cell => \"red\"));";

/** Of each class one, made anew: a call that gets through must not disturb the next one. */
function objects() {
    const engine = new Engine();
    const program = engine.compile("t.nds", PROGRAM);
    const run = program.run(1);
    const timeline = run.timeline();
    while (timeline.record(1e6).kind === "outOfFuel");
    const solved = run.fork();
    const [Picture] = solved.resume(1e6).output;
    return { Engine: engine, Program: program, Run: run, Timeline: timeline, Film: run.film(undefined, 10), Explanation: run.explain(), Solving: solved.solving("g"), Picture };
}

/** What each kind may be, and what it must not be. */
const RIGHT = { text: "x", boolean: true, number: 10, whole: 0, seed: 1, moment: { step: 0, inside: 0 }, bytes: new Uint8Array(1), parameters: {}, limits: {} };
const ODD = [undefined, null, true, 5, -1, 1.5, 2 ** 32, NaN, Infinity, 7n, "", "x", Symbol("x"), () => 1, [], ["x"], {}, { step: "x" }, new Date(0), new Uint8Array(2), new ArrayBuffer(2), Object.create(null)];
const fits = {
    text: (value) => typeof value === "string",
    boolean: (value) => typeof value === "boolean",
    number: (value) => typeof value === "number" && value === value,
    whole: (value) => [5].includes(value),
    seed: (value) => typeof value === "number" && value === value || typeof value === "bigint",
    moment: () => false,
    bytes: (value) => value instanceof Uint8Array || Array.isArray(value) && value.length === 0,
    parameters: (value) => typeof value === "object" && value !== null && !Array.isArray(value) && typeof value.step === "undefined" || value?.step === "x",
    limits: (value) => typeof value === "object" && value !== null && !Array.isArray(value) && value.step === undefined,
};

const functions = Object.entries(SIGNATURES).flatMap(([name, own]) => Object.entries(own).filter(([, wanted]) => wanted.length > 0).map(([called, wanted]) => [name, called, wanted]));

test("every function of the engine has its signature", () => {
    for (const [name, own] of Object.entries(SIGNATURES)) {
        const methods = Object.entries(Object.getOwnPropertyDescriptors(classes[name].prototype)).filter(([, { value }]) => typeof value === "function").map(([method]) => method);
        assert.deepEqual(methods.filter((method) => !/^(constructor|free|__.*)$/.test(method) && !own[method]), [], name);
    }
    assert.ok(functions.length > 30, `${functions.length} functions want something`);
});

for (const [name, called, wanted] of functions) test(`${name}.${called} says what it wants`, () => {
    let wrong = 0;
    wanted.forEach(([parameter, kind], at) => {
        for (const odd of ODD) {
            const isOptional = kind.endsWith("?") && (odd === undefined || odd === null);
            if (isOptional || fits[kind.replace("?", "")](odd)) continue;
            const given = wanted.map(([, other], place) => place === at ? odd : RIGHT[other.replace("?", "")]);
            const call = called === "constructor" ? () => new classes[name](...given) : () => objects()[name][called](...given);
            assert.throws(call, (why) => why instanceof TypeError && new RegExp(`\`${parameter}(\\.\\w+)?\` has to be `).test(why.message), `${parameter}: ${inspect(odd)}`);
            wrong++;
        }
    });
    assert.ok(wrong >= 10, `${wrong} calls were wrong`);
});

test("what is odd but of the right type is answered, too, and the engine goes on", () => {
    for (const [name, called, wanted] of functions) {
        wanted.forEach(([, kind], at) => {
            for (const odd of ODD.filter((odd) => fits[kind.replace("?", "")](odd))) {
                const given = wanted.map(([, other], place) => place === at ? odd : RIGHT[other.replace("?", "")]);
                try {
                    if (called === "constructor") new classes[name](...given);
                    else objects()[name][called](...given);
                } catch (why) {
                    assert.ok(!(why instanceof WebAssembly.RuntimeError), `${name}.${called}(${given.map((one) => inspect(one))}): ${why}`);
                }
            }
        });
    }
    assert.equal(new Engine().compile("t.nds", "print(1);").run(1).resume(1000).kind, "solved");
});

test("what was freed says so, and may be freed again", () => {
    for (const [name, own] of Object.entries(SIGNATURES)) {
        const one = objects()[name];
        one.free();
        one.free();
        for (const called of Object.keys(own).filter((called) => !["constructor", "free"].includes(called))) {
            assert.throws(() => one[called](...own[called].map(([, kind]) => RIGHT[kind.replace("?", "")])), /was freed/, `${name}.${called}`);
            assert.throws(() => one[called].call({}), TypeError);
        }
    }
    const picture = objects().Picture;
    picture.free();
    for (const property of ["columns", "rows", "inWords"]) assert.throws(() => picture[property], /Picture\.\w+: this Picture was freed/);
});

test("the parts of limits and parameters are looked at", () => {
    assert.throws(() => new Engine({ steps: "many" }), /`limits.steps` has to be a number from 0 on, and is the text "many"/);
    assert.throws(() => new Engine({ memory: -1 }), TypeError);
    const program = new Engine().compile("t.nds", "print(param(\"size\", 3));");
    assert.throws(() => program.run(1, { size: [] }), /`parameters.size` has to be a number, a text or a boolean, and is an array/);
    assert.throws(() => program.run(1, { size: NaN }), TypeError);
});
