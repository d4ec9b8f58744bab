// Runs the programs of this folder in JavaScript, and prints what every binding has to print. The package has to be built.
import { readFileSync, writeSync } from "node:fs";
import { load } from "../wasm/dist/index.js";

const { Engine } = await load();
const engine = new Engine();
let out = "";
for (const block of readFileSync(process.argv[2], "utf8").split("=== ").slice(1)) {
    const end = block.indexOf("\n");
    const name = block.slice(0, end);
    const program = engine.compile(name, block.slice(end + 1));
    for (let seed = 1; seed <= Number(process.argv[3]); seed++) {
        const run = program.run(seed);
        let outcome;
        do outcome = run.resume(1000); while (outcome.kind === "outOfFuel");
        const texts = outcome.kind === "solved" ? outcome.output.filter(part => typeof part === "string") : [];
        const pictures = outcome.kind === "solved" ? outcome.output.length - texts.length : 0;
        const said = outcome.kind === "error" ? outcome.diagnostic.message : texts.join("");
        out += `${name} ${seed} ${outcome.kind} ${run.statistics().steps} ${pictures} ${said.replaceAll("\n", "|")}\n`;
        run.free();
    }
}
writeSync(1, out);
