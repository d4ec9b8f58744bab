// The constant data of an engine as objects (texts, tables), and what refers to which. The linker knows: with `--emit-relocs`
// it writes down each place that holds an address. Where it has not, nothing is known, and all data stays together.
import { Reader, SECTION, sectionsOf, segmentsOf } from "./module.mjs";

/** What the linker fills in: addresses of data, in code and in data, and what is none. */
const ADDRESS = [3, 4, 5];
const NO_ADDRESS = [0, 1, 2, 6, 7, 20];
const SYMBOLS = 8;
const [DATA_SYMBOL, SECTION_SYMBOL] = [1, 3];
const [UNDEFINED, NAMED, ABSOLUTE] = [0x10, 0x40, 0x200];
const NAMES_OF_SEGMENTS = 9;
/** What is never written to. */
const CONSTANT_SEGMENT = ".rodata";

/** What stands beside a module, by name: where it lies, behind that name. */
function customOf(linked) {
    const sections = sectionsOf(linked).filter(({ id }) => id === SECTION.custom);
    return new Map(sections.map(({ from, to }) => {
        const reader = new Reader(linked, from);
        return [reader.name(), { from: reader.at, to }];
    }));
}

/** The parts of such a section, by number. */
function* partsOf(linked, { from, to }) {
    const reader = new Reader(linked, from);
    while (reader.at < to) {
        const [kind, length] = [reader.byte(), reader.number()];
        const end = reader.at + length;
        yield [kind, reader];
        reader.at = end;
    }
}

/** The symbols of data that lie in a segment; a hole for every other one. */
function symbolsOf(linked, { from, to }) {
    const version = new Reader(linked, from);
    if (version.number() !== 2) throw new Error("symbols of a version that is not known");
    for (const [kind, reader] of partsOf(linked, { from: version.at, to })) {
        if (kind !== SYMBOLS) continue;
        return reader.many(() => {
            const [form, flags] = [reader.byte(), reader.number()];
            const isDefined = !(flags & UNDEFINED);
            if (form === SECTION_SYMBOL) return void reader.number();
            if (form !== DATA_SYMBOL) {
                reader.number();
                if (isDefined || flags & NAMED) reader.name();
                return undefined;
            }
            reader.name();
            if (!isDefined) return undefined;
            const [segment, offset, size] = [reader.number(), reader.number(), reader.number()];
            return flags & ABSOLUTE ? undefined : { segment, offset, size };
        });
    }
    throw new Error("the linker has written down no symbols");
}

/** The places that hold addresses of data: where in their section, of which symbol, and how far behind its beginning. */
function placesOf(linked, { from }) {
    const reader = new Reader(linked, from);
    reader.number();
    const places = reader.many(() => {
        const [kind, at, symbol] = [reader.byte(), reader.number(), reader.number()];
        if (ADDRESS.includes(kind)) return { at, symbol, behind: reader.signed() };
        if (!NO_ADDRESS.includes(kind)) throw new Error(`the linker has filled in what is not known here: ${kind}`);
        return undefined;
    });
    return places.filter((place) => place);
}

/** Which segment is which, by name. */
function namesOf(linked, section) {
    for (const [kind, reader] of partsOf(linked, section)) if (kind === NAMES_OF_SEGMENTS) return new Map(reader.many(() => [reader.number(), reader.name()]));
    return new Map();
}

/** The objects of an engine as it was linked; undefined if the linker has not told. */
export class Objects {
    static of(linked) {
        const custom = customOf(linked);
        const [linking, code, data, names] = ["linking", "reloc.CODE", "reloc.DATA", "name"].map((name) => custom.get(name));
        return linking && code && data && names ? new Objects(linked, linking, code, data, names) : undefined;
    }

    constructor(linked, linking, code, data, names) {
        const { from, to } = sectionsOf(linked).find(({ id }) => id === SECTION.data);
        const segments = segmentsOf(linked.subarray(from, to));
        const named = namesOf(linked, names);
        const isConstant = segments.map((_, index) => named.get(index) === CONSTANT_SEGMENT);
        const symbols = symbolsOf(linked, linking);

        /** In order of their addresses. Symbols that overlap, such as texts of which one is the end of the other, are one. */
        this.all = [];
        const held = symbols.map((symbol, index) => ({ ...symbol, index })).filter(({ segment, size }) => isConstant[segment] && size > 0);
        const objectOf = new Map();
        for (const { segment, offset, size, index } of held.sort((a, b) => segments[a.segment].address + a.offset - segments[b.segment].address - b.offset)) {
            const address = segments[segment].address + offset;
            const last = this.all.at(-1);
            if (last && address < last.end) last.end = Math.max(last.end, address + size);
            else this.all.push({ address, end: address + size, refers: [] });
            objectOf.set(index, this.all.at(-1));
        }

        /** What an address in code may stand for. One that is just behind an object may be meant for it, or for the next. */
        this.byAddress = new Map();
        for (const { symbol, behind } of placesOf(linked, code)) {
            if (!objectOf.has(symbol)) continue;
            const address = segments[symbols[symbol].segment].address + symbols[symbol].offset + behind;
            if (!this.byAddress.has(address)) this.byAddress.set(address, new Set());
            this.byAddress.get(address).add(objectOf.get(symbol));
        }

        /** What all data that is not constant refers to. */
        this.roots = [];
        const places = placesOf(linked, data).filter(({ symbol }) => objectOf.has(symbol));
        for (const { at, symbol } of places) {
            const segment = segments.findIndex((one) => one.from <= at && at < one.to);
            const address = segments[segment].address + at - segments[segment].from;
            const holder = isConstant[segment] ? this.#around(address) : undefined;
            if (isConstant[segment] && !holder) throw new Error(`an address in data that belongs to nothing, at ${address}`);
            (holder?.refers ?? this.roots).push(objectOf.get(symbol));
        }
    }

    #around(address) {
        let [low, high] = [0, this.all.length];
        while (low < high) {
            const middle = low + high >> 1;
            if (this.all[middle].end <= address) low = middle + 1;
            else high = middle;
        }
        return this.all[low]?.address <= address ? this.all[low] : undefined;
    }

    /** All objects that code with these addresses can come to. */
    reached(addresses) {
        const open = [...this.roots];
        for (const address of addresses) open.push(...this.byAddress.get(address) ?? []);
        const found = new Set();
        while (open.length > 0) {
            const object = open.pop();
            if (found.has(object)) continue;
            found.add(object);
            open.push(...object.refers);
        }
        return found;
    }
}
