// What a word of the language is for, as the page shows it: the same beside the program, in lessons and in the reference.
import { make } from "../page/dom";
import { coded } from "../page/wording";
import type { Doc } from "../worker/protocol";

export function described(doc: Doc): HTMLElement {
    const example = doc.example ? make("pre", { tabIndex: 0 }, `${doc.example}\n=> ${doc.gives}`) : undefined;
    return make("div", { className: "doc" }, make("pre", { className: "call" }, doc.call), make("p", {}, ...coded(doc.doc)), example);
}
