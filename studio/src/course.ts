// The course of things: it owns the state of the page, and tells of every change of it.
import { after, BEGINNING } from "./machine";
import type { Event, State } from "./machine";

export class Course {
    #state: State = BEGINNING;
    readonly #listeners: ((state: State, before: State) => void)[] = [];

    get state(): State {
        return this.#state;
    }

    /** Who listens hears of a change in the order in which they came. */
    listen(listener: (state: State, before: State) => void): void {
        this.#listeners.push(listener);
    }

    /** Goes to the state that comes of an event; false if the event does not fit. */
    change(event: Event): boolean {
        const [before, state] = [this.#state, after(this.#state, event)];
        if (state === before) return false;
        this.#state = state;
        this.#listeners.forEach((listener) => listener(state, before));
        return true;
    }
}
