// What the page is doing, as one state, and what leads from one state to another. Nothing here touches the page: `course.ts` owns the
// state, and `test/machine.test.mjs` walks the transitions.
import type { Figures, Project, Standing } from "./worker/protocol";

/** A run that rests: it may be able to go on. */
export type Rest = Exclude<Standing, { status: "running" }>;

/** What the run of the present project has come to. */
export type Phase =
    /** Nothing has run yet. */
    | { is: "idle" }
    | { is: "running", ran: Project, figures?: Figures }
    | { is: "resting", ran: Project, standing: Rest, figures: Figures };

/** What is on the stage: what the run has come to, or a moment of its recording. */
export type Time = "now" | "recording" | "moment";

export interface State {
    phase: Phase,
    time: Time,
    /** The number of the run. What an earlier one still tells is passed over. */
    run: number,
    answers: readonly string[],
    /** Whether what is shown still is of the run before: it stays until this one has told something. */
    isOutputOld: boolean,
}

export type Event =
    /** Another project is shown. */
    | { event: "opened" }
    | { event: "started", project: Project }
    /** The worker tells how a run stands, or what it has printed. */
    | { event: "stands", run: number, standing: Standing, figures: Figures, answers: readonly string[] }
    | { event: "prints", run: number }
    /** A person wants the next solution, goes on with what was stopped, answers, or goes back to a question. */
    | { event: "wentOn" }
    | { event: "answered" }
    | { event: "wentBack", answer: number }
    /** A person touches the time line; then the recording is there; then they want to see the run itself again. */
    | { event: "touched" }
    | { event: "recorded" }
    | { event: "returned" };

export const BEGINNING: State = { phase: { is: "idle" }, time: "now", run: 0, answers: [], isOutputOld: false };

/** The state that comes of an event. What does not fit the state is passed over: then it is the same one. */
export function after(state: State, event: Event): State {
    const { phase, time } = state;
    switch (event.event) {
        case "opened":
            return { ...BEGINNING, run: state.run + 1 };
        case "started":
            return { phase: { is: "running", ran: event.project }, time: "now", run: state.run + 1, answers: [], isOutputOld: true };
        case "prints":
            return event.run === state.run && state.isOutputOld ? { ...state, isOutputOld: false } : state;
        case "stands": {
            if (event.run !== state.run || phase.is === "idle") return state;
            const { standing, figures } = event;
            const { ran } = phase;
            const isRunning = standing.status === "running";
            return {
                ...state, answers: [...event.answers], isOutputOld: state.isOutputOld && isRunning,
                phase: isRunning ? { is: "running", ran, figures } : { is: "resting", ran, standing, figures },
            };
        }
        case "wentOn":
            return canGoOn(state) ? { ...state, time: "now", phase: { is: "running", ran: (phase as { ran: Project }).ran } } : state;
        case "answered":
            return isAsked(state) ? { ...state, time: "now", phase: { is: "running", ran: (phase as { ran: Project }).ran } } : state;
        case "wentBack":
            return phase.is === "resting" && event.answer < state.answers.length ? { ...state, time: "now", answers: state.answers.slice(0, event.answer) } : state;
        case "touched":
            return canBeRecorded(state) && time === "now" ? { ...state, time: "recording" } : state;
        case "recorded":
            return time === "recording" ? { ...state, time: "moment" } : state;
        case "returned":
            return time === "now" ? state : { ...state, time: "now" };
    }
}

function status(state: State): Rest["status"] | undefined {
    return state.phase.is === "resting" ? state.phase.standing.status : undefined;
}

const isAsked = (state: State) => status(state) === "asked";

/** Whether it was stopped and can go on, or has come to a solution behind which there may be another. */
const canGoOn = (state: State) => canContinue(state) || canBeFollowed(state);
export const canContinue = (state: State) => status(state) === "stopped";
export const canBeFollowed = ({ phase }: State) => phase.is === "resting" && phase.standing.status === "solved" && !phase.standing.isLast;

/** Whether there is something that can be stopped: the run, or its recording. */
export const canStop = (state: State) => state.phase.is === "running" || state.time === "recording";

/** Whether there is a run whose time can be turned back. */
export function canBeRecorded(state: State): boolean {
    const { phase } = state;
    return phase.is === "running" || phase.is === "resting" && phase.standing.status !== "broken" && phase.figures.steps > 0;
}

/** The program that a run is of. */
export const ranIn = (state: State): Project | undefined => state.phase.is === "idle" ? undefined : state.phase.ran;

/** Whether the run may still tell something new. */
export function mayTellMore(state: State): boolean {
    return state.phase.is === "running" || ["solved", "asked", "stopped"].includes(status(state) ?? "") || state.answers.length > 0;
}
