// Makes guides of the lesson and of the README's tour: chapters as HTML, with buttons that open their programs in the page.
import { Marked } from "marked";

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;");
const button = (open, words, isMain = true) => `<button type="button"${isMain ? "" : " class=\"link\""} data-open="${escaped(open)}">${words}</button>`;

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

/** What is wider than the page can be scrolled, with the keyboard, too. */
function finished(html) {
    return html.replace(/<p>\s*<\/p>/g, "").replaceAll("<table>", "<div class=\"wide\" tabindex=\"0\"><table>").replaceAll("</table>", "</table></div>");
}

/** The chapters of a text, whose titles are headings of this depth. `programOf` finds the program of a block of code. */
function chapters(text, depth, programOf) {
    const seen = new Set();
    const marked = new Marked({ renderer: {
        code({ text, lang }) {
            const shown = `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;
            const program = lang === "js" ? programOf(text) : undefined;
            if (program) return `${shown}<p>${button(program, "Open this program")}</p>`;
            if (lang !== "console") return shown;
            const programs = text.split("\n").map(opened).filter((known) => known && !seen.has(known.open) && seen.add(known.open));
            const isOfFiles = text.split("\n").every((line) => opened(line));
            return (isOfFiles ? "" : shown) + programs.map(({ open, words }) => `<p>${button(open, words)}</p>`).join("");
        },
        image: () => "",
        link({ href, tokens }) {
            const words = this.parser.parseInline(tokens);
            const program = /examples\/(lesson\/\w+)\.nds$/.exec(href)?.[1];
            if (program) return button(program, words, false);
            return /^https:/.test(href) ? `<a href="${escaped(href)}" target="_blank" rel="noreferrer">${words}</a>` : words;
        },
        html: () => "",
    } });
    const found = [];
    for (const token of marked.lexer(text)) {
        if (token.type === "heading" && token.depth === depth) {
            found.push({ title: token.text, tokens: [] });
            seen.clear();
        } else if (found.length > 0) {
            found.at(-1).tokens.push(token);
        }
    }
    return found.map(({ title, tokens }) => ({ title, html: finished(marked.parser(tokens)) }));
}

/** The guides; `tourPrograms` are the texts of the tour's programs with their names. */
export function guides({ readme, lesson, tourPrograms }) {
    const isChapter = ({ title }) => /^\d\./.test(title) || title === "What to remember";
    return [
        { name: "tour", title: "The tour", chapters: chapters(readme, 3, (text) => tourPrograms.get(text)) },
        { name: "lesson", title: "The lesson: guessing and ruling out", chapters: chapters(lesson, 2, () => undefined).filter(isChapter) },
    ];
}
