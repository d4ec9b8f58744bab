// What a person has made in this browser and put aside, as a list: each is opened, or deleted.
import { make } from "../page/dom";
import { shelf, unshelve } from "./storage";
import type { Shelved } from "./storage";

/** The list, the latest first; without any it is hidden. */
export function programList(onPick: (shelved: Shelved) => void, changed: (left: number) => void = () => {}): HTMLElement {
    const place = make("section", { "aria-label": "My programs" });
    const show = () => {
        const all = shelf();
        place.hidden = all.length === 0;
        place.replaceChildren(make("h3", {}, "My programs"), make("ul", { className: "shelf" }, ...all.map((shelved) => {
            const name = `${shelved.name}, ${new Date(shelved.time).toLocaleString()}`;
            const remove = () => {
                unshelve(shelved);
                show();
                changed(shelf().length);
            };
            return make("li", {}, make("button", { type: "button", onclick: () => onPick(shelved) }, name, shelved.title ? make("span", { className: "soft" }, shelved.title) : undefined), " ",
                make("button", { type: "button", "aria-label": `Delete ${name}`, onclick: remove }, "×"));
        })));
    };
    show();
    return place;
}

/** The same in a dialog of its own. */
export function showPrograms(dialog: HTMLDialogElement, onPick: (shelved: Shelved) => void): void {
    const words = make("p", { className: "soft" });
    const say = (left: number) => {
        words.textContent = left > 0 ? "What you have written is kept in this browser when another program takes its place: the latest thirty."
            : "Nothing is here yet. When another program takes the place of one that you have written, yours is kept here.";
    };
    const list = programList((shelved) => {
        dialog.close();
        onPick(shelved);
    }, say);
    list.querySelector("h3")!.remove();
    say(shelf().length);
    dialog.querySelector(".content")!.replaceChildren(words, list);
    dialog.showModal();
}
