// What is said at the end of a game: that it was the end, and how one plays again.
import { the } from "../page/dom";

export class Ended {
    readonly #place = the("ended");

    hide(): void {
        this.#place.hidden = true;
    }

    /** It takes as much room as the question did, so that the picture stays where it is. */
    show(height: number): void {
        if (this.#place.hidden) this.#place.style.minHeight = `${height}px`;
        this.#place.hidden = false;
    }
}
