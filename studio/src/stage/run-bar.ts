// The buttons over the stage that follow the state of the page: Stop, which becomes Continue, and the next solution.
import { canBeFollowed, canContinue, canStop } from "../machine";
import type { State } from "../machine";
import { the } from "../page/dom";
import { icon } from "../page/icons";

export class RunBar {
    readonly #stop = the<HTMLButtonElement>("stop");
    readonly #next = the<HTMLButtonElement>("next");

    show(state: State): void {
        document.body.dataset["status"] = state.phase.is === "resting" ? state.phase.standing.status : state.phase.is;
        document.body.dataset["time"] = state.time;
        const isStopped = canContinue(state) && state.time !== "recording";
        this.#stop.disabled = !canStop(state) && !isStopped;
        if (this.#stop.title !== (isStopped ? "Continue" : "Stop")) this.#name(isStopped);
        // Who looks at a moment goes on from the run itself.
        this.#next.disabled = state.time === "recording" || !canBeFollowed(state);
    }

    #name(isStopped: boolean): void {
        this.#stop.title = isStopped ? "Continue" : "Stop";
        this.#stop.setAttribute("aria-label", this.#stop.title);
        this.#stop.classList.toggle("icon", !isStopped);
        this.#stop.replaceChildren(icon(isStopped ? "play" : "stop"), ...isStopped ? ["Continue"] : []);
    }
}
