// Why nothing came of a run: the sentences on the stage, and beside them the grid as far as the search has come.
import { make } from "./page/dom";
import { icon } from "./page/icons";
import { coded, sentence } from "./page/wording";
import type { Parts } from "./parts";
import { ADVICE } from "./stage/offer";

const TITLES: Record<string, string> = {
    failed: "Why there is no solution", stopped: "It is not done yet. Where it came to a dead end most often:", limit: "Where the search got stuck",
};

export class Failing {
    constructor(readonly parts: Parts, readonly goOn: () => void) {}

    /** Says in place of what there would be why nothing came of the run. */
    async explain(): Promise<void> {
        const { client, course, moments, offer, output, stage, writing } = this.parts;
        const { run, phase, answers } = course.state;
        if (phase.is !== "resting") return;
        const { ran, standing: { status } } = phase;
        const found = await client.request("explain", { project: ran }).catch(() => []);
        if (found.length === 0 || run !== course.state.run || course.state.phase !== phase) return;
        const isStopped = status === "stopped";
        const [worst, ...advice] = [...found.map(sentence), ...isStopped && !found.some((words) => words.includes("withRestarts")) ? [ADVICE] : []];
        offer.hide();
        const place = /^Line (\d+)(?= failed)/.exec(worst!);
        const what = place ? make("p", {}, make("button", { type: "button", className: "link", onclick: () => writing.goTo(ran.main, Number(place[1])) }, place[0]), ...coded(worst!.slice(place[0].length)))
            : make("p", {}, ...coded(worst!));
        const see = make("button", { type: "button", onclick: () => void moments.replay() }, "See the search");
        const goOn = isStopped ? [make("button", { type: "button", className: "main", onclick: () => this.goOn() }, icon("play"), "Go on")] : [];
        output.explain(TITLES[status]!, answers.length, what, ...advice.map((words) => make("p", {}, ...coded(words))), make("p", { className: "offers" }, ...goOn, see, ...isStopped ? offer.adviceButtons() : []));
        stage.showAgain();
        this.show();
    }

    /** Where there is a grid, the stage shows beside it how far the search has come, and where it has failed. */
    show(): void {
        const { course, moments, offer, stage } = this.parts;
        const { run, phase } = course.state;
        if (phase.is !== "resting" || !(phase.standing.status in TITLES)) return;
        void moments.showFailing().then((isShown) => {
            const { state } = course;
            if (!isShown || run !== state.run || state.phase !== phase || state.time !== "now") return;
            offer.hide();
            stage.show("now", true);
        });
    }
}
