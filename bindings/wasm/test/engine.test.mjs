// The engine in Node, as an embedder uses it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "ndscript";

const { Engine, version } = await load();
const engine = new Engine();

/** Goes on until there is something to tell. */
function settle(run, fuel = 1e6) {
    for (;;) {
        const outcome = run.resume(fuel);
        if (outcome.kind !== "outOfFuel") return outcome;
    }
}

const solve = (text, seed = 1, parameters = {}) => settle(engine.compile("test.nds", text).run(seed, parameters));

test("why a search fails is said in sentences", () => {
    const explanation = engine.compile("t.nds", `let who = ask("Who?", ["cat", "dog"]);\nlet x = choose(1, 2, 3);\nrequire(x > 3, who);`).run(1).explain();
    assert.deepEqual(explanation.sentences(), []);
    assert.equal(explanation.record(1e6).kind, "asked");
    assert.ok(explanation.answer(1));
    assert.equal(explanation.record(1e6).kind, "failed");
    assert.deepEqual(explanation.sentences(), ["line 3 failed 3 times: dog; the last time with x = 3, who = \"dog\""]);
});

test("how a person could solve a board is told in steps", () => {
    const program = engine.compile("p.nds", "let b = allDifferent([setOf(1), setOf(1, 2)]), c = 1, d = [setOf(1)];");
    const run = program.run(1);
    settle(run);
    assert.deepEqual(run.boards(), ["b"]);
    assert.equal(run.solving("c"), undefined);
    const solving = run.solving("b");
    assert.equal(solving.booklet("t"), undefined);
    let puzzle;
    while (!puzzle) puzzle = solving.resume(10);
    const { text, decided, places } = puzzle.steps[0];
    assert.deepEqual([text, decided, places], ["place 1 is 2, since the whole board has no value twice, and place 0 is 1", [[1, 1]], [0]]);
    assert.deepEqual(puzzle.places, [{ name: "0", start: [0] }, { name: "1", start: [0, 1] }]);
    assert.deepEqual([puzzle.level, puzzle.end, puzzle.values, puzzle.isGrid], [0.5, "solved", ["1", "2"], false]);
    assert.match(solving.booklet("1 < 2"), /<h1>1 &lt; 2<\/h1>/);
    assert.throws(() => solving.resume(10), /found already/);
    assert.deepEqual(run.boards(), ["b"], "the run is as it was");
});

test("says its version", () => assert.match(version(), /^\d+\.\d+\.\d+$/));

test("one seed gives one result, and the next solution is another", () => {
    const program = engine.compile("pick.nds", "let x = chooseElement(range(10)); print(x);");
    const texts = (seed) => {
        const run = program.run(seed);
        return [settle(run).output.join(""), settle(run).output.join("")];
    };
    assert.deepEqual(texts(7), texts(7n));
    assert.notEqual(texts(7)[0], texts(7)[1]);
    assert.throws(() => program.run(-1), /a seed is an integer/);
    assert.throws(() => program.run(1.5), /a seed is an integer/);
});

test("runs in slices of fuel", () => {
    const run = engine.compile("count.nds", "let n = 0; while (n < 1000) n += 1; print(n);").run(1);
    let pauses = 0;
    let outcome;
    while ((outcome = run.resume(100)).kind === "outOfFuel") pauses++;
    assert.deepEqual(outcome.output, ["1000"]);
    assert.ok(pauses >= 9, `${pauses} pauses`);
    assert.ok(run.statistics().steps > 1000);
});

test("values are plain JavaScript", () => {
    const { value } = solve(`let g = makeGrid(2, 1, "x"); return {a: [1, 2.5, null], s: setOf(3), p: position(1, 2), g: g, t: true, f: x => x};`);
    assert.deepEqual({ ...value, f: undefined }, {
        a: [1, 2.5, null], s: new Set([3]), p: { x: 1, y: 2 }, g: { width: 2, height: 1, cells: ["x", "x"] }, t: true, f: undefined,
    });
});

test("text and pictures come in order, pictures as PNG files", () => {
    const { output } = solve(`print("before"); let g = makeGrid(3, 2, "teal"); printTilemap(g); print("behind");`);
    assert.deepEqual([output[0], output[2]], ["before", "behind"]);
    const picture = output[1];
    assert.deepEqual([picture.columns, picture.rows, picture.inWords], [3, 2, "a map with 3 columns and 2 rows of teal"]);
    const png = picture.png();
    assert.deepEqual([...png.slice(1, 4)], [0x50, 0x4e, 0x47]);
    assert.equal(new DataView(png.buffer, png.byteOffset).getUint32(16), 48, "three cells of 16 pixels");
    assert.equal(new DataView(picture.png(4).buffer).getUint32(16), 12);
    assert.match(picture.svg(), /^<svg[^]*<\/svg>\s*$/);
});

test("mistakes have places in units of UTF-16, and hints", () => {
    const text = "// \u{1f600}\nprnt(1);";
    const [warning] = engine.check("odd.nds", text);
    assert.equal(warning.message, "nothing gives `prnt` a value");
    assert.equal(text.slice(warning.place.start, warning.place.end), "prnt");
    assert.deepEqual([warning.place.line, warning.place.column], [2, 1]);
    assert.deepEqual(warning.hints, ["did you mean `print`?"]);
    assert.match(warning.rendered, /odd\.nds:2:1/);
    assert.throws(() => engine.compile("bad.nds", "print(;"), (error) => error.diagnostics[0].severity === "error");
});

test("an error of a run says where and how it got there", () => {
    const outcome = solve("function f(a) {\n  return a.b;\n}\nf({c: 1});");
    assert.equal(outcome.kind, "error");
    assert.equal(outcome.diagnostic.place.line, 2);
    assert.match(outcome.diagnostic.calls[0].text, /^f\(/);
});

test("no solution has the last failure's words", () => {
    assert.deepEqual(solve(`let x = choose(1, 2); require(x > 2, "too small");`), { kind: "failed", message: "too small" });
});

test("limits stop what hangs and what eats memory", () => {
    const small = new Engine({ steps: 1e6, memory: 16 << 20 });
    const hanging = settle(small.compile("a.nds", "while (true) {}").run(1));
    assert.deepEqual([hanging.kind, hanging.limit], ["limit", "Steps"]);
    const bomb = settle(small.compile("b.nds", "let a = []; while (true) push(a, range(1000));").run(1));
    assert.deepEqual([bomb.kind, bomb.limit], ["limit", "Memory"]);
    const huge = settle(engine.compile("c.nds", `printTilemap(makeGrid(100000, 100000, "red"));`).run(1));
    assert.notEqual(huge.kind, "solved");
});

test("parameters are found with their kinds, and given", () => {
    const program = engine.compile("p.nds", `
        let size = param("size", 10), name = param("name", "a"), wind = param("wind", "east"); // north | east
        let deep = param("deep", false), worked = param("worked", size * 2);
        print(size, name, wind, deep);`);
    assert.deepEqual(program.parameters(), [
        { name: "size", default: 10 }, { name: "name", default: "a" },
        { name: "wind", default: "east", choices: ["north", "east"] }, { name: "deep", default: false }, { name: "worked" },
    ]);
    assert.deepEqual(settle(program.run(1, { size: 4, deep: true })).output, ["4aeasttrue"]);
    assert.throws(() => program.run(1, { size: [] }), /has to be a number/);
    assert.throws(() => program.run(1, { siez: 4 }), /the program has no parameter "siez"\ndid you mean `size`\?/);
});

test("a printed map says which tiles it has, layer by layer", () => {
    const layers = (text) => settle(engine.compile("m.nds", text).run(1)).output.map((picture) => picture.layers());
    assert.deepEqual(layers(`let g = makeGrid(2, 1, "sea"); g[1, 0] = null; printLayers([makeGrid(2, 1, "red"), g]); printImage("house");`),
        [[["red", "red"], ["sea", null]], []]);
});

test("questions are answered, a fork goes on independently, and clicks mean answers", () => {
    const program = engine.compile("ask.nds", `
        print("Hello. "); let a = ask("Which?", ["left", "right"]); let b = input("Name?");
        function clicked(cell, button) { return cell.x == 0 ? "left" : null; }
        print(a, " ", b);`);
    const run = program.run(1);
    const question = settle(run);
    assert.deepEqual(question, { kind: "asked", prompt: "Which?", options: ["left", "right"], output: ["Hello. "] });
    assert.equal(run.hearsClicks(), true);
    assert.deepEqual([run.clicked(0, 0, "left"), run.clicked(1, 0, "left")], ["left", undefined]);
    const fork = run.fork();
    assert.equal(run.answer(7), false);
    assert.equal(run.answer(1), true);
    assert.equal(settle(run).prompt, "Name?");
    run.answerText("Ada");
    assert.deepEqual(settle(run).output, ["right Ada"]);
    fork.answer(0);
    settle(fork);
    fork.answerText("Bob");
    assert.deepEqual(settle(fork).output, ["left Bob"]);
});

test("files are imported and drawn", () => {
    const project = new Engine();
    project.setFile("tools/tools.nds", new TextEncoder().encode("var tools = 7;"));
    assert.deepEqual(settle(project.compile("main.nds", `import "tools/tools.nds"; print(tools);`).run(1)).output, ["7"]);
    const drawn = solve(`let g = makeGrid(5, 4, "red"); printTilemap(g);`).output[0].png(1);
    project.setFile("brick.png", drawn);
    const [picture] = settle(project.compile("main.nds", `printImage("brick");`).run(1)).output;
    assert.equal(new DataView(picture.png().buffer).getUint32(16), 5);
    assert.equal(project.removeFile("brick.png"), true);
    assert.equal(settle(project.compile("main.nds", `printImage("brick");`).run(1)).kind, "error");
});

test("editors get tokens, completions and words", () => {
    const text = "\u{e4}; // \u{1f600}\nfail;";
    const tokens = engine.tokens(text);
    assert.equal(text.slice(tokens.at(-5), tokens.at(-4)), "fail");
    const { start, words } = engine.complete("/*\u{e9}*/ printTil", 15);
    assert.deepEqual([start, words.map(({ word }) => word)], [6, ["printTilemap", "printTilesetMap"]]);
    assert.equal(engine.doc("sizeOf").domain, "Collections");
    assert.match(engine.doc("choose").call, /choose/);
    assert.equal(engine.doc("nothing_such"), undefined);
});

test("a recorded run is looked at at any moment, in both directions", () => {
    const program = engine.compile("t.nds", `let a = choose(1, 2, 3);\nrequire(a > 2, "small");\nprint(a);`);
    const timeline = program.run(1).timeline();
    let outcome;
    while ((outcome = timeline.record(10)).kind === "outOfFuel");
    assert.deepEqual([outcome.kind, outcome.output], ["solved", ["3"]]);
    const seek = (from, back, what, place) => {
        timeline.seek(from, back, what, place);
        for (;;) {
            const found = timeline.goOnSeeking(5);
            if (found) return found[0];
        }
    };
    const scene = (when) => {
        for (;;) {
            const found = timeline.scene(when, 5);
            if (found) return found;
        }
    };
    const failure = seek(timeline.end(), true, "failure");
    assert.deepEqual([failure.kind, failure.line.line], ["failure", 2]);
    assert.deepEqual(scene(failure.when).globals.map(({ name, text }) => [name, text]), [["a", "2"]]);
    assert.deepEqual(scene(seek(failure.when, true, "failure").when).globals.map(({ text }) => text), ["1"]);
    assert.equal(seek(timeline.end(), false, "failure"), undefined);
    assert.deepEqual(timeline.tree(10).map(({ state, parent }) => [state, parent]), [
        ["inner", undefined], ["failed", 0], ["failed", 0], ["solution", 0],
    ]);
    assert.deepEqual(timeline.failingLines(), [{ line: 2, failures: 2, why: "small" }]);
    assert.equal(timeline.solutions().length, 1);
    timeline.askWhy("a", timeline.end());
    let reasons;
    while (!(reasons = timeline.goOnWhy(5)));
    assert.deepEqual([reasons.value, reasons.links[0].line.line], ["3", 1]);
    const again = timeline.runAt(failure.when);
    assert.deepEqual(settle(again).output, ["3"]);
});

test("a tree in columns tells what its nodes tell", () => {
    const timeline = engine.compile("t.nds", `let a = choose(1, 2, 3); let b = choose("x", "y"); require(a + sizeOf(b) > 3, "too small"); print(a, b);`).run(1).timeline();
    while (timeline.record(50).kind === "outOfFuel");
    const columns = timeline.treeColumns(1000);
    const rows = timeline.tree(1000);
    assert.ok(rows.length > 5);
    assert.deepEqual(rows.map(({ state, parent, label, line, why, when }) => ({ state, parent, label, line, why, when })), rows.map((_, at) => ({
        state: ["inner", "open", "failed", "solution"][columns.states[at]], parent: columns.parents[at] < 0 ? undefined : columns.parents[at],
        label: columns.texts[columns.labels[at]], line: columns.lines[at] || undefined, why: columns.texts[columns.whys[at]] || undefined,
        when: { step: columns.steps[at], inside: columns.insides[at] },
    })));
});

test("a search is filmed: as a GIF, and as a page", () => {
    const program = engine.compile("f.nds", `let g = makeGrid(4, 1, setOf("red", "green", "blue"));\nadjacent(g, (a, b) => a != b);\ndecide(g);`);
    const film = program.run(1).film(undefined, 100);
    while (film.record(50).kind === "outOfFuel");
    let [gif, times] = [undefined, 0];
    while (!(gif = film.goOnGif(1))) times++;
    assert.equal(new TextDecoder("latin1").decode(gif.slice(0, 6)), "GIF89a");
    assert.ok(times >= 4, `${times} pictures`);
    assert.match(film.page("four cells"), /four cells/);
    // Width and height stand behind the name of the format, in two bytes each, and how long the first picture stands behind its mark.
    const shownAs = (bytes) => [bytes[6] + 256 * bytes[7], bytes[Buffer.from(bytes).indexOf(Buffer.from([0x21, 0xf9, 4])) + 4]];
    film.show(100, 500);
    const large = film.goOnGif(1000);
    assert.deepEqual(shownAs(large), [408, 50]);
    assert.ok(shownAs(gif)[0] < 408 && shownAs(gif)[1] < 50);
    const nothing = engine.compile("n.nds", "print(1);").run(1).film(undefined, 100);
    nothing.record(100);
    assert.throws(() => nothing.goOnGif(1), /there is no film: no variable of the program held a grid/);
});

test("cells are counted at which a search has failed", () => {
    const timeline = engine.compile("c.nds", `let g = makeGrid(2, 1, 0);\ng[1, 0] = choose(1, 2, 3);\nrequire(g[1, 0] > 2);`).run(1).timeline();
    while (timeline.record(50).kind === "outOfFuel");
    assert.deepEqual(timeline.failingCells("g"), [0, 2]);
    assert.equal(timeline.failingCells("h"), undefined);
    assert.deepEqual(timeline.failingLines().map(({ line, failures }) => [line, failures]), [[3, 2]]);
});

test("something is placed on a board, and the run goes on with that", () => {
    const run = engine.compile("b.nds", `let g = makeGrid(3, 1, setOf(1, 2, 3));\nadjacent(g, (a, b) => a != b);\nlet x = choose(1, 2);\ndecide(g);\nreturn map(rowOf(g, 0), singletonValue);`).run(1);
    const timeline = run.timeline();
    while (timeline.record(1e6).kind === "outOfFuel");
    timeline.seek(timeline.begin(), false, "line");
    const lines = [];
    for (let when = timeline.begin(); lines.length < 3;) {
        timeline.seek(when, false, "line");
        const [found] = timeline.goOnSeeking(1e6);
        lines.push(found.line.line);
        when = found.when;
        if (found.line.line === 3) {
            timeline.scene(when, 1e6);
            const there = timeline.runAt(when);
            assert.equal(there.place("g", 0, 0, "2"), undefined);
            assert.deepEqual(there.place("g", 1, 0, "2"), { problem: "it is no candidate any more", cells: [] });
            const other = timeline.runAt(when);
            assert.equal(other.place("g", 0, 0, "2"), undefined);
            assert.equal(settle(other).value[0], 2);
            break;
        }
    }
});

test("a program whose own function hides `narrow` is told what is missing", () => {
    const run = engine.compile("n.nds", `let g = makeGrid(2, 1, setOf(1, 2)); function narrow(p) { return p; } print(narrow(1));`).run(1);
    settle(run);
    assert.match(run.place("g", 0, 0, "1").problem, /^the program has to say how/);
});

test("what cannot be placed names the cells at which it fails", () => {
    const place = (text, ...wanted) => {
        const run = engine.compile("m.nds", text).run(1);
        settle(run);
        return run.place("g", ...wanted);
    };
    const row = "let g = makeGrid(4, 1, setOf(1, 2));";
    const emptied = place(`${row} adjacent(g, (a, b) => a != b); narrow(g, position(3, 0), 1);`, 0, 0, "2");
    assert.deepEqual(emptied, undefined);
    const between = place(`${row} related(g, position(0, 0), position(2, 0), (a, b) => a != b); related(g, position(1, 0), position(2, 0), (a, b) => a == b); related(g, position(0, 0), position(1, 0), (a, b) => a == b || a == 2);`, 0, 0, "1");
    assert.match(between.problem, /^`related` on \d, 0; \d, 0 \(line 1\) would leave nothing for \d, 0$/);
    assert.equal(between.cells.length, 1);
    assert.ok(between.problem.endsWith(` ${between.cells[0]}, 0`));
    assert.equal(between.on.length, 2);
    assert.ok(between.on.includes(between.cells[0]), "the rule is on the cell that it empties");
    assert.deepEqual(between.lines, [{ file: "m.nds", line: 1 }]);
    const crowded = "let g = makeGrid(4, 1, setOf(1, 2, 3, 4)); allDifferent(g); foreach (x in [1, 2, 3]) related(g, position(0, 0), position(x, 0), (a, b) => a != 1 || b < 4);";
    assert.match(place(crowded, 0, 0, "1").problem, /^`allDifferent` on the whole grid \(line 1\) could not hold; the last cell to lose candidates would be \d, 0$/);
    // A function of the program says how, and its line looks at a cell.
    const own = place(`${row} g[3, 0] = 1;\nfunction place(grid, at, value) {\n grid[at] = value;\n require(grid[3, 0] != value);\n}`, 0, 0, "1");
    assert.deepEqual(own.cells, [3]);
    assert.equal(own.problem, "it fails at 3, 0 (line 4)");
    assert.deepEqual(own.lines, [{ file: "m.nds", line: 4 }]);
    const said = place(`${row} g[3, 0] = 1;\nfunction place(grid, at, value) {\n grid[at] = value;\n require(grid[3, 0] != value, "one is enough");\n}`, 0, 0, "1");
    assert.equal(said.problem, "one is enough (it fails at 3, 0, line 4)");
    // Rows, columns and blocks are named by what they are, and lines by where the rule may stand.
    const on = (rule) => {
        const run = engine.compile("m.nds", `let g = makeGrid(3, 4, setOf(1, 2));\n${rule}`).run(1);
        settle(run);
        const { problem, on } = run.place("g", 0, 0, "2");
        return [/^`exactly` on (.*) \(line .*\)/.exec(problem)?.[0], on];
    };
    const same = (...places) => `foreach (p in [${places.map((place) => `position(${place})`)}]) related(g, position(0, 0), p, (a, b) => a == b);`;
    assert.deepEqual(on(`${same("0, 2", "1, 2")}\nexactly(g, 1, 2, [position(2, 2), position(0, 2), position(1, 2)]);`), ["`exactly` on row 2 (line 3)", [6, 7, 8]]);
    // A word in a comment, in a text or in another name is no rule.
    assert.deepEqual(on(`${same("1, 0", "1, 1")}\nlet all = filter(positionsOf(g), p => p.x == 1); // exactly\nexactly(g, 1, 2, all);\nif (false) exactly(g, 1, 1, all);\nlet notExactly = "exactly";`),
        ["`exactly` on column 1 (line 4 or 5)", [1, 4, 7, 10]]);
    assert.deepEqual(on(`${same("0, 1", "1, 2")}\nexactly(g, 1, 2, filter(positionsOf(g), p => p.x < 2 && p.y > 0));`), ["`exactly` on 0, 1 to 1, 3 (line 3)", [3, 4, 6, 7, 9, 10]]);
    assert.deepEqual(on(`${same("0, 1", "2, 2")}\nexactly(g, 1, 2, [position(0, 1), position(2, 2), position(1, 3)]);`), ["`exactly` on 0, 1; 2, 2; 1, 3 (line 3)", [3, 8, 10]]);
});
