// The keys of the time line, where no control has another use for them: Space plays, arrows step, Home and End lead to the ends.

export type TimeKey = "play" | "back" | "on" | "begin" | "end" | "takeBack";

const KEYS: Record<string, TimeKey> = { ArrowLeft: "back", ArrowRight: "on", Home: "begin", End: "end" };

/** What a key means for the time line, if anything. */
export function timeKey(event: KeyboardEvent): TimeKey | undefined {
    const target = event.target as HTMLElement;
    const isControl = event.ctrlKey || event.metaKey;
    if (event.defaultPrevented || target.closest("input:not([type=range]):not([type=checkbox]), textarea, select, [role=grid], [role=toolbar], [role=application]") && !event.ctrlKey) return undefined;
    if (isControl) return event.key === "z" ? "takeBack" : undefined;
    if (event.altKey || target.closest(".card, .log")) return undefined;
    const isButton = target.closest("button, summary, input[type=checkbox], [role=tree]") !== null;
    if (event.key === " ") return isButton ? undefined : "play";
    return isButton || target.matches("input[type=range]") ? undefined : KEYS[event.key];
}
