// The dialog with the link.
import { the } from "./dom";
import type { Project } from "./protocol";
import { packed } from "./share";

export class SharingDialog {
    readonly #dialog = the<HTMLDialogElement>("sharing");
    readonly #link = the<HTMLInputElement>("link");
    readonly #copied = the("copied");

    constructor() {
        the("copy-link").addEventListener("click", () => void this.#copy());
    }

    async show(project: Project): Promise<void> {
        const address = location.href.split("#")[0];
        const text = await packed(project);
        this.#link.value = `${address}#${text}`;
        the<HTMLTextAreaElement>("frame").value = `<iframe src="${address}#embed&${text}" width="100%" height="600" title="NDScript"></iframe>`;
        this.#copied.textContent = "";
        this.#dialog.showModal();
        this.#link.select();
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
