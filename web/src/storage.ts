// What is kept in the browser, so that work survives a crash. Nothing leaves it.
import type { Project } from "./protocol";
import { packed, unpacked } from "./share";

const WORK = "ndscript-studio:work";
const THEME = "ndscript-studio:theme";

/** Storage may be forbidden, or full; the studio works without. */
function attempt<T>(work: () => T): T | undefined {
    try {
        return work();
    } catch {
        return undefined;
    }
}

export async function keep(project: Project): Promise<void> {
    const text = await packed(project);
    attempt(() => localStorage.setItem(WORK, text));
}

export async function kept(): Promise<Project | undefined> {
    const text = attempt(() => localStorage.getItem(WORK));
    if (!text?.startsWith("v1=")) return undefined;
    return unpacked(text.slice(3)).catch(() => undefined);
}

export const keepTheme = (theme: string) => attempt(() => localStorage.setItem(THEME, theme));
export const keptTheme = () => attempt(() => localStorage.getItem(THEME)) ?? "";
