// Icons that are made as the page runs; those that it begins with stand in its HTML.
import back from "lucide-static/icons/chevron-left.svg?raw";
import brush from "lucide-static/icons/brush.svg?raw";
import cells from "lucide-static/icons/grid-3x3.svg?raw";
import close from "lucide-static/icons/x.svg?raw";
import filePlus from "lucide-static/icons/file-plus.svg?raw";
import first from "lucide-static/icons/chevron-first.svg?raw";
import game from "lucide-static/icons/gamepad-2.svg?raw";
import last from "lucide-static/icons/chevron-last.svg?raw";
import next from "lucide-static/icons/chevron-right.svg?raw";
import pause from "lucide-static/icons/pause.svg?raw";
import pencil from "lucide-static/icons/pencil.svg?raw";
import play from "lucide-static/icons/play.svg?raw";
import puzzle from "lucide-static/icons/puzzle.svg?raw";
import stop from "lucide-static/icons/square.svg?raw";
import undo from "lucide-static/icons/undo-2.svg?raw";
import upload from "lucide-static/icons/upload.svg?raw";
import wand from "lucide-static/icons/wand-sparkles.svg?raw";
import hand from "lucide-static/icons/hand.svg?raw";
import { make } from "./dom";

const ICONS = { back, brush, cells, close, filePlus, first, game, hand, last, next, pause, pencil, play, puzzle, stop, undo, upload, wand };
export type IconName = keyof typeof ICONS;

/** An icon says nothing by itself: the button around it has the words. */
export function icon(name: IconName): SVGElement {
    const place = make("div");
    place.innerHTML = ICONS[name].replace(/<!--[^]*?-->/g, "").replace(/>\s+</g, "><").trim();
    const svg = place.querySelector("svg")!;
    svg.setAttribute("aria-hidden", "true");
    return svg;
}

/** A button with an icon alone, whose words are read out and shown when the mouse rests on it. */
export function iconButton(name: IconName, words: string, work: () => void, className = "icon quiet"): HTMLButtonElement {
    return make("button", { type: "button", className, title: words, "aria-label": words, onclick: work }, icon(name));
}
