// How the worker spends its slices, with a clock of the test's own.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";

const source = readFileSync(new URL("../src/worker/slices.ts", import.meta.url), "utf8").replaceAll("performance.now()", "globalThis.clock");
const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } });
const { Fuel, SLICE_MILLISECONDS } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);

/** Spends slices on work whose steps take so many milliseconds, step by step; the longest slice, and how many there were. */
function slices(priceAt, steps) {
    const fuel = new Fuel();
    let [at, longest, count] = [0, 0, 0];
    globalThis.clock = 0;
    while (at < steps) {
        const start = globalThis.clock;
        fuel.spend((amount) => {
            globalThis.clock += amount * priceAt(at);
            at += amount;
            return at < steps ? { kind: "outOfFuel" } : { kind: "solved" };
        });
        [longest, count] = [Math.max(longest, globalThis.clock - start), count + 1];
    }
    return { longest, count };
}

test("a slice fills its time", () => {
    const { longest, count } = slices(() => 0.00006, 10_000_000);
    assert.ok(longest <= SLICE_MILLISECONDS, `${longest}`);
    assert.ok(count <= 1.3 * 10_000_000 * 0.00006 / SLICE_MILLISECONDS, `${count}`);
});

test("a slice is not much longer where steps become dear at once", () => {
    const { longest } = slices((at) => at % 2_000_000 < 1_900_000 ? 0.00006 : 0.0018, 10_000_000);
    assert.ok(longest <= 4 * SLICE_MILLISECONDS, `${longest}`);
});

test("what has come ends a slice", () => {
    globalThis.clock = 0;
    let calls = 0;
    assert.deepEqual(new Fuel().spend(() => (calls++, { kind: "asked" })), { kind: "asked" });
    assert.deepEqual(new Fuel().spend(() => (calls++, [undefined])), [undefined]);
    assert.equal(calls, 2);
});
