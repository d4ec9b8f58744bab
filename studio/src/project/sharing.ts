// The dialog with the link.
import { make, the } from "../page/dom";
import type { Project } from "../worker/protocol";
import { lines, packed, packedPicture } from "./share";

/** A page from disk has an address that leads nowhere on another device, and tells how folders are named on this one. */
const IS_FROM_DISK = location.protocol === "file:";

export class SharingDialog {
    readonly #dialog = the<HTMLDialogElement>("sharing");
    readonly #link = the<HTMLInputElement>("link");
    readonly #lock = the<HTMLInputElement>("lock");
    readonly #play = the<HTMLInputElement>("as-game");
    readonly #copied = the("copied");
    #packed = "";

    constructor() {
        the("from-disk").hidden = the("frame-words").hidden = !IS_FROM_DISK;
        if (IS_FROM_DISK) {
            the("link-label").textContent = "What goes behind the address of a studio";
            the("copy-link").textContent = "Copy it";
        }
        this.#lock.addEventListener("input", () => this.#frame());
        this.#play.addEventListener("change", () => this.#frame());
        the("copy-link").addEventListener("click", () => void this.#copy());
    }

    /** A picture of what came of the project goes with the link, if there is one. */
    async show(project: Project, picture: Uint8Array<ArrayBuffer> | undefined): Promise<void> {
        this.#packed = await packed(project) + (picture ? packedPicture(await small(picture).catch(() => new Uint8Array())) : "");
        this.#lock.value = "";
        this.#frame();
        this.#copied.textContent = "";
        this.#dialog.showModal();
        this.#link.select();
    }

    /** The page as a part of another one, perhaps with lines that cannot be changed. */
    #frame(): void {
        const [ranges, odd] = lines(this.#lock.value);
        const locked = ranges.map(([from, to]) => from === to ? from : `${from}-${to}`).join(",");
        const place = IS_FROM_DISK ? address().split("/").at(-1)! : address();
        const play = this.#play.checked ? "play&" : "";
        this.#link.value = `${IS_FROM_DISK ? "" : address()}#${play}${this.#packed}`;
        const source = `${place}#embed&${play}${locked && `lock=${locked}&`}${this.#packed}`;
        the<HTMLTextAreaElement>("frame").value = `<iframe src="${source}" width="100%" height="600" title="NDScript"></iframe>`;
        the("lock-odd").textContent = odd.length > 0 ? `No lines: ${odd.join(", ")}. Lines are written as 1-5, 9.` : "";
    }

    async #copy(): Promise<void> {
        try {
            await navigator.clipboard.writeText(this.#link.value);
            this.#copied.textContent = "Copied.";
        } catch {
            this.#link.select();
            this.#copied.textContent = "The browser does not allow it: press Ctrl-C.";
        }
    }
}

/** So large is the picture beside a link, in pixels. */
const PICTURE_SIDE = 96;

/** A picture made small. */
async function small(png: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const image = await createImageBitmap(new Blob([png], { type: "image/png" }));
    const scale = Math.min(1, PICTURE_SIDE / Math.max(image.width, image.height));
    const canvas = make("canvas", { width: Math.max(1, Math.round(image.width * scale)), height: Math.max(1, Math.round(image.height * scale)) });
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/webp", 0.5));
    return new Uint8Array(await blob!.arrayBuffer());
}

/** Where this page is. */
function address(): string {
    return location.href.split("#")[0]!;
}
