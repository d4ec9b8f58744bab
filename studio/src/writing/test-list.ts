// The program's own tests, below it: which of them have passed.
import type { Client } from "../worker/client";
import type { Course } from "../course";
import { ranIn } from "../machine";
import { make, the } from "../page/dom";

export class TestList {
    readonly #place = the("tests");

    /** `passed` hears that all tests have passed, and says whether that solves an exercise. */
    constructor(readonly client: Client, readonly course: Course, readonly passed: () => boolean) {}

    hide(): void {
        this.#place.hidden = true;
    }

    /** Calls the tests of the program that has run. */
    async show(): Promise<void> {
        const { run } = this.course.state;
        const project = ranIn(this.course.state)!;
        const tests = await this.client.request("tests", { project }).catch(() => []);
        if (run !== this.course.state.run) return;
        this.#place.hidden = tests.length === 0;
        this.#place.replaceChildren(...tests.map(({ name, problem }) => make("li", { className: problem === undefined ? "passed" : "failed" },
            problem === undefined ? `✔ ${name}: solved` : `✘ ${name}: ${problem}`)));
        const isSolved = tests.length > 0 && tests.every(({ problem }) => problem === undefined);
        if (isSolved && this.passed()) this.#place.append(make("li", { className: "passed" }, "The exercise is solved."));
    }
}
