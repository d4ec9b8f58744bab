// Messages of the engine as a person reads them in the page.
import { make } from "./dom";

/** What only a host of the engine, or a command line, can do. */
const FOR_HOSTS = /`[A-Z]\w*::\w+`/;
/** Where a failure came the last time, as the engine says it. */
const BEHIND = /; the last time behind /g;
const COMMANDS = / \(`ndscript [^)]*\)/g;
const ADVICE_FOR_HOSTS = /: raise `Limits::\w+`(?: \(`--[\w-]+`\))?(?:, or (look at its parts))?/;

/** A message without what nobody can do in the page; the numbers of limits are shown as numbers are elsewhere. */
export function plain(message: string): string {
    const advised = message.replace(BEHIND, "; most recently after ").replace(COMMANDS, "").replace(ADVICE_FOR_HOSTS, (_, instead?: string) => instead ? `: ${instead}` : "");
    return advised.replace(/\b(limit of|more than) (\d+)/g, (_, words: string, number: string) => `${words} ${BigInt(number).toLocaleString("en")}`);
}

/** Hints that one can follow in the page. */
export function plainHints(hints: readonly string[]): string[] {
    return hints.filter((hint) => !FOR_HOSTS.test(hint));
}

/** A text whose parts between backticks are code. */
export function coded(text: string): (Node | string)[] {
    return text.split(/`([^`\n]+)`/).map((part, at) => at % 2 === 1 ? make("code", {}, part) : part).filter((part) => part !== "");
}

/** A message with one full stop, whoever has written it. */
export function ended(message: string): string {
    return message + (/[.!?]$/.test(message) ? "" : ".");
}

/** The first line of a message as a sentence. */
export function sentence(message: string): string {
    const line = plain(message).split("\n")[0]!;
    return line.charAt(0).toUpperCase() + ended(line.slice(1));
}
