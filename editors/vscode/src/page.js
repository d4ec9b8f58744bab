// The page of the panel: it shows what it is sent, and says which picture was clicked.

const STYLE = `
    body { font-family: var(--vscode-editor-font-family); }
    pre { margin: 0; white-space: pre-wrap; }
    img { display: block; margin: 4px 0; max-width: 100%; image-rendering: pixelated; border: 1px solid transparent; }
    img.placed { cursor: pointer; }
    img.placed:hover, img.placed:focus { border-color: var(--vscode-focusBorder); }
`;

// Of the pictures that were there, the first `keep` stay.
const SCRIPT = `
    const editor = acquireVsCodeApi();
    const list = document.getElementById("pictures");
    const rest = document.getElementById("text");
    const shown = (picture, number) => {
        const figure = document.createElement("div");
        const before = document.createElement("pre");
        before.textContent = picture.before;
        const image = document.createElement("img");
        image.alt = picture.alt;
        if (picture.image) image.src = picture.image;
        if (picture.place) {
            image.title = picture.place;
            image.className = "placed";
            image.tabIndex = 0;
            image.addEventListener("click", () => editor.postMessage({ goTo: number }));
            image.addEventListener("keydown", (event) => event.key === "Enter" && editor.postMessage({ goTo: number }));
        }
        figure.append(before, image);
        return figure;
    };
    window.addEventListener("message", ({ data }) => {
        while (list.children.length > data.keep) list.lastChild.remove();
        for (const picture of data.pictures) list.append(shown(picture, list.children.length));
        rest.textContent = data.text;
    });
    editor.postMessage({ isReady: true });
`;

/** @param {string} nonce marks the script as the page's own: what a program prints cannot run */
function page(nonce) {
    const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${STYLE}</style></head>
<body><div id="pictures"></div><pre id="text"></pre><script nonce="${nonce}">${SCRIPT}</script></body>
</html>`;
}

module.exports = { page };
