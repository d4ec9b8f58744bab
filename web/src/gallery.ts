// The gallery: the examples of the project.
import { make } from "./dom";
import type { Guide } from "./guide";
import type { Project, ProjectFile } from "./protocol";
import { fromBase64 } from "./share";

export interface Gallery {
    programs: { folder: string, path: string, words: string, picture?: string }[],
    guides: Guide[],
    files: Record<string, { text: string } | { bytes: string }>,
}

/** A program of the gallery with all files of its folder, by `folder/name`. */
export function projectOf(gallery: Gallery, name: string): Project | undefined {
    const [folder, path] = [name.split("/")[0]!, name.split("/").slice(1).join("/").replace(/(\.nds)?$/, ".nds")];
    const files = Object.entries(gallery.files).flatMap(([place, file]): ProjectFile[] => {
        if (!place.startsWith(`${folder}/`)) return [];
        const own = place.slice(folder.length + 1);
        return ["text" in file ? { path: own, text: file.text } : { path: own, bytes: fromBase64(file.bytes) }];
    });
    if (!files.some((file) => file.path === path)) return undefined;
    const needed = neededBy(files, path);
    return { main: path, files: files.filter((file) => needed.has(file.path)), seed: 1, parameters: {} };
}

/** The files that a program imports, and all images. */
function neededBy(files: ProjectFile[], main: string): Set<string> {
    const needed = new Set(files.filter((file) => "bytes" in file || !file.path.endsWith(".nds")).map((file) => file.path));
    const open = [main];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
        if (needed.has(path)) continue;
        needed.add(path);
        const file = files.find((file) => file.path === path);
        if (!file || !("text" in file)) continue;
        const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "";
        for (const [, name] of file.text.matchAll(/^\s*import\s+"([^"]+)"/gm)) open.push(folder + name!);
    }
    return needed;
}

/** Shows all programs; `onPick` hears which one is wanted. */
export function showGallery(place: HTMLElement, gallery: Gallery, onPick: (name: string) => void): void {
    const cards = gallery.programs.map(({ folder, path, words, picture }) => {
        const name = `${folder}/${path.replace(/\.nds$/, "")}`;
        const image = picture ? make("img", { src: `data:image/png;base64,${picture}`, alt: "", loading: "lazy" }) : undefined;
        const button = make("button", { type: "button", onclick: () => onPick(name) }, make("strong", {}, name), image);
        return make("li", {}, button, make("p", {}, words));
    });
    const isTour = (at: number) => gallery.programs[at]!.folder === "tour";
    const list = (title: string, wanted: boolean) => [make("h3", {}, title),
        make("ul", { className: "cards" }, ...cards.filter((_, at) => isTour(at) === wanted))];
    place.replaceChildren(...list("The tour", true), ...list("Examples", false));
}
