// The files of a project, as tabs; files and folders are dropped onto the page, too.
import { make } from "../page/dom";
import { dropped, isImage } from "./dropped";
import type { Dropped } from "./dropped";
import { iconButton } from "../page/icons";
import type { Project, ProjectFile } from "../worker/protocol";

export interface FilesListener {
    /** There are other files now. */
    changed(): void,
    /** Another file is shown. */
    shown(): void,
    /** A file was made, to be written. */
    made(): void,
    /** Something could not be done. */
    said(text: string): void,
    /** Texts of the project are about to be replaced by files of the same names; whether they were put aside. */
    replaces(): boolean,
}

const MOST_BYTES = 4 << 20;
const MOST_CHARACTERS = 200;
const NEW_FILE = "Add a file to this program";
const RENAME = "Rename";

interface Removed { file: ProjectFile, at: number, wasShown: boolean }

/** Why something is no path of a file: each file shall have one path alone, and a name that can be read. */
function whyNoPath(path: string): string | undefined {
    const parts = path.split("/");
    if (!path) return "Give it a name.";
    if (path.length > MOST_CHARACTERS) return `A name has at most ${MOST_CHARACTERS} characters.`;
    if (path.includes("\\")) return "Folders are written with /, as in parts/walls.nds.";
    if (parts.some((part) => part === "" || part === "." || part === "..")) return "A path goes down into folders only.";
    return parts.at(-1) === ".nds" ? "Give it a name before the .nds." : undefined;
}

export class FileTabs {
    #project: Project = { main: "", files: [], seed: 1, parameters: {} };
    shownPath = "";
    #removed: Removed | undefined;
    readonly #removedWords = make("p", { className: "removed", "aria-live": "polite" });
    readonly #actions = make("div", { className: "file-actions" });

    constructor(readonly place: HTMLElement, dropPlace: HTMLElement, readonly listener: FilesListener) {
        place.after(this.#actions, this.#removedWords);
        const brings = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
        const show = (isOver: boolean) => dropPlace.classList.toggle("dropping", isOver);
        dropPlace.addEventListener("dragover", (event) => {
            if (!brings(event)) return;
            event.preventDefault();
            show(true);
        });
        dropPlace.addEventListener("dragleave", (event) => event.relatedTarget === null && show(false));
        // Before the editor hears of it, which would write the text of a file where it was dropped.
        dropPlace.addEventListener("drop", (event) => {
            show(false);
            if (!brings(event)) return;
            event.preventDefault();
            event.stopPropagation();
            void dropped(event.dataTransfer!).then((files) => this.#add(files));
        }, true);
    }

    show(project: Project): void {
        this.#project = project;
        this.shownPath = project.main;
        this.#removed = undefined;
        this.#draw();
    }

    #focusTab(): void {
        this.place.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    }

    #focusAction(text: string): void {
        [...this.#actions.querySelectorAll("button")].find((button) => (button.getAttribute("aria-label") ?? button.textContent) === text)?.focus();
    }

    select(path: string): void {
        if (path === this.shownPath || !this.#project.files.some((file) => file.path === path && "text" in file)) return;
        this.shownPath = path;
        this.#draw();
        this.listener.shown();
    }

    #draw(): void {
        const { main } = this.#project;
        const texts = this.#project.files.filter((file) => "text" in file);
        const tabs = texts.map(({ path }) => {
            const isShown = path === this.shownPath;
            const runs = path === main && texts.length > 1;
            return make("button", {
                type: "button", role: "tab", "aria-selected": isShown, "aria-controls": "editor", tabIndex: isShown ? 0 : -1, title: runs ? "This file runs" : undefined,
                onclick: () => this.select(path), onkeydown: (event: KeyboardEvent) => this.#pressed(event),
            }, runs ? `▶ ${path}` : path);
        });
        this.place.replaceChildren(...tabs);
        this.#drawActions();
        this.#drawRemoved();
    }

    #drawActions(): void {
        const { main, files } = this.#project;
        const shown = this.shownPath;
        const images = files.filter((file) => "bytes" in file);
        const button = (text: string, work: () => void) => make("button", { type: "button", onclick: work }, text);
        const input = make("input", { type: "file", multiple: true, hidden: true, onchange: () =>
            void this.#add([...input.files ?? []].map((file) => ({ path: file.name, file }))) });
        const ofOthers = shown === main ? [] : [
            shown.endsWith(".nds") ? button(`Run ${shown}`, () => this.#makeMain(shown)) : undefined,
            button(`Remove ${shown}`, () => this.#remove(shown)),
        ];
        this.#actions.replaceChildren(...[
            iconButton("filePlus", NEW_FILE, () => this.#askName(NEW_FILE, "Name of the new file", this.#freeName(), (path) => this.#addText(path))),
            iconButton("pencil", RENAME, () => this.#askName(RENAME, `New name of ${shown}`, shown, (path) => this.#rename(shown, path))),
            iconButton("upload", "Add files", () => input.click()), input, ...ofOthers,
            images.length === 0 ? undefined : make("details", {},
                make("summary", {}, images.length === 1 ? "1 image" : `${images.length} images`),
                make("ul", {}, ...images.map(({ path }) => make("li", {}, path, " ",
                    make("button", { type: "button", "aria-label": `Remove ${path}`, onclick: () => this.#remove(path) }, "×"))))),
        ].filter((part) => part !== undefined));
    }

    /** A field in place of the buttons, until it is answered or left with Escape. */
    #askName(asker: string, label: string, name: string, done: (path: string) => void): void {
        const field = make("input", { type: "text", id: "file-name", value: name, autocomplete: "off" });
        const problem = make("span", { role: "alert", className: "problem" });
        const close = () => {
            this.#drawActions();
            this.#focusAction(asker);
        };
        const form = make("form", {
            className: "naming",
            onsubmit: (event: Event) => {
                event.preventDefault();
                const path = field.value.trim();
                const why = this.#whyNot(path, name);
                if (why) return problem.replaceChildren(why);
                close();
                done(path);
            },
            onkeydown: (event: KeyboardEvent) => event.key === "Escape" && close(),
        }, make("label", { for: "file-name" }, label), field, make("button", { type: "submit" }, "OK"), make("button", { type: "button", onclick: close }, "Cancel"), problem);
        this.#actions.replaceChildren(form);
        field.focus();
        field.setSelectionRange(0, name.lastIndexOf(".") > 0 ? name.lastIndexOf(".") : name.length);
    }

    /** Why a file cannot be called so. */
    #whyNot(path: string, own: string): string | undefined {
        if (path === own) return undefined;
        return this.#isTaken(path) ? `There is a ${path} already.` : whyNoPath(path);
    }

    #isTaken(path: string): boolean {
        return this.#project.files.some((file) => file.path === path);
    }

    #freeName(): string {
        let number = 1;
        while (this.#isTaken(`part${number}.nds`)) number++;
        return `part${number}.nds`;
    }

    #pressed(event: KeyboardEvent): void {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step === undefined) return;
        const paths = this.#project.files.filter((file) => "text" in file).map((file) => file.path);
        const next = paths[(paths.indexOf(this.shownPath) + step + paths.length) % paths.length]!;
        this.select(next);
        this.#focusTab();
    }

    #addText(path: string): void {
        this.#put({ path, text: "" });
        this.select(path);
        this.listener.changed();
        this.listener.made();
    }

    #rename(from: string, to: string): void {
        const file = this.#project.files.find((file) => file.path === from);
        if (!file || from === to) return;
        file.path = to;
        if (this.#project.main === from) this.#project.main = to;
        if (this.shownPath === from) this.shownPath = to;
        this.#draw();
        this.#focusAction(RENAME);
        this.listener.changed();
    }

    #makeMain(path: string): void {
        this.#project.main = path;
        this.#draw();
        this.#focusTab();
        this.listener.changed();
    }

    async #add(files: Dropped[]): Promise<void> {
        const left: string[] = [];
        const replaced: string[] = [];
        let isPutAside = false;
        for (const { path, file } of files) {
            const bytes = file.size > MOST_BYTES ? undefined : new Uint8Array(await file.arrayBuffer());
            if (!bytes) left.push(`${path} is larger than 4 MiB`);
            else if (isImage(bytes)) this.#put({ path, bytes });
            else if (bytes.includes(0)) left.push(`${path} is neither a text nor a PNG image`);
            else {
                const text = new TextDecoder().decode(bytes);
                const before = this.#project.files.find((other) => other.path === path);
                if (before && "text" in before && before.text !== text && replaced.push(path) === 1) isPutAside = this.listener.replaces();
                this.#put({ path, text });
            }
        }
        this.#draw();
        this.listener.changed();
        const count = files.length - left.length - replaced.length;
        const added = count === 0 ? "" : `Added ${count === 1 ? "a file" : `${count} files`}. `;
        const where = isPutAside ? "; what was there is in My programs, in the menu File" : "";
        const instead = replaced.length === 0 ? "" : `Replaced ${replaced.slice(0, 3).join(", ")}${replaced.length > 3 ? ", ..." : ""}${where}. `;
        this.listener.said(added + instead + (left.length === 0 ? "" : `Left out: ${left.slice(0, 3).join("; ")}${left.length > 3 ? "; ..." : ""}.`));
    }

    #put(file: ProjectFile): void {
        this.#project.files = [...this.#project.files.filter((other) => other.path !== file.path), file];
    }

    #remove(path: string): void {
        const { files, main } = this.#project;
        const at = files.findIndex((file) => file.path === path);
        if (path === main || at < 0) return;
        this.#removed = { file: files[at]!, at, wasShown: path === this.shownPath };
        this.#project.files = files.filter((file) => file.path !== path);
        if (path === this.shownPath) this.shownPath = main;
        this.#draw();
        this.#focusTab();
        this.listener.changed();
    }

    /** What was removed last can be had back, as long as nothing else has its name. */
    #drawRemoved(): void {
        if (this.#removed && this.#isTaken(this.#removed.file.path)) this.#removed = undefined;
        if (!this.#removed) return this.#removedWords.replaceChildren();
        const { path } = this.#removed.file;
        this.#removedWords.replaceChildren(`Removed ${path}. `, make("button", { type: "button", onclick: () => this.#bringBack() }, `Bring ${path} back`));
    }

    #bringBack(): void {
        if (!this.#removed) return;
        const { file, at, wasShown } = this.#removed;
        const { files } = this.#project;
        this.#project.files = [...files.slice(0, at), file, ...files.slice(at)];
        if (wasShown) this.shownPath = file.path;
        this.#draw();
        this.#focusTab();
        this.listener.changed();
    }
}
