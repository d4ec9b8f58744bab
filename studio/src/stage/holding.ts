// A finger that is held on a place. Some phones tell nobody: the time is taken here.

/** How long a finger has to stay, and how far it may stray, in pixels. */
const HOLD_MILLISECONDS = 450;
const MOST_STRAY = 10;

/** Calls `work` when a finger is held in a place; the click or the menu that comes of it is no other wish. What is in the place may be another thing by then. */
export function onHold(place: HTMLElement, work: (event: MouseEvent) => void): void {
    let timer: number | undefined, isHeld = false, from = { x: 0, y: 0 };
    const letGo = () => { clearTimeout(timer); timer = undefined; };
    place.addEventListener("pointerdown", (event) => {
        letGo();
        isHeld = false;
        if (event.pointerType !== "touch" || !event.isPrimary) return;
        from = { x: event.clientX, y: event.clientY };
        timer = window.setTimeout(() => {
            timer = undefined;
            isHeld = true;
            work(event);
        }, HOLD_MILLISECONDS);
    }, true);
    place.addEventListener("pointermove", ({ clientX, clientY }) => {
        if (Math.hypot(clientX - from.x, clientY - from.y) > MOST_STRAY) letGo();
    }, true);
    for (const end of ["pointerup", "pointercancel", "pointerleave"] as const) place.addEventListener(end, letGo, true);
    place.addEventListener("contextmenu", (event) => {
        // A phone that tells it has been sooner, or comes behind.
        if (isHeld) {
            event.preventDefault();
            event.stopImmediatePropagation();
        } else if (timer !== undefined) {
            letGo();
            isHeld = true;
        }
    }, true);
    place.addEventListener("click", (event) => {
        if (!isHeld) return;
        isHeld = false;
        event.preventDefault();
        event.stopImmediatePropagation();
    }, true);
}
