// What a person does with a run: they begin it, stop it, go on, answer, go back, and turn back its time.
import { canBeRecorded, canStop } from "./machine";
import type { OutputView } from "./stage/output";
import type { Parts } from "./parts";
import { asItIs } from "./project/ran";
import { extent } from "./results";
import type { Results } from "./results";
import type { Extent } from "./worker/protocol";

export class Running {
    constructor(readonly parts: Parts, readonly results: Results) {
        parts.course.listen((state, before) => before.time !== "now" && state.time === "now" && this.#returned());
    }

    /** Starts a run, which works for at most so long before it stops, with answers that were given before. What is shown stays until there is something else. */
    start(budget?: number, answers: readonly string[] = []): void {
        const { client, course, exports, line, question, work, writing } = this.parts;
        course.change({ event: "started", project: asItIs(work.project) });
        work.ran();
        this.results.answersAgain(answers);
        writing.mistaken(undefined);
        this.#saysWhenSilent();
        this.#goesOn();
        exports.hide();
        question.hide();
        if (!client.isReady) {
            line.say("Loading the engine...");
            client.ready().catch((why: Error) => line.sayProblem(why));
        }
        void client.order({ order: "run", run: course.state.run, project: work.project, budget, answers });
    }

    /** Runs what a person has written, for as long as it takes. */
    run(): void {
        const { output, work, writing } = this.parts;
        writing.forgetTyped();
        work.keepWhatIsDue();
        output.dim();
        this.start();
        void writing.check();
    }

    runInSight(): void {
        this.run();
        this.parts.output.bringIntoSight();
    }

    stopOrContinue(): void {
        const { client, course } = this.parts;
        if (course.state.time === "recording") void client.order({ order: "stopSeeing" });
        else if (canStop(course.state)) void client.order({ order: "stop" });
        else this.goOn();
    }

    /** Goes on with what was stopped, or to the next solution. */
    goOn(): void {
        const { client, course, output } = this.parts;
        if (!course.change({ event: "wentOn" })) return;
        this.#saysWhenSilent();
        this.#goesOn();
        output.dropUnfinished();
        void client.order({ order: "continue" });
    }

    answer(answer: { option?: number, line?: string }): void {
        const { client, course, question } = this.parts;
        if (!course.change({ event: "answered" })) return;
        this.#goesOn();
        question.rest();
        void client.order({ order: "answer", ...answer });
    }

    /** Back to the question that a person has answered so. */
    goTo(answer: number): void {
        const { client, course, line, offer, output, question, writing } = this.parts;
        // What goes on has to be stopped first.
        if (!course.change({ event: "wentBack", answer })) return;
        offer.hide();
        this.#goesOn();
        writing.mistaken(undefined);
        // The question that stands is no more, and the other one is not there yet.
        question.hide();
        line.say("Going back to that question...");
        output.rewind(answer);
        void client.order({ order: "goTo", answer });
    }

    /** A press on the picture answers, where the program wants that; else it asks why the picture is so. */
    async click(x: number, y: number, button: string): Promise<void> {
        const { client, course, line, output, question } = this.parts;
        const { phase } = course.state;
        if (phase.is !== "resting") return;
        if (phase.standing.status !== "asked" || !phase.standing.question.hearsClicks) return this.askWhy(output, x, y, button);
        const meant = await client.request("click", { x, y, button }).catch((why: Error) => line.sayProblem(why));
        if (meant !== undefined && meant !== null) question.answerWith(meant);
    }

    askWhy(view: OutputView, x: number, y: number, button: string): void {
        const { course, moments } = this.parts;
        const picture = view.pictures.at(-1);
        if (button === "left" && picture && canBeRecorded(course.state)) void moments.explain({ x, y }, picture.columns, picture.rows);
    }

    /** A person goes to a moment: the run rests, and is recorded as far as it has come. */
    touched(): Extent | undefined {
        const { client, course, ended, offer, question } = this.parts;
        const { phase } = course.state;
        if (!course.change({ event: "touched" })) return undefined;
        if (phase.is === "running") void client.order({ order: "stop" });
        offer.hide();
        ended.hide();
        question.hide();
        return extent(course.state, phase.is === "running");
    }

    #saysWhenSilent(): void {
        const { course, offer } = this.parts;
        offer.runs(() => course.state.phase.is === "running" ? course.state.phase.figures : undefined);
    }

    /** Nothing of what it has come to can be gone back to any more. */
    #goesOn(): void {
        const { ended, moments, solving, stage, work } = this.parts;
        ended.hide();
        stage.show("now", false);
        if (work.standing.known.isSolvedHere) solving.waits();
        else solving.forget();
        moments.forget(true);
    }

    #returned(): void {
        const { moments, stage, then, writing } = this.parts;
        moments.leave();
        then.clear();
        writing.showLine(undefined, undefined);
        stage.show("now", false);
        this.results.showAgain();
    }
}
