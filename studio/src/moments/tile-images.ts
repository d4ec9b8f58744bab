// The images of tiles, each asked for once.
import type { Client } from "../worker/client";

export class TileImages {
    readonly #addresses = new Map<string, Promise<string | undefined>>();

    constructor(readonly client: Client) {}

    /** The address of a tile's image, if there is such a tile. */
    of(name: string): Promise<string | undefined> {
        let address = this.#addresses.get(name);
        if (!address) {
            const image = this.client.request("tile", { name });
            address = image.then((drawn) => drawn && URL.createObjectURL(new Blob([drawn.png], { type: "image/png" })), () => undefined);
            this.#addresses.set(name, address);
        }
        return address;
    }

    forget(): void {
        this.#addresses.forEach((address) => void address.then((known) => known && URL.revokeObjectURL(known)));
        this.#addresses.clear();
    }
}
