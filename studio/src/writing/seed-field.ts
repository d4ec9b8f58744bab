// The seed: a field, and a die that throws another one.
import { the, whenReleased } from "../page/dom";

export interface SeedListener {
    seed(): number,
    /** A person has written another seed. */
    changed(seed: number): void,
    /** A person has pressed Enter in the field, or thrown the die. */
    run(isThrown: boolean): void,
    /** They have left the field, with another seed in it. */
    left(): void,
}

const MOST = 1_000_000;

export class SeedField {
    readonly #field = the<HTMLInputElement>("seed");
    readonly #odd = the("seed-odd");

    constructor(readonly listener: SeedListener) {
        the("new-seed").addEventListener("click", () => {
            listener.changed(crypto.getRandomValues(new Uint32Array(1))[0]! % MOST);
            this.show();
            listener.run(true);
        });
        this.#field.addEventListener("input", () => { this.#odd.hidden = true; });
        this.#field.addEventListener("change", () => this.#take() && listener.left());
        this.#field.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
            if (key === "Enter" && this.#take() && !ctrlKey && !metaKey) listener.run(false);
        });
    }

    show(): void {
        this.#field.value = String(this.listener.seed());
        this.#odd.hidden = true;
    }

    /** Takes what is written in the field, if that is another seed. What is none is said, and the seed stays as it was. */
    #take(): boolean {
        const { value, validity } = this.#field;
        const seed = this.listener.seed();
        if (value === String(seed) && !validity.badInput) return false;
        const wanted = /^\d+$/.test(value) ? Number(value) : NaN;
        if (Number.isSafeInteger(wanted)) {
            this.listener.changed(wanted);
            this.show();
            return wanted !== seed;
        }
        this.show();
        whenReleased(() => {
            this.#odd.textContent = `A seed is a whole number from 0 to ${Number.MAX_SAFE_INTEGER.toLocaleString("en")}. The seed is ${seed} as before.`;
            this.#odd.hidden = false;
        });
        return false;
    }
}
