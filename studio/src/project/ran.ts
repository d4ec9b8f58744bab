// What a run is of, while the project that it was begun with changes.
import type { Project, ProjectFile } from "../worker/protocol";

/** The project as it is now; what is written later does not change it. */
export function asItIs(project: Project): Project {
    return { ...project, files: project.files.map((file) => ({ ...file })), parameters: { ...project.parameters } };
}

/** Says that a run is not of the present project; nothing if it is. */
export function outdated(ran: Project, now: Project): string {
    if (!isSameProgram(ran, now)) return "The program has changed since: this is of the program before. Run it again.";
    if (ran.seed !== now.seed) return "The seed has changed since: this is of the seed before. Run it again.";
    return isSameObject(ran.parameters, now.parameters) ? "" : "The parameters have changed since: this is of those before. Run it again.";
}

function isSameProgram(ran: Project, now: Project): boolean {
    return ran.main === now.main && ran.files.length === now.files.length && ran.files.every((file) => now.files.some((other) => isSameFile(file, other)));
}

function isSameFile(a: ProjectFile, b: ProjectFile): boolean {
    return a.path === b.path && ("text" in a ? "text" in b && a.text === b.text : "bytes" in b && a.bytes === b.bytes);
}

function isSameObject(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
