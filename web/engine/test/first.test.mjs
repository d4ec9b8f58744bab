// The first file of the engine has all that the page's own programs need, and to read any other, code and data.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { begin, load } from "ndscript";
import { littleProgramsOf, ownProgramsOf, programsOf, use } from "../layout/profile.mjs";

const here = fileURLToPath(import.meta.url);
const project = join(dirname(here), "../../..");

function* shown(module) {
    for (const program of ownProgramsOf(project)) yield [program.main, use(module, program)];
    for (const program of [...littleProgramsOf(), ...programsOf(project)]) yield [program.main, use(module, program, () => true)];
}

if (!isMainThread) {
    for (const one of shown(await begin())) parentPort.postMessage(one);
} else {
    test("programs show the same without the second file", async () => {
        const alone = [];
        const ended = new Promise((resolve, reject) => {
            const worker = new Worker(here).on("message", (one) => alone.push(one));
            worker.on("error", reject).on("exit", resolve);
        });
        const whole = [...shown(await load())];
        await ended;
        assert.ok(whole.length > 50, `${whole.length} programs`);
        assert.deepEqual(alone, whole);
    });
}
