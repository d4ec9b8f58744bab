// What the cells of a picture look like, and which of them look different in another picture.
import type { Drawn } from "../worker/protocol";

/** What each cell looks like, as a text that is the same for those that look alike. What lies nearer to the edge than this part of its size is not looked at. */
export async function looks({ png, columns, rows }: Drawn, edge = 0): Promise<string[]> {
    const image = await createImageBitmap(new Blob([png], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true })!;
    context.drawImage(image, 0, 0);
    const [width, height] = [Math.floor(image.width / columns), Math.floor(image.height / rows)];
    const [left, top] = [Math.floor(width * edge), Math.floor(height * edge)];
    return Array.from({ length: columns * rows }, (_, at) => {
        const { data } = context.getImageData(at % columns * width + left, Math.floor(at / columns) * height + top, Math.max(1, width - 2 * left), Math.max(1, height - 2 * top));
        let hash = 0;
        for (const byte of data) hash = (hash * 31 + byte) | 0;
        return String(hash);
    });
}

/** The cells that look different, by number; nothing where the pictures are of different sizes. */
export async function differing(before: Drawn, now: Drawn): Promise<number[] | undefined> {
    if (before.columns !== now.columns || before.rows !== now.rows || now.columns * now.rows === 0) return undefined;
    const [earlier, later] = await Promise.all([looks(before), looks(now)]);
    return later.flatMap((look, at) => look === earlier[at] ? [] : [at]);
}
