// How a person comes to the page: by a link that asks for something, or to go on with what they had.
import { make } from "../page/dom";
import { programOf, projectOf } from "../writing/gallery";
import type { Gallery } from "../writing/gallery";
import type { Project } from "../worker/protocol";
import { remoteText } from "./remote";
import { checked } from "./share";
import type { Wish } from "./share";
import { loadGallery } from "#start";

/** The program that a link asks for, with the address of a picture of what comes of it, and the same in the gallery; or why there is none. */
export async function asked(wishes: Wish): Promise<{ project?: Project, problem?: string, picture?: string, program?: Gallery["programs"][number] }> {
    if (wishes.project || wishes.problem) {
        const { project, problem } = wishes;
        const picture = wishes.known.isSolvedHere ? undefined : wishes.picture;
        return { project, problem, picture: picture && URL.createObjectURL(new Blob([picture], { type: "image/webp" })) };
    }
    try {
        if (wishes.url !== undefined) {
            const { path, text } = await remoteText(wishes.url);
            return { project: { main: path, files: [{ path, text }], seed: 1, parameters: {} } };
        }
        if (wishes.example === undefined) return {};
        const gallery = await loadGallery();
        const own = projectOf(gallery, wishes.example);
        const program = programOf(gallery, wishes.example);
        const project = own && checked({ ...own, seed: wishes.seed ?? own.seed, parameters: wishes.parameters ?? own.parameters });
        // A picture that tells the solution is no cover, and neither is one of another run.
        const picture = (wishes.known.isSolvedHere ?? program?.isSolvedHere) || isOfOtherRun(wishes) ? undefined : program?.picture;
        return project ? { project, program, picture: picture && `data:image/png;base64,${picture}` } : { problem: `The program could not be loaded: the gallery has no ${wishes.example}.` };
    } catch (why) {
        return { problem: (why as Error).message };
    }
}

/** Whether a link asks for a program of the gallery with a seed or parameters that are not its own. */
export function isOfOtherRun({ seed, parameters }: Wish): boolean {
    return seed !== undefined || parameters !== undefined;
}

/** From here on nothing but what belongs to the page itself can be asked of the network. */
export function forbidNetwork(): void {
    const own = location.protocol === "file:" ? "data: blob:" : "'self'";
    document.head.append(make("meta", { httpEquiv: "Content-Security-Policy", content: `connect-src ${own}` }));
}

/** Whether somebody has followed a link to the page, or typed one, rather than loaded it again or come back to it. */
export function cameByLink(): boolean {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return navigation?.type === "navigate";
}
