// Compares the tree-sitter grammar with the real lexer and parser on all scripts: node tree-sitter.js LISTING
// What the parser takes has no ERROR node, and what it refuses has one, but for what it refuses for its meaning; the
// highlights say of each token what the lexer says. Needs `tree-sitter` in PATH.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { differences, lexed } from "./lexed.js";

const grammar = fileURLToPath(new URL("../../tree-sitter-ndscript", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "ndscript-tree-sitter-"));
const options = { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 30, env: { ...process.env, TREE_SITTER_DIR: work } };

function treeSitter(...words) {
    const { stdout, stderr, error } = spawnSync("tree-sitter", [...words, "--grammar-path", grammar], options);
    if (error) {
        throw error;
    }
    return stdout + stderr;
}

const files = lexed(process.argv[2]);
const list = join(work, "files");
const listed = (files) => writeFileSync(list, files.map((file) => file.name + "\n").join(""));

// Errors: each file that has one is named with it.
listed(files);
const withErrors = new Set();
for (const line of treeSitter("parse", "--quiet", "--paths", list).split("\n")) {
    const found = /^(.*?)\s+Parse:.*\((ERROR|MISSING)/.exec(line);
    if (found) {
        withErrors.add(found[1].trim());
    }
}
const wrong = files.filter((file) => file.parsed && withErrors.has(file.name));
for (const { name } of wrong.slice(0, 20)) {
    console.error(`${name} has an ERROR node`);
}
const refused = files.filter((file) => !file.parsed);
const noticed = refused.filter((file) => withErrors.has(file.name));

// Every query is one that tree-sitter takes.
const parsed = files.filter((file) => file.parsed);
listed(parsed.slice(0, 1));
for (const name of readdirSync(join(grammar, "queries"))) {
    execFileSync("tree-sitter", ["query", join(grammar, "queries", name), "--paths", list, "--grammar-path", grammar], options);
}

/** What a capture means. */
function kindOf(capture) {
    const kinds = {
        "keyword": "Keyword",
        "constant.numeric": "Number",
        "constant.builtin": "Keyword",
        "string": "String",
        "comment": "Comment",
        "variable": "Name",
        "function": "Name",
        "punctuation.bracket": "Bracket",
        "punctuation.delimiter": "Operator",
        "operator": "Operator",
    };
    for (let name = capture; name; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
        if (kinds[name]) {
            return kinds[name];
        }
    }
    return capture;
}

/** From a row and a column in bytes to a place. */
function placer(text) {
    const lines = text.split("\n");
    const starts = [];
    let start = 0;
    for (const line of lines) {
        starts.push(start);
        start += line.length + 1;
    }
    return (row, column) => {
        if (row >= lines.length) {
            return text.length;
        }
        const line = lines[row];
        const units = Buffer.byteLength(line) === line.length ? column : Buffer.from(line).subarray(0, column).toString().length;
        return starts[row] + units;
    };
}

listed(parsed);
const byName = new Map(parsed.map((file) => [file.name, file]));
const differing = [];
let compared = 0;
let current;
let kinds;
let place;
const finish = () => {
    if (current) {
        differing.push(...differences(current, (at) => kinds[at] ?? "nothing"));
        compared += 1;
    }
};
for (const line of treeSitter("query", join(grammar, "queries/highlights.scm"), "--captures", "--paths", list).split("\n")) {
    const capture = /^\s+pattern:.*capture:\s+\d+ - (\S+), start: \((\d+), (\d+)\), end: \((\d+), (\d+)\)/.exec(line);
    if (capture) {
        const [, name, ...numbers] = capture;
        const [row, column, lastRow, lastColumn] = numbers.map(Number);
        kinds.fill(kindOf(name), place(row, column), place(lastRow, lastColumn));
    } else if (byName.has(line.trim())) {
        finish();
        current = byName.get(line.trim());
        kinds = new Array(current.text.length);
        place = placer(current.text);
    }
}
finish();
for (const difference of differing.slice(0, 40)) {
    console.error(difference);
}
if (compared < 100 || refused.length === 0 || noticed.length * 2 < refused.length) {
    throw new Error(`compared ${compared}, noticed ${noticed.length} of ${refused.length} errors`);
}
console.log(
    `tree-sitter: ${parsed.length} scripts parsed, ${wrong.length} with an ERROR node; ${noticed.length} of ${refused.length} that the ` +
        `parser refuses have one; highlights of ${compared} scripts, ${differing.length} tokens differ`,
);
process.exit(wrong.length || differing.length ? 1 : 0);
