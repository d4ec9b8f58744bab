// What the gallery knows of a program beside what is in it. It stays with the program, also where that is kept.

export interface Known {
    /** It prints a puzzle first, and then its solution. */
    isPuzzle?: boolean,
    /** It prints its solution, and a person is to solve it here: its board is shown in place of what it prints. */
    isSolvedHere?: boolean,
    /** One expects that it can be solved here, or knows that there is nothing to be solved. */
    isRiddle?: boolean,
}

const NAMES = ["isPuzzle", "isSolvedHere", "isRiddle"] as const;

/** The same of something that holds more, or that was kept. */
export function known(of: unknown): Known {
    const all = Object(of) as Record<string, unknown>;
    return Object.fromEntries(NAMES.flatMap((name) => typeof all[name] === "boolean" ? [[name, all[name]]] : []));
}
