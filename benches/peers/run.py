#!/usr/bin/env python3
"""Runs our programs and their peers in turn and prints how they compare.

    python3 benches/peers/run.py [--pairs N] [--write] [ROW ...]

Times are CPU times of whole processes, medians over the pairs; memory is the largest resident size seen.
Peers come as Debian packages: lua5.4 and swi-prolog-nox (installed here if they are missing and we are root).
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

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OURS = os.path.join(ROOT, "target", "release", "ndscript")
LUA, PROLOG = ["lua5.4"], ["swipl", "-O", "--stack-limit=8g"]

# name, our program, the peer's command, goal, further goal
ROWS = [
    ("fib(30)", "fib.nds", LUA + ["fib.lua"], 0.8, 0.5),
    ("loop on globals", "loop_globals.nds", LUA + ["loop_globals.lua"], 1.0, 0.65),
    ("loop in a function", "loop_function.nds", LUA + ["loop_function.lua"], 0.8, 0.6),
    ("sieve to two million", "sieve.nds", LUA + ["sieve.lua"], 0.8, 0.5),
    ("all of 8 queens x 20, Lua", "queens_all.nds", LUA + ["queens_all.lua"], 1.0, 0.7),
    ("all of 8 queens x 20, Prolog", "queens_all.nds", PROLOG + ["queens_all.pl"], 0.33, 0.25),
    ("first of 20 queens, Lua", "queens_first.nds", LUA + ["queens_first.lua"], 1.0, 0.75),
    ("first of 20 queens, Prolog", "queens_first.nds", PROLOG + ["queens_first.pl"], 0.5, 0.4),
    ("map, 32 x 32", "map:32", LUA + ["map.lua", "32"], 2.0, 1.0),
    ("map, 100 x 100", "map:100", LUA + ["map.lua", "100"], 2.0, 1.0),
    ("map, 256 x 256", "map:256", LUA + ["map.lua", "256"], 2.0, 1.0),
    ("map, 1024 x 1024", "map:1024", LUA + ["map.lua", "1024"], 2.0, 1.0),
    ("a million nested choices", "choices.nds", PROLOG + ["choices.pl"], 0.2, 0.12),
    ("start-up", "empty.nds", LUA + ["-e", ""], 1.5, 1.0),
]


def install(command, package):
    if shutil.which(command) is None and os.geteuid() == 0:
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", package], stdout=subprocess.DEVNULL)
    if shutil.which(command) is None:
        sys.exit(f"{command} is missing: install the package {package}")


def measure(command):
    """CPU milliseconds and resident megabytes of one run."""
    process = subprocess.Popen(command, cwd=HERE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"failed: {' '.join(command)}")
    return (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / 1024


def our_command(program, folder):
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
    return [OURS, "run", path, "--seed", "7"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pairs", type=int, default=5)
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("rows", nargs="*", help="only rows whose names contain one of these")
    options = arguments.parse_args()
    install("lua5.4", "lua5.4")
    install("swipl", "swi-prolog-nox")
    if not os.path.exists(OURS):
        sys.exit("build first: cargo build --release")
    lines = [
        "| work | ours ms | peer ms | ratio | goal | then | verdict | ours MB | peer MB |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    per_cell = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, program, peer, goal, further in ROWS:
            if options.rows and not any(row in name for row in options.rows):
                continue
            ours, theirs = our_command(program, folder), peer
            measure(ours), measure(theirs)
            runs = [(measure(ours), measure(theirs)) for _ in range(options.pairs)]
            ours_ms = statistics.median(run[0][0] for run in runs)
            peer_ms = statistics.median(run[1][0] for run in runs)
            ratio = statistics.median(run[0][0] / max(run[1][0], 0.01) for run in runs)
            verdict = "beyond" if ratio <= further else "reached" if ratio <= goal else "MISSED"
            ours_mb, peer_mb = max(run[0][1] for run in runs), max(run[1][1] for run in runs)
            lines.append(
                f"| {name} | {ours_ms:.1f} | {peer_ms:.1f} | {ratio:.2f} | {goal} | {further} | {verdict} "
                f"| {ours_mb:.0f} | {peer_mb:.0f} |"
            )
            print(lines[-1], flush=True)
            if program.startswith("map:"):
                size = int(program[4:])
                per_cell[size] = ours_ms * 1000 / (size * size)
    cells = ", ".join(f"{micros:.2f} us at {size}" for size, micros in per_cell.items())
    notes = [f"Time per cell of the map, start-up included: {cells}."] if per_cell else []
    print("\n".join(notes))
    if options.write:
        versions = [
            subprocess.run(["lua5.4", "-v"], capture_output=True, text=True).stdout.strip(),
            subprocess.run(["swipl", "--version"], capture_output=True, text=True).stdout.strip(),
            subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.strip(),
        ]
        with open("/proc/cpuinfo") as file:
            models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
        with open(os.path.join(ROOT, "benches", "RESULTS.md"), "w") as file:
            file.write("# The last comparison\n\n")
            file.write("Made by `python3 benches/peers/run.py --write` after `cargo build --release`: CPU milliseconds of ")
            file.write(f"whole processes, medians of {options.pairs} pairs run in turn, peak resident memory.\n\n")
            file.write(f"Machine: {models[0] if models else platform.machine()}, {os.cpu_count()} cores. ")
            file.write(f"Versions: {'; '.join(versions)}.\n\n")
            file.write("\n".join(lines) + "\n\n" + "\n".join(notes) + "\n")


main()
