// The keys of the time line, where no control has another use for them: Space plays, arrows step as the buttons do, Home and End lead to the ends.

export type TimeKey = "play" | "back" | "on" | "begin" | "end" | "takeBack";

const KEYS: Record<string, TimeKey> = { ArrowLeft: "back", ArrowRight: "on", Home: "begin", End: "end" };
/** On the line itself these do the same. */
const KEYS_OF_SLIDER: Record<string, TimeKey> = { ...KEYS, ArrowDown: "back", ArrowUp: "on" };

/** What a key means for the time line, if anything. */
export function timeKey(event: KeyboardEvent): TimeKey | undefined {
    const target = event.target as HTMLElement;
    const isControl = event.ctrlKey || event.metaKey;
    if (event.defaultPrevented || target.closest("input:not([type=range]):not([type=checkbox]), textarea, select, [role=grid], [role=toolbar], [role=application]") && !event.ctrlKey) return undefined;
    if (isControl) return event.key === "z" ? "takeBack" : undefined;
    if (event.altKey || target.closest(".card, .log")) return undefined;
    if (event.key === " ") return target.closest("button, summary, input[type=checkbox], [role=tree]") ? undefined : "play";
    return target.closest("[role=tree]") ? undefined : (target.matches("input[type=range]") ? KEYS_OF_SLIDER : KEYS)[event.key];
}
