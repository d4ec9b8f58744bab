// Functions that do the same become one, and those that do nearly the same look more alike to what compresses a file. The
// compiler makes copies of a generic function that differ in nothing but their names, and numbers local variables as it
// comes to them.
import { CALL, KIND, number, parametersOf, read, withCalls, withLocals, write } from "./module.mjs";

/** The types of local variables beside one another, what is used most first. */
function byUse(types, uses) {
    const counts = types.map(() => 0);
    for (const local of uses) counts[local]++;
    return [...types.keys()].sort((a, b) => types[b] - types[a] || counts[b] - counts[a]);
}

/** The same engine with each function once. */
export function alike(bytes) {
    const module = read(bytes);
    const imported = module.imports.length;
    const parameters = parametersOf(module);
    let functions = module.functions.map(({ type, body }) => ({ type, body: withLocals(body, parameters[type], byUse) }));
    const called = (numbers) => ({ type, body }) => ({ type, body: withCalls(body, (callee) => [CALL, ...number(numbers[callee])]) });

    // Once two are one, those that call them may be equal, too.
    let stands = Array.from({ length: imported + functions.length }, (_, index) => index);
    for (let before = -1, left = functions.length; before !== left;) {
        const first = new Map();
        const found = functions.map(({ type, body }, index) => {
            const key = `${type} ${body.toString("latin1")}`;
            if (!first.has(key)) first.set(key, imported + index);
            return first.get(key);
        });
        stands = stands.map((index) => index < imported ? index : found[index - imported]);
        functions = functions.map(called(stands));
        [before, left] = [left, first.size];
    }

    const isLeft = (index) => index < imported || stands[index] === index;
    const numbers = [];
    let next = 0;
    stands.forEach((_, index) => numbers[index] = isLeft(index) ? next++ : undefined);
    const standing = stands.map((index) => numbers[index]);
    return write({
        ...module,
        functions: functions.filter((_, index) => isLeft(imported + index)).map(called(standing)),
        exports: module.exports.map((one) => one.kind === KIND.function ? { ...one, index: standing[one.index] } : one),
        elements: module.elements.map((one) => ({ ...one, functions: one.functions.map((index) => standing[index]) })),
    });
}
