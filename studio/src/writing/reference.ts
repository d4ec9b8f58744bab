// The reference: all words and functions with what they are for, and the tiles that are always there, to be looked through and searched.
import { make, the } from "../page/dom";
import { described } from "./described";
import type { Doc } from "../worker/protocol";

export interface Reference {
    words: Doc[],
    /** Each with the bytes of its image. */
    tiles: { name: string, picture: string }[],
}

/** The tiles stand with what prints them. */
const OF_TILES = "Pictures";

export function openReference({ words, tiles }: Reference): void {
    const dialog = the<HTMLDialogElement>("reference");
    const search = make("input", { type: "search", id: "reference-search" });
    const none = make("p", { role: "status" });
    const entries = words.map((doc) => make("article", {}, make("h4", {}, doc.name), described(doc)));
    // What is called just so comes first.
    const named = make("section", { "aria-label": "By its name" });
    const list = make("ul", { className: "tiles", "aria-label": "Built-in tiles" },
        ...tiles.map(({ name, picture }) => make("li", {}, make("img", { src: `data:image/png;base64,${picture}`, alt: "" }), name)));
    const domains = [...new Set(words.map(({ domain }) => domain))];
    const sections = domains.map((domain) => make("section", { "aria-label": domain }, make("h3", {}, domain), ...domain === OF_TILES ? [list] : [], ...entries.filter((_, at) => words[at]!.domain === domain)));
    const links = make("p", { className: "jumps" }, ...sections.map((section, at) => make("button", { type: "button", className: "link", onclick: () => section.scrollIntoView() }, domains[at])));
    search.addEventListener("input", () => {
        const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        const has = (text: string) => wanted.every((word) => text.toLowerCase().includes(word));
        entries.forEach((entry, at) => { entry.hidden = !has(`${words[at]!.call} ${words[at]!.doc} ${words[at]!.domain}`); });
        list.hidden = wanted.length > 0 && !has(`tiles ${list.textContent!}`);
        sections.forEach((section) => { section.hidden = !section.querySelector("article:not([hidden]), ul:not([hidden])"); });
        named.replaceChildren(...words.filter(({ name }) => wanted.length === 1 && name.toLowerCase() === wanted[0])
            .map((doc) => make("article", {}, make("h4", {}, doc.name), described(doc))));
        none.textContent = sections.every((section) => section.hidden) ? "Nothing has these words." : "";
    });
    the("reference-list").replaceChildren(make("p", { className: "gallery-search" }, make("label", { for: "reference-search" }, "Search"), search), links, none, named, ...sections);
    dialog.showModal();
    search.focus();
}
