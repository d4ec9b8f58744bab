// What the functions of the engine want, from the types that are made for it: a function that comes along cannot be forgotten.

const TYPES = { string: "text", boolean: "boolean", "number | bigint": "seed", When: "moment", "Uint8Array | number[]": "bytes", Parameters: "parameters", "Partial<Limits>": "limits" };
/** Fuel is a measure; every other number counts something, or says which. */
const MEASURES = ["fuel"];

/** Of each class its functions, and of each of those what it wants: names with kinds, of which `?` may be left out. */
export function signaturesOf(types) {
    const classes = {};
    for (const [, name, body] of types.matchAll(/^export class (\w+) \{\n([^]*?)^\}/gm)) {
        classes[name] = {};
        for (const [, own, parameters] of body.matchAll(/^ {4}(\w+)\(([^)]*)\)[:;]/gm)) classes[name][own] = parameters === "" ? [] : parameters.split(", ").map(kindOf);
    }
    if (Object.keys(classes).length === 0) throw new Error("the types of the engine have no classes");
    return classes;
}

function kindOf(parameter) {
    const [, name, mark, written] = /^(\w+)(\??): (.*)$/.exec(parameter) ?? [];
    const type = written?.replace(/( \| (null|undefined))+$/, "");
    const kind = type === "number" ? MEASURES.includes(name) ? "number" : "whole" : TYPES[type];
    if (!kind) throw new Error(`what is \`${parameter}\`? signatures.mjs does not know how to check it`);
    return [name, kind + (mark || type !== written ? "?" : "")];
}
