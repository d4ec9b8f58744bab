// A WebAssembly module as its parts: read, and written again. It knows what the compiler makes for the engine and refuses
// the rest, rather than to write what it has not understood.

export const SECTION = { custom: 0, type: 1, import: 2, function: 3, table: 4, memory: 5, global: 6, export: 7, start: 8, element: 9, code: 10, data: 11, dataCount: 12 };
export const KIND = { function: 0, table: 1, memory: 2, global: 3 };
const FUNCTION_REFERENCE = 0x70;

/** Bytes with a place where reading goes on. */
export class Reader {
    constructor(bytes, at = 0) {
        this.bytes = bytes;
        this.at = at;
    }

    byte() {
        return this.bytes[this.at++];
    }

    /** An unsigned number of up to 32 bits. Those with a sign may be passed over by it, too. */
    number() {
        let [value, shift, byte] = [0, 0, 0];
        do {
            byte = this.byte();
            value += (byte & 0x7f) * 2 ** shift;
            shift += 7;
        } while (byte & 0x80);
        return value;
    }

    /** A number with a sign. */
    signed() {
        const start = this.at;
        const value = this.number();
        const bits = 7 * (this.at - start);
        return this.bytes[this.at - 1] & 0x40 ? value - 2 ** bits : value;
    }

    take(length) {
        this.at += length;
        return this.bytes.subarray(this.at - length, this.at);
    }

    name() {
        return Buffer.from(this.take(this.number())).toString();
    }

    many(read) {
        return Array.from({ length: this.number() }, read);
    }

    limits() {
        const start = this.at;
        if (this.byte() & 1) this.number();
        this.number();
        return this.bytes.subarray(start, this.at);
    }
}

export function number(value) {
    const bytes = [];
    do {
        const rest = Math.floor(value / 128);
        bytes.push(value % 128 | (rest > 0 ? 0x80 : 0));
        value = rest;
    } while (value > 0);
    return bytes;
}

/** The operand of `i32.const`. */
export function signed(value) {
    const bytes = [];
    for (;;) {
        const byte = value & 0x7f;
        value >>= 7;
        const isLast = value === 0 && !(byte & 0x40) || value === -1 && byte & 0x40;
        bytes.push(isLast ? byte : byte | 0x80);
        if (isLast) return bytes;
    }
}

const name = (text) => [...number(Buffer.byteLength(text)), ...Buffer.from(text)];
const list = (items) => Buffer.concat([Buffer.from(number(items.length)), ...items.map((item) => Buffer.from(item))]);

function section(id, body) {
    return Buffer.concat([Buffer.from([id, ...number(body.length)]), body]);
}

/** A constant expression, with its end. */
function expression(reader) {
    const start = reader.at;
    for (;;) {
        const code = reader.byte();
        if (code === 0x0b) return reader.bytes.subarray(start, reader.at);
        if (code === 0x41 || code === 0x42 || code === 0x23) reader.number();
        else if (code === 0x44) reader.take(8);
        else if (code === 0x43) reader.take(4);
        else if (code === 0xd0) reader.byte();
        else throw new Error(`a constant expression with the instruction ${code}`);
    }
}

/** The active elements of a table of functions: where they begin, and which they are. */
function element(reader) {
    if (reader.number() !== 0) throw new Error("elements other than functions of the first table from a fixed place on");
    if (reader.byte() !== 0x41) throw new Error("elements from a place that is not fixed");
    const first = reader.number();
    reader.byte();
    return { first, functions: reader.many(() => reader.number()) };
}

const importKinds = {
    [KIND.function]: (reader) => number(reader.number()),
    [KIND.table]: (reader) => [reader.byte(), ...reader.limits()],
    [KIND.memory]: (reader) => [...reader.limits()],
    [KIND.global]: (reader) => [...reader.take(2)],
};

/** The sections of a module: what kind each is of, and where its contents lie. */
export function sectionsOf(bytes) {
    const reader = new Reader(bytes, 8);
    const sections = [];
    while (reader.at < bytes.length) {
        const [id, length] = [reader.byte(), reader.number()];
        sections.push({ id, from: reader.at, to: reader.at + length });
        reader.at += length;
    }
    return sections;
}

export function read(bytes) {
    const module = { types: [], imports: [], functions: [], tables: [], memories: [], globals: [], exports: [], elements: [], data: undefined, dataCount: undefined, names: new Map() };
    const kinds = [];
    const reader = new Reader(bytes);
    const readers = {
        [SECTION.type]: () => module.types = [reader.bytes.subarray(reader.at, reader.end)],
        [SECTION.import]: () => module.imports = reader.many(() => {
            const [from, what, kind] = [reader.name(), reader.name(), reader.byte()];
            return { from, what, kind, form: importKinds[kind](reader) };
        }),
        [SECTION.function]: () => kinds.push(...reader.many(() => reader.number())),
        [SECTION.table]: () => module.tables = reader.many(() => {
            const [kind, hasMost] = [reader.byte(), reader.byte()];
            return { kind, least: reader.number(), most: hasMost ? reader.number() : undefined };
        }),
        [SECTION.memory]: () => module.memories = reader.many(() => reader.limits()),
        [SECTION.global]: () => module.globals = reader.many(() => ({ form: reader.take(2), start: expression(reader) })),
        [SECTION.export]: () => module.exports = reader.many(() => ({ name: reader.name(), kind: reader.byte(), index: reader.number() })),
        [SECTION.element]: () => module.elements = reader.many(() => element(reader)),
        [SECTION.code]: () => module.functions = reader.many((_, index) => ({ type: kinds[index], body: reader.take(reader.number()) })),
        [SECTION.data]: () => module.data = reader.bytes.subarray(reader.at, reader.end),
        [SECTION.dataCount]: () => module.dataCount = reader.number(),
    };
    for (const { id, from, to } of sectionsOf(bytes)) {
        // What stands beside the module itself, names above all, is not handed out.
        if (id === SECTION.custom) continue;
        if (!readers[id]) throw new Error(`a section of the kind ${id}`);
        [reader.at, reader.end] = [from, to];
        readers[id]();
    }
    return module;
}

/** The segments of a section of data: where their bytes lie in the section, and at which address of the memory. */
export function segmentsOf(data) {
    const reader = new Reader(data);
    return reader.many(() => {
        if (reader.number() !== 0) throw new Error("data other than of the first memory from a fixed place on");
        if (reader.byte() !== CONSTANT) throw new Error("data from a place that is not fixed");
        const address = reader.number();
        reader.byte();
        const length = reader.number();
        const from = reader.at;
        reader.take(length);
        return { address, from, to: reader.at };
    });
}

/** A section of data, of bytes with their addresses. */
export function dataOf(segments) {
    return list(segments.map(({ address, bytes }) => Buffer.concat([Buffer.from([0, CONSTANT, ...signed(address), END, ...number(bytes.length)]), bytes])));
}

export function write(module) {
    const sections = [
        [SECTION.type, module.types[0]],
        [SECTION.import, list(module.imports.map(({ from, what, kind, form }) => [...name(from), ...name(what), kind, ...form]))],
        [SECTION.function, list(module.functions.map(({ type }) => number(type)))],
        [SECTION.table, list(module.tables.map(({ kind, least, most }) => [kind, most === undefined ? 0 : 1, ...number(least), ...most === undefined ? [] : number(most)]))],
        [SECTION.memory, list(module.memories)],
        [SECTION.global, list(module.globals.map(({ form, start }) => [...form, ...start]))],
        [SECTION.export, list(module.exports.map(({ name: what, kind, index }) => [...name(what), kind, ...number(index)]))],
        [SECTION.element, list(module.elements.map(({ first, functions }) => [0, 0x41, ...signed(first), 0x0b, ...number(functions.length), ...functions.flatMap(number)]))],
        [SECTION.dataCount, module.dataCount === undefined ? Buffer.from([0]) : Buffer.from(number(module.dataCount))],
        [SECTION.code, list(module.functions.map(({ body }) => Buffer.concat([Buffer.from(number(body.length)), body])))],
        [SECTION.data, module.data ?? Buffer.from([0])],
    ];
    // A section without anything in it is left out.
    const written = sections.filter(([, body]) => body.length > 1 || body[0] !== 0).map(([id, body]) => section(id, body));
    return Buffer.concat([Buffer.from("\0asm\x01\0\0\0", "latin1"), ...written]);
}

/** What stands behind each instruction. */
const OPERANDS = new Map();
for (const [form, codes] of Object.entries({
    nothing: [[0x00, 0x01], 0x05, 0x0b, 0x0f, 0x1a, 0x1b, [0x45, 0xc4], 0xd1],
    block: [[0x02, 0x04]],
    number: [0x0c, 0x0d, [0x20, 0x26], 0x3f, 0x40, 0x41, 0x42, 0xd0],
    twoNumbers: [0x11],
    memory: [[0x28, 0x3e]],
    labels: [0x0e],
    call: [0x10],
    types: [0x1c],
    single: [0x43],
    double: [0x44],
    function: [0xd2],
    more: [0xfc],
})) {
    for (const range of codes) {
        const [first, last] = Array.isArray(range) ? range : [range, range];
        for (let code = first; code <= last; code++) OPERANDS.set(code, form);
    }
}
/** Behind 0xfc: how many numbers. What names a segment of data or of elements is missing, as segments do not stay where they are. */
const MORE = { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 10: 2, 11: 1, 15: 1, 16: 1, 17: 1 };

const skip = {
    nothing: () => {},
    block: (reader) => reader.number(),
    number: (reader) => reader.number(),
    twoNumbers: (reader) => (reader.number(), reader.number()),
    memory: (reader) => (reader.number(), reader.number()),
    call: (reader) => reader.number(),
    labels: (reader) => (reader.many(() => reader.number()), reader.number()),
    types: (reader) => reader.many(() => reader.byte()),
    single: (reader) => reader.take(4),
    double: (reader) => reader.take(8),
    more: (reader) => {
        const code = reader.number();
        if (!(code in MORE)) throw new Error(`the instruction 0xfc ${code}`);
        for (let left = MORE[code]; left > 0; left--) reader.number();
    },
};

/** The instructions of a function: where each begins and ends, and its last operand where that is a number. */
function* instructionsOf(body) {
    const reader = new Reader(body);
    reader.many(() => (reader.number(), reader.byte()));
    while (reader.at < body.length) {
        const start = reader.at;
        const code = reader.byte();
        const form = OPERANDS.get(code);
        if (!form || form === "function") throw new Error(`the instruction 0x${code.toString(16)}`);
        const operand = skip[form](reader);
        yield { code, start, operand, end: reader.at };
    }
}

/** The places in a function at which it calls another: where the instruction begins and ends, and whom. */
export function callsOf(body) {
    const calls = [...instructionsOf(body)].filter(({ code }) => code === CALL);
    return calls.map(({ start, operand, end }) => ({ start, callee: operand, end }));
}

/** Every number in a function that may be an address: constants, and what is added where memory is read or written. */
export function* addressesIn(body) {
    for (const { code, operand } of instructionsOf(body)) if (code === CONSTANT || OPERANDS.get(code) === "memory") yield operand;
}

/** A function whose calls are written anew: `replace` gives the bytes for a call of a function. */
export function withCalls(body, replace) {
    const parts = [];
    let done = 0;
    for (const { start, callee, end } of callsOf(body)) {
        parts.push(body.subarray(done, start), Buffer.from(replace(callee)));
        done = end;
    }
    return Buffer.concat([...parts, body.subarray(done)]);
}

/** How many parameters the functions of each type have. */
export function parametersOf(module) {
    const reader = new Reader(module.types[0]);
    return reader.many(() => {
        if (reader.byte() !== FUNCTION_TYPE) throw new Error("a type that is none of functions");
        const parameters = reader.many(() => reader.byte()).length;
        reader.many(() => reader.byte());
        return parameters;
    });
}

/** A function whose local variables stand in another order. `inOrder` gives it, from the type of each and its uses. */
export function withLocals(body, parameters, inOrder) {
    const reader = new Reader(body);
    const types = reader.many(() => [reader.number(), reader.byte()]).flatMap(([count, type]) => Array(count).fill(type));
    if (types.length < 2) return body;
    const uses = [...instructionsOf(body)].filter(({ code, operand }) => LOCALS.includes(code) && operand >= parameters);
    const order = inOrder(types, uses.map(({ operand }) => operand - parameters));
    const numbers = [];
    order.forEach((local, place) => numbers[local] = place + parameters);
    const groups = [];
    for (const local of order) {
        if (groups.at(-1)?.type === types[local]) groups.at(-1).count++;
        else groups.push({ count: 1, type: types[local] });
    }
    const parts = [list(groups.map(({ count, type }) => [...number(count), type]))];
    let done = reader.at;
    for (const { code, start, operand, end } of uses) {
        parts.push(body.subarray(done, start), Buffer.from([code, ...number(numbers[operand - parameters])]));
        done = end;
    }
    return Buffer.concat([...parts, body.subarray(done)]);
}

/** A function that does this first. */
export function withPrelude(body, code) {
    const reader = new Reader(body);
    reader.many(() => (reader.number(), reader.byte()));
    return Buffer.concat([body.subarray(0, reader.at), Buffer.from(code), body.subarray(reader.at)]);
}

export const isOfFunctions = (table) => table.kind === FUNCTION_REFERENCE;
const FUNCTION_TYPE = 0x60;
/** Read, write, both. */
const LOCALS = [0x20, 0x21, 0x22];
export const CALL = 0x10;
export const CALL_INDIRECT = 0x11;
export const CONSTANT = 0x41;
const END = 0x0b;
export const SET_GLOBAL = 0x24;
export const NUMBER = [0x7f, 0];
export const MUTABLE_NUMBER = [0x7f, 1];
