#!/usr/bin/env python3
"""What the answers of the language server cost on a program of 20,000 lines.

    cargo build --profile quick && benches/editors/measure.py [--binary PATH] [--lines N] [--rounds N] [NAME ...]

There are two such programs: `examples`, the programs of the gallery one after the other, each inside a function of its own,
and `declarations`, where each line declares a global and prints it. Before each request a letter is typed, so nothing is
left from the answer before: `with typing` is what an editor waits for that asks this first, `again` what the next answer
about the same text costs. Times are milliseconds that the server computed, the least of some rounds.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

GOAL = 50.0


def examples(lines):
    """The gallery inside functions; what imports files cannot stand there."""
    out, number = [], 0
    paths = sorted((ROOT / "examples").rglob("*.nds"))
    while True:
        for path in paths:
            text = path.read_text()
            if "\nimport " in text or text.startswith("import "):
                continue
            body = [f"function part{number}() {{", *("    " + line if line else "" for line in text.splitlines()), "}"]
            number += 1
            out += body
            if len(out) >= lines:
                return "\n".join(out) + "\n"


def declarations(lines):
    return "".join(f"let v{at} = {at}; print(v{at});\n" for at in range(lines))


PROGRAMS = {"examples": examples, "declarations": declarations}


class Server:
    def __init__(self, binary):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([binary, "lsp"], stdin=pipe, stdout=pipe)
        self.number = 0
        self.computed_then = 0.0
        capabilities = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self.tell("initialized", {})

    def computed(self):
        """The milliseconds that all threads have computed."""
        nanoseconds = 0
        for thread in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            nanoseconds += int((thread / "schedstat").read_text().split()[0])
        return nanoseconds / 1e6

    def send(self, *messages):
        """Sends messages at once, so that the server has all of them before it works on the first."""
        out = b""
        for message in messages:
            text = json.dumps({"jsonrpc": "2.0", **message}).encode()
            out += b"Content-Length: %d\r\n\r\n%s" % (len(text), text)
        self.process.stdin.write(out)
        self.process.stdin.flush()

    def read(self):
        length = None
        while line := self.process.stdout.readline().strip():
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        text = self.process.stdout.read(length)
        # The server goes on while the answer is looked at.
        self.computed_then = self.computed()
        return json.loads(text)

    def tell(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def ask(self, method, parameters, *before):
        """The answer to a request that is sent behind other messages."""
        self.number += 1
        self.send(*before, {"id": self.number, "method": method, "params": parameters})
        while (message := self.read()).get("id") != self.number:
            pass
        assert "error" not in message, message
        return message["result"]

    def wait_for(self, method):
        while self.read().get("method") != method:
            pass


class Editor:
    """A document in a server, and the place of the cursor in it."""

    def __init__(self, binary, text):
        self.server = Server(binary)
        self.version = 1
        self.uri = "file:///bench/program.nds"
        document = {"uri": self.uri, "languageId": "ndscript", "version": 1, "text": text}
        self.server.tell("textDocument/didOpen", {"textDocument": document})
        self.server.wait_for("textDocument/publishDiagnostics")
        lines = text.splitlines()
        # The first name that is declared in the second half.
        row = next(at for at in range(len(lines) // 2, len(lines)) if lines[at].lstrip().startswith("let "))
        self.cursor = {"line": row, "character": lines[row].index("let ") + 4}
        # Letters are typed at the end of the line before: what stands behind it moves.
        self.before = {"line": row - 1, "character": len(lines[row - 1])}

    def change(self, start, end, text):
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        change = {"range": {"start": start, "end": end}, "text": text}
        return {"method": "textDocument/didChange", "params": {"textDocument": document, "contentChanges": [change]}}

    def typed(self):
        """The message that a space was typed in the middle of the text."""
        place = dict(self.before)
        self.before["character"] += 1
        return self.change(place, place, " ")

    def parameters(self):
        lines = {"start": self.cursor, "end": {"line": self.cursor["line"] + 60, "character": 0}}
        mistake = {"range": {"start": self.cursor, "end": self.cursor}, "message": "any"}
        return {
            "textDocument": {"uri": self.uri},
            "position": self.cursor,
            "positions": [self.cursor],
            "range": lines,
            "context": {"includeDeclaration": True, "diagnostics": [mistake], "triggerKind": 1, "isRetrigger": False},
            "newName": "other_name",
            "options": {"tabSize": 4, "insertSpaces": True},
        }


REQUESTS = [
    "completion",
    "hover",
    "signatureHelp",
    "definition",
    "references",
    "documentHighlight",
    "prepareRename",
    "rename",
    "selectionRange",
    "documentSymbol",
    "foldingRange",
    "semanticTokens/full",
    "semanticTokens/range",
    "documentLink",
    "documentColor",
    "codeLens",
    "codeAction",
    "rangeFormatting",
    "formatting",
]


def measure(binary, text, rounds):
    """The milliseconds of each answer behind a typed letter, and again."""
    editor = Editor(binary, text)
    server = editor.server
    taken = {}

    def note(name, at, work):
        begun = server.computed()
        work()
        taken.setdefault(name, ([], []))[at].append(server.computed_then - begun)

    for _ in range(rounds):
        def check():
            server.send(editor.typed())
            server.wait_for("textDocument/publishDiagnostics")

        note("errors and warnings", 0, check)
        for request in REQUESTS:
            def ask(*before):
                server.ask(f"textDocument/{request}", editor.parameters(), *before)

            def type_and_ask():
                ask(editor.typed())

            note(request, 0, type_and_ask)
            # What is told without being asked comes first.
            server.wait_for("textDocument/publishDiagnostics")
            note(request, 1, ask)
        # What one has not written to its end is no program yet.
        start = {"line": editor.cursor["line"], "character": 0}
        behind = {"line": editor.cursor["line"], "character": len("print(")}

        def write_call():
            call = editor.change(start, start, "print(")
            server.ask("textDocument/completion", {**editor.parameters(), "position": behind}, call)

        note("completion in a call without its end", 0, write_call)
        server.wait_for("textDocument/publishDiagnostics")
        server.send(editor.change(start, behind, ""))
        server.wait_for("textDocument/publishDiagnostics")
    server.process.kill()
    return {name: [min(all_of, default=None) for all_of in both] for name, both in taken.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=str(ROOT / "target/quick/ndscript"))
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", help="a folder to write the programs to")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for name, program in PROGRAMS.items():
        if options.names and name not in options.names:
            continue
        text = program(options.lines)
        if options.keep:
            (pathlib.Path(options.keep) / f"{name}.nds").write_text(text)
        print(f"\n{name}, {options.lines} lines, {len(text) // 1000} KB:\n")
        print("| answer | with typing ms | again ms | |\n| --- | ---: | ---: | --- |")
        for request, (typed, again) in measure(options.binary, text, options.rounds).items():
            shown = "" if again is None else f"{again:.1f}"
            mark = "" if typed <= GOAL else f"over {GOAL:.0f}"
            print(f"| {request} | {typed:.1f} | {shown} | {mark} |", flush=True)


if __name__ == "__main__":
    main()
