// What the real lexer makes of the scripts, as `cargo run -p ndscript-syntax --example tokens` writes it.
import { readFileSync } from "node:fs";

/**
 * Reads the listing. Places are counted in UTF-16 units, as JavaScript and editors count.
 * @returns {{name: string, parsed: boolean, text: string, tokens: {kind: string, start: number, end: number}[]}[]}
 */
export function lexed(listing) {
    const files = [];
    let places;
    for (const line of readFileSync(listing, "utf8").split("\n")) {
        if (line.startsWith("file ")) {
            const [, name, state] = /^file (.*) (parsed|broken)$/.exec(line);
            const text = readFileSync(name).toString("utf8");
            places = placesOf(text);
            files.push({ name, parsed: state === "parsed", text, tokens: [] });
        } else if (line) {
            const [kind, start, end] = line.split(" ");
            files.at(-1).tokens.push({ kind, start: places[start], end: places[end] });
        }
    }
    return files;
}

/** From bytes to UTF-16 units. */
function placesOf(text) {
    const places = [];
    let units = 0;
    for (const character of text) {
        const bytes = Buffer.byteLength(character);
        for (let at = 0; at < bytes; at++) {
            places.push(units);
        }
        units += character.length;
    }
    places.push(units);
    return places;
}

/** Where a place is, for a message. */
export function lineOf({ name, text }, place) {
    const before = text.slice(0, place).split("\n");
    return `${name}:${before.length}:${before.at(-1).length + 1}`;
}

/**
 * Compares what a grammar says of a file with its tokens: `kindOf(place)` is to be what the lexer says, for each
 * character of each token.
 * @returns {string[]} what differs
 */
export function differences(file, kindOf) {
    const found = [];
    for (const { kind, start, end } of file.tokens) {
        for (let place = start; place < end; place++) {
            // Line breaks belong to no line of a grammar.
            if ("\r\n".includes(file.text[place])) {
                continue;
            }
            const other = kindOf(place);
            if (other !== kind) {
                found.push(`${lineOf(file, place)}: ${JSON.stringify(file.text.slice(start, end))} is ${kind}, not ${other}`);
                break;
            }
        }
    }
    return found;
}
