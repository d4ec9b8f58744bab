// Elements of the page.

type Children = (Node | string | undefined)[];

/** Makes an element. Properties are set, those with a hyphen and `role` as attributes. */
export function make<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    properties: Record<string, unknown> = {},
    ...children: Children
): HTMLElementTagNameMap[Name] {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
        if (value === undefined) continue;
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value as EventListener);
        else if (key.includes("-") || key === "role" || key === "for" || key === "list") element.setAttribute(key, String(value));
        else (element as unknown as Record<string, unknown>)[key] = value;
    }
    element.append(...children.filter((child) => child !== undefined));
    return element;
}

/** An element that the page has from the beginning. */
export function the<T extends HTMLElement = HTMLElement>(id: string): T {
    const element = document.getElementById(id);
    if (!element) throw new Error(`the page has no #${id}`);
    return element as T;
}

/** Hands a file to the person. */
export function download(name: string, parts: BlobPart[], type: string): void {
    const address = URL.createObjectURL(new Blob(parts, { type }));
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** So many of something. */
export function count(number: number, what: string): string {
    return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}

/** Where there is little room, as on a phone, parts of the page stand one below the other. */
export const isNarrow = () => matchMedia("(max-width: 50rem)").matches;

let isPressed = false;
const waiting: (() => void)[] = [];
const press = () => { isPressed = true; };
const release = () => {
    isPressed = false;
    // The click comes first.
    setTimeout(() => waiting.splice(0).forEach((work) => work()));
};
addEventListener("pointerdown", press, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, true);

/** Does something as soon as no button of the mouse is held: what moves away under it would not hear the click. */
export function whenReleased(work: () => void): void {
    if (isPressed) waiting.push(work);
    else work();
}
