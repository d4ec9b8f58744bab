// What a person saves of a run: pictures, films, maps for another editor, text.
import type { Client } from "../worker/client";
import { download, make, the } from "../page/dom";
import type { OutputView } from "./output";
import type { FilmForm, Project } from "../worker/protocol";
import { saveForTiled } from "./tiled";

/** What the menu asks of the page around it. */
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

/** Pixels on a side of a cell, of a picture and of a film; in the middle a picture has its own size, and a film what is comfortable. */
const SIZES = { small: { cell: 8, ofFilm: 16 }, medium: { cell: 16, ofFilm: undefined }, large: { cell: 32, ofFilm: 48 } } as const;
/** For how many milliseconds each picture of a film stands, and how many there are at most: a film takes some 16, 8 or 4 seconds. */
const SPEEDS = { slow: { milliseconds: 80, most: 200 }, normal: { milliseconds: 80, most: 100 }, fast: { milliseconds: 50, most: 80 } } as const;

export class ExportBar {
    readonly #size = choice(SIZES, "medium", "export-size");
    readonly #speed = choice(SPEEDS, "normal", "export-speed");

    constructor(readonly place: HTMLElement, readonly client: Client, readonly output: OutputView, readonly host: ExportsHost) {}

    hide(): void {
        this.place.hidden = true;
        the("export-menu").hidden = true;
    }

    /** Offers what there is to save now. */
    offer(): void {
        const { pictures, text } = this.output;
        const parts: HTMLElement[] = [
            make("p", { className: "choices" }, make("label", { for: "export-size" }, "Size"), this.#size, make("label", { for: "export-speed" }, "Speed of a film"), this.#speed),
        ];
        const button = (words: string, work: () => void) => parts.push(make("button", { type: "button", onclick: work }, words));
        const latest = pictures.at(-1);
        if (latest) {
            button("Save picture (PNG)", () => void this.#savePicture(latest.png));
            button("Save picture (SVG)", () => void this.#saveDrawing());
            button("Save map for Tiled", () => void this.#saveForTiled());
        }
        button("Save film (GIF)", () => void this.#saveFilm("gif"));
        button("Save film (page)", () => void this.#saveFilm("page"));
        if (text) button("Save text", () => download(`${this.#name}.txt`, [this.output.text], "text/plain"));
        the("export-menu").hidden = false;
        this.place.replaceChildren(...parts);
    }

    get #name(): string {
        return this.host.project().main.split("/").at(-1)!.replace(/\.nds$/, "");
    }

    get #sizes(): typeof SIZES[keyof typeof SIZES] {
        return SIZES[this.#size.value as keyof typeof SIZES];
    }

    async #savePicture(asItIs: Uint8Array<ArrayBuffer>): Promise<void> {
        const other = this.#size.value === "medium" ? undefined : await this.client.request("png", { tileSize: this.#sizes.cell }).catch((why: Error) => this.host.sayProblem(why));
        download(`${this.#name}.png`, [other ?? asItIs], "image/png");
    }

    async #saveDrawing(): Promise<void> {
        const svg = await this.client.request("svg", {}).catch((why: Error) => this.host.sayProblem(why));
        if (svg) download(`${this.#name}.svg`, [svg], "image/svg+xml");
    }

    async #saveForTiled(): Promise<void> {
        try {
            const problem = await saveForTiled(this.client, this.#name, this.output.pictures.at(-1)?.columns ?? 0);
            this.host.say(problem ?? `Saved ${this.#name}.tmj and the image of its tiles: keep both in one folder, and open the first with Tiled.`);
        } catch (why) {
            this.host.sayProblem(why);
        }
    }

    async #saveFilm(form: FilmForm): Promise<void> {
        const name = `${this.#name}.${FILMS[form].end}`;
        this.host.say("Filming...");
        const stop = make("button", { type: "button", onclick: () => void this.client.order({ order: "stopFilm" }) }, "Stop filming");
        the("standing").after(stop);
        try {
            const wish = { form, grid: this.host.grid(), cell: this.#sizes.ofFilm, ...SPEEDS[this.#speed.value as keyof typeof SPEEDS] };
            const bytes = await this.client.request("film", { project: this.host.project(), wish });
            if (!bytes) return this.host.say("The film was stopped.");
            download(name, [bytes], FILMS[form].type);
            this.host.say(`Saved the film as ${name}, ${Math.ceil(bytes.length / 1000).toLocaleString("en")} KB.`);
        } catch (why) {
            this.host.sayProblem(why);
        } finally {
            stop.remove();
        }
    }
}

function choice(options: object, usual: string, id: string): HTMLSelectElement {
    return make("select", { id }, ...Object.keys(options).map((name) => make("option", { value: name, selected: name === usual }, name)));
}
