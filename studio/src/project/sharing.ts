// The dialog with the link.
import { make, the } from "../page/dom";
import type { Drawn, Project } from "../worker/protocol";
import { nameIn, programOf, projectOf } from "../writing/gallery";
import type { Known } from "./known";
import { lines, named, packed, packedPicture } from "./share";
import { loadGallery } from "#start";

/** A page from disk has an address that leads nowhere on another device, and tells how folders are named on this one. */
const IS_FROM_DISK = location.protocol === "file:";

export class SharingDialog {
    readonly #dialog = the<HTMLDialogElement>("sharing");
    readonly #link = the<HTMLInputElement>("link");
    readonly #lock = the<HTMLInputElement>("lock");
    readonly #play = the<HTMLInputElement>("as-game");
    readonly #solve = the<HTMLInputElement>("as-puzzle");
    readonly #copied = the("copied");
    readonly #withPicture = the<HTMLInputElement>("with-picture");
    #packed = "";
    #picture = "";
    /** What is known of it beside what the link says. */
    #flags = "";
    #isSolvedByItself = false;

    constructor() {
        the("from-disk").hidden = the("frame-words").hidden = !IS_FROM_DISK;
        if (IS_FROM_DISK) {
            the("link-label").textContent = "What goes behind the address of a studio";
            the("copy-link").textContent = "Copy it";
        }
        this.#lock.addEventListener("input", () => this.#frame());
        this.#withPicture.addEventListener("change", () => this.#frame());
        this.#play.addEventListener("change", () => this.#frame());
        this.#solve.addEventListener("change", () => this.#frame());
        the("copy-link").addEventListener("click", () => void this.#copy());
    }

    /**
     * A small picture of what came of the project goes with the link, if there is one and it makes the link little longer, or if that is wished;
     * but who is to solve a puzzle does not see its solution.
     */
    async show(project: Project, picture: Drawn | undefined, known: Known, isSolvable: boolean): Promise<void> {
        const ours = await this.#inGallery(project);
        this.#packed = ours?.link ?? await packed(project);
        this.#flags = known.isPuzzle && !ours ? "puzzle&" : "";
        this.#isSolvedByItself = ours?.isSolvedHere === true;
        the("link-words").textContent = ours ? "The link names the program of the gallery, with the seed and the parameters if they are yours. Nothing is sent to a server."
            : "The link holds the program, its files, the seed and the parameters. Nothing is sent to a server.";
        this.#solve.checked = known.isSolvedHere === true;
        this.#solve.closest<HTMLElement>("label")!.hidden = !this.#solve.checked && !isSolvable;
        // A program of ours runs where it is opened.
        const bytes = !ours && picture && await small(picture).catch(() => undefined);
        this.#picture = bytes && bytes.length > 0 ? packedPicture(bytes) : "";
        this.#withPicture.checked = this.#picture !== "" && this.#picture.length <= MOST_UNASKED;
        the("picture-length").textContent = `${this.#picture.length.toLocaleString("en")} characters more`;
        this.#lock.value = "";
        this.#frame();
        this.#copied.textContent = "";
        this.#dialog.showModal();
        this.#link.select();
    }

    /** How a link names it if it is a program of the gallery, unchanged. */
    async #inGallery(project: Project): Promise<{ link: string, isSolvedHere?: boolean } | undefined> {
        const gallery = await loadGallery().catch(() => undefined);
        const name = gallery && nameIn(gallery, project);
        return !gallery || name === undefined ? undefined : { link: named(name, project, projectOf(gallery, name)!), isSolvedHere: programOf(gallery, name)!.isSolvedHere };
    }

    /** The page as a part of another one, perhaps with lines that cannot be changed. */
    #frame(): void {
        const [ranges, odd] = lines(this.#lock.value);
        const locked = ranges.map(([from, to]) => from === to ? from : `${from}-${to}`).join(",");
        const place = IS_FROM_DISK ? address().split("/").at(-1)! : address();
        const play = `${this.#play.checked ? "play&" : ""}${this.#solve.checked === this.#isSolvedByItself ? "" : this.#solve.checked ? "solve&" : "solve=no&"}${this.#flags}`;
        this.#withPicture.closest<HTMLElement>("label")!.hidden = this.#picture === "" || this.#solve.checked;
        const packed = this.#packed + (this.#withPicture.checked && !this.#solve.checked ? this.#picture : "");
        this.#link.value = `${IS_FROM_DISK ? "" : address()}#${play}${packed}`;
        the("link-length").textContent = `The link has ${this.#link.value.length.toLocaleString("en")} characters.`;
        const source = `${place}#embed&${play}${locked && `lock=${locked}&`}${packed}`;
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

/** So large is the picture beside a link, in pixels: each cell has as many whole ones as fit, so that what is shown is crisp. */
const PICTURE_SIDE = 48;
/** A picture of so many characters needs no wish: who follows the link sees at once what it is. */
const MOST_UNASKED = 4000;

/** A picture made small. */
async function small({ png, columns, rows }: Drawn): Promise<Uint8Array> {
    const image = await createImageBitmap(new Blob([png], { type: "image/png" }));
    const each = Math.max(1, Math.floor(PICTURE_SIDE / Math.max(columns, rows)));
    const [width, height] = [Math.min(image.width, columns * each), Math.min(image.height, rows * each)];
    if (width * height > 4 * PICTURE_SIDE * PICTURE_SIDE) return new Uint8Array();
    const canvas = make("canvas", { width, height });
    const context = canvas.getContext("2d")!;
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    // Without loss.
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/webp", 1));
    return new Uint8Array(await blob!.arrayBuffer());
}

/** Where this page is. */
function address(): string {
    return location.href.split("#")[0]!;
}
