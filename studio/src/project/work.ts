// What a person works on: the project, whether they have changed it, and how it is kept.
import { isNarrow, the } from "../page/dom";
import type { Project } from "../worker/protocol";
import { FIRST } from "./beginnings";
import { Keeping } from "./keeping";
import type { Known } from "./known";
import { isBlank, shelve } from "./storage";
import type { Shelved, Standing } from "./storage";

/** Where there is room only over the page, it is said for so long, in milliseconds. */
const SAID_MILLISECONDS = 8000;

export class Work {
    project: Project = FIRST;
    /** Whether a person has changed the project, so that it must not be lost. */
    #isChanged = false;
    /** Whether it may run by itself: it did not come by a link, or a person has run it. */
    #mayRun = true;
    #known: Known = {};
    readonly #keeping: Keeping | undefined;
    readonly #aside = the("kept");
    #said: ReturnType<typeof setTimeout> | undefined;

    /** A page within another page keeps nothing: it would take the place of what a person works on. */
    constructor(readonly isKept: boolean, readonly takeUp: (shelved: Shelved) => void) {
        if (isKept) this.#keeping = new Keeping({ project: () => this.project, standing: () => this.standing, kept: (isKept) => this.sayKept(isKept) });
        this.#aside.querySelector("[aria-label]")!.addEventListener("click", () => { this.#aside.hidden = true; });
    }

    get standing(): Standing {
        return { isChanged: this.#isChanged, mayRun: this.#mayRun, known: this.#known };
    }

    /** Another project takes the place of this one. */
    take(project: Project, { isChanged, mayRun, known }: Standing): void {
        this.#aside.hidden = true;
        if (this.#isChanged && !isBlank(this.project)) this.putAside();
        this.project = project;
        [this.#isChanged, this.#mayRun, this.#known] = [isChanged, mayRun, known];
        this.keep();
    }

    /** A person has changed it. */
    changed(): void {
        this.#isChanged = true;
        this.#aside.hidden = true;
        this.#keeping?.soon();
    }

    /** A person has run it. */
    ran(): void {
        if (this.#mayRun) return;
        this.#mayRun = true;
        this.keep();
    }

    /** A person solves the puzzle that comes of it, or has seen the solution. */
    solves(isSolved: boolean): void {
        this.#known = { ...this.#known, isSolvedHere: isSolved };
        this.keep();
    }

    /** The first program of all is there without being kept. */
    keep(): void {
        if (!this.#isChanged && this.project === FIRST) return;
        void this.#keeping?.now();
    }

    /** Writes now what would be written later. */
    keepWhatIsDue(): void {
        this.#keeping?.whatIsDue();
    }

    /** Keeps what something else takes the place of, and says how one comes back to it. */
    putAside(): void {
        if (!this.isKept) return;
        const kept = shelve(this.project, this.standing);
        this.#aside.hidden = false;
        clearTimeout(this.#said);
        if (isNarrow()) this.#said = setTimeout(() => { this.#aside.hidden = true; }, SAID_MILLISECONDS);
        this.#aside.querySelector<HTMLElement>(".back")!.onclick = () => void kept.then(this.takeUp);
    }

    sayKept(isKept: boolean): void {
        the("unkept").hidden = isKept;
    }
}
