// Links that hold a whole project: `#v1=...`, compressed. Links of every earlier version keep working.
import type { LineRange } from "./locked-lines";
import type { Parameters, Project, ProjectFile } from "./protocol";

/** The form of what a link of version 1 holds; never change it, add a version 2. */
interface Packed { m: string, f: { p: string, t?: string, b?: string }[], s: number, q: Parameters }

/** What the fragment of an address asks for. */
export interface Wish {
    project?: Project,
    /** An example of the gallery. */
    example?: string,
    /** A chapter of a guide, such as `lesson/4`; the page has it beside the program. */
    chapter?: string,
    /** A raw text to be loaded from another place. */
    url?: string,
    /** As a part of another page: editor and output only. */
    isEmbedded: boolean,
    /** Lines of the program that cannot be changed, from 1. */
    readOnly: LineRange[],
}

export async function packed(project: Project): Promise<string> {
    const files = project.files.map((file) => "text" in file ? { p: file.path, t: file.text } : { p: file.path, b: toBase64(file.bytes) });
    const plain: Packed = { m: project.main, f: files, s: project.seed, q: project.parameters };
    const stream = new Blob([JSON.stringify(plain)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return `v1=${toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** A link may unfold to so many bytes, and a text have so many. */
export const MOST_BYTES = 16 << 20;

export async function unpacked(text: string): Promise<Project> {
    const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const plain = JSON.parse(await readAtMost(stream, MOST_BYTES)) as Packed;
    return checked({
        main: plain.m,
        files: plain.f.map((file) => file.b === undefined ? { path: file.p, text: file.t ?? "" } : { path: file.p, bytes: fromBase64(file.b) }),
        seed: plain.s,
        parameters: plain.q,
    });
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

/** Reads what stands behind the `#` of an address. */
export async function wish(fragment: string): Promise<Wish> {
    const fields = new URLSearchParams(fragment.replace(/^#/, "").replaceAll("+", "%2B"));
    const packedProject = fields.get("v1");
    const later = [...fields.keys()].find((name) => /^v\d+$/.test(name) && name !== "v1");
    if (later && packedProject === null) throw new Error(`it is of the form ${later}, which this studio does not know`);
    return {
        project: packedProject === null ? undefined : await unpacked(packedProject),
        example: fields.get("example") ?? undefined,
        chapter: fields.get("learn") ?? undefined,
        url: fields.get("url") ?? undefined,
        isEmbedded: fields.has("embed"),
        readOnly: lines(fields.get("lock") ?? ""),
    };
}

/** `1-5,8` */
export function lines(text: string): LineRange[] {
    return text.split(",").flatMap((part): LineRange[] => {
        const found = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(part.trim());
        // There is no line 0.
        return found ? [[Math.max(1, Number(found[1])), Number(found[2] ?? found[1])]] : [];
    });
}

export async function readAtMost(stream: ReadableStream<Uint8Array>, most: number): Promise<string> {
    const decoder = new TextDecoder();
    let [text, size] = ["", 0];
    for (const reader = stream.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) return text + decoder.decode();
        size += value.length;
        if (size > most) throw new Error("it is too large");
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
