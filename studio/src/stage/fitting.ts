// Pictures as large as fits, at whole multiples of their pixels, so that each stays a square.

/** A tile of 16 pixels is large enough at this. */
const LARGEST = 8;

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
    const whole = Math.floor(Math.min(clientWidth * ratio / width, clientHeight * ratio / height, LARGEST * ratio));
    const scale = whole >= 1 ? whole / ratio : Math.min(clientWidth / width, clientHeight / height);
    image.style.width = `${width * scale}px`;
    image.style.height = `${height * scale}px`;
    // Made smaller, pixels have to be mixed.
    image.style.imageRendering = whole >= 1 ? "pixelated" : "auto";
}
