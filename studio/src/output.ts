// What a program has printed: text and pictures, in order.
import { CellPointer } from "./cell-pointer";
import { download, isNarrow, make } from "./dom";
import type { Drawn, Piece } from "./protocol";
import { plain } from "./wording";

/** Longer texts are shown in part, and saved whole. */
const MOST_CHARACTERS = 100_000;
const COMFORTABLE_WIDTH = 400;

/** Who hears what a person does with the output. */
export interface OutputListener {
    click(x: number, y: number, button: string): void,
    goTo(answer: number): void,
}

/** What was shown and may be shown again. */
export interface Aside {
    children: Element[],
    addresses: string[],
    latest: Latest | undefined,
    printed: { element: HTMLElement, piece: Piece }[],
}

interface Latest { frame: HTMLElement, image: HTMLImageElement, drawn: Drawn }

export class OutputView {
    #addresses: string[] = [];
    #latest: Latest | undefined;
    readonly #pointer: CellPointer;
    #hearsClicks = false;
    #isSought = false;
    /** What was printed, with what shows it. */
    #printed: { element: HTMLElement, piece: Piece }[] = [];

    constructor(readonly place: HTMLElement, readonly listener: OutputListener) {
        this.#pointer = new CellPointer((x, y, button) => this.listener.click(x, y, button));
        for (const gesture of ["pointerdown", "wheel", "touchmove", "keydown"]) addEventListener(gesture, () => { this.#isSought = false; }, { capture: true, passive: true });
    }

    get pictures(): readonly Drawn[] {
        return this.#printed.flatMap(({ piece }) => typeof piece === "object" && "png" in piece ? [piece] : []);
    }

    get text(): string {
        return this.#printed.map(({ piece }) => typeof piece === "string" ? piece : "").join("");
    }

    /** Puts what is shown aside, so that something else can be shown meanwhile. */
    takeAside(): Aside {
        const aside = { children: [...this.place.children], addresses: this.#addresses, latest: this.#latest, printed: this.#printed };
        [this.#addresses, this.#latest, this.#printed] = [[], undefined, []];
        this.clear();
        return aside;
    }

    /** Shows again what was put aside. */
    putBack({ children, addresses, latest, printed }: Aside): void {
        this.clear();
        [this.#addresses, this.#latest, this.#printed] = [addresses, latest, printed];
        this.place.replaceChildren(...children);
    }

    clear(): void {
        this.#addresses.splice(0).forEach((address) => URL.revokeObjectURL(address));
        this.#latest = undefined;
        this.hearClicks(false);
        this.#printed = [];
        this.place.replaceChildren();
    }

    /** Adds what was printed behind so many answers. */
    add(pieces: Piece[], answers: number, className = ""): void {
        if (pieces.length > 0) this.#drop(".again");
        for (const piece of pieces) {
            const element = this.#made(piece);
            this.#printed.push({ element, piece });
            this.#add(element, answers, className);
        }
        this.#placePointer();
    }

    /** Says why nothing came of a search: a title, and what is made for it. It goes with the last of so many answers. */
    explain(title: string, answers: number, ...parts: HTMLElement[]): void {
        this.#add(make("section", { className: "explained", "aria-label": title }, make("h3", {}, title), ...parts), answers, "");
    }

    heading(text: string): void {
        this.#add(make("h3", {}, text), 0, "");
    }

    /** What a person has answered, with the way back to the question. */
    answer(text: string, number: number): void {
        const label = `Go back to answer ${number + 1}: ${text}`;
        const back = make("button", { type: "button", className: "back", "aria-label": label, title: label, onclick: () => this.listener.goTo(number) }, "↩");
        this.#add(make("p", { className: "answer" }, back, ` ${text}`), number + 1, "");
    }

    /** Takes away what came behind the question after so many answers. What came with it stays until it comes once more. */
    rewind(answers: number): void {
        for (const child of [...this.place.children] as HTMLElement[]) {
            const own = Number(child.dataset["answers"]);
            if (own > answers) child.remove();
            else if (own === answers && !child.classList.contains("answer")) child.classList.add("again");
        }
        this.#forgetRemoved();
        if (this.#latest && !this.#latest.frame.isConnected) this.#latest = undefined;
    }

    /** Who runs a program on a phone looks at what comes of it, which stands far below. */
    bringIntoSight(): void {
        this.#isSought = true;
        this.stayInSight();
    }

    /** What comes above it must not push it away again, unless the person has gone elsewhere. */
    stayInSight(): void {
        if (this.#isSought && isNarrow()) this.place.scrollIntoView({ block: "nearest" });
    }

    /** Brings what was printed last into sight. */
    showLatest(): void {
        this.place.scrollTop = this.place.scrollHeight;
    }

    /** Whether a click on the latest picture means something; then the keyboard gets there, too. */
    hearClicks(isHeard: boolean): void {
        this.#hearsClicks = isHeard;
        this.#placePointer();
    }

    /** Lets the keyboard choose a cell of the latest picture. */
    focusPointer(): void {
        this.#latest?.image.scrollIntoView({ block: "nearest" });
        this.#pointer.focus();
    }

    #placePointer(): void {
        const { columns, rows } = this.#latest?.drawn ?? { columns: 0, rows: 0 };
        if (this.#latest && this.#hearsClicks && columns > 0 && rows > 0) this.#pointer.moveTo(this.#latest.frame, columns, rows);
        else this.#pointer.remove();
    }

    dropUnfinished(): void {
        this.#drop(".unfinished");
    }

    #drop(which: string): void {
        this.place.querySelectorAll(which).forEach((element) => element.remove());
        this.#forgetRemoved();
    }

    #forgetRemoved(): void {
        this.#printed = this.#printed.filter(({ element }) => element.isConnected);
    }

    #add(element: HTMLElement, answers: number, className: string): void {
        element.dataset["answers"] = String(answers);
        if (className) element.classList.add(className);
        this.place.append(element);
    }

    #made(piece: Piece): HTMLElement {
        if (typeof piece === "string") return this.#madeText(piece);
        if ("problem" in piece) return make("p", { className: "problem" }, plain(piece.problem));
        const address = URL.createObjectURL(new Blob([piece.png], { type: "image/png" }));
        this.#addresses.push(address);
        const image = make("img", { src: address, alt: `Picture: ${piece.inWords}`, draggable: false });
        // Its place is there before it is decoded, so that nothing jumps.
        const [width, height] = sizeOf(piece.png);
        image.style.width = `${width * comfortable(width)}px`;
        image.style.aspectRatio = `${width} / ${height}`;
        const click = (event: MouseEvent) => this.#clicked(event, image, piece);
        image.addEventListener("click", click);
        image.addEventListener("auxclick", click);
        image.addEventListener("contextmenu", click);
        const frame = make("div", { className: "picture" }, image);
        this.#latest = { frame, image, drawn: piece };
        return frame;
    }

    #madeText(text: string): HTMLElement {
        if (text.length <= MOST_CHARACTERS) return make("pre", {}, text);
        const save = () => download("output.txt", [text], "text/plain");
        const left = (text.length - MOST_CHARACTERS).toLocaleString("en");
        const button = make("button", { type: "button", onclick: save }, `Save the whole text (${left} characters more)`);
        return make("div", {}, make("pre", {}, text.slice(0, MOST_CHARACTERS), "..."), button);
    }

    #clicked(event: MouseEvent, image: HTMLImageElement, { columns, rows }: Drawn): void {
        if (image !== this.#latest?.image) return;
        const box = image.getBoundingClientRect();
        const x = Math.floor((event.clientX - box.left) / box.width * columns);
        const y = Math.floor((event.clientY - box.top) / box.height * rows);
        if (event.type === "contextmenu") event.preventDefault();
        const button = event.type === "contextmenu" ? "right" : event.button === 1 ? "middle" : "left";
        if (event.type === "auxclick" && event.button !== 1) return;
        if (x >= 0 && y >= 0 && x < columns && y < rows) this.listener.click(x, y, button);
    }
}

/** Width and height of a PNG file, which stand at its beginning. */
function sizeOf(png: Uint8Array): [width: number, height: number] {
    const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
    return [view.getUint32(16), view.getUint32(20)];
}

/** Small pictures are shown larger, by a whole factor, so that their pixels stay what they are. */
function comfortable(width: number): number {
    return Math.max(1, Math.min(4, Math.floor(COMFORTABLE_WIDTH / Math.max(width, 1))));
}
