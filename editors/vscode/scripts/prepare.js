// Fetches what the extension shares with other editors: the grammar.
const { copyFileSync, mkdirSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");
mkdirSync(join(root, "syntaxes"), { recursive: true });
copyFileSync(join(root, "../grammars/ndscript.tmLanguage.json"), join(root, "syntaxes/ndscript.tmLanguage.json"));
