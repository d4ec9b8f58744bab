// What a person saves of a run: pictures, films, text.
import type { Client } from "./client";
import { download, make, the } from "./dom";
import type { OutputView } from "./output";
import type { FilmForm, Project } from "./protocol";

/** What the bar asks of the page around it. */
export interface ExportsHost {
    project(): Project,
    /** The grid that is looked at, if one is. */
    grid(): string | undefined,
    say(text: string): void,
    /** Says what could not be done. */
    sayProblem(why: unknown): void,
}

const FILMS: Record<FilmForm, { end: string, type: string }> = {
    gif: { end: "gif", type: "image/gif" },
    page: { end: "html", type: "text/html" },
};

export class ExportBar {
    constructor(readonly place: HTMLElement, readonly client: Client, readonly output: OutputView, readonly host: ExportsHost) {}

    hide(): void {
        this.place.hidden = true;
        the("export-menu").hidden = true;
    }

    /** Offers what there is to save now. */
    offer(): void {
        const { pictures, text } = this.output;
        const buttons: HTMLElement[] = [];
        const button = (words: string, work: () => void) => buttons.push(make("button", { type: "button", onclick: work }, words));
        const latest = pictures.at(-1);
        if (latest) {
            button("Save picture (PNG)", () => download(`${this.#name}.png`, [latest.png], "image/png"));
            button("Save picture (SVG)", () => void this.#saveDrawing());
        }
        button("Save film (GIF)", () => void this.#saveFilm("gif"));
        button("Save film (page)", () => void this.#saveFilm("page"));
        if (text) button("Save text", () => download(`${this.#name}.txt`, [this.output.text], "text/plain"));
        the("export-menu").hidden = false;
        this.place.replaceChildren(...buttons);
    }

    get #name(): string {
        return this.host.project().main.split("/").at(-1)!.replace(/\.nds$/, "");
    }

    async #saveDrawing(): Promise<void> {
        const svg = await this.client.request("svg", {}).catch((why: Error) => this.host.sayProblem(why));
        if (svg) download(`${this.#name}.svg`, [svg], "image/svg+xml");
    }

    async #saveFilm(form: FilmForm): Promise<void> {
        const name = `${this.#name}.${FILMS[form].end}`;
        this.host.say("Filming...");
        const stop = make("button", { type: "button", onclick: () => void this.client.order({ order: "stopFilm" }) }, "Stop filming");
        the("export-menu").before(stop);
        try {
            const bytes = await this.client.request("film", { project: this.host.project(), form, grid: this.host.grid() });
            if (!bytes) return this.host.say("The film was stopped.");
            download(name, [bytes], FILMS[form].type);
            this.host.say(`Saved the film as ${name}.`);
        } catch (why) {
            this.host.sayProblem(why);
        } finally {
            stop.remove();
        }
    }
}
