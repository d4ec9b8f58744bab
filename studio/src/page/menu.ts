// A button that opens a few others below it. Whatever else is pressed closes them.

export function startMenu(place: HTMLElement): void {
    const opener = place.querySelector<HTMLButtonElement>(":scope > button")!;
    const items = place.querySelector<HTMLElement>(".items")!;
    const show = (isShown: boolean) => {
        items.hidden = !isShown;
        opener.setAttribute("aria-expanded", String(isShown));
    };
    opener.addEventListener("click", () => show(items.hidden));
    items.addEventListener("click", (event) => (event.target as HTMLElement).closest("button:not(.stays)") && show(false));
    place.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || items.hidden) return;
        show(false);
        opener.focus();
    });
    document.addEventListener("pointerdown", (event) => !place.contains(event.target as Node) && show(false));
    place.addEventListener("focusout", (event) => event.relatedTarget && !place.contains(event.relatedTarget as Node) && show(false));
}
