// The address of the page while the page is used: it names the chapter that is read, so that who loads the page again, or gives the address on, has it.

const fields = () => location.hash.replace(/^#/, "").split("&").filter((field) => field !== "" && field !== "editor");
const isChapter = (field: string) => /^learn(=|$)/.test(field);

function write(fields: string[]): void {
    const bare = location.href.split("#")[0]!;
    history.replaceState(null, "", fields.length > 0 ? `${bare}#${fields.join("&")}` : bare);
}

/** Names the chapter that is shown, or none. What else the address asks for stays. */
export function nameChapter(chapter: string | undefined): void {
    write([...fields().filter((field) => !isChapter(field)), ...chapter === undefined ? [] : [`learn=${chapter}`]]);
}

/** Nothing is asked for but the chapter that is shown. */
export function nameOnlyChapter(): void {
    write(fields().filter(isChapter));
}
