// The gallery: the examples of the project.
import { count, make, the } from "../page/dom";
import type { Guide } from "./guide";
import { icon } from "../page/icons";
import type { Reference } from "./reference";
import type { Parameters, Project, ProjectFile } from "../worker/protocol";
import { fromBase64, toBase64 } from "../project/share";
import { programList } from "../project/programs";
import type { Shelved } from "../project/storage";

export interface Gallery {
    /** `shows` is the beginning of what a program prints, where it draws no picture. A silent one is there for a command
     * such as `ndscript hint` and has nothing to show here; a further one is for who looks for more. A puzzle prints itself first, and then
     * its solution; one that prints its solution alone is shown as it is solved here. A riddle is to be solved by a person. What is
     * playable is a game, or a riddle that can be solved here. A program may run with another seed than 1, and with other parameters, with which it is done sooner. */
    programs: { folder: string, path: string, group: string, title: string, words: string, picture?: string, shows?: string, isSilent?: boolean, isGame?: boolean, isPuzzle?: boolean, isSolvedHere?: boolean, isRiddle?: boolean, isPlayable?: boolean, seed?: number, parameters?: Parameters, isFurther?: boolean }[],
    guides: Guide[],
    reference: Reference,
    files: Record<string, { text: string } | { bytes: string }>,
}

/** What the gallery knows of a program, by `folder/name`. */
export function programOf(gallery: Gallery, name: string): Gallery["programs"][number] | undefined {
    return gallery.programs.find(({ folder, path }) => `${folder}/${path.replace(/\.nds$/, "")}` === name.replace(/\.nds$/, ""));
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
    const { seed = 1, parameters = {} } = programOf(gallery, name) ?? {};
    return { main: path, files: files.filter((file) => needed.has(file.path)), seed, parameters: { ...parameters } };
}

/** The name of the program of the gallery that a project is, whatever its seed and parameters. */
export function nameIn(gallery: Gallery, { main, files }: Project): string | undefined {
    const contents = (all: readonly ProjectFile[]) => JSON.stringify(all.map((file) => [file.path, "text" in file ? file.text : toBase64(file.bytes)]).sort());
    const own = contents(files);
    const names = gallery.programs.flatMap(({ folder, path }) => path === main ? [`${folder}/${path.replace(/\.nds$/, "")}`] : []);
    return names.find((name) => contents(projectOf(gallery, name)?.files ?? []) === own);
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

/** Who hears what is picked. */
export interface GalleryListener {
    /** What is to be played is a game, or a puzzle that a person wants to solve. */
    program(name: string, isToBePlayed: boolean): void,
    work(shelved: Shelved): void,
}

/** Shows all programs, and the work that was put aside; or what a person can play or solve, and nothing else. */
export function openGallery(dialog: HTMLDialogElement, gallery: Gallery, listener: GalleryListener, isToPlay = false): void {
    dialog.querySelector("h2")!.textContent = isToPlay ? "Games and puzzles" : "Gallery";
    const search = make("input", { type: "search", id: "gallery-search" });
    const none = make("p", { role: "status" });
    const pick = (work: () => void) => {
        dialog.close();
        work();
    };
    const programs = gallery.programs.filter(({ isSilent, isPlayable }) => isToPlay ? isPlayable : !isSilent);
    const cards = programs.map((program) => card(program, isToPlay, (name, isToBePlayed) => pick(() => listener.program(name, isToBePlayed))));
    const groups = [...new Set(programs.map(({ group }) => group))].sort((a, b) => isToPlay ? Number(isOfGames(b)) - Number(isOfGames(a)) : 0);
    function isOfGames(group: string) {
        return programs.some((program) => program.group === group && program.isGame);
    }
    const lists = groups.map((group) => {
        const list = make("ul", { className: "cards" }, ...cards.filter((_, at) => programs[at]!.group === group));
        const isFirst = !programs.find((program) => program.group === group)!.isFurther;
        return make("section", { "aria-label": group }, make("h3", {}, group), isFirst ? list : make("details", {}, make("summary", {}, count(list.children.length, "program")), list));
    });
    search.addEventListener("input", () => {
        const words = search.value.toLowerCase().split(/\s+/);
        cards.forEach((card, at) => {
            const { folder, path, group } = programs[at]!;
            const text = `${card.textContent} ${folder}/${path} ${group}`.toLowerCase();
            card.hidden = !words.every((word) => text.includes(word));
        });
        lists.forEach((list) => {
            const found = list.querySelectorAll("li:not([hidden])").length;
            list.hidden = found === 0;
            const further = list.querySelector("details");
            if (!further) return;
            further.open = search.value !== "";
            further.querySelector("summary")!.textContent = count(found, "program");
        });
        none.textContent = lists.every((list) => list.hidden) ? "No program has these words." : "";
    });
    const jumps = make("p", { className: "jumps" }, ...lists.map((list, at) => make("button", { type: "button", className: "link", onclick: () => list.scrollIntoView() }, groups[at])));
    the("gallery-list").replaceChildren(
        make("p", { className: "gallery-search" }, make("label", { for: "gallery-search" }, "Search"), search), jumps, none,
        ...isToPlay ? [] : [programList((shelved) => pick(() => listener.work(shelved)))], ...lists);
    dialog.showModal();
    search.focus();
}

function card({ folder, path, title, words, picture, shows, isGame, isPlayable }: Gallery["programs"][number], isToPlay: boolean, onPick: (name: string, isToBePlayed: boolean) => void): HTMLElement {
    const name = `${folder}/${path.replace(/\.nds$/, "")}`;
    const isRiddle = isPlayable && !isGame;
    // What a person is to find is not to be seen on the cover.
    const image = isRiddle ? make("span", { className: "hides", "aria-hidden": "true" }, icon("puzzle")) : picture ? make("img", { src: `data:image/png;base64,${picture}`, alt: "", loading: "lazy" })
        : shows ? make("span", { className: "shows", "aria-hidden": "true" }, shows) : undefined;
    const inPlay = [icon(isGame ? "game" : "puzzle"), !isGame ? "Solve it yourself" : isToPlay ? "Play" : `Play ${title}`];
    // Where all of a card begins the game, there is no second control for that, though it is looked for.
    const play = !isPlayable ? undefined : isToPlay ? make("span", { className: "main play-alone", "aria-hidden": "true" }, ...inPlay)
        : make("button", { type: "button", className: "main play-alone", "aria-label": `${isGame ? "Play" : "Solve"} ${title}`, onclick: () => onPick(name, true) }, ...inPlay);
    return make("li", {}, make("button", { type: "button", className: "cover", onclick: () => onPick(name, isToPlay) }, image, make("strong", {}, title)), make("p", {}, words), play);
}
