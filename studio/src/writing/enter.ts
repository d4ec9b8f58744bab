// What the key Enter does in the editor: a new line stands as deep as the one before, and deeper behind an opening bracket.
import type { EditorView } from "@codemirror/view";

const DEEPER = "    ";

/** Begins a new line; a closing bracket right behind the cursor gets one of its own. */
export function beginLine(view: EditorView): boolean {
    const { state } = view;
    const { main, ranges } = state.selection;
    if (state.readOnly || ranges.length > 1) return false;
    const line = state.doc.lineAt(main.from);
    const before = line.text.slice(0, main.from - line.from), after = state.doc.lineAt(main.to).text.slice(main.to - state.doc.lineAt(main.to).from);
    const own = /^\s*/.exec(before)![0];
    const isDeeper = /[{([]\s*$/.test(before);
    const start = `\n${own}${isDeeper ? DEEPER : ""}`;
    const end = isDeeper && /^[})\]]/.test(after) ? `\n${own}` : "";
    view.dispatch(state.update({
        changes: { from: main.from, to: main.to, insert: start + end },
        selection: { anchor: main.from + start.length },
        scrollIntoView: true, userEvent: "input",
    }));
    return true;
}
