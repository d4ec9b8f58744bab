// Guides: the lesson and the tour, a chapter at a time beside the program.
import { make, the } from "../page/dom";
import type { Gallery } from "./gallery";
import { projectOf } from "./gallery";
import { described } from "./described";
import type { Doc, Project } from "../worker/protocol";
import { nameChapter } from "../project/address";
import { keepSolved, solvedExercises } from "../project/storage";

export interface Guide { name: string, title: string, chapters: { title: string, html: string }[] }

export interface GuideHost {
    /** Opens a program beside the text, because it was asked for or as the one of a chapter; it may be played from its beginning. */
    open(project: Project, plays: boolean, isAsked: boolean): void,
    /** Whether nobody has changed the program that is there, unless it is the one that was opened from here. */
    mayReplace(own: Project | undefined): boolean,
    /** The address of the page is another. */
    moved(): void,
}

export class GuidePanel {
    readonly #place = the("guide");
    readonly #select = make("select", { "aria-label": "Chapter" });
    readonly #text = make("div", { className: "chapter", tabIndex: 0, role: "region" });
    readonly #previous = make("button", { type: "button", onclick: () => this.#go(this.#at - 1, true) }, "◀ Previous");
    readonly #next = make("button", { type: "button", onclick: () => this.#go(this.#at + 1, true) }, "Next ▶");
    #chapters: { guide: Guide, number: number }[] = [];
    #at = 0;
    #words = new Map<string, Doc>();
    #gallery: Promise<Gallery> | undefined;
    /** The exercise that a person works on. */
    #exercise: { name: string, project: Project } | undefined;

    constructor(readonly load: () => Promise<Gallery>, readonly host: GuideHost) {
        const close = make("button", { type: "button", "aria-label": "Close the guide", onclick: () => this.hide() }, "×");
        this.#place.replaceChildren(make("div", { className: "guide-bar" }, this.#select, this.#previous, this.#next, close), this.#text);
        this.#select.addEventListener("change", () => this.#go(Number(this.#select.value), true));
        this.#text.addEventListener("click", (event) => {
            const { open, plays } = (event.target as HTMLElement).closest<HTMLElement>("[data-open]")?.dataset ?? {};
            if (open) void this.#open(open, plays !== undefined, true);
            const word = (event.target as HTMLElement).closest<HTMLElement>("[data-word]");
            if (word) this.#explain(word);
        });
    }

    get isShown(): boolean {
        return !this.#place.hidden;
    }

    /** Shows a chapter, by the name of its guide and its number from 1: `lesson/4`; else the latest. Its program comes with it, if that is wanted. False if there is none of that name. */
    async show(wanted = "", withProgram = true): Promise<boolean> {
        if (this.#chapters.length === 0) {
            const { guides, reference } = await this.#loaded();
            this.#words = new Map(reference.words.map((doc) => [doc.name, doc]));
            this.#fill(guides);
        }
        const [name, number] = wanted.split("/");
        const at = this.#chapters.findIndex(({ guide, number: own }) => guide.name === name && own === Math.max(0, Number(number || 1) - 1));
        this.#place.hidden = false;
        document.body.classList.add("guided");
        the("open-guide").setAttribute("aria-pressed", "true");
        this.#go(at < 0 ? this.#at : at, false, withProgram);
        return at >= 0 || wanted === "";
    }

    hide(): void {
        this.#place.hidden = true;
        document.body.classList.remove("guided");
        the("open-guide").setAttribute("aria-pressed", "false");
        the("open-guide").focus();
        nameChapter(undefined);
        this.host.moved();
    }

    #loaded(): Promise<Gallery> {
        // What did not come is asked for once more.
        this.#gallery ??= this.load().catch((why: Error) => {
            this.#gallery = undefined;
            throw why;
        });
        return this.#gallery;
    }

    #fill(guides: Guide[]): void {
        this.#chapters = guides.flatMap((guide) => guide.chapters.map((_, number) => ({ guide, number })));
        this.#select.replaceChildren(...guides.map((guide) => make("optgroup", { label: guide.title }, ...guide.chapters.map(({ title }, number) =>
            make("option", { value: String(this.#chapters.findIndex((one) => one.guide === guide && one.number === number)) }, title)))));
        this.#mark();
    }

    /** Exercises that were solved are marked, in the chapter and in the list of chapters. */
    #mark(): void {
        const solved = new Set(solvedExercises());
        this.#chapters.forEach(({ guide, number }, at) => {
            const { title, html } = guide.chapters[number]!;
            const names = [...html.matchAll(/data-open="([^"]+)" data-exercise/g)].map(([, name]) => name!);
            const isSolved = names.length > 0 && names.every((name) => solved.has(name));
            this.#select.querySelector(`option[value="${at}"]`)!.textContent = `${title}${isSolved ? " ✔" : names.length > 0 ? " (exercise)" : ""}`;
        });
        this.#text.querySelectorAll<HTMLElement>("[data-exercise]").forEach((button) => { button.textContent = solved.has(button.dataset["open"]!) ? "✔ Solved: open it again" : "Try it"; });
    }

    /** All tests of a program have passed; whether it is an exercise, which is marked then. */
    passed(project: Project): boolean {
        if (this.#exercise?.project !== project) return false;
        keepSolved(this.#exercise.name);
        this.#mark();
        return true;
    }

    /** Who goes on to another chapter is done with what they have tried in this one. */
    #go(at: number, isDone: boolean, withProgram = true): void {
        const { guide, number } = this.#chapters[at]!;
        const { title, html } = guide.chapters[number]!;
        this.#at = at;
        this.#select.value = String(at);
        this.#previous.disabled = at === 0;
        this.#next.disabled = at === this.#chapters.length - 1;
        // What stands in it was made of the project's own pages.
        this.#text.innerHTML = html;
        this.#text.prepend(make("h2", {}, title));
        this.#text.setAttribute("aria-label", title);
        this.#text.scrollTop = 0;
        this.#nameWords();
        this.#mark();
        nameChapter(`${guide.name}/${number + 1}`);
        this.host.moved();
        // A chapter has its program beside it, unless there is something of the person's own.
        const { open } = this.#text.querySelector<HTMLElement>("[data-open]:not([data-plays], [data-exercise])")?.dataset ?? {};
        if (open && withProgram && this.host.mayReplace(isDone ? this.#exercise?.project : undefined)) void this.#open(open, false, false);
    }

    /** Names of functions open what is said of them. */
    #nameWords(): void {
        for (const code of this.#text.querySelectorAll(":is(p, li) > code")) {
            const name = /^(\w+)(\(.*)?$/.exec(code.textContent!)?.[1] ?? "";
            if (!this.#words.has(name)) continue;
            const button = make("button", { type: "button", className: "link", "aria-expanded": "false" });
            button.dataset["word"] = name;
            code.replaceWith(button);
            button.append(code);
        }
    }

    /** Says what a word is for below where it stands, or takes that away again. */
    #explain(word: HTMLElement): void {
        const isOpen = word.getAttribute("aria-expanded") === "true";
        const place = word.closest("p, li")!;
        place.querySelectorAll("[aria-expanded=true]").forEach((other) => other.setAttribute("aria-expanded", "false"));
        (place.nextElementSibling?.matches(".doc") ? place.nextElementSibling : place.querySelector(":scope > .doc"))?.remove();
        if (isOpen) return;
        word.setAttribute("aria-expanded", "true");
        const box = described(this.#words.get(word.dataset["word"]!)!);
        if (place.localName === "li") place.append(box);
        else place.after(box);
    }

    async #open(wanted: string, plays: boolean, isAsked: boolean): Promise<void> {
        const [name, query] = wanted.split("?");
        const project = projectOf(await this.#loaded(), name!);
        if (!project) return;
        for (const [key, value] of new URLSearchParams(query)) {
            if (key === "seed") project.seed = Number(value);
            else project.parameters[key] = /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
        }
        this.#exercise = { name: name!, project };
        this.host.open(project, plays, isAsked);
    }
}
