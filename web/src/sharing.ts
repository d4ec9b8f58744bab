// The dialog with the link.
import { the } from "./dom";
import type { Project } from "./protocol";
import { lines, packed } from "./share";

export class SharingDialog {
    readonly #dialog = the<HTMLDialogElement>("sharing");
    readonly #link = the<HTMLInputElement>("link");
    readonly #lock = the<HTMLInputElement>("lock");
    readonly #copied = the("copied");
    #packed = "";

    constructor() {
        this.#lock.addEventListener("input", () => this.#frame());
        the("copy-link").addEventListener("click", () => void this.#copy());
    }

    async show(project: Project): Promise<void> {
        this.#packed = await packed(project);
        this.#link.value = `${address()}#${this.#packed}`;
        this.#lock.value = "";
        this.#frame();
        this.#copied.textContent = "";
        this.#dialog.showModal();
        this.#link.select();
    }

    /** The page as a part of another one, perhaps with lines that cannot be changed. */
    #frame(): void {
        const locked = lines(this.#lock.value).map(([from, to]) => from === to ? from : `${from}-${to}`).join(",");
        const source = `${address()}#embed&${locked && `lock=${locked}&`}${this.#packed}`;
        the<HTMLTextAreaElement>("frame").value = `<iframe src="${source}" width="100%" height="600" title="NDScript"></iframe>`;
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
