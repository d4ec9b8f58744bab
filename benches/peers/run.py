#!/usr/bin/env python3
"""Installs the peers, runs our programs and theirs in turn, and prints how they compare.

    python3 benches/peers/run.py [--pairs N] [--write] [--no-embedding] [ROW ...]

Times are CPU times of whole processes with their children, medians over the pairs (five times as many for
what takes less than 15 ms). Peak memory comes from one run more under GNU time: what a process inherits from this one
at its start does not count there.

Peers and GNU time are Debian packages, installed here if they are missing and we are root. Without clingo's package its
wheel from PyPI serves (`pip install clingo`). A row whose peer is still missing is left out and said to be.
`--write` stores the table in benches/RESULTS.md.
"""
import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OURS = os.path.join(ROOT, "target", "release", "ndscript")
EMBEDDING = os.path.join(ROOT, "benches", "embedding", "Cargo.toml")
LUA, PROLOG = ["lua5.4"], ["swipl", "-O", "--stack-limit=8g"]
CLINGO, GECODE = ["clingo", "--verbose=0"], ["minizinc", "--solver", "gecode"]
MARKS = "with marks of columns and diagonals"
SOLVES = "50"

# command, Debian package, wheel
PEERS = [
    ("lua5.4", "lua5.4", None),
    ("swipl", "swi-prolog-nox", None),
    ("clingo", "gringo", "clingo"),
    ("minizinc", "minizinc", None),
    ("fzn-gecode", "flatzinc", None),
    ("time", "time", None),
]


@dataclass
class Row:
    name: str
    ours: list
    peer: list
    goal: float
    further: float


ROWS = [
    Row("fib(30)", ["fib.nds"], LUA + ["fib.lua"], 0.8, 0.5),
    Row("loop on globals", ["loop_globals.nds"], LUA + ["loop_globals.lua"], 1.0, 0.65),
    # What ten million turns take Lua in the issue is what they take on its locals.
    Row("loop on globals, Lua on locals", ["loop_globals.nds"], LUA + ["loop_function.lua"], 1.0, 0.65),
    Row("loop in a function", ["loop_function.nds"], LUA + ["loop_function.lua"], 0.8, 0.6),
    Row("sieve to two million", ["sieve.nds"], LUA + ["sieve.lua"], 0.8, 0.5),
    # A queen is checked against the rows before, on both sides; with marks both remember what is taken instead.
    Row("all of 8 queens x 20, Lua", ["queens_all.nds"], LUA + ["queens_all.lua"], 1.0, 0.7),
    Row(f"all of 8 queens x 20 {MARKS}, Lua", ["queens_all_marks.nds"], LUA + ["queens_all_marks.lua"], 1.0, 0.7),
    Row("all of 8 queens x 20, Prolog", ["queens_all.nds"], PROLOG + ["queens_all.pl"], 0.33, 0.25),
    Row("first of 20 queens, Lua", ["queens_first.nds"], LUA + ["queens_first.lua"], 1.0, 0.75),
    Row(f"first of 20 queens {MARKS}, Lua", ["queens_first_marks.nds"], LUA + ["queens_first_marks.lua"], 1.0, 0.75),
    Row("first of 20 queens, Prolog", ["queens_first.nds"], PROLOG + ["queens_first.pl"], 0.5, 0.4),
    # The same at the top level, as designers write it; the peers are unchanged.
    Row("first of 20 queens at the top level, Lua", ["queens_top.nds"], LUA + ["queens_first.lua"], 0.8, 0.7),
    Row("first of 20 queens at the top level, Prolog", ["queens_top.nds"], PROLOG + ["queens_first.pl"], 0.35, 0.3),
    Row("map, 32 x 32", ["map:32"], LUA + ["map.lua", "32"], 2.0, 1.0),
    Row("map, 100 x 100", ["map:100"], LUA + ["map.lua", "100"], 2.0, 1.0),
    Row("map, 256 x 256", ["map:256"], LUA + ["map.lua", "256"], 2.0, 1.0),
    Row("map, 1024 x 1024", ["map:1024"], LUA + ["map.lua", "1024"], 2.0, 1.0),
    Row("sudoku, clingo", ["sudoku.nds"], CLINGO + ["sudoku.lp"], 1.0, 0.5),
    Row("sudoku, MiniZinc and Gecode", ["sudoku.nds"], GECODE + ["sudoku.mzn"], 1.0, 0.5),
    Row("sudoku, Prolog's clpfd", ["sudoku.nds"], PROLOG + ["sudoku.pl"], 1.0, 0.5),
    Row(f"sudoku x {SOLVES}, Lua", ["sudoku.nds", f"times={SOLVES}"], LUA + ["sudoku.lua", SOLVES], 3.0, 1.5),
    Row("a million nested choices", ["choices.nds"], PROLOG + ["choices.pl"], 0.2, 0.12),
    Row("a million nested choices at the top level", ["choices_top.nds"], PROLOG + ["choices.pl"], 0.1, 0.08),
    Row("fractal, 300 x 300", ["fractal.nds"], LUA + ["fractal.lua"], 1.0, 0.8),
    Row("value noise, 256 x 256", ["noise.nds"], LUA + ["noise.lua"], 1.0, 0.8),
    Row("a million appends to a text", ["appends.nds"], LUA + ["appends.lua"], 3.0, 1.0),
    Row("start-up", ["empty.nds"], LUA + ["-e", ""], 1.5, 1.0),
]

# name, what embedding's line is called, its peer's line, unit, nanoseconds in it, goal, further goal
EMBEDDED = [
    ("engine, compile and run of 20 lines", "script ours", "script lua", "us", 1000, 100, 30),
    ("call of a script function from Rust", "call ours", "call lua", "ns", 1, 200, 100),
]


def install():
    missing = [(command, package, wheel) for command, package, wheel in PEERS if shutil.which(command) is None]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "update"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _, package, _ in missing:
            subprocess.run(
                ["apt-get", "install", "-y", "--no-install-recommends", package], stdout=subprocess.DEVNULL
            )
    for command, package, wheel in missing:
        if shutil.which(command) is None and wheel is not None:
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", wheel])
        if shutil.which(command) is None:
            print(f"{command} is missing (Debian: apt-get install {package})", file=sys.stderr)


def has(command):
    return shutil.which(command[0]) is not None


def measure(command):
    """CPU milliseconds of one run."""
    process = subprocess.Popen(command, cwd=HERE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    # Solvers have codes of their own for "satisfiable"; a peer that does not run at all has others.
    if os.waitstatus_to_exitcode(status) not in (0, 1, 10, 30):
        sys.exit(f"failed: {' '.join(command)}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def peak(command, folder):
    """Megabytes of the largest resident size of one run, or None."""
    if not has(["time"]):
        return None
    path = os.path.join(folder, "peak")
    timed = [shutil.which("time"), "-q", "-f", "%M", "-o", path] + command
    subprocess.run(timed, cwd=HERE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(path) as file:
        return int(file.read().split()[-1]) / 1024


def our_command(arguments, folder):
    program, more = arguments[0], arguments[1:]
    if program == "empty.nds":
        path = os.path.join(folder, program)
        open(path, "w").close()
    elif program.startswith("map:"):
        # The textbook's program with its size changed, without the picture, which the peer does not draw either.
        size = program[4:]
        with open(os.path.join(ROOT, "examples", "tiles", "map.nds")) as file:
            text = file.read().replace("makeGrid(10, 10,", f"makeGrid({size}, {size},")
        path = os.path.join(folder, f"map{size}.nds")
        with open(path, "w") as file:
            file.write(text.replace('\nprintTilesetMap(g, "gray");\n', "\n"))
    else:
        path = os.path.join(HERE, program)
    return [OURS, "run", path, *more, "--seed", "7"]


def verdict(ratio, goal, further):
    return "beyond" if ratio <= further else "reached" if ratio <= goal else "MISSED"


def megabytes(size):
    return "?" if size is None else f"{size:.0f}" if size >= 10 else f"{size:.1f}"


def compare(rows, pairs):
    """The lines of the table, and our median milliseconds by row."""
    lines, medians = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            ours = our_command(row.ours, folder)
            if not has(row.peer):
                lines.append(f"| {row.name} | | | | {row.goal} | {row.further} | {row.peer[0]} is missing | | |")
                print(lines[-1], flush=True)
                continue
            # What takes no time is measured more often.
            count = pairs * 5 if max(measure(ours), measure(row.peer)) < 15 else pairs
            runs = [(measure(ours), measure(row.peer)) for _ in range(count)]
            ours_ms, peer_ms = (statistics.median(run[side] for run in runs) for side in (0, 1))
            ratio = statistics.median(run[0] / max(run[1], 0.01) for run in runs)
            lines.append(
                f"| {row.name} | {ours_ms:.1f} | {peer_ms:.1f} | {ratio:.2f} | {row.goal} | {row.further} "
                f"| {verdict(ratio, row.goal, row.further)} "
                f"| {megabytes(peak(ours, folder))} | {megabytes(peak(row.peer, folder))} |"
            )
            print(lines[-1], flush=True)
            medians[row.name] = ours_ms
    return lines, medians


def growth(medians):
    """The map's time per cell, as it is and without the time to start up."""
    sizes = [size for size in (32, 100, 256, 1024) if f"map, {size} x {size}" in medians]
    lines = []
    for what, spared in (("as measured", 0.0), ("start-up taken off", medians.get("start-up", 0.0))):
        cell = {size: (medians[f"map, {size} x {size}"] - spared) * 1000 / size**2 for size in sizes}
        text = ", ".join(f"{micros:.2f} us at {size}" for size, micros in cell.items())
        if 32 in cell and 256 in cell:
            ratio = cell[256] / max(cell[32], 0.001)
            text += f"; 256 over 32: {ratio:.2f} (goal 1.3, then 1.1: {verdict(ratio, 1.3, 1.1)})"
        if 32 in cell and 1024 in cell:
            text += f"; 1024 over 32: {cell[1024] / max(cell[32], 0.001):.2f}"
        lines.append(f"- Time per cell of the map, {what}: {text}.")
    return lines if sizes else []


def embedded():
    """The rows that are measured inside a process, by a program of their own."""
    folder = os.path.join(ROOT, "target", "embedding")
    command = ["cargo", "run", "--quiet", "--release", "--manifest-path", EMBEDDING, "--target-dir", folder]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        print(run.stderr, file=sys.stderr)
        return []
    nanos = {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in run.stdout.splitlines()}
    lines = []
    for name, ours, peer, unit, size, goal, further in EMBEDDED:
        if ours in nanos:
            time = nanos[ours] / size
            theirs = f"{nanos[peer] / size:.1f} {unit}" if peer in nanos else ""
            lines.append(
                f"| {name} | {time:.1f} {unit} | {theirs} | {goal} {unit} | {further} {unit} "
                f"| {verdict(time, goal, further)} |"
            )
    print("\n".join(lines), flush=True)
    return lines


def version(command):
    run = subprocess.run(command, capture_output=True, text=True) if has(command) else None
    return (run.stdout or run.stderr).splitlines()[0].strip() if run and (run.stdout or run.stderr) else None


def write(lines, pairs):
    commands = (["lua5.4", "-v"], ["swipl", "--version"], ["clingo", "--version"], ["minizinc", "--version"])
    versions = [version(command) for command in commands]
    if has(["minizinc"]):
        solvers = subprocess.run(["minizinc", "--solvers"], capture_output=True, text=True).stdout.splitlines()
        versions += [line.split("(")[0].strip() for line in solvers if "org.gecode.gecode" in line]
    versions += [version(["rustc", "--version"]), version(["git", "-C", ROOT, "log", "-1", "--format=commit %h of %cs"])]
    with open("/proc/cpuinfo") as file:
        models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    with open(os.path.join(ROOT, "benches", "RESULTS.md"), "w") as file:
        file.write("# The last comparison\n\n")
        file.write("Made by `python3 benches/peers/run.py --write` after `cargo build --release`: CPU milliseconds of ")
        file.write(f"whole processes, medians of {pairs} pairs run in turn; peak resident memory in megabytes.\n\n")
        file.write(f"Machine: {models[0] if models else platform.machine()}, {os.cpu_count()} cores, ")
        file.write(f"load {os.getloadavg()[0]:.1f} at the end. ")
        file.write(f"Versions: {'; '.join(filter(None, versions))}.\n\n")
        file.write("\n".join(lines) + "\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pairs", type=int, default=5)
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--no-embedding", action="store_true", help="leave out what is measured inside a process")
    arguments.add_argument("rows", nargs="*", help="only rows whose names contain one of these")
    options = arguments.parse_args()
    install()
    if not os.path.exists(OURS):
        sys.exit("build first: cargo build --release")
    chosen = [row for row in ROWS if not options.rows or any(part in row.name for part in options.rows)]
    lines = [
        "| work | ours ms | peer ms | ratio | goal | then | verdict | ours MB | peer MB |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    print("\n".join(lines))
    table, medians = compare(chosen, options.pairs)
    lines += table
    notes = growth(medians)
    if notes:
        print("\n".join(notes), flush=True)
        lines += ["", *notes]
    if not options.no_embedding and not options.rows:
        inside = embedded()
        if inside:
            lines += [
                "",
                "Inside one process (`benches/embedding`), CPU time; the peer is a fresh `mlua` VM:",
                "",
                "| work | ours | Lua | goal | then | verdict |",
                "| --- | --- | --- | --- | --- | --- |",
                *inside,
            ]
    if options.write:
        write(lines, options.pairs)


main()
