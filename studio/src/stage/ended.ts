// What is said at the end of a game: the game's own last words, that it was the end, and how one plays again.
import { the } from "../page/dom";

/** Longer words are read where they were printed. */
const MOST_WORDS = 120;

export class Ended {
    readonly #place = the("ended");

    hide(): void {
        this.#place.hidden = true;
    }

    /** It takes as much room as the question did, so that the picture stays where it is. */
    show(height: number, lastWords: string): void {
        if (this.#place.hidden) this.#place.style.minHeight = `${height}px`;
        this.#place.querySelector("strong")!.textContent = lastWords.length <= MOST_WORDS ? lastWords : "";
        this.#place.hidden = false;
    }
}
