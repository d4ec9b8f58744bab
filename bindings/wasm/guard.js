// The border between JavaScript and the engine. What is behind it believes what it is told: a number in place of a text would be taken for
// a place in memory. So every function looks at what it is given first, and says what it wants.

const isNumber = (value) => typeof value === "number" && !Number.isNaN(value);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isByte = (value) => Number.isInteger(value) && value >= 0 && value < 256;

const KINDS = {
    text: [(value) => typeof value === "string", "a text"],
    boolean: [(value) => typeof value === "boolean", "true or false"],
    number: [isNumber, "a number"],
    whole: [(value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32, "a whole number from 0 to 4294967295"],
    // Which of them there are the engine says.
    seed: [(value) => typeof value === "bigint" || isNumber(value), "an integer"],
    moment: [(value) => isObject(value) && isNumber(value.step) && isNumber(value.inside), "a moment: { step, inside }, both of them numbers"],
    bytes: [(value) => Object.prototype.toString.call(value) === "[object Uint8Array]" || Array.isArray(value) && value.every(isByte), "bytes, as a Uint8Array"],
    parameters: [isObject, "an object with a field for each parameter: { size: 10 }", (one) => typeof one === "boolean" || typeof one === "string" || isNumber(one), "a number, a text or a boolean"],
    limits: [isObject, "an object with a number for each limit: { steps: 1e9 }", (one) => one === undefined || isNumber(one) && one >= 0, "a number from 0 on"],
};

/** Looks at what a function is given. */
function look(called, wanted, given) {
    wanted.forEach(([name, kind], at) => {
        const value = given[at];
        if (kind.endsWith("?") && (value === undefined || value === null)) return;
        const [isOne, words, isPart, wordsOfPart] = KINDS[kind.replace("?", "")];
        const fail = (what, words, value) => {
            throw new TypeError(`${called}: \`${what}\` has to be ${words}, and is ${inWords(value)}`);
        };
        if (!isOne(value)) fail(name, words, value);
        if (isPart) for (const [own, part] of Object.entries(value)) if (!isPart(part)) fail(`${name}.${own}`, wordsOfPart, part);
    });
}

function inWords(value) {
    if (typeof value === "string") return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)}`;
    if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
    if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
    return typeof value === "bigint" ? `${value}n` : String(value);
}

/** Lets the functions of a class look first, and returns the class. */
export function guarded(name, Class, signatures) {
    const alive = (one, called) => {
        if (!(one instanceof Class)) throw new TypeError(`${called} belongs to a ${name} of the engine`);
        if (!one.__wbg_ptr) throw new TypeError(`${called}: this ${name} was freed, or was not made by the engine`);
    };
    const { prototype } = Class;
    for (const [own, { get, value: inner }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
        const called = `${name}.${own}`;
        if (get) Object.defineProperty(prototype, own, { get() { return alive(this, called), get.call(this); } });
        const wanted = signatures[own];
        if (own === "constructor" || own === "free" || !wanted) continue;
        prototype[own] = function (...given) {
            alive(this, called);
            look(called, wanted, given);
            return inner.apply(this, given);
        };
    }
    const { free } = prototype;
    // What is gone already may be given back once more.
    prototype.free = prototype[Symbol.dispose] = function () {
        if (this.__wbg_ptr) free.call(this);
    };
    if (!signatures.constructor?.length) return Class;
    const Outer = class extends Class {
        constructor(...given) {
            look(`new ${name}`, signatures.constructor, given);
            super(...given);
        }
    };
    return Object.defineProperty(Outer, "name", { value: name });
}
