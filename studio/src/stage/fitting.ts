// Pictures as large as fits: at whole multiples of their pixels, so that each stays a square, unless that would waste much of the place.

/** A tile of 16 pixels is large enough at this. */
const LARGEST = 8;
/** A whole multiple is taken if it is at least so much of what would fit. */
const ENOUGH = 0.9;
/** Else eighths are: tiles of 8 or 16 pixels then all look alike. */
const PARTS = 8;

/** Width and height of a PNG file, which stand at its beginning. */
export function sizeOf(png: Uint8Array): [width: number, height: number] {
    const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
    return [view.getUint32(16), view.getUint32(20)];
}

/** Makes a picture as large as its place allows. `width` and `height` of the image are its own. */
export function fit(image: HTMLImageElement, place: HTMLElement): void {
    const [width, height] = [Number(image.getAttribute("width")), Number(image.getAttribute("height"))];
    const { clientWidth, clientHeight } = place;
    if (!(width > 0 && height > 0 && clientWidth > 0 && clientHeight > 0)) return;
    const ratio = globalThis.devicePixelRatio || 1;
    const fitting = Math.min(clientWidth * ratio / width, clientHeight * ratio / height, LARGEST * ratio);
    const whole = Math.floor(fitting);
    const isLarger = whole >= 1;
    const scale = !isLarger ? fitting : whole >= fitting * ENOUGH ? whole : Math.floor(fitting * PARTS) / PARTS;
    image.style.width = `${width * scale / ratio}px`;
    image.style.height = `${height * scale / ratio}px`;
    // Made smaller, pixels have to be mixed.
    image.style.imageRendering = isLarger ? "pixelated" : "auto";
}
