// Puzzles whose cells are filled or crossed out, as on paper: what is said of them, and how they look. Without a page.

const FILLED = "#";
const CROSSED = ".";

/** Whether all values of a puzzle are these two. */
export function isFilling(values: readonly string[]): boolean {
    return values.length === 2 && values.includes(FILLED) && values.includes(CROSSED);
}

/** Whether a value fills its cell. */
export function isFilled(value: string, values: readonly string[]): boolean {
    return value === FILLED && isFilling(values);
}

/** A value as it looks. */
export function signOf(value: string, values: readonly string[]): string {
    return !isFilling(values) ? value : value === FILLED ? "■" : value === CROSSED ? "×" : value;
}

/** What one does who marks a value; nothing where values are just written. */
export function deedOf(value: string, values: readonly string[]): string | undefined {
    return !isFilling(values) ? undefined : value === FILLED ? "fill" : "cross out";
}

/** A sentence about a puzzle, or a value of it, as a person says it. */
export function inWords(text: string, values: readonly string[]): string {
    return isFilling(values) ? text.replace(/"#"|\B#\B/g, "filled").replace(/"\."|(?<=^| )\.(?=:|$)/g, "crossed out") : text;
}
