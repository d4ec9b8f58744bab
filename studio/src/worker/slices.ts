// Work in slices, so that messages are heard between any two.

export const SLICE_MILLISECONDS = 12;
const LEAST_FUEL = 10_000;
const MOST_FUEL = 50_000_000;

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

/** How much fuel fits into a slice, learned from the slices before. */
export class Fuel {
    #amount = 100_000;

    spend<T>(work: (fuel: number) => T): T {
        const start = performance.now();
        const result = work(this.#amount);
        const time = performance.now() - start;
        const ratio = Math.min(2, Math.max(0.1, SLICE_MILLISECONDS / Math.max(time, 0.1)));
        this.#amount = Math.round(Math.min(MOST_FUEL, Math.max(LEAST_FUEL, this.#amount * ratio)));
        return result;
    }
}
