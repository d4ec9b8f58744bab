// The dialog with the link.
import { the } from "./dom";
import type { Project } from "./protocol";
import { lines, packed } from "./share";

/** A page from disk has an address that leads nowhere on another device, and tells how folders are named on this one. */
const IS_FROM_DISK = location.protocol === "file:";

export class SharingDialog {
    readonly #dialog = the<HTMLDialogElement>("sharing");
    readonly #link = the<HTMLInputElement>("link");
    readonly #lock = the<HTMLInputElement>("lock");
    readonly #copied = the("copied");
    #packed = "";

    constructor() {
        the("from-disk").hidden = the("frame-words").hidden = !IS_FROM_DISK;
        if (IS_FROM_DISK) {
            the("link-label").textContent = "What goes behind the address of a studio";
            the("copy-link").textContent = "Copy it";
        }
        this.#lock.addEventListener("input", () => this.#frame());
        the("copy-link").addEventListener("click", () => void this.#copy());
    }

    async show(project: Project): Promise<void> {
        this.#packed = await packed(project);
        this.#link.value = `${IS_FROM_DISK ? "" : address()}#${this.#packed}`;
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
        const source = `${place}#embed&${locked && `lock=${locked}&`}${this.#packed}`;
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

/** Where this page is. */
function address(): string {
    return location.href.split("#")[0]!;
}
