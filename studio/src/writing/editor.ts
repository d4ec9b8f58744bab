// The editor: what it knows of the language it asks the engine.
import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap, completionStatus, selectedCompletion } from "@codemirror/autocomplete";
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, codeFolding, foldEffect, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import type { Diagnostic as Lint } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import {
    Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap,
    lineNumbers, ViewPlugin,
} from "@codemirror/view";
import type { Command, DecorationSet, Tooltip, ViewUpdate } from "@codemirror/view";
import type { Client } from "../worker/client";
import { beginLine } from "./enter";
import { lockedLines } from "./locked-lines";
import { described } from "./described";
import type { LineRange } from "./locked-lines";
import { WordBox } from "./word-box";
import { make } from "../page/dom";
import type { Diagnostic, Doc } from "../worker/protocol";
import { coded, plainHints } from "../page/wording";

/** The classes of tokens, by the numbers that the engine gives them. */
const CLASSES = ["keyword", "name", "number", "string", "comment", "bracket", "operator", "error"];

/** What the words are for that one may take. */
const docs = new WeakMap<Completion, Doc>();

const setTokens = StateEffect.define<Uint32Array>();
const setLine = StateEffect.define<number | undefined>();

const tokenMarks = CLASSES.map((name) => Decoration.mark({ class: `token-${name}` }));

/** Colors of what the engine has read; they move with the text until it has read that again. */
const colors = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(marks, transaction) {
        let next = marks.map(transaction.changes);
        for (const effect of transaction.effects) {
            if (!effect.is(setTokens)) continue;
            const builder = new RangeSetBuilder<Decoration>();
            const [tokens, length] = [effect.value, transaction.newDoc.length];
            for (let at = 0; at < tokens.length; at += 3) {
                const [kind, from, to] = [tokens[at]!, tokens[at + 1]!, tokens[at + 2]!];
                if (from < to && to <= length && CLASSES[kind] !== "name") builder.add(from, to, tokenMarks[kind]!);
            }
            next = builder.finish();
        }
        return next;
    },
    provide: (field) => EditorView.decorations.from(field),
});

/** The line that runs at the moment that is shown. */
const running = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(marks, transaction) {
        let next = marks.map(transaction.changes);
        for (const effect of transaction.effects) {
            if (!effect.is(setLine)) continue;
            const { doc } = transaction.newDoc ? { doc: transaction.newDoc } : transaction.state;
            const line = effect.value;
            const isThere = line !== undefined && line >= 1 && line <= doc.lines;
            next = isThere ? Decoration.set([Decoration.line({ class: "running-line" }).range(doc.line(line).from)]) : Decoration.none;
        }
        return next;
    },
    provide: (field) => EditorView.decorations.from(field),
});

export interface EditorOptions {
    parent: HTMLElement,
    client: Client,
    onChange: (text: string) => void,
    onRun: () => void,
}

/** Above and below the line that runs, in pixels, there is more to be seen. */
const MARGIN = 40;

export class Editor {
    readonly view: EditorView;
    #extensions: Extension;
    #isSetting = false;
    /** What is said of a word stands below the program: over it, it would hide what is being written. */
    readonly #word = new WordBox(() => this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head) }));
    /** What is shown, and how the others were left: each has a history of its own. */
    #shown: object | undefined;
    readonly #left = new WeakMap<object, EditorState>();

    constructor(options: EditorOptions) {
        const { client, onChange, onRun } = options;
        this.#extensions = [
            lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(), bracketMatching(),
            closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), lintGutter(), indentUnit.of("    "),
            EditorState.languageData.of(() => [{ commentTokens: { line: "//", block: { open: "/*", close: "*/" } } }]),
            autocompletion({ override: [(context) => complete(client, context)] }),
            hoverTooltip((view, position) => explain(client, view, position)),
            keymap.of([
                { key: "Mod-Enter", run: () => (onRun(), true), preventDefault: true },
                { key: "F1", run: (view) => (void this.#explainAtCursor(client, view), true), preventDefault: true },
                { key: "Escape", run: (view) => completionStatus(view.state) === null && this.#hideWord() },
                { key: "Tab", run: acceptCompletion },
                { key: "Enter", run: beginLine },
                ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap,
            ]),
            // Tab leaves the editor in both directions, for those who have no mouse; with a selection it indents.
            keymap.of([{ key: "Tab", run: withSelection(indentWithTab.run!), shift: withSelection(indentWithTab.shift!) }]),
            colors, running, tokenReader(client),
            codeFolding({ placeholderText: "commands for a terminal" }),
            EditorView.lineWrapping,
            EditorView.contentAttributes.of({ "aria-label": "Program", "aria-describedby": "keys", spellcheck: "false", tabindex: "0" }),
            EditorView.updateListener.of((update) => {
                if (update.docChanged && !this.#isSetting) onChange(update.state.doc.toString());
                if (update.docChanged || update.selectionSet) this.#word.hide();
                // Of the words that one may take, the chosen one says what it is for.
                const chosen = selectedCompletion(update.state);
                const doc = chosen && docs.get(chosen);
                if (doc) this.#word.show(doc, false);
                else if (!chosen) this.#word.hideUnasked();
            }),
        ];
        this.view = new EditorView({ parent: options.parent, state: this.#state("", []) });
        options.parent.after(this.#word.element);
    }

    #state(text: string, locked: LineRange[]): EditorState {
        return EditorState.create({ doc: text, extensions: [this.#extensions, lockedLines(locked)] });
    }

    async #explainAtCursor(client: Client, view: EditorView): Promise<void> {
        const doc = (await docAt(client, view, view.state.selection.main.head))?.doc;
        closeCompletion(view);
        if (doc) this.#word.show(doc, true);
        else this.#word.hide();
    }

    #hideWord(): boolean {
        const wasShown = this.#word.isShown;
        this.#word.hide();
        return wasShown;
    }

    get text(): string {
        return this.view.state.doc.toString();
    }

    /** Shows a file, as it was left if it still has that text. When it is shown first, some lines may be locked. */
    open(file: object, text: string, locked: LineRange[] = []): void {
        if (file === this.#shown && text === this.text) return;
        if (this.#shown) this.#left.set(this.#shown, this.view.state);
        this.#shown = file;
        const left = this.#left.get(file);
        this.#isSetting = true;
        this.#word.hide();
        const isLeft = left?.doc.toString() === text;
        this.view.setState(isLeft ? left : this.#state(text, locked));
        if (!isLeft) this.view.dispatch({ effects: commandLines(text).map((range) => foldEffect.of(range)) });
        this.#isSetting = false;
        this.showLine(undefined);
    }

    /** Underlines what is wrong with the file that is shown. */
    show(diagnostics: Diagnostic[], file: string): void {
        const length = this.view.state.doc.length;
        const lints = diagnostics.flatMap((diagnostic): Lint[] => {
            const { place } = diagnostic;
            if (!place || place.file !== file || place.start > length) return [];
            const [from, to] = [place.start, Math.min(Math.max(place.end, place.start), length)];
            const message = [diagnostic.message, diagnostic.label, ...plainHints(diagnostic.hints).map((hint) => `Hint: ${hint}`)].filter(Boolean).join("\n");
            return [{ from, to, severity: diagnostic.severity, message, renderMessage: () => make("div", { className: "lint-words" }, ...coded(message)) }];
        });
        this.view.dispatch(setDiagnostics(this.view.state, lints));
    }

    /** Marks the line that runs; none without a number. */
    showLine(line: number | undefined): void {
        const { doc } = this.view.state;
        const start = line !== undefined && line >= 1 && line <= doc.lines ? doc.line(line).from : undefined;
        const marked = this.view.state.field(running).iter();
        // Moments that are played are often of one line.
        if (start !== (marked.value ? marked.from : undefined)) this.view.dispatch({ effects: setLine.of(line) });
        if (start === undefined) return;
        // The editor would scroll the page along with it, away from what a person works with on a phone.
        this.view.requestMeasure({
            key: "line that runs",
            read: (view) => view.lineBlockAt(Math.min(start, view.state.doc.length)),
            write: ({ top, bottom }, { scrollDOM }) => {
                const [above, below] = [top - MARGIN, bottom + MARGIN - scrollDOM.clientHeight];
                if (scrollDOM.scrollTop > above) scrollDOM.scrollTop = above;
                else if (scrollDOM.scrollTop < below) scrollDOM.scrollTop = below;
            },
        });
    }

    goTo(line: number, column: number): void {
        const { doc } = this.view.state;
        const place = doc.line(Math.min(Math.max(line, 1), doc.lines));
        const position = Math.min(place.from + column - 1, place.to);
        this.view.dispatch({ selection: { anchor: position }, scrollIntoView: true });
        this.view.focus();
    }
}

/** Where lines of the comment at the head of a program are commands for a terminal, each from the end of the line before. */
export function commandLines(text: string): { from: number, to: number }[] {
    const found: { from: number, to: number }[] = [];
    let [at, before] = [0, -1];
    for (const line of text.split("\n")) {
        if (!line.startsWith("//")) break;
        const end = at + line.length;
        const last = found.at(-1);
        if (/^\/\/ {2,}ndscript /.test(line) && before >= 0) {
            if (last?.to === before) last.to = end;
            else found.push({ from: before, to: end });
        }
        [at, before] = [end + 1, end];
    }
    return found;
}

/** Asks the engine for tokens whenever the text has changed; an answer that comes late is passed over. */
function tokenReader(client: Client): Extension {
    return ViewPlugin.define((view) => {
        const read = async () => {
            const { doc } = view.state;
            const tokens = await client.request("tokens", { text: doc.toString() }).catch(() => undefined);
            if (tokens && view.state.doc.eq(doc)) view.dispatch({ effects: setTokens.of(tokens) });
        };
        void read();
        return { update: (update: ViewUpdate) => { if (update.docChanged) void read(); } };
    });
}

async function complete(client: Client, context: CompletionContext): Promise<CompletionResult | null> {
    if (!context.explicit && !context.matchBefore(/[\p{L}\p{N}_]+/u)) return null;
    const found = await client.request("complete", { text: context.state.doc.toString(), cursor: context.pos });
    if (found.words.length === 0) return null;
    const options = found.words.map(({ word, function: doc }): Completion => {
        const completion = { label: word, type: doc ? "function" : "variable", detail: doc ? doc.call.slice(word.length) : undefined };
        if (doc) docs.set(completion, doc);
        return completion;
    });
    return { from: found.start, options, validFor: /^[\p{L}\p{N}_]*$/u };
}

function withSelection(command: Command): Command {
    return (view) => !view.state.selection.main.empty && command(view);
}

/** The word at a position, with what it is for. */
async function docAt(client: Client, view: EditorView, position: number): Promise<{ from: number, to: number, doc: Doc } | undefined> {
    const word = view.state.wordAt(position);
    const doc = word && await client.request("doc", { name: view.state.sliceDoc(word.from, word.to) }).catch(() => undefined);
    return word && doc ? { from: word.from, to: word.to, doc } : undefined;
}

async function explain(client: Client, view: EditorView, position: number): Promise<Tooltip | null> {
    const found = await docAt(client, view, position);
    return found ? { pos: found.from, end: found.to, above: true, create: () => ({ dom: described(found.doc) }) } : null;
}
