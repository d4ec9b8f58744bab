// What a person saves of a run: pictures, films, maps for another editor, text.
import type { Client } from "../worker/client";
import { download, make, the } from "../page/dom";
import { sizeOf } from "./fitting";
import type { OutputView } from "./output";
import type { Drawn, FilmForm, Project } from "../worker/protocol";
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

/** How large something is beside what is comfortable. */
const SIZES = { small: 1 / 2, medium: 1, large: 2 } as const;
/** A whole has about so many pixels on a side, and a cell at least and at most so many. */
const COMFORTABLE = 560;
const SMALLEST = 4;
const LARGEST = 48;
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
            button("Save picture (PNG)", () => void this.#savePicture(latest));
            button("Save picture (SVG)", () => void this.#saveDrawing());
            button("Save map for Tiled", () => void this.#saveForTiled());
        }
        button("Save film (GIF)", () => void this.#saveFilm("gif"));
        button("Save film (page)", () => void this.#saveFilm("page"));
        if (text) button("Save text", () => this.#save("txt", this.output.text, "text/plain"));
        the("export-menu").hidden = false;
        this.place.replaceChildren(...parts);
    }

    get #name(): string {
        return this.host.project().main.split("/").at(-1)!.replace(/\.nds$/, "");
    }

    get #times(): number {
        return SIZES[this.#size.value as keyof typeof SIZES];
    }

    /** Hands a file to the person, and says so: a browser may do it without a word. */
    #save(end: string, part: BlobPart, type: string): void {
        const name = `${this.#name}.${end}`;
        download(name, [part], type);
        this.host.say(`Saved ${name}.`);
    }

    async #savePicture({ png, columns, rows }: Drawn): Promise<void> {
        const own = sizeOf(png)[0] / columns;
        const tileSize = crisp(Math.max(own, comfortable(columns, rows)) * this.#times);
        const isOther = columns > 0 && rows > 0 && tileSize !== own;
        const other = isOther ? await this.client.request("png", { tileSize }).catch((why: Error) => this.host.sayProblem(why)) : undefined;
        this.#save("png", other ?? png, "image/png");
    }

    /** Pixels on a side of a cell of a film; nothing if it is to choose what is comfortable. */
    get #cellOfFilm(): number | undefined {
        const { columns, rows } = this.output.pictures.at(-1) ?? { columns: 0, rows: 0 };
        return this.#times === 1 ? undefined : crisp(comfortable(columns, rows) * this.#times);
    }

    async #saveDrawing(): Promise<void> {
        const svg = await this.client.request("svg", {}).catch((why: Error) => this.host.sayProblem(why));
        if (svg) this.#save("svg", svg, "image/svg+xml");
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
            const wish = { form, grid: this.host.grid(), cell: this.#cellOfFilm, ...SPEEDS[this.#speed.value as keyof typeof SPEEDS] };
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

/** Pixels on a side of a cell, so that the whole is about as large as on the screen: as films have it. */
function comfortable(columns: number, rows: number): number {
    return crisp(Math.max(SMALLEST, Math.min(LARGEST, Math.floor(COMFORTABLE / Math.max(columns, rows, 1)))));
}

/** Tiles are drawn for sixteen pixels. */
function crisp(cell: number): number {
    return cell < 16 ? Math.max(SMALLEST, Math.round(cell)) : Math.floor(cell) - Math.floor(cell) % 16;
}

function choice(options: object, usual: string, id: string): HTMLSelectElement {
    return make("select", { id }, ...Object.keys(options).map((name) => make("option", { value: name, selected: name === usual }, name)));
}
