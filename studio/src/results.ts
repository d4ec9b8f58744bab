// What comes of a run, as the worker tells it: what it prints, asks, ends with, and what is offered then.
import type { Failing } from "./failing";
import { canBeRecorded, ranIn } from "./machine";
import type { Rest, State } from "./machine";
import { standingWords, TONES } from "./page/standing-words";
import type { Parts } from "./parts";
import { keepAnswers } from "./project/placed";
import { count } from "./page/dom";
import { differing } from "./stage/looks";
import type { Drawn, Extent, Figures, Notice, Question, Standing } from "./worker/protocol";
import type { TestList } from "./writing/test-list";

/** A run of so many steps is recorded at once; a longer one when somebody touches the time line. */
const CHEAP_STEPS = 3_000_000;

/** Where more of the cells are different than this part, nobody has to look for them. */
const MOST_MARKED = 1 / 4;

export class Results {
    /** Whether a person wants to see how the run comes about. */
    #wantsToSee = false;

    /** How many answers of an earlier time are given again. */
    #again = 0;

    /** What the solution before has printed. */
    #before: { picture: Drawn | undefined, text: string } | undefined;

    constructor(readonly parts: Parts, readonly failing: Failing, readonly tests: TestList) {}

    /** Whether it is played first how what comes has come about. */
    want(wantsToSee: boolean): void {
        this.#wantsToSee = wantsToSee;
    }

    /** A run begins in which a person has answered before. */
    answersAgain(answers: readonly string[]): void {
        this.#again = answers.length;
    }

    hear(notice: Notice): void {
        if (notice.notice !== "output" && notice.notice !== "standing") return;
        const { course, offer, output } = this.parts;
        // What an earlier run has still told came too late.
        if (notice.run !== course.state.run) return;
        const { isOutputOld, answers: before } = course.state;
        if (notice.notice === "output") {
            course.change({ event: "prints", run: notice.run });
            if (isOutputOld) output.clear();
            if (notice.pieces.length > 0) offer.hide();
            output.add(notice.pieces, notice.answers, notice.unfinished ? "unfinished" : "");
            return;
        }
        const { standing, figures, answers } = notice;
        if (!course.change({ event: "stands", run: notice.run, standing, figures, answers })) return;
        // Where nothing came of it, the picture of the run before still says where one is.
        if (isOutputOld && !course.state.isOutputOld) ["solved", "asked"].includes(standing.status) ? output.clear() : output.dim();
        for (let at = before.length; at < answers.length; at++) output.answer(answers[at]!, at);
        if (standing.status === "asked" || answers.length > 0) this.#keepAnswers(standing, answers);
        if (course.state.time === "now") this.#say(standing, figures);
        if (standing.status !== "running") this.#again = 0;
        // While it works on an answer, who plays by keyboard stays at the picture.
        output.stayInSight();
        if (standing.status === "running") this.parts.question.rest();
        else this.#rests(standing, figures);
    }

    /** The run itself is seen again, with what it has printed and asks. */
    showAgain(): void {
        const { phase } = this.parts.course.state;
        if (phase.is !== "resting") return;
        const { standing, figures } = phase;
        this.#say(standing, figures);
        if (standing.status === "asked") this.#ask(standing.question);
        this.#offerWhatFits(standing, figures);
        this.failing.show();
    }

    /** Says how the run stands, after it has become another thing to the person. */
    sayAgain(): void {
        const { phase, time } = this.parts.course.state;
        if (phase.is === "resting" && time === "now") this.#say(phase.standing, phase.figures);
    }

    /** What was answered is there again when the person comes back, unless that was the end. */
    #keepAnswers({ status }: Standing, answers: readonly string[]): void {
        const { parts: { course, work } } = this;
        const ran = ranIn(course.state);
        if (!work.isKept || !ran || status === "running") return;
        if (!keepAnswers(ran, status === "solved" ? [] : answers)) work.sayKept(false);
    }

    /** Another solution may look much like the one before. */
    async #tellDifference(solution: number): Promise<void> {
        const { course, line, output } = this.parts;
        const { phase, answers } = course.state;
        const [before, now] = [this.#before, { picture: output.usualPicture, text: output.latestText }];
        this.#before = now;
        if (solution < 2 || !before || answers.length > 0) return;
        const cells = before.picture && now.picture ? await differing(before.picture, now.picture) : undefined;
        if (course.state.phase !== phase || course.state.time !== "now") return;
        if (cells?.length && now.picture && cells.length <= now.picture.columns * now.picture.rows * MOST_MARKED) output.mark(cells);
        const isSame = cells ? cells.length === 0 && before.text === now.text : !now.picture && before.text === now.text;
        if (isSame) line.add("What it prints is the same as before.");
        else if (cells?.length) line.add(`${count(cells.length, "cell")} of ${now.picture!.columns * now.picture!.rows} ${cells.length === 1 ? "is" : "are"} different.`);
    }

    /** Of clicks is spoken where there is a picture. */
    #ask(asked: Question): void {
        const { client, output, question } = this.parts;
        const hearsClicks = asked.hearsClicks && output.pictures.length > 0;
        // What is wrong in the program is said to who clicks.
        const rightClick = hearsClicks ? client.request("rightClick", {}).catch(() => undefined) : undefined;
        question.ask({ ...asked, hearsClicks }, rightClick);
    }

    #say(standing: Standing, figures: Figures): void {
        const { course, line, output, work } = this.parts;
        const isGame = course.state.answers.length > 0;
        if (this.#again > 0 && standing.status === "asked") return line.say("You are where you left it. Run begins it anew.");
        const isToBeSolved = !isGame && work.standing.known.isSolvedHere === true;
        line.say(standingWords(standing, figures, { isGame, isToBeSolved, hasPrinted: !output.isEmpty }), (isGame || isToBeSolved) && standing.status === "solved" ? "" : TONES[standing.status]);
    }

    /** Says on the stage what can be done, where nothing else is there; and offers a game that is over once more. */
    #offerWhatFits(standing: Rest, figures: Figures): void {
        const { course, ended, offer, output, question } = this.parts;
        const { status } = standing;
        if (status === "solved" && course.state.answers.length > 0) ended.show(question.height, output.text.trimEnd().split("\n").at(-1)!);
        else ended.hide();
        if (status === "error") offer.mistake(standing.diagnostic);
        else if (status === "stopped" && output.isEmpty) void this.#offerToGoOn(figures);
        else if (status === "solved" && output.isEmpty) offer.silent();
        else offer.hide();
    }

    async #offerToGoOn(figures: Figures): Promise<void> {
        const { client, course, offer } = this.parts;
        const { phase } = course.state;
        const where = figures.choices === 0 ? await client.request("whereabouts", {}).catch(() => undefined) : undefined;
        if (course.state.phase === phase && course.state.time === "now") offer.stopped(figures, where);
    }

    #rests(standing: Rest, figures: Figures): void {
        const { parts: { client, course, exports, moments, output, question, solving, writing }, tests } = this;
        const { status } = standing;
        const { answers, time } = course.state;
        if (time === "now") this.#offerWhatFits(standing, figures);
        if (status === "error") writing.mistaken(standing.diagnostic);
        if (status === "asked" && (standing.question.hearsClicks || output.pictures.length > 0)) output.isGame = true;
        output.hearClicks(status === "asked" && standing.question.hearsClicks);
        if (status === "asked" && time === "now") this.#ask(standing.question);
        else question.hide();
        // Who has answered sees what came of it, also where that is the end.
        if (status === "asked" || answers.length > 0) output.showLatest();
        if (status === "broken") client.restart();
        if (status === "solved" || status === "asked") exports.offer();
        if (status === "solved") {
            void tests.show();
            void solving.offer();
            void this.#tellDifference(standing.solution);
        } else {
            solving.forget();
        }
        if (!canBeRecorded(course.state)) return moments.forget(false);
        const isInVain = status === "limit" || status === "failed" && standing.solutions === 0 || status === "stopped" && figures.failures > 0;
        if (time === "now" && (isInVain || figures.steps < CHEAP_STEPS && answers.length === 0)) moments.quietly(extent(course.state, false));
        if (this.#wantsToSee && time === "now") {
            this.#wantsToSee = false;
            return void moments.replay();
        }
        if (isInVain && time === "now") {
            void this.failing.explain();
            this.failing.show();
        }
    }
}

/** As far as a run has come, so far its recording goes. One that was running a moment ago goes as far as it is let. */
export function extent({ phase }: State, wasRunning: boolean): Extent {
    if (wasRunning || phase.is !== "resting") return { solutions: 1, steps: Infinity };
    const { standing, figures } = phase;
    return { solutions: standing.status === "solved" ? standing.solution : Infinity, steps: standing.status === "stopped" ? figures.steps : Infinity };
}
