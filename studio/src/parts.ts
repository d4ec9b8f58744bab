// The parts of the page that follow what runs. `studio.ts` makes them; here is which there are.
import type { Client } from "./worker/client";
import type { Course } from "./course";
import type { ExportBar } from "./stage/exports";
import type { MainLine } from "./page/main-line";
import type { Moments } from "./moments/moments";
import type { Ended } from "./stage/ended";
import type { Offer } from "./stage/offer";
import type { OutputView } from "./stage/output";
import type { QuestionForm } from "./stage/question";
import type { SolveView } from "./moments/solve-view";
import type { Stage } from "./stage/stage";
import type { Work } from "./project/work";
import type { Writing } from "./writing/writing";

export interface Parts {
    readonly client: Client,
    readonly course: Course,
    readonly work: Work,
    readonly line: MainLine,
    readonly writing: Writing,
    /** What the run has printed, and what it had printed at the moment that is shown. */
    readonly output: OutputView,
    readonly then: OutputView,
    readonly stage: Stage,
    readonly question: QuestionForm,
    readonly offer: Offer,
    readonly ended: Ended,
    readonly exports: ExportBar,
    readonly moments: Moments,
    readonly solving: SolveView,
}
