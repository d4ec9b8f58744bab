// Playing a recording: which moments are shown, and when.
import type { When } from "../worker/protocol";
import type { Tree } from "./tree";

export interface Frame { when: When, isFailure: boolean }

/** A recording plays for so many seconds at the usual speed: the more was guessed, the longer. */
const LEAST_SECONDS = 4;
const MOST_SECONDS = 12;
const GUESSES_A_SECOND = 20;
/** Between guesses there is something to be seen, too. */
const EVEN_FRAMES = 120;
const MOST_FRAMES = 720;

/** The moments that are shown: those of the guesses, and others in even steps. */
export function frames(begin: When, end: When, tree: Tree): Frame[] {
    const each = Math.ceil(tree.size / MOST_FRAMES);
    const found: Frame[] = [];
    for (let at = 0; at < tree.size; at++) {
        const when = tree.when(at);
        const isFailure = tree.state(at) === "failed";
        if (at % each === 0 && when.step >= begin.step) found.push({ when, isFailure });
    }
    const span = end.step - begin.step;
    for (let at = 0; at < EVEN_FRAMES && found.length < EVEN_FRAMES * 2; at++) found.push({ when: { step: begin.step + Math.floor(span * at / EVEN_FRAMES), inside: 0 }, isFailure: false });
    found.sort((a, b) => a.when.step - b.when.step || a.when.inside - b.when.inside);
    return [...found.filter(({ when }, at) => at === 0 || when.step !== found[at - 1]!.when.step || when.inside !== found[at - 1]!.when.inside), { when: end, isFailure: false }];
}

export class Player {
    /** Only the newest wish to play counts. */
    #wish = 0;
    isPlaying = false;
    speed = 1;

    /** Shows frames in time, from one of them on; those for which there is no time are left out. False if it was stopped. */
    async play(frames: readonly Frame[], from: number, show: (frame: Frame) => Promise<void>): Promise<boolean> {
        const mine = ++this.#wish;
        this.isPlaying = true;
        const seconds = Math.max(LEAST_SECONDS, Math.min(MOST_SECONDS, frames.length / GUESSES_A_SECOND));
        let [at, start, speed] = [from, performance.now(), this.speed];
        for (;;) {
            await show(frames[at]!);
            await new Promise(requestAnimationFrame);
            if (mine !== this.#wish) return false;
            if (at === frames.length - 1) break;
            // Who changes the speed goes on from here.
            if (speed !== this.speed) [from, start, speed] = [at, performance.now(), this.speed];
            const due = from + Math.floor((performance.now() - start) / 1000 * speed / seconds * frames.length);
            at = Math.min(frames.length - 1, Math.max(at, due));
        }
        this.isPlaying = false;
        return true;
    }

    stop(): void {
        this.#wish++;
        this.isPlaying = false;
    }
}
