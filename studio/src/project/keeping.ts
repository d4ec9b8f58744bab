// When what a person works on is written down: while they type, when they run it, and at the latest when the page goes away.
import type { Project } from "../worker/protocol";
import { keep, keepAtOnce, leave } from "./storage";
import type { Standing } from "./storage";

/** So much of what is typed may be lost in a crash, in milliseconds. */
const MOST_UNWRITTEN = 500;

export interface KeepingHost {
    project(): Project,
    standing(): Standing,
    kept(isKept: boolean): void,
}

export class Keeping {
    #due: ReturnType<typeof setTimeout> | undefined;
    #changes = 0;
    #written = 0;

    constructor(readonly host: KeepingHost) {
        document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.#beforeLeaving());
        addEventListener("pagehide", () => {
            this.#beforeLeaving();
            leave();
        });
    }

    /** Something has changed. Nothing that comes in between puts the writing off. */
    soon(): void {
        this.#changes += 1;
        this.#due ??= setTimeout(() => void this.now(), MOST_UNWRITTEN);
    }

    async now(): Promise<void> {
        this.#rest();
        const written = ++this.#changes;
        const isKept = await keep(this.host.project(), this.host.standing());
        // Something newer may be on its way.
        if (isKept === undefined) return;
        this.#written = Math.max(this.#written, written);
        this.host.kept(isKept);
    }

    /** Writes now what would be written later. */
    whatIsDue(): void {
        if (this.#due !== undefined) void this.now();
    }

    /** A page that goes away waits for nothing. If it stays, what was written in haste is written well. */
    #beforeLeaving(): void {
        if (this.#written === this.#changes) return;
        this.host.kept(keepAtOnce(this.host.project(), this.host.standing()));
        void this.now();
    }

    #rest(): void {
        clearTimeout(this.#due);
        this.#due = undefined;
    }
}
