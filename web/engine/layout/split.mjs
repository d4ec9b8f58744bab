// One engine in two files: what programs commonly need, and the rest, which is loaded behind it. Both share one memory and
// one table of functions. The first reaches the rest by slots of the table that are empty until the rest has come.
import { addressesIn, CALL, CALL_INDIRECT, callsOf, CONSTANT, dataOf, isOfFunctions, KIND, MUTABLE_NUMBER, number, read, segmentsOf, SET_GLOBAL, signed, withCalls, withPrelude, write } from "./module.mjs";
import { Objects } from "./objects.mjs";
import { bySimilarity } from "./similar.mjs";
import { withoutTables } from "./without.mjs";

/** Where the rest finds the first: the names of its exports begin so, with which no name of the engine begins. */
const FROM_FIRST = "0";
const WATCHED = "watched ";

/** The engine with a mark for each of its functions, that tells whether it has been called (see `calledIn`). */
export function watched(bytes) {
    const module = read(bytes);
    const before = module.globals.length;
    module.functions.forEach((one, index) => {
        module.globals.push({ form: MUTABLE_NUMBER, start: [CONSTANT, 0, 0x0b] });
        module.exports.push({ name: WATCHED + index, kind: KIND.global, index: before + index });
        one.body = withPrelude(one.body, [CONSTANT, 1, SET_GLOBAL, ...number(before + index)]);
    });
    return write(module);
}

/** The functions of a watched engine that have been called, by number. */
export function calledIn(exports) {
    const marks = Object.entries(exports).filter(([name, mark]) => name.startsWith(WATCHED) && mark.value === 1);
    return marks.map(([name]) => Number(name.slice(WATCHED.length)));
}

/** As if none had been called yet. */
export function forgetCalls(exports) {
    for (const [name, mark] of Object.entries(exports)) if (name.startsWith(WATCHED)) mark.value = 0;
}

/** Splits the engine: the functions that are called often, by number, come first, with the data that they can come to.
 * `linked` is what the linker has made, of which the engine is made. */
export function split(bytes, called, linked) {
    const module = read(bytes);
    const imported = module.imports.filter(({ kind }) => kind === KIND.function);
    if (imported.length !== module.imports.length) throw new Error("the engine imports more than functions");
    const isFirst = new Uint8Array(module.functions.length);
    for (const index of called) isFirst[index] = 1;
    // JavaScript calls what is exported, and expects it there from the beginning.
    for (const { kind, index } of module.exports) if (kind === KIND.function && index >= imported.length) isFirst[index - imported.length] = 1;

    const inOrder = (wanted) => {
        const indices = [...isFirst.keys()].filter((index) => isFirst[index] === wanted);
        return bySimilarity(indices.map((index) => module.functions[index].body)).map((place) => indices[place]);
    };
    const [firsts, rests] = [inOrder(1), inOrder(0)];
    const isInFirst = (index) => index < imported.length || isFirst[index - imported.length] === 1;
    const numberInFirst = new Map(imported.map((_, index) => [index, index]));
    firsts.forEach((index, place) => numberInFirst.set(index + imported.length, place + imported.length));

    const table = module.tables.findIndex(isOfFunctions);
    if (table !== 0) throw new Error("the first table is none of functions");
    const slots = new Map();
    for (const { first, functions } of module.elements) functions.forEach((index, place) => slots.has(index) || slots.set(index, first + place));
    let slotsTaken = module.tables[table].least;
    const slotOf = (index) => {
        if (!slots.has(index)) slots.set(index, slotsTaken++);
        return slots.get(index);
    };

    // The first: what it calls in the rest goes by the table.
    const typeOf = (index) => module.functions[index - imported.length].type;
    const fromFirst = (callee) => isInFirst(callee) ? [CALL, ...number(numberInFirst.get(callee))]
        : [CONSTANT, ...signed(slotOf(callee)), CALL_INDIRECT, ...number(typeOf(callee)), table];
    const firstFunctions = firsts.map((index) => ({ type: module.functions[index].type, body: withCalls(module.functions[index].body, fromFirst) }));

    // The rest: what it calls in the first it imports.
    const needed = new Set();
    for (const index of rests) for (const { callee } of callsOf(module.functions[index].body)) if (isInFirst(callee)) needed.add(callee);
    const imports = [...needed].sort((a, b) => numberInFirst.get(a) - numberInFirst.get(b));
    const numberInRest = new Map(imports.map((index, place) => [index, place]));
    rests.forEach((index, place) => numberInRest.set(index + imported.length, place + imports.length));
    const typeOfAny = (index) => index < imported.length ? imported[index].form : number(typeOf(index));
    const sharedName = (kind, index) => `${FROM_FIRST}${["", "T", "M", "G"][kind]}${index.toString(36)}`;
    const functionImports = imports.map((index, place) => ({ from: "", what: sharedName(KIND.function, place), kind: KIND.function, form: typeOfAny(index) }));
    const restFunctions = rests.map((index) => ({
        type: module.functions[index].type,
        body: withCalls(module.functions[index].body, (callee) => [CALL, ...number(numberInRest.get(callee))]),
    }));

    const data = splitData(module, Objects.of(linked), firsts);

    // Each slot is filled by the file that holds its function.
    const held = new Map();
    for (const { first, functions } of module.elements) functions.forEach((index, place) => held.set(first + place, index));
    for (const [index, slot] of slots) held.set(slot, index);
    const filled = [...held].sort(([a], [b]) => a - b);
    const elementsOf = (wanted, numbers) => runs(filled.filter(([, index]) => isInFirst(index) === wanted).map(([slot, index]) => [slot, numbers.get(index)]));

    const tables = module.tables.map((one, place) => place === table ? { ...one, least: slotsTaken, most: one.most && Math.max(one.most, slotsTaken) } : one);
    const first = {
        ...module,
        functions: firstFunctions,
        tables,
        elements: elementsOf(true, numberInFirst),
        data: data.first,
        exports: [
            ...module.exports.map((one) => one.kind === KIND.function ? { ...one, index: numberInFirst.get(one.index) } : one),
            ...imports.map((index, place) => ({ name: sharedName(KIND.function, place), kind: KIND.function, index: numberInFirst.get(index) })),
            ...tables.map((_, index) => ({ name: sharedName(KIND.table, index), kind: KIND.table, index })),
            ...module.memories.map((_, index) => ({ name: sharedName(KIND.memory, index), kind: KIND.memory, index })),
            ...module.globals.map((_, index) => ({ name: sharedName(KIND.global, index), kind: KIND.global, index })),
        ],
    };
    const limits = ({ kind, least, most }) => [kind, most === undefined ? 0 : 1, ...number(least), ...most === undefined ? [] : number(most)];
    const rest = {
        ...module,
        imports: [
            ...functionImports,
            ...tables.map((one, index) => ({ from: "", what: sharedName(KIND.table, index), kind: KIND.table, form: limits(one) })),
            ...module.memories.map((form, index) => ({ from: "", what: sharedName(KIND.memory, index), kind: KIND.memory, form: [...form] })),
            ...module.globals.map(({ form }, index) => ({ from: "", what: sharedName(KIND.global, index), kind: KIND.global, form: [...form] })),
        ],
        functions: restFunctions,
        tables: [],
        memories: [],
        globals: [],
        elements: elementsOf(false, numberInRest),
        exports: [],
        data: data.rest,
        dataCount: undefined,
    };
    return { first: write(withoutTables(first)), rest: write(rest) };
}

/** The data of both files. Nothing of the first can come to what only the rest refers to, so that there are zeros in its place
 * until the rest is there. */
function splitData(module, objects, firsts) {
    if (!objects) return { first: module.data, rest: undefined };
    const reached = objects.reached(firsts.flatMap((index) => [...addressesIn(module.functions[index].body)]));
    const first = Buffer.from(module.data);
    const segments = segmentsOf(first);
    const moved = [];
    let isBehindMoved = false;
    for (const object of objects.all) {
        const isMoved = !reached.has(object);
        const { address, from } = segments.find(({ address, from, to }) => address <= object.address && object.address < address + to - from);
        const place = (at) => from + at - address;
        if (isMoved && isBehindMoved && moved.at(-1).place(object.end) === place(object.end)) moved.at(-1).end = object.end;
        else if (isMoved) moved.push({ address: object.address, end: object.end, place });
        isBehindMoved = isMoved;
    }
    const rest = moved.map(({ address, end, place }) => ({ address, bytes: Buffer.from(first.subarray(place(address), place(end))) }));
    for (const { address, end, place } of moved) first.fill(0, place(address), place(end));
    return { first, rest: dataOf(rest) };
}

/** Slots with their functions, as elements without gaps. */
function runs(filled) {
    const elements = [];
    for (const [slot, index] of filled) {
        const last = elements.at(-1);
        if (last && last.first + last.functions.length === slot) last.functions.push(index);
        else elements.push({ first: slot, functions: [index] });
    }
    return elements;
}
