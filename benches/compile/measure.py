#!/usr/bin/env python3
"""Shows how the time of compiling grows with the text.

    cargo build --profile quick && benches/compile/measure.py [--binary PATH] [NAME ...]

Each family of programs is checked in sizes that double. A family whose time grows by more than 2.8 at two doublings
in a row, where it is long enough to be measured, is named at the end: look for work that goes over the whole program
for each of its parts. Times on a machine that does other things as well go up and down; measure such a family again.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FIRST, LAST = 10_000, 160_000


def lines(count, line):
    return "\n".join(line(at) for at in range(count)) + "\n"


def function(body, parameters=""):
    return f"function f({parameters}) {{\n{body}}}\n"


FAMILIES = {
    "functions": lambda n: lines(n, lambda i: f"function f{i}(a) {{ return a; }}"),
    "functions with block variables": lambda n: lines(n, lambda i: f"function f{i}() {{ {{ let x = 1; x; }} }}"),
    "functions inside functions": lambda n: lines(n, lambda i: f"function f{i}() {{ function g() {{ return f{i}(); }} }}"),
    "deterministic functions": lambda n: lines(n, lambda i: f"deterministic function f{i}() {{ let x = 1; return x; }}"),
    "functions that call one another": lambda n: lines(n, lambda i: f"function f{i}() {{ return f{(i + 1) % n}(); }}"),
    "functions in a variable": lambda n: lines(n, lambda i: f"let c{i} = () => {{ let y = {i}; return y; }};"),
    "functions that close over one variable": lambda n: function("let z = 1;\n" + lines(n, lambda i: f"let q{i} = () => z;")),
    "a function that closes over many variables": lambda n: function(
        lines(n, lambda i: f"let p{i} = {i};") + "return () => {\n" + lines(n, lambda i: f"p{i}++;") + "};\n"),
    "parameters": lambda n: function("return p0;\n", ", ".join(f"p{i}" for i in range(n))),
    "defaults": lambda n: function("return p0;\n", ", ".join(f"p{i} = {i}" for i in range(n))),
    "local variables": lambda n: function(lines(n, lambda i: f"let p{i} = {i};")),
    "variables of blocks": lambda n: function(lines(n, lambda i: f"{{ let x{i} = 1; x{i}; }}")),
    "variables of a function by var": lambda n: function(lines(n, lambda i: f"{{ var x{i} = 1; }}")),
    "global variables": lambda n: lines(n, lambda i: f"let p{i} = {i};"),
    "names that nothing declares": lambda n: lines(n, lambda i: f"u{i}(1);"),
    "names that are declared twice": lambda n: lines(n, lambda i: "let x = 1;"),
    "unused variables": lambda n: function(lines(n, lambda i: f"let x{i} = 1;")),
    "parts of a template": lambda n: function("let a = 1; let s = `" + "${a++}" * n + "`;\n"),
    "keys": lambda n: "let o = {" + ", ".join(f"k{i}: {i}" for i in range(n)) + "};\n",
    "elements": lambda n: "let o = [" + ", ".join(f'"s{i}"' for i in range(n)) + "];\n",
    "operands": lambda n: function("let a = 1; return " + " + ".join(["a++"] * n) + ";\n"),
    "arguments": lambda n: function("let a = 1; setOf(" + ", ".join(["a++"] * n) + ");\n"),
    "indexes": lambda n: function("let a = []; return a" + "[0]" * n + ";\n"),
    "arms of if": lambda n: "if (1 == 2) {}\n" + "else if (1 == 2) {}\n" * n,
    "alternatives": lambda n: "choose { let q = 1; }\n" + "or { let q = 1; }\n" * n,
    "jumps out of a loop": lambda n: "while (true) {\n" + "if (1 == 2) break;\n" * n + "}\n",
    "names inside many blocks": lambda n: "{ let q = 1;" * 60 + "q;" * n + "}" * 60 + "\n",
    "lists inside lists": lambda n: function("let a = 1; return " + "[" * 60 + "a++, " * n + "]" * 60 + ";\n"),
    "mistakes": lambda n: "let = ;\n" * n,
    "brackets that close nothing": lambda n: "}\n" * n,
    "strings without an end": lambda n: '"\n' * n,
    "comments": lambda n: "/* a */ // b\n" * n,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=str(ROOT / "target/quick/ndscript"))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    steep = []
    for name, program in FAMILIES.items():
        if options.names and name not in options.names:
            continue
        times, size = [], FIRST
        with tempfile.NamedTemporaryFile("w", suffix=".nds") as file:
            while size <= LAST:
                file.seek(0)
                file.truncate()
                file.write(program(size))
                file.flush()
                begun = time.monotonic()
                subprocess.run([options.binary, "check", file.name], capture_output=True, check=False)
                times.append(time.monotonic() - begun)
                size *= 2
        growth = [later / earlier for earlier, later in zip(times, times[1:]) if earlier > 0.1]
        print(f"{name:<45}" + " ".join(f"{seconds:6.2f}" for seconds in times), flush=True)
        if any(a > 2.8 and b > 2.8 for a, b in zip(growth, growth[1:])):
            steep.append(name)
    for name in steep:
        print(f"grows too fast: {name}", file=sys.stderr)
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
