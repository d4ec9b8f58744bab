// Makes guides of the lesson and of the README's tour: chapters as HTML, with buttons that open their programs in the page. Both are
// written once; `exercises.mjs` has what the page asks beside them. What differs in the page is said in comments, which nobody else sees: `<!-- page: ... -->` stands in place of the block
// that follows it, and `<!-- page -->` leaves that out. A chapter with
// `<!-- not for the page -->` is left out as a whole. A block of code that is marked as an exercise becomes a program of its own, with
// the tests that say whether it is solved.
import { Marked } from "marked";
import { OF_LESSON, OF_TOUR } from "./exercises.mjs";

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;");
const button = (open, words, { isMain = true, plays = false, isExercise = false } = {}) =>
    `<button type="button"${isMain ? "" : " class=\"link\""} data-open="${escaped(open)}"${plays ? " data-plays" : ""}${isExercise ? " data-exercise" : ""}>${words}</button>`;
const exerciseAs = (open, { answer }) => `<p>${button(open, "Try it", { isExercise: true })}</p>
<details class="answer"><summary>An answer</summary><pre tabindex="0"><code>${escaped(answer)}</code></pre></details>`;

/** What a command of the pages runs, as the page opens it: `lesson/5_where_next?where=choose&seed=1`. */
function opened(command) {
    const [, name, rest] = /^\$ ndscript \w+ examples\/(\S+)\.nds(.*)$/.exec(command) ?? [];
    if (!name) return undefined;
    const given = [...rest.matchAll(/ (\w+)=(\S+)/g)].map(([, key, value]) => [key, value]);
    const seed = /--seed (\d+)/.exec(rest)?.[1];
    const open = `${name}?${new URLSearchParams([...given, ...(seed ? [["seed", seed]] : [])])}`;
    const words = [`<code>${name.split("/").at(-1)}</code>`, ...given.map(([key, value]) => `<code>${key}=${value}</code>`)].join(" ");
    return { open, words: `Open ${words}${seed ? `, seed ${seed}` : ""}` };
}

/** What a command prints: there is nothing to be typed in the page. */
const printed = (text) => text.split("\n").filter((line) => !line.startsWith("$ ")).join("\n").trimEnd();

/** What is wider than the page can be scrolled, with the keyboard, too. */
function finished(html) {
    return html.replace(/<p>\s*<\/p>/g, "").replaceAll("<table>", "<div class=\"wide\" tabindex=\"0\"><table>").replaceAll("</table>", "</table></div>");
}

/** Leaves out, or has in another form, what is not for the page. */
function forPage(tokens, lexer) {
    const kept = [];
    let replacement;
    for (const token of tokens) {
        const [isComment, words] = token.type === "html" ? /^<!-- page(?:: ([^]*?))? -->\s*$/.exec(token.text.trim()) ?? [] : [];
        if (isComment) {
            replacement = words ?? "";
        } else if (replacement !== undefined && token.type !== "space") {
            if (replacement) kept.push(...lexer(replacement));
            replacement = undefined;
        } else {
            kept.push(token);
        }
    }
    return kept;
}

/** The chapters of a text, whose titles are headings of this depth. `programOf` finds the program of a block of code, `exercise` takes one in. */
function chapters(text, depth, { programOf, exercise = () => undefined, filmed = () => undefined, drawing = () => undefined }) {
    const seen = new Set();
    const marked = new Marked({ renderer: {
        code({ text, lang }) {
            if (lang === "js exercise") return exercise(text);
            const shown = `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;
            const program = lang === "js" ? programOf(text) : undefined;
            if (program) return `${shown}<p>${button(program, "Open this program")}</p>`;
            if (lang !== "console") return shown;
            const programs = text.split("\n").map(opened).filter((known) => known && !seen.has(known.open) && seen.add(known.open));
            const prints = printed(text);
            return (prints ? `<pre tabindex="0" class="prints"><code>${escaped(prints)}</code></pre>` : "") + programs.map(({ open, words }) => `<p>${button(open, words)}</p>`).join("");
        },
        image({ href, text }) {
            const [film, picture] = [filmed(href), drawing(href)];
            if (film) return button(film, `Watch it: ${escaped(text)}`, { plays: true });
            return picture ? `<img src="data:image/svg+xml;base64,${picture}" alt="${escaped(text)}">` : "";
        },
        link({ href, tokens }) {
            const words = this.parser.parseInline(tokens);
            const program = /examples\/(lesson\/\w+)\.nds$/.exec(href)?.[1];
            if (program) return button(program, words, { isMain: false });
            return /^https:/.test(href) ? `<a href="${escaped(href)}" target="_blank" rel="noreferrer">${words}</a>` : words;
        },
        html: () => "",
    } });
    const found = [];
    for (const token of forPage(marked.lexer(text), (words) => marked.lexer(words))) {
        if (token.type === "heading" && token.depth === depth) {
            found.push({ title: token.text, tokens: [] });
            seen.clear();
        } else if (found.length > 0) {
            found.at(-1).tokens.push(token);
        }
    }
    return found.filter(({ tokens }) => !tokens.some(({ type, text }) => type === "html" && text.startsWith("<!-- not for the page -->"))).map(({ title, tokens }) => ({ title, html: finished(marked.parser(tokens)) }));
}

/**
 * The guides. `tourPrograms` are the texts of the tour's programs with their names; `addFile` takes in the text of an exercise, by its
 * path in the gallery; `picture` gives the text of a drawing beside the lesson.
 */
export function guides({ readme, lesson, tourPrograms, addFile, picture }) {
    const isChapter = ({ title }) => /^\d\./.test(title) || title === "What to remember";
    let exercises = 0;
    const ofLesson = {
        programOf: () => undefined,
        exercise: (text) => {
            const name = `lesson/exercise_${++exercises}`;
            addFile(`${name}.nds`, text);
            return exerciseAs(name, OF_LESSON[exercises - 1]);
        },
        filmed: (href) => {
            const chapter = /^images\/lesson-(\d)\.gif$/.exec(href)?.[1];
            return chapter && `lesson/${{ 2: "2_check_early", 3: "3_keep_sets", 4: "4_propagate" }[chapter]}?seed=3`;
        },
        drawing: (href) => href.endsWith(".svg") ? Buffer.from(picture(href)).toString("base64") : undefined,
    };
    const ofTour = chapters(readme, 3, { programOf: (text) => tourPrograms.get(text) }).map(({ title, html }) => {
        const asked = OF_TOUR[title];
        if (!asked) return { title, html };
        const name = `tour/exercise_${title.toLowerCase()}`;
        addFile(`${name}.nds`, asked.text.trimEnd());
        return { title, html: `${html}<h3>Try it yourself</h3><p>${escaped(asked.words)}</p>${exerciseAs(name, asked)}` };
    });
    return [
        { name: "tour", title: "The tour", chapters: ofTour },
        { name: "lesson", title: "The lesson: guessing and ruling out", chapters: chapters(lesson, 2, ofLesson).filter(isChapter) },
    ];
}
