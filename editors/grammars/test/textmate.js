// Compares the TextMate grammar with the real lexer on all scripts: node textmate.js LISTING
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";
import { differences, lexed } from "./lexed.js";

const require = createRequire(import.meta.url);
const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm);
const path = new URL("../ndscript.tmLanguage.json", import.meta.url);
const registry = new textmate.Registry({
    onigLib: Promise.resolve({
        createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
        createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (name) =>
        name === "source.ndscript" ? textmate.parseRawGrammar(readFileSync(path, "utf8"), path.pathname) : null,
});
const grammar = await registry.loadGrammar("source.ndscript");

/** What the scopes of a place mean; the innermost that says something decides. */
function kindOf(scopes) {
    for (const scope of scopes.toReversed()) {
        if (/^(punctuation\.definition\.template|punctuation\.definition\.string|string|constant\.character|invalid\.illegal\.escape)/.test(scope)) {
            return "String";
        }
        if (/^comment/.test(scope)) {
            return "Comment";
        }
        if (/^constant\.numeric/.test(scope)) {
            return "Number";
        }
        if (/^(variable|entity\.name)/.test(scope)) {
            return "Name";
        }
        if (/^(keyword\.operator|punctuation\.(separator|terminator|accessor)|storage\.type\.function\.arrow)/.test(scope)) {
            return "Operator";
        }
        if (/^(keyword|storage|constant\.language)/.test(scope)) {
            return "Keyword";
        }
        if (/^punctuation\.section/.test(scope)) {
            return "Bracket";
        }
        if (/^meta\.embedded/.test(scope)) {
            break;
        }
    }
    return "nothing";
}

/** The kind of each character of a text. */
function kindsOf(text) {
    const kinds = new Array(text.length);
    let state = textmate.INITIAL;
    let begin = 0;
    for (const line of text.split("\n")) {
        const { tokens, ruleStack } = grammar.tokenizeLine(line.replace(/\r$/, ""), state);
        for (const { startIndex, endIndex, scopes } of tokens) {
            kinds.fill(kindOf(scopes), begin + startIndex, Math.min(begin + endIndex, begin + line.length));
        }
        state = ruleStack;
        begin += line.length + 1;
    }
    return kinds;
}

const differing = [];
let compared = 0;
let characters = 0;
for (const file of lexed(process.argv[2])) {
    // What the lexer cannot read, a grammar colors somehow.
    if (file.tokens.some((token) => token.kind === "Error")) {
        continue;
    }
    const kinds = kindsOf(file.text);
    differing.push(...differences(file, (place) => kinds[place]));
    compared += 1;
    characters += file.text.length;
}
if (compared < 100) {
    throw new Error(`only ${compared} scripts were compared`);
}
for (const difference of differing.slice(0, 40)) {
    console.error(difference);
}
console.log(`TextMate: ${compared} scripts, ${characters} characters, ${differing.length} tokens differ`);
process.exit(differing.length ? 1 : 0);
