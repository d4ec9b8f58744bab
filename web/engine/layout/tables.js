// Tables of Rust's libraries that are calculated in less time than they take to load: random numbers to whoever compresses a
// file. The engine is handed out with zeros in their place (`without.mjs`), and they are put in when it begins.

/** Of `crc32fast`, for PNG files: what a byte means for the checksum when that many more follow it, from 0 to 15. */
function checksums() {
    const table = new Uint32Array(16 * 256);
    for (let byte = 0; byte < 256; byte++) {
        let sum = byte;
        for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >>> 1 ^ 0xedb88320 : sum >>> 1;
        table[byte] = sum;
    }
    for (let at = 256; at < table.length; at++) {
        const before = table[at - 256];
        table[at] = before >>> 8 ^ table[before & 255];
    }
    return new Uint8Array(table.buffer);
}

/** Of `core`, for reading decimal fractions: the powers of five from -342 to 308, each as its highest 128 bits. What lies
 * below them is rounded up where the exponent is from -27 to -1, and cut off elsewhere. */
function powersOfFive() {
    const [least, rounded, most] = [-342, -27, 308];
    const table = new BigUint64Array(2 * (most - least + 1));
    const put = (exponent, power) => table.set([power >> 64n, BigInt.asUintN(64, power)], 2 * (exponent - least));
    let [power, length] = [1n, 1n];
    for (let exponent = 0; exponent <= Math.max(-least, most); exponent++) {
        while (power >> length) length++;
        if (exponent <= most) put(exponent, length < 128n ? power << 128n - length : power >> length - 128n);
        if (exponent > 0 && exponent <= -rounded) put(-exponent, (1n << length + 127n) / power + 1n);
        else if (exponent > 0 && exponent <= -least) put(-exponent, (1n << 2n * length + 128n) / power + 1n >> length + 1n);
        power *= 5n;
    }
    return new Uint8Array(table.buffer);
}

export const TABLES = { checksums, powersOfFive };

/** The name of the export that says where a table lies. */
export const placeOf = (name) => `table ${name}`;

/** Puts the tables in, before anything of the engine is called. */
export function fill(exports) {
    for (const [name, made] of Object.entries(TABLES)) {
        const place = exports[placeOf(name)];
        if (place) new Uint8Array(exports.memory.buffer).set(made(), place.value);
    }
}
