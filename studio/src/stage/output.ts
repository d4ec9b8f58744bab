// What a program has printed: the latest picture as large as fits, and beside it everything in order, with pictures as small ones.
import { CellPointer } from "./cell-pointer";
import { download, isNarrow, make } from "../page/dom";
import { fit, sizeOf } from "./fitting";
import { onHold } from "./holding";
import { isSame } from "./pieces";
import type { Drawn, Piece } from "../worker/protocol";
import { coded, plain } from "../page/wording";

/** Longer texts are shown in part, and saved whole. */
const MOST_CHARACTERS = 100_000;
/** A picture of more pixels has a frame alone among the small ones. */
const LARGEST_THUMB = 1 << 20;
/** Text with longer lines stands below the picture rather than beside it, unless these are words, which wrap. */
const LINE_BESIDE = 44;
const PROSE = /^\S[^ ]*( [^ ]+)*?( \p{L}{3,}){2}/u;
const PROSE_LOOKED_AT = 200;

/** What is marked is marked for so long, in milliseconds. */
const MARK_MILLISECONDS = 2500;

/** Who hears what a person does with the output. */
export interface OutputListener {
    click(x: number, y: number, button: string): void,
    goTo(answer: number): void,
}

interface Shown { thumb: HTMLElement | undefined, frame: HTMLElement, image: HTMLImageElement, drawn: Drawn | undefined }

export class OutputView {
    #addresses: string[] = [];
    /** The picture that stands large: the latest one, unless a person has chosen another. */
    #shown: Shown | undefined;
    readonly #pointer: CellPointer;
    readonly #log: HTMLElement;
    readonly #big: HTMLElement;
    #hearsClicks = false;
    #isGame = false;
    #isPuzzle = false;
    /** What was printed at once has one number. */
    #part = 0;
    #isSought = false;
    /** What was printed, with what shows it. */
    #printed: { element: HTMLElement, piece: Piece }[] = [];

    constructor(readonly place: HTMLElement, readonly listener: OutputListener) {
        this.#log = place.querySelector<HTMLElement>(".log") ?? make("div", { className: "log" });
        this.#big = place.querySelector<HTMLElement>(".big") ?? make("div", { className: "big" });
        place.append(this.#log, this.#big);
        this.#log.tabIndex = 0;
        this.#pointer = new CellPointer((x, y, button) => this.listener.click(x, y, button));
        for (const gesture of ["pointerdown", "wheel", "touchmove", "keydown"]) addEventListener(gesture, () => this.#isSought && this.#seek(false), { capture: true, passive: true });
        onHold(this.#big, (event) => this.#shown?.drawn && this.#clicked(event, this.#shown.image, this.#shown.drawn, "right"));
        new ResizeObserver(() => this.#fit()).observe(this.#big);
        this.#arrange();
    }

    get pictures(): readonly Drawn[] {
        return this.#printed.flatMap(({ piece }) => typeof piece === "object" && "png" in piece ? [piece] : []);
    }

    /** The picture that is shown where nobody has chosen another. */
    get usualPicture(): Drawn | undefined {
        return this.#usual?.piece as Drawn | undefined;
    }

    /** What was printed last, without pictures. */
    get latestText(): string {
        return this.#printed.map(({ element, piece }) => typeof piece === "string" && element.dataset["part"] === String(this.#part) ? piece : "").join("");
    }

    /** Marks cells of the picture that is shown, for a moment. */
    mark(cells: readonly number[]): void {
        if (!this.#shown?.drawn || !this.#isLatestShown()) return;
        const { columns, rows } = this.#shown.drawn;
        const marks = cells.map((at) => {
            const mark = make("span");
            Object.assign(mark.style, { gridColumn: String(at % columns + 1), gridRow: String(Math.floor(at / columns) + 1) });
            return mark;
        });
        const element = make("div", { className: "changes", "aria-hidden": "true" }, ...marks);
        element.style.gridTemplate = `repeat(${rows}, 1fr) / repeat(${columns}, 1fr)`;
        this.#shown.frame.append(element);
        setTimeout(() => element.remove(), MARK_MILLISECONDS);
    }

    get text(): string {
        return this.#printed.map(({ piece }) => typeof piece === "string" ? piece : "").join("");
    }

    /** Whether there is something to be read. */
    get hasText(): boolean {
        return [...this.#log.children].some((child) => !child.classList.contains("thumb") && child.textContent!.trim() !== "");
    }

    /** What is played on the picture: it stays where it is and as large as it is, whatever is said beside it. */
    set isGame(isGame: boolean) {
        this.#isGame = isGame;
        this.place.classList.toggle("game", isGame);
        this.#arrange();
    }

    /** A puzzle is printed first, and then its solution: the first picture is shown. */
    set isPuzzle(isPuzzle: boolean) {
        this.#isPuzzle = isPuzzle;
        this.place.classList.toggle("riddle", isPuzzle);
    }

    clear(): void {
        this.isGame = false;
        this.#addresses.splice(0).forEach((address) => URL.revokeObjectURL(address));
        this.hearClicks(false);
        this.#printed = [];
        this.#show(undefined);
        this.#log.replaceChildren();
        this.#arrange();
    }

    /** Shows a picture that nothing of this page has drawn yet. */
    foreshow(frame: HTMLElement): void {
        this.clear();
        this.#show({ thumb: undefined, frame, image: frame.querySelector("img")!, drawn: undefined });
        this.#arrange();
    }

    /** What is there is of an earlier run: its picture stays, pale, until there is another, and the rest goes. */
    dim(): void {
        const shown = this.#shown;
        this.clear();
        if (!shown) return;
        shown.frame.classList.add("stale");
        this.#show({ ...shown, thumb: undefined, drawn: undefined });
        this.#arrange();
    }

    /** Whether anything of a run is there. */
    get isEmpty(): boolean {
        return this.#printed.length === 0;
    }

    /** Adds what was printed behind so many answers. */
    add(pieces: Piece[], answers: number, className = ""): void {
        if (pieces.length > 0) this.#drop(".again");
        const isAtEnd = this.#log.scrollTop + this.#log.clientHeight >= this.#log.scrollHeight - 8;
        if (pieces.length > 0) this.#part++;
        for (const piece of pieces) {
            const element = this.#made(piece);
            element.dataset["part"] = String(this.#part);
            this.#printed.push({ element, piece });
            this.#add(element, answers, className);
        }
        this.#showLatestPicture();
        this.#arrange();
        this.#placePointer();
        // The newest of the small pictures is in sight; a text is read from its beginning.
        if (isAtEnd && this.pictures.length > 0) this.showLatest();
    }

    /** Shows what was printed up to a moment. Who plays sees many moments at which nothing was: then all stays as it is. */
    showOnly(pieces: Piece[]): void {
        if (isSame(this.#printed.map(({ piece }) => piece), pieces)) return;
        this.clear();
        this.add(pieces, 0);
    }

    /** Whether it is said why nothing came of a search. */
    get isExplained(): boolean {
        return this.#log.querySelector(".explained") !== null;
    }

    /** Says why nothing came of a search: a title, and what is made for it. It goes with the last of so many answers. */
    explain(title: string, answers: number, ...parts: HTMLElement[]): void {
        // The picture of an earlier run has nothing to do with it.
        if (this.#shown && !this.#shown.drawn) this.#show(undefined);
        this.#add(make("section", { className: "explained", "aria-label": title }, make("h3", {}, title), ...parts), answers, "");
        this.#arrange();
    }

    /** What a person has answered, with the way back to the question. */
    answer(text: string, number: number): void {
        const label = `Go back to answer ${number + 1}: ${text}`;
        const back = make("button", { type: "button", className: "back quiet", "aria-label": label, title: label, onclick: () => this.listener.goTo(number) }, "↩");
        this.#add(make("p", { className: "answer" }, back, ` ${text}`), number + 1, "");
        this.#arrange();
    }

    /** Takes away what came behind the question after so many answers. What came with it stays until it comes once more. */
    rewind(answers: number): void {
        for (const child of [...this.#log.children] as HTMLElement[]) {
            const own = Number(child.dataset["answers"]);
            if (own > answers) child.remove();
            else if (own === answers && !child.classList.contains("answer")) child.classList.add("again");
        }
        this.#forgetRemoved();
    }

    /** Who runs a program on a phone looks at what comes of it, on all of the stage, which may stand elsewhere. */
    bringIntoSight(): void {
        this.#seek(true);
        this.stayInSight();
    }

    /** As long as it is sought, the browser does not keep what stands below it where it is. */
    #seek(isSought: boolean): void {
        this.#isSought = isSought;
        document.documentElement.style.overflowAnchor = isSought ? "none" : "";
    }

    /** What comes above it must not push it away again, unless the person has gone elsewhere. */
    stayInSight(): void {
        if (this.#isSought && isNarrow()) this.place.parentElement!.scrollIntoView({ block: "nearest" });
    }

    /** Brings what was printed last into sight. */
    showLatest(): void {
        this.#log.scrollTop = this.#log.scrollHeight;
        this.#log.scrollLeft = this.#log.scrollWidth;
    }

    /** Whether a click on the latest picture means something; then the keyboard gets there, too. */
    hearClicks(isHeard: boolean): void {
        this.#hearsClicks = isHeard;
        if (isHeard) this.#showLatestPicture();
        this.#placePointer();
    }

    /** Lets the keyboard choose a cell of the latest picture. */
    focusPointer(): void {
        this.#showLatestPicture();
        this.#placePointer();
        this.#shown?.image.scrollIntoView({ block: "nearest" });
        this.#pointer.focus();
    }

    #placePointer(): void {
        const { columns, rows } = this.#shown?.drawn ?? { columns: 0, rows: 0 };
        if (this.#shown && this.#isLatestShown() && this.#hearsClicks && columns > 0 && rows > 0) this.#pointer.moveTo(this.#shown.frame, columns, rows);
        else this.#pointer.remove();
    }

    /** What goes on has not come to what was said of it. */
    dropUnfinished(): void {
        this.#drop(".unfinished, .explained");
    }

    #drop(which: string): void {
        this.#log.querySelectorAll(which).forEach((element) => element.remove());
        this.#forgetRemoved();
    }

    #forgetRemoved(): void {
        this.#printed = this.#printed.filter(({ element }) => element.isConnected);
        if (this.#shown?.thumb && !this.#shown.thumb.isConnected) this.#showLatestPicture();
        this.#arrange();
    }

    #add(element: HTMLElement, answers: number, className: string): void {
        element.dataset["answers"] = String(answers);
        if (className) element.classList.add(className);
        this.#log.append(element);
    }

    #made(piece: Piece): HTMLElement {
        if (typeof piece === "string") return this.#madeText(piece);
        if ("problem" in piece) return make("p", { className: "problem" }, ...coded(plain(piece.problem)));
        const address = URL.createObjectURL(new Blob([piece.png], { type: "image/png" }));
        this.#addresses.push(address);
        const [width, height] = sizeOf(piece.png);
        // A browser would unfold each of hundreds of large ones, to show it small.
        const small = width * height > LARGEST_THUMB ? make("span", { className: "large", "aria-hidden": "true" }) : make("img", { src: address, alt: "", draggable: false, loading: "lazy" });
        const thumb = make("button", {
            type: "button", className: "thumb", "aria-label": `Show picture: ${piece.inWords}`, onclick: () => this.#showLarge(thumb, piece, address),
        }, small);
        thumb.dataset["address"] = address;
        return thumb;
    }

    /** The picture that is shown unless a person chooses another: the latest, or of a puzzle the first. */
    get #usual(): { element: HTMLElement, piece: Piece } | undefined {
        const pictures = this.#printed.filter(({ piece }) => typeof piece === "object" && "png" in piece);
        return this.#isPuzzle ? pictures.filter(({ element }) => element.dataset["part"] === String(this.#part))[0] : pictures.at(-1);
    }

    #isLatestShown(): boolean {
        return this.#shown?.drawn !== undefined && this.#shown.drawn === this.#usual?.piece;
    }

    #showLatestPicture(): void {
        const latest = this.#usual;
        if (!latest) return this.#shown?.drawn ? this.#show(undefined) : undefined;
        if (!this.#isLatestShown()) this.#showLarge(latest.element, latest.piece as Drawn, latest.element.dataset["address"]!);
    }

    #showLarge(thumb: HTMLElement, drawn: Drawn, address: string): void {
        const image = make("img", { src: address, alt: `Picture: ${drawn.inWords}`, draggable: false });
        const click = (event: MouseEvent) => this.#clicked(event, image, drawn);
        for (const gesture of ["click", "auxclick", "contextmenu"] as const) image.addEventListener(gesture, click);
        // Its place is there before it is decoded, so that nothing jumps.
        const [width, height] = sizeOf(drawn.png);
        [image.width, image.height] = [width, height];
        this.#show({ thumb, frame: make("div", { className: "picture" }, image), image, drawn });
        this.#placePointer();
    }

    #show(shown: Shown | undefined): void {
        this.#shown?.thumb?.removeAttribute("aria-current");
        this.#shown = shown;
        shown?.thumb?.setAttribute("aria-current", "true");
        // Who plays by keyboard stays at the picture, whichever it is.
        const wasAtPicture = this.#pointer.isFocused;
        this.#big.replaceChildren(...shown ? [shown.frame] : []);
        if (wasAtPicture) {
            this.#placePointer();
            this.#pointer.focus();
        }
        this.#fit();
    }

    #fit(): void {
        if (this.#shown) fit(this.#shown.image, this.#big);
    }

    /** Where picture and text stand: beside one another, or one alone. */
    #arrange(): void {
        const pictures = this.pictures.length + (this.#shown && !this.#shown.drawn ? 1 : 0);
        const texts = ([...this.#log.children] as HTMLElement[]).filter((child) => !child.classList.contains("thumb"));
        const longest = texts.reduce((most, child) => Math.max(most, child.localName === "pre" ? longestLine(child.textContent!) : 0), 0);
        const shape = this.#isGame && pictures > 0 ? "beside" : texts.length === 0 ? (pictures === 0 ? "empty" : pictures === 1 ? "picture" : "strip")
            : pictures === 0 ? "text" : longest > LINE_BESIDE ? "below" : "beside";
        this.place.dataset["shape"] = shape;
        this.place.classList.toggle("one-picture", pictures === 1);
        this.#log.hidden = shape === "picture" || shape === "empty";
        this.#big.hidden = pictures === 0;
        this.#fit();
    }

    #madeText(text: string): HTMLElement {
        if (text.length <= MOST_CHARACTERS) return make("pre", {}, text);
        const save = () => download("output.txt", [text], "text/plain");
        const left = (text.length - MOST_CHARACTERS).toLocaleString("en");
        const button = make("button", { type: "button", onclick: save }, `Save the whole text (${left} characters more)`);
        return make("div", {}, make("pre", {}, text.slice(0, MOST_CHARACTERS), "..."), button);
    }

    #clicked(event: MouseEvent, image: HTMLImageElement, { columns, rows }: Drawn, held?: "right"): void {
        if (!this.#isLatestShown()) return;
        const box = image.getBoundingClientRect();
        const x = Math.floor((event.clientX - box.left) / box.width * columns);
        const y = Math.floor((event.clientY - box.top) / box.height * rows);
        if (event.type === "contextmenu") event.preventDefault();
        const button = held || event.type === "contextmenu" ? "right" : event.button === 1 ? "middle" : "left";
        if (event.type === "auxclick" && event.button !== 1) return;
        if (x >= 0 && y >= 0 && x < columns && y < rows) this.listener.click(x, y, button);
    }
}

function longestLine(text: string): number {
    let [longest, start] = [0, 0];
    for (let end = text.indexOf("\n"); ; end = text.indexOf("\n", start)) {
        const length = (end < 0 ? text.length : end) - start;
        if (length > longest && !(length > LINE_BESIDE && PROSE.test(text.slice(start, start + PROSE_LOOKED_AT)))) longest = length;
        if (end < 0) return longest;
        start = end + 1;
    }
}
