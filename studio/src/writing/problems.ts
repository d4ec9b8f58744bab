// What is wrong with the program, each told once: with its line, a hint, and the way there.
import { make, the } from "../page/dom";
import type { Diagnostic } from "../worker/protocol";
import { coded, plain, plainHints } from "../page/wording";

const MOST = 50;

export function showProblems(diagnostics: readonly Diagnostic[], main: string, goTo: (file: string, line: number, column: number) => void): void {
    the("problems").replaceChildren(...diagnostics.slice(0, MOST).map(({ severity, message, place, hints, calls }) => {
        const where = place ? `Line ${place.line}${place.file === main ? "" : ` of ${place.file}`}` : severity === "error" ? "Mistake" : "Note";
        const more = [...plainHints(hints).map((hint) => `Hint: ${hint}`), ...calls.map((call) => `called from ${call.text}${call.place ? ` at line ${call.place.line}` : ""}`)];
        return make("li", { className: severity },
            make("button", { type: "button", onclick: () => place && goTo(place.file, place.line, place.column) }, make("span", {}, make("strong", {}, severity === "error" ? where : `${where}, to look at`), ": ", ...coded(plain(message)))),
            ...more.map((line) => make("p", {}, ...coded(line))));
    }));
}
