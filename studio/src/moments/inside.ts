// Inside a run at a moment: its variables, the tree of the search, and where it has failed.
import { make } from "../page/dom";
import { coded } from "../page/wording";
import type { Recording, SceneShown, When } from "../worker/protocol";
import type { Tree } from "./tree";
import { TreeView } from "./tree-view";

export class Inside {
    readonly #variables = make("div", { id: "variables", tabIndex: 0, role: "region", "aria-label": "Variables" });
    readonly #failing = make("details", { id: "failing" });
    readonly #tree: TreeView;
    #scene: SceneShown | undefined;

    constructor(readonly place: HTMLDetailsElement, onPick: (when: When) => void, sceneAtEnd: () => Promise<SceneShown | undefined>) {
        this.#tree = new TreeView(onPick);
        place.querySelector(".inside-parts")!.append(
            make("section", { "aria-label": "State" }, this.#variables, this.#failing),
            make("section", { "aria-label": "Tree of the search" }, this.#tree.element));
        place.addEventListener("toggle", () => {
            this.#draw();
            // Who looks at no moment sees how it ended.
            if (place.open && !this.#scene) void sceneAtEnd().then((scene) => this.#scene || !scene || this.show(scene), () => {});
        });
    }

    get isOpen(): boolean {
        return this.place.open;
    }

    clear(): void {
        this.#scene = undefined;
        this.place.hidden = true;
        [this.#variables, this.#failing].forEach((part) => part.replaceChildren());
    }

    recorded(recording: Recording, tree: Tree): void {
        this.place.hidden = false;
        this.#tree.show(tree);
        this.#drawFailing(recording);
    }

    show(scene: SceneShown): void {
        this.#scene = scene;
        this.#draw();
    }

    #draw(): void {
        const scene = this.#scene;
        if (!scene || !this.place.open) return;
        const table = (caption: string, variables: { name: string, text: string }[]) => variables.length === 0 ? undefined :
            make("table", {}, make("caption", {}, caption), make("tbody", {}, ...variables.map(({ name, text }) =>
                make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, text)))));
        const calls = scene.calls.slice(0, 8).map((call) => table(call.function ?? "Blocks of the program", call.variables));
        const open = scene.choices.slice(0, 8).map((choice) => make("li", {},
            `line ${choice.line?.line ?? "?"}: ${choice.left} left${choice.alternatives.length > 0 ? `: ${choice.alternatives.slice(0, 6).join(", ")}` : ""}`));
        const choices = open.length > 0 ? make("details", {}, make("summary", {}, `Guesses that could still go otherwise: ${scene.open.toLocaleString("en")}`), make("ul", {}, ...open)) : undefined;
        this.#variables.replaceChildren(...[...calls, table("Variables", scene.globals), choices].filter((part) => part !== undefined));
        this.#tree.mark(scene.when);
    }

    #drawFailing({ failingLines }: Recording): void {
        this.#failing.hidden = failingLines.length === 0;
        const most = Math.max(1, ...failingLines.map((line) => line.failures));
        this.#failing.replaceChildren(make("summary", {}, "Where it failed"), make("table", {}, make("tbody", {}, ...failingLines.map(({ line, failures, why }) =>
            make("tr", {}, make("th", { scope: "row" }, `line ${line}`), make("td", {}, make("meter", { max: most, value: failures, "aria-label": `Failures at line ${line}` })),
                make("td", {}, ...coded(`${failures.toLocaleString("en")} × ${why}`)))))));
    }
}
