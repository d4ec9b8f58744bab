// The files of a project, as tabs; files are dropped onto the page, too.
import { make } from "./dom";
import type { Project, ProjectFile } from "./protocol";

export interface FilesListener {
    /** There are other files now. */
    changed(): void,
    /** Another file is shown. */
    shown(): void,
}

const MOST_BYTES = 4 << 20;

export class FileTabs {
    #project: Project = { main: "", files: [], seed: 1, parameters: {} };
    shownPath = "";

    constructor(readonly place: HTMLElement, dropPlace: HTMLElement, readonly listener: FilesListener) {
        dropPlace.addEventListener("dragover", (event) => event.preventDefault());
        dropPlace.addEventListener("drop", (event) => {
            if (!event.dataTransfer?.files.length) return;
            event.preventDefault();
            void this.#add([...event.dataTransfer.files]);
        });
    }

    show(project: Project): void {
        this.#project = project;
        this.shownPath = project.main;
        this.#draw();
    }

    select(path: string): void {
        if (path === this.shownPath || !this.#project.files.some((file) => file.path === path && "text" in file)) return;
        this.shownPath = path;
        this.#draw();
        this.listener.shown();
    }

    #draw(): void {
        const texts = this.#project.files.filter((file) => "text" in file);
        const images = this.#project.files.filter((file) => "bytes" in file);
        const tabs = texts.map(({ path }) => {
            const isShown = path === this.shownPath;
            return make("button", {
                type: "button", role: "tab", "aria-selected": isShown, "aria-controls": "editor", tabIndex: isShown ? 0 : -1,
                onclick: () => this.select(path), onkeydown: (event: KeyboardEvent) => this.#pressed(event),
            }, path === this.#project.main && texts.length > 1 ? `▶ ${path}` : path);
        });
        this.place.replaceChildren(...tabs);
        const input = make("input", { type: "file", multiple: true, hidden: true, onchange: () => void this.#add([...(input.files ?? [])]) });
        const more = make("div", { className: "file-actions" },
            make("button", { type: "button", onclick: () => this.#addText() }, "New file"),
            make("button", { type: "button", onclick: () => input.click() }, "Add files"), input,
            this.shownPath === this.#project.main ? undefined
                : make("button", { type: "button", onclick: () => this.#remove(this.shownPath) }, `Remove ${this.shownPath}`),
            images.length === 0 ? undefined : make("details", {},
                make("summary", {}, images.length === 1 ? "1 image" : `${images.length} images`),
                make("ul", {}, ...images.map(({ path }) => make("li", {}, path, " ",
                    make("button", { type: "button", "aria-label": `Remove ${path}`, onclick: () => this.#remove(path) }, "×"))))));
        this.place.parentElement?.querySelector(".file-actions")?.remove();
        this.place.after(more);
    }

    #pressed(event: KeyboardEvent): void {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step === undefined) return;
        const paths = this.#project.files.filter((file) => "text" in file).map((file) => file.path);
        const next = paths[(paths.indexOf(this.shownPath) + step + paths.length) % paths.length]!;
        this.select(next);
        this.place.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    }

    #addText(): void {
        let number = 1;
        const isTaken = (path: string) => this.#project.files.some((file) => file.path === path);
        while (isTaken(`part${number}.nds`)) number++;
        const path = prompt("Name of the file:", `part${number}.nds`)?.trim();
        if (!path || isTaken(path)) return;
        this.#put({ path, text: "" });
        this.select(path);
    }

    async #add(files: File[]): Promise<void> {
        for (const file of files.filter((file) => file.size <= MOST_BYTES)) {
            const bytes = new Uint8Array(await file.arrayBuffer());
            const isImage = file.name.toLowerCase().endsWith(".png");
            this.#put(isImage ? { path: file.name, bytes } : { path: file.name, text: new TextDecoder().decode(bytes) });
        }
        this.#draw();
        this.listener.changed();
    }

    #put(file: ProjectFile): void {
        this.#project.files = [...this.#project.files.filter((other) => other.path !== file.path), file];
    }

    #remove(path: string): void {
        if (path === this.#project.main) return;
        this.#project.files = this.#project.files.filter((file) => file.path !== path);
        if (path === this.shownPath) this.shownPath = this.#project.main;
        this.#draw();
        this.listener.changed();
    }
}
