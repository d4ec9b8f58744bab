// Links that hold a whole project: `#v1=...`, compressed. Links of every earlier version keep working.
import type { LineRange } from "../writing/locked-lines";
import type { Parameters, Project, ProjectFile } from "../worker/protocol";
import type { Known } from "./known";

/** The form of what a link of version 1 holds; never change it, add a version 2. */
interface Packed { m: string, f: { p: string, t?: string, b?: string }[], s: number, q: Parameters }

/** What the fragment of an address asks for. */
export interface Wish {
    project?: Project,
    /** An example of the gallery, and the seed and parameters with which it runs if they are not its own. */
    example?: string,
    seed?: number,
    parameters?: Parameters,
    /** A chapter of a guide, such as `lesson/4`; the page has it beside the program. */
    chapter?: string,
    /** A raw text to be loaded from another place. */
    url?: string,
    /** As a part of another page: editor and output only. */
    isEmbedded: boolean,
    /** To be played: the code is folded away. */
    isPlay: boolean,
    /** What is known of the program where the link was made: that a person is to solve it, or that it prints a puzzle first. */
    known: Known,
    /** What came of the program where the link was made: a small picture, a WebP file. */
    picture?: Uint8Array<ArrayBuffer>,
    /** Lines of the program that cannot be changed, from 1. */
    readOnly: LineRange[],
    /** Why nothing can be made of it, and what of it was passed over: sentences. */
    problem?: string,
    notes: string[],
}

const KNOWN = ["v1", "example", "seed", "parameters", "learn", "url", "embed", "play", "solve", "puzzle", "lock", "picture"];
/** A picture beside a link has at most so many bytes. */
const MOST_PICTURE_BYTES = 20_000;

export function packed(project: Project): Promise<string> {
    return packedText(unpackedText(project));
}

export async function packedText(text: string): Promise<string> {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return `v1=${forAddress(toBase64(bytes))}`;
}

/** What is packed into a link, before it is. */
export function unpackedText(project: Project): string {
    const files = project.files.map((file) => "text" in file ? { p: file.path, t: file.text } : { p: file.path, b: toBase64(file.bytes) });
    const plain: Packed = { m: project.main, f: files, s: project.seed, q: project.parameters };
    return JSON.stringify(plain);
}

/** A link may unfold to so many bytes, and a text have so many. */
export const MOST_BYTES = 16 << 20;

export async function unpacked(text: string): Promise<Project> {
    return projectOf(await plainOf(text));
}

export async function fromUnpackedText(text: string): Promise<Project> {
    return projectOf(JSON.parse(text) as Packed);
}

function projectOf(plain: Packed): Project {
    return checked({
        main: plain.m,
        files: plain.f.map((file) => file.b === undefined ? { path: file.p, text: file.t ?? "" } : { path: file.p, bytes: fromBase64(file.b) }),
        seed: plain.s,
        parameters: plain.q,
    });
}

async function plainOf(text: string): Promise<Packed> {
    try {
        const bytes = fromBase64(ordinary(text));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
        const plain = JSON.parse(await readAtMost(stream, MOST_BYTES)) as Packed;
        if (Array.isArray(plain.f)) return plain;
    } catch (why) {
        if (why instanceof TooLarge) throw why;
    }
    // What a browser says of it is about its own functions.
    throw new Error("what it holds cannot be unpacked; perhaps a part of it is missing");
}

/** A project whose parts are of the right kinds, whoever made it. */
export function checked(project: Project): Project {
    const isFile = (file: ProjectFile) => typeof file.path === "string" && ("text" in file ? typeof file.text === "string" : file.bytes instanceof Uint8Array);
    const isValue = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
    const files = project.files.filter(isFile);
    if (!files.some((file) => file.path === project.main && "text" in file)) throw new Error("there is no program in it");
    const seed = Number.isSafeInteger(project.seed) && project.seed >= 0 ? project.seed : 1;
    const parameters = Object.fromEntries(Object.entries(project.parameters ?? {}).filter(([, value]) => isValue(value)));
    return { main: project.main, files, seed, parameters };
}

/** Whether the fragment of an address asks for something. A link within the page, to the editor, does not. */
export function isWish(fragment: string): boolean {
    return !["", "#", "#editor"].includes(fragment);
}

/** Reads what stands behind the `#` of an address. */
export async function wish(fragment: string): Promise<Wish> {
    const fields = new URLSearchParams(fragment.replace(/^#/, "").replaceAll("+", "%2B"));
    const names = [...fields.keys()];
    const later = names.find((name) => /^v\d+$/.test(name) && name !== "v1");
    const [readOnly, odd] = lines(fields.get("lock") ?? "");
    const unknown = names.filter((name) => !KNOWN.includes(name) && name !== later);
    const wishes: Wish = {
        example: fields.get("example") ?? undefined,
        chapter: fields.get("learn") ?? undefined,
        url: fields.get("url") ?? undefined,
        isEmbedded: fields.has("embed"),
        isPlay: fields.has("play"),
        known: { ...fields.has("solve") ? { isSolvedHere: fields.get("solve") !== "no" } : {}, ...fields.has("puzzle") ? { isPuzzle: true } : {} },
        picture: picture(fields.get("picture")),
        readOnly,
        notes: [
            ...odd.length > 0 ? [`The link locks ${odd.join(", ")}, which are no lines: they are written as lock=1-5,9.`] : [],
            ...unknown.length > 0 && isWish(fragment) ? [`The link asks for ${unknown.join(", ")}, which this studio does not know.`] : [],
        ],
    };
    const packedProject = fields.get("v1");
    const [seed, parameters] = [fields.get("seed"), fields.get("parameters")];
    if (seed !== null && /^\d+$/.test(seed)) wishes.seed = Number(seed);
    else if (seed !== null) wishes.notes.push(`The link has the seed ${seed}, which is no whole number.`);
    try {
        if (parameters !== null) wishes.parameters = JSON.parse(parameters) as Parameters;
    } catch {
        wishes.notes.push("The link has parameters that cannot be read.");
    }
    try {
        if (packedProject !== null) wishes.project = await unpacked(packedProject);
        else if (later) throw new Error(`it is of the form ${later}, which this studio does not know`);
    } catch (why) {
        wishes.problem = `The link is damaged: ${(why as Error).message}. Copy the whole of it once more.`;
    }
    return wishes;
}

/** A program of the gallery as a link names it; of seed and parameters what is not its own. */
export function named(name: string, project: Project, own: Project): string {
    const isOwn = JSON.stringify(project.parameters) === JSON.stringify(own.parameters);
    return `example=${name}${project.seed === own.seed ? "" : `&seed=${project.seed}`}${isOwn ? "" : `&parameters=${encodeURIComponent(JSON.stringify(project.parameters))}`}`;
}

/** A picture out of a link; whatever is none is no loss. */
function picture(packed: string | null): Uint8Array<ArrayBuffer> | undefined {
    if (!packed || packed.length > MOST_PICTURE_BYTES * 4 / 3) return undefined;
    try {
        return fromBase64(ordinary(packed));
    } catch {
        return undefined;
    }
}

/** A picture as it stands in a link; nothing of one that is too large. */
export function packedPicture(bytes: Uint8Array): string {
    return bytes.length > MOST_PICTURE_BYTES ? "" : `&picture=${forAddress(toBase64(bytes))}`;
}

const forAddress = (base64: string) => base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const ordinary = (base64: string) => base64.replaceAll("-", "+").replaceAll("_", "/");

/** `1-5,8`: lines, and what is none. */
export function lines(text: string): [lines: LineRange[], odd: string[]] {
    const ranges: LineRange[] = [];
    const odd: string[] = [];
    for (const part of text.split(",").map((part) => part.trim()).filter((part) => part)) {
        const found = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(part);
        const [first, last] = [Number(found?.[1]), Number(found?.[2] ?? found?.[1])];
        // There is no line 0.
        if (found && first > 0 && last >= first) ranges.push([first, last]);
        else odd.push(part);
    }
    return [ranges, odd];
}

class TooLarge extends Error {}

export async function readAtMost(stream: ReadableStream<Uint8Array>, most: number): Promise<string> {
    const decoder = new TextDecoder();
    let [text, size] = ["", 0];
    for (const reader = stream.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) return text + decoder.decode();
        size += value.length;
        if (size > most) throw new TooLarge("it is too large");
        text += decoder.decode(value, { stream: true });
    }
}

export function toBase64(bytes: Uint8Array): string {
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(text);
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
