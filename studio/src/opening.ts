// How a project comes to the page: what is shown of it before it runs, and whether it runs by itself.
import { make } from "./page/dom";
import type { Parts } from "./parts";
import { nameOnlyChapter } from "./project/address";
import { beginner } from "./project/beginnings";
import { known } from "./project/known";
import { answersIn } from "./project/placed";
import { isBlank, restored, unshelve } from "./project/storage";
import type { Shelved, Standing } from "./project/storage";
import type { Results } from "./results";
import type { Running } from "./running";
import type { Project } from "./worker/protocol";
import type { Gallery } from "./writing/gallery";
import type { SeedField } from "./writing/seed-field";
import type { TestList } from "./writing/test-list";

/** What runs as it is opened runs for so long, in milliseconds. */
const OPENING_MILLISECONDS = 10_000;
/** A map of 16 x 16 tiles has so many pixels on a side. */
const FORESHOWN_SIDE = 256;

export class Opening {
    constructor(readonly parts: Parts, readonly running: Running, readonly results: Results, readonly seed: SeedField, readonly tests: TestList, readonly unfold: () => void) {}

    /** Shows a project. Nothing of it runs before the person asks. */
    open(project: Project, standing: Standing): void {
        const { client, course, exports, line, moments, offer, output, question, solving, stage, work, writing } = this.parts;
        work.take(project, standing);
        output.isPuzzle = standing.known.isPuzzle === true;
        this.results.want(false);
        // Until there is a program, nothing can be done with it.
        document.querySelectorAll<HTMLElement>("[inert]").forEach((part) => part.inert = false);
        this.seed.show();
        writing.show(project);
        course.change({ event: "opened" });
        solving.forget();
        moments.forget(false);
        output.clear();
        stage.show("now", false);
        this.tests.hide();
        exports.hide();
        question.hide();
        void client.order({ order: "stop" });
        line.say("Press Run, or Ctrl-Enter in the program.");
        offer.waits(isBlank(project), standing.known.isSolvedHere);
    }

    /** Shows a program of our own, and what comes of it, which is brought into sight unless a person reads on elsewhere: it runs for some seconds, or up to its first question. */
    openAndRun(project: Project, program?: Gallery["programs"][number], isBrought = true): void {
        this.open(project, { isChanged: false, mayRun: true, known: known(program) });
        if (program?.picture && !program.isSolvedHere) this.foreshow(`data:image/png;base64,${program.picture}`, true);
        this.runAsOpened();
        if (isBrought) this.parts.output.bringIntoSight();
    }

    /** Runs what is there for some seconds, or up to its first question: the first that the person has not answered before. */
    runAsOpened(): void {
        const { work } = this.parts;
        this.running.start(OPENING_MILLISECONDS, work.isKept ? answersIn(work.project) : []);
    }

    /** Runs our own first program. The map that the page came with stays until the engine has drawn it. */
    runFirst(map: HTMLElement): void {
        this.parts.output.foreshow(map);
        this.running.start();
    }

    /** The page as it is for who comes for the first time. */
    startPage(): void {
        // Who loads the page again has this, and not what the address asked for.
        nameOnlyChapter();
        this.unfold();
        this.openAndRun(beginner());
    }

    /** Goes on with what was put aside. */
    async takeUp(shelved: Shelved): Promise<void> {
        const project = await restored(shelved.text);
        if (!project) return this.parts.line.say("This work cannot be read any more.");
        unshelve(shelved);
        this.unfold();
        const mayRun = shelved.mayRun === true;
        this.open(project, { isChanged: true, mayRun, known: known(shelved.known) });
        if (mayRun) this.runAsOpened();
    }

    /** Shows a picture of what will come of the program, until something has. */
    foreshow(address: string, isRunning = false): void {
        const { course, offer, output, work } = this.parts;
        const image = make("img", { src: address, alt: isRunning ? "What came of the program elsewhere" : "What came of the program where the link was made" });
        const { project } = work;
        image.addEventListener("load", () => {
            if (work.project !== project || !(isRunning ? course.state.isOutputOld : course.state.phase.is === "idle")) return;
            // A small one stands as large as what comes.
            const times = Math.max(1, Math.floor(FORESHOWN_SIDE / Math.max(image.naturalWidth, image.naturalHeight)));
            [image.width, image.height] = [image.naturalWidth * times, image.naturalHeight * times];
            output.foreshow(make("div", { className: isRunning ? "picture stale" : "picture" }, image));
            if (isRunning) offer.hide();
        });
    }
}
