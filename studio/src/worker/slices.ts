// Work in slices, so that messages are heard between any two.

export const SLICE_MILLISECONDS = 12;
/** Lets messages that have come be heard. A timer would wait for milliseconds. */
export function breathe(): Promise<void> {
    return new Promise((resolve) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
            channel.port1.close();
            resolve();
        };
        channel.port2.postMessage(null);
    });
}

/** A part of a slice takes about so long. What a step takes changes by a factor of thirty: explaining a step of a puzzle is dear, a loop is not. */
const PART_MILLISECONDS = 3;
const LEAST_FUEL = 1000;
const MOST_FUEL = 20_000;

/** Spends the time of a slice in small parts; how much fuel fits into one is learned from those before. */
export class Fuel {
    #amount = LEAST_FUEL;

    /** Works until there is something to be looked at, or the slice is over. */
    spend<T extends object | undefined>(work: (fuel: number) => T): T {
        for (const end = performance.now() + SLICE_MILLISECONDS; ;) {
            const start = performance.now();
            const result = work(this.#amount);
            const now = performance.now();
            const ratio = Math.min(2, Math.max(0.1, PART_MILLISECONDS / Math.max(now - start, 0.1)));
            this.#amount = Math.round(Math.min(MOST_FUEL, Math.max(LEAST_FUEL, this.#amount * ratio)));
            // The next part may take as long as this one.
            if (now + (now - start) >= end || !isOpen(result)) return result;
        }
    }
}

/** Whether there was fuel for a part only. */
function isOpen(result: object | undefined): boolean {
    return result === undefined || "kind" in result && result.kind === "outOfFuel";
}
