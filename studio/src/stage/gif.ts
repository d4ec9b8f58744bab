// One picture more at the end of a film: what was printed, which a film of a grid does not come to by itself.
import { make } from "../page/dom";

/** The last picture stands for so long, in hundredths of a second. */
const LAST = 300;
const MOST_COLORS = 256;
/** No code of the file is longer, in bits. */
const LONGEST_CODE = 12;

/** A GIF film with a picture behind its last one, as large as fits. */
export async function withLast(film: Uint8Array<ArrayBuffer>, png: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    const head = new DataView(film.buffer, film.byteOffset);
    const [width, height] = [head.getUint16(6, true), head.getUint16(8, true)];
    const image = await createImageBitmap(new Blob([png], { type: "image/png" }));
    const scale = Math.min(width / image.width, height / image.height);
    const [across, down] = [Math.floor(image.width * scale), Math.floor(image.height * scale)];
    const context = make("canvas", { width: across, height: down }).getContext("2d")!;
    context.imageSmoothingEnabled = scale < 1;
    context.drawImage(image, 0, 0, across, down);
    const { colors, pixels } = indexed(context.getImageData(0, 0, across, down).data);
    const bits = Math.max(2, Math.ceil(Math.log2(colors.length)));
    const short = (number: number) => [number & 255, number >> 8];
    const table = Array.from({ length: 1 << bits }, (_, at) => colors[at] ?? 0).flatMap((color) => [color >> 16, color >> 8 & 255, color & 255]);
    const frame = [
        0x21, 0xf9, 4, 4, ...short(LAST), 0, 0,
        0x2c, ...short(Math.floor((width - across) / 2)), ...short(0), ...short(across), ...short(down), 0x80 | bits - 1, ...table, bits,
    ];
    // The last byte of a film says that nothing more comes.
    const before = film.subarray(0, film.length - 1);
    return new Uint8Array(await new Blob([before, new Uint8Array(frame), ...blocks(packed(pixels, bits)), new Uint8Array([0, 0x3b])]).arrayBuffer());
}

/** Colors, and which of them each pixel has. Where there are too many, those that are nearly alike become one. */
function indexed(data: Uint8ClampedArray): { colors: number[], pixels: Uint8Array } {
    for (let mask = 0xff; ; mask = mask << 1 & 0xff) {
        const numbers = new Map<number, number>();
        const pixels = new Uint8Array(data.length / 4);
        for (let at = 0; at < pixels.length && numbers.size <= MOST_COLORS; at++) {
            const color = (data[4 * at]! & mask) << 16 | (data[4 * at + 1]! & mask) << 8 | data[4 * at + 2]! & mask;
            if (!numbers.has(color)) numbers.set(color, numbers.size);
            pixels[at] = numbers.get(color)!;
        }
        if (numbers.size <= MOST_COLORS) return { colors: [...numbers.keys()], pixels };
    }
}

/** The pixels as GIF files have them: each code stands for a row of pixels that has come before, and one more. */
function packed(pixels: Uint8Array, bits: number): Uint8Array<ArrayBuffer> {
    const [clear, end] = [1 << bits, (1 << bits) + 1];
    const bytes: number[] = [];
    const known = new Map<number, number>();
    let [next, size, held, count] = [end + 1, bits + 1, 0, 0];
    const put = (code: number) => {
        held |= code << count;
        for (count += size; count >= 8; count -= 8, held >>>= 8) bytes.push(held & 255);
    };
    put(clear);
    let row = pixels[0]!;
    for (let at = 1; at < pixels.length; at++) {
        const longer = row << 8 | pixels[at]!;
        const code = known.get(longer);
        if (code !== undefined) {
            row = code;
            continue;
        }
        put(row);
        row = pixels[at]!;
        if (next === 1 << LONGEST_CODE) {
            put(clear);
            known.clear();
            [next, size] = [end + 1, bits + 1];
        } else {
            if (next >= 1 << size) size++;
            known.set(longer, next++);
        }
    }
    put(row);
    put(end);
    if (count > 0) bytes.push(held & 255);
    return new Uint8Array(bytes);
}

/** Each block has its length before it. */
function blocks(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
    return Array.from({ length: Math.ceil(bytes.length / 255) }, (_, at) => bytes.subarray(at * 255, at * 255 + 255)).flatMap((block) => [new Uint8Array([block.length]), block]);
}
