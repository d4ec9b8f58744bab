// Lines of a program that cannot be changed, as a page of a course gives them.
import { EditorState, StateField } from "@codemirror/state";
import type { ChangeDesc, Extension, Text } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

/** From a line to a line, both with it; the first is 1. */
export type LineRange = [from: number, to: number];

/** Lines that stand together, by where they begin and end. They stay together. */
interface Block { from: number, to: number }

const mark = Decoration.line({ class: "locked-line" });

/** What is written around the lines moves them; nothing is written into them, nor at their ends. */
export function lockedLines(ranges: LineRange[]): Extension {
    if (ranges.length === 0) return [];
    const blocks = StateField.define<Block[]>({
        create: ({ doc }) => blocksOf(doc, ranges),
        update: (blocks, transaction) => transaction.docChanged ? moved(blocks, transaction.changes) : blocks,
        provide: (field) => EditorView.decorations.compute([field], (state) =>
            Decoration.set(state.field(field).flatMap((block) => startsOf(state.doc, block)).map((start) => mark.range(start)))),
    });
    // Of a change that reaches over the lines, what lies around them is done.
    const around = EditorState.changeFilter.of((transaction) => transaction.startState.field(blocks).flatMap(({ from, to }) => [from, to]));
    const whole = EditorState.transactionFilter.of((transaction) => {
        if (!transaction.docChanged) return transaction;
        const before = transaction.startState.field(blocks);
        const after = moved(before, transaction.changes);
        const areWhole = before.every(({ from, to }, at) => isBlock(transaction.newDoc, after[at]!, transaction.startState.sliceDoc(from, to)));
        return areWhole ? transaction : [];
    });
    return [blocks, around, whole];
}

function blocksOf(doc: Text, ranges: LineRange[]): Block[] {
    const blocks: Block[] = [];
    for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
        if (first > doc.lines || last < first) continue;
        const block = { from: doc.line(first).from, to: doc.line(Math.min(last, doc.lines)).to };
        const before = blocks.at(-1);
        if (before && block.from <= before.to + 1) before.to = Math.max(before.to, block.to);
        else blocks.push(block);
    }
    return blocks;
}

function moved(blocks: Block[], changes: ChangeDesc): Block[] {
    return blocks.map(({ from, to }) => ({ from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) }));
}

/** Whether a text stands at a place as lines of their own. */
function isBlock(doc: Text, { from, to }: Block, text: string): boolean {
    return from <= to && doc.lineAt(from).from === from && doc.lineAt(to).to === to && doc.sliceString(from, to) === text;
}

function startsOf(doc: Text, { from, to }: Block): number[] {
    const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number];
    return Array.from({ length: last - first + 1 }, (_, at) => doc.line(first + at).from);
}
