// The images of tiles, each asked for once.
import type { Client } from "../worker/client";

export class TileImages {
    /** One rule for all that show a tile: thousands of cells with an image each would be styled for seconds. */
    readonly #sheet = new CSSStyleSheet();
    readonly #classes = new Map<string, Promise<string | undefined>>();
    readonly #addresses: string[] = [];
    #made = 0;

    constructor(readonly client: Client) {
        document.adoptedStyleSheets.push(this.#sheet);
    }

    /** The class of what shows a tile, if there is such a tile. */
    of(name: string): Promise<string | undefined> {
        let known = this.#classes.get(name);
        if (!known) {
            known = this.#drawn(name).catch(() => undefined);
            this.#classes.set(name, known);
        }
        return known;
    }

    async #drawn(name: string): Promise<string | undefined> {
        const drawn = await this.client.request("tile", { name });
        if (!drawn) return undefined;
        const address = URL.createObjectURL(new Blob([drawn.png], { type: "image/png" }));
        this.#addresses.push(address);
        const style = `tile-${this.#made++}`;
        this.#sheet.insertRule(`.${style} { background-image: url("${address}"); }`);
        return style;
    }

    forget(): void {
        this.#addresses.splice(0).forEach((address) => URL.revokeObjectURL(address));
        this.#sheet.replaceSync("");
        this.#classes.clear();
    }
}
