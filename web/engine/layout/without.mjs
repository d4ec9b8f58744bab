// An engine without the tables that are calculated when it begins (`tables.js`).
import { CONSTANT, KIND, NUMBER, segmentsOf, signed } from "./module.mjs";
import { placeOf, TABLES } from "./tables.js";

/** Puts zeros in place of each table that lies in the data once, and exports where. One that does not is left alone. */
export function withoutTables(module) {
    const data = Buffer.from(module.data);
    const [globals, exports] = [[...module.globals], [...module.exports]];
    for (const [name, made] of Object.entries(TABLES)) {
        const table = made();
        const at = data.indexOf(table);
        if (at < 0 || data.includes(table, at + 1)) continue;
        const segment = segmentsOf(data).find(({ from, to }) => from <= at && at + table.length <= to);
        if (!segment) continue;
        data.fill(0, at, at + table.length);
        exports.push({ name: placeOf(name), kind: KIND.global, index: globals.length });
        globals.push({ form: NUMBER, start: [CONSTANT, ...signed(segment.address + at - segment.from), 0x0b] });
    }
    return { ...module, data, globals, exports };
}
