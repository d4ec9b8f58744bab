// Solving a puzzle: marks and hints, without a browser; and the panel of the page, as a person uses it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";
import { isAccessible, outputOf, press, says, shoot, soon, until, useStudio, write } from "./browser.mjs";

const source = readFileSync(new URL("../src/moments/solving.ts", import.meta.url), "utf8");
const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } });
const { Solver } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);

const plain = { rules: ["column 0 has no value twice"], chain: [] };
/** A Latin square of 2 x 2 with values a and b, whose first cell is known; a plain step comes before the last. */
const PUZZLE = {
    name: "b", level: 1, end: "solved", isGrid: true, width: 2, values: ["a", "b"],
    places: [{ name: "", start: [0] }, { name: "", start: [0, 1] }, { name: "", start: [0, 1] }, { name: "", start: [0, 1] }],
    steps: [
        { ...plain, kind: "rule", text: "(0,1) is b, since so", places: [0], removed: [[2, [0]]], decided: [[2, 1]] },
        { ...plain, kind: "rule", text: "(1,0) is b, since so", places: [0], removed: [[1, [0]]], decided: [[1, 1]] },
        { ...plain, kind: "direct", text: "(1,1) is not b", places: [1], removed: [[3, [1]]], decided: [[3, 0]] },
    ],
    rules: [],
};

test("hints about a step get stronger, and the strongest takes it", () => {
    const solver = new Solver(PUZZLE);
    const texts = [1, 2, 3].map(() => solver.hint().text);
    assert.deepEqual(texts, [
        "Look at (0,1).", "Think of this: column 0 has no value twice, and what is known of (0,0).", "(0,1) is b, since so.",
    ]);
    assert.deepEqual([solver.value(2), solver.value(1)], [1, undefined]);
    assert.equal(solver.latest.text, "(0,1) is b, since so");
    assert.equal(solver.hint().text, "Look at (1,0).");
});

test("what a person has marked rightly is not hinted at, what they have marked wrongly is", () => {
    const solver = new Solver(PUZZLE);
    solver.mark(2, 1);
    assert.equal(solver.hint().text, "Look at (1,0).");
    solver.mark(1, 0);
    assert.deepEqual(solver.wrong(), [1]);
    assert.equal(solver.hint().text, "Look at (1,0).");
    solver.mark(1, 1);
    solver.mark(3, 0);
    assert.deepEqual([solver.wrong(), solver.isSolved, solver.hint()], [[], true, undefined]);
    assert.deepEqual([...solver.marks], [[2, 1], [1, 1], [3, 0]], "the marks are still their own");
    solver.mark(2, 0);
    assert.deepEqual([solver.value(2), solver.wrong()], [0, [2]], "and are seen where they are wrong later");
});

test("who has marked what a step decides is not sent there for what else follows, and what is plain is gone at once", () => {
    const all = [0, 1, 2, 3], direct = { ...plain, kind: "direct", places: [0], decided: [] };
    const solver = new Solver({
        name: "b", level: 1, end: "solved", isGrid: true, width: 4, values: ["a", "b", "c", "d"], rules: [],
        places: [{ name: "", start: [0] }, { name: "", start: all }, { name: "", start: all }, { name: "", start: [0, 3] }],
        steps: [
            { ...plain, kind: "rule", text: "(1,0) is b, and (2,0) is not b", places: [0], removed: [[1, [0, 2, 3]], [2, [1]]], decided: [[1, 1]] },
            { ...plain, kind: "rule", text: "(2,0) is c", places: [0, 1], removed: [[2, [0, 3]]], decided: [[2, 2]] },
            { ...direct, text: "(2,0) is not a", removed: [[2, [0]]] },
            { ...direct, text: "(3,0) is not a", removed: [[3, [0]]] },
        ],
    });
    solver.mark(1, 1);
    assert.equal(solver.hint().text, "Look at (2,0).");
    assert.deepEqual(solver.known.slice(2), [[2, 3], [0, 3]], "no value is told so");
});

test("a step that is told leaves a right mark to the person, and takes a wrong one", () => {
    const both = { ...plain, kind: "rule", text: "(0,1) and (1,0) are b", places: [0], removed: [[1, [0]], [2, [0]]], decided: [[1, 1], [2, 1]] };
    const solver = new Solver({ ...PUZZLE, steps: [both, PUZZLE.steps[2]] });
    solver.mark(1, 1);
    solver.mark(2, 0);
    solver.next();
    assert.deepEqual([[...solver.marks], solver.value(2)], [[[1, 1]], 1]);
});

test("what is given cannot be marked, and steps lead to the solution", () => {
    const solver = new Solver(PUZZLE);
    solver.mark(0, 1);
    assert.equal(solver.value(0), 0);
    for (let steps = 0; solver.next(); steps++) assert.ok(steps < 3);
    assert.ok(solver.isSolved);
    solver.again();
    assert.ok(!solver.isSolved);
});

test("a supposition is hinted at by what is to be supposed", () => {
    const suppose = { ...plain, kind: "suppose", text: "suppose (1,1) is a: that cannot be. So (1,1) is b", places: [0], removed: [[3, [0]]], decided: [[3, 1]], supposed: [3, 0] };
    const solver = new Solver({ ...PUZZLE, steps: [suppose] });
    assert.equal(solver.hint().text, "Look at (1,1), and suppose something.");
    assert.equal(solver.hint().text, "Suppose (1,1) is a: where does that lead?");
});

const studio = useStudio();
const LATIN = `let b = makeGrid(3, 3, setOf(1, 2, 3));
foreach (i in range(3)) {
    allDifferent(b, filter(positionsOf(b), p => p.x == i));
    allDifferent(b, filter(positionsOf(b), p => p.y == i));
}
b[0, 0] = setOf(1);
b[1, 1] = setOf(3);
print("made");`;
const cell = (page, name) => page.getByRole("group", { name: "Puzzle" }).getByRole("button", { name });
const said = (page, words) => page.locator(".solve-said").filter({ hasText: words }).waitFor();
const opened = async (page) => {
    await write(page, LATIN);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "Solve it yourself");
    await said(page, "7 places to find.");
};

test("a puzzle is solved with hints, marks and a look at the marks", () => studio("", async (page) => {
    await opened(page);
    await press(page, "Next hint");
    await said(page, /^Look at \(/);
    await press(page, "Next hint");
    await said(page, /^Think of this: /);
    await soon.ok(async () => await page.locator(".puzzle-cell.reason").count() > 0);
    await press(page, "Next hint");
    await said(page, /, since /);
    await soon.equal(() => page.getByRole("list", { name: "Steps" }).getByRole("listitem").count(), 1);
    await press(page, "Why");
    await said(page, /Rules: /);
    // Row 1 has its 1 above that corner.
    await cell(page, /^\(2,2\): open/).click();
    await page.getByRole("group", { name: "Mark the cell as" }).getByRole("button", { name: "1" }).click();
    await press(page, "Check my marks");
    await said(page, "Wrong: (2,2).");
    await cell(page, /^\(2,2\): 1 \(mark, wrong\)/).waitFor();
    await shoot(page, "solve-marks");
    // It is spoken of before anything else, and stays to be seen while others are marked.
    await press(page, "Next hint");
    await said(page, /^First correct \(2,2\)/);
    await cell(page, /^\(1,2\)/).click();
    await page.keyboard.press("2");
    await cell(page, /^\(2,2\): 1 \(mark, wrong\)/).waitFor();
    await cell(page, /^\(2,2\)/).click();
    await page.keyboard.press("2");
    await cell(page, /^\(2,2\): 2 \(mark/).waitFor();
}));

test("what is said goes with the marks: how many are to find, what is wrong, and that a mark can be cleared", () => studio("", async (page) => {
    await opened(page);
    const values = page.getByRole("group", { name: "Mark the cell as" });
    await page.setViewportSize({ width: 390, height: 844 });
    await cell(page, /^\(2,2\): open/).click();
    await soon.equal(() => values.getByRole("button", { name: "Clear" }).count(), 0);
    await values.getByRole("button", { name: "1" }).click();
    await said(page, /^6 places to find\.$/);
    await press(page, "Check my marks");
    await said(page, "Wrong: (2,2).");
    await cell(page, /^\(0,1\): open/).click();
    await values.getByRole("button", { name: "2" }).click();
    await said(page, /^Wrong: \(2,2\)\. 5 places to find\.$/);
    await cell(page, /^\(2,2\): 1/).click();
    await values.getByRole("button", { name: "2" }).click();
    await said(page, /^5 places to find\.$/);
    await values.getByRole("button", { name: "Clear" }).click();
    await said(page, /^6 places to find\.$/);
    await soon.equal(() => values.getByRole("button", { name: "Clear" }).count(), 0);
}));

test("a puzzle is solved step by step as a person would, and begins anew", () => studio("", async (page) => {
    await opened(page);
    await press(page, "Solve it for me");
    await said(page, "Solved.");
    await soon.equal(() => page.locator(".puzzle-cell").filter({ hasText: /^[123]$/ }).count(), 9);
    await press(page, "Begin anew");
    await said(page, "7 places to find.");
    await soon.equal(() => page.locator(".solve-steps li").count(), 0);
    const download = page.waitForEvent("download");
    await press(page, "Save for print");
    assert.match(readFileSync(await (await download).path(), "utf8"), /<h2>Solution 1<\/h2>/);
}));

test("a map that could as well be another is nothing to be solved, a puzzle is", () => studio("", async (page) => {
    const solve = page.getByRole("button", { name: "Solve it yourself" });
    await says(page, /^Solution 1/);
    // It is offered in some milliseconds, if it is.
    await page.waitForTimeout(1500);
    await soon.equal(() => solve.isVisible(), false);
    // What has two solutions that differ in something else has one board.
    await write(page, `${LATIN}\ndecide(b);\nprint(choose(1, 2));`);
    await press(page, "Run");
    await solve.waitFor();
    await write(page, `${LATIN.replace("b[1, 1]", "b[0, 1]")}\ndecide(b);`);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await page.waitForTimeout(1500);
    await soon.equal(() => solve.isVisible(), false);
}));

test("a program without constraints has no puzzle, and that of an earlier run is gone", () => studio("", async (page) => {
    await opened(page);
    await write(page, "print(1);");
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await until(async () => !await page.locator("#solving").isVisible(), "the panel is gone");
}));

test("the panel is for everybody", () => studio("", async (page) => {
    await opened(page);
    await press(page, "Next hint");
    await press(page, "Next hint");
    await isAccessible(page);
    await cell(page, /^\(0,0\)/).focus();
    await page.keyboard.press("ArrowRight");
    await soon.match(() => page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^\(1,0\)/);
}, { bypassCSP: true }));

const SUDOKU = readFileSync(new URL("../../examples/sudoku/short.nds", import.meta.url), "utf8");
const STARS = `let colors = ["khaki", "lightblue"], regionOf = gridFromText("AAB\nABB\nABB");
let puzzle = makeGrid(3, 3, setOf("*", "."));
foreach (name in ["A", "B"]) named(\`the \${name} region has one star\`, () => exactly(puzzle, 1, "*", filter(positionsOf(puzzle), p => regionOf[p] == name)));
print("made");`;
const NONOGRAM = `// ndscript explain --solve n.nds --board puzzle --rows rows --columns columns
let rows = [[1], [2, 1], []], columns = [[1], [2], [], [1]];
let puzzle = makeGrid(4, 3, setOf("#", "."));
exactly(puzzle, 4, "#");
print("made");`;

test("the board is on the stage with the lines of its blocks, and stays as it is when it is solved", () => studio("", async (page) => {
    await write(page, SUDOKU);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "Solve it yourself");
    await said(page, "60 places to find.");
    const board = () => page.locator(".puzzle").boundingBox();
    const before = await board();
    assert.ok(before.y + before.height <= 800, "all of it is in sight");
    await soon.equal(() => page.locator(".puzzle-cell.end-right").count(), 27);
    await cell(page, /^\(1,0\): open/).click();
    await page.keyboard.press("2");
    await cell(page, /^\(1,0\): 2 \(mark\)/).waitFor();
    await page.keyboard.press("Backspace");
    await cell(page, /^\(1,0\): open/).waitFor();
    for (let hint = 0; hint < 3; hint++) await press(page, "Next hint");
    await soon.deepEqual(() => board(), before);
    await press(page, "Solve it yourself");
    await outputOf(page).waitFor();
}));

test("regions have lines, and numbers stand beside rows and columns", () => studio("", async (page) => {
    await write(page, STARS);
    await press(page, "Run");
    await says(page, /^Solution 1/);
    await press(page, "Solve it yourself");
    await said(page, "9 places to find.");
    await soon.ok(async () => await page.locator(".puzzle-cell.end-right").count() >= 5);
    await write(page, NONOGRAM);
    await press(page, "Run");
    await said(page, "12 places to find.");
    await soon.deepEqual(() => page.locator(".puzzle-beside").allInnerTexts(), ["1", "2 1", ""]);
    await soon.equal(() => page.locator(".puzzle-above").count(), 4);
    await cell(page, /^\(2,1\): open/).click();
    await page.keyboard.press("#");
    await cell(page, "(2,1): filled (mark)").waitFor();
    const looks = () => page.locator(".puzzle-cell.mark").evaluate((cell) => [getComputedStyle(cell).backgroundImage !== "none", cell.innerText.trim() === "" || getComputedStyle(cell.lastElementChild).fontSize === "0px"]);
    await soon.deepEqual(() => looks(), [true, true], "it is filled");
    await page.keyboard.press(".");
    await cell(page, "(2,1): crossed out (mark)").waitFor();
    await soon.deepEqual(() => looks(), [false, false]);
    await shoot(page, "solve-filled");
}));
