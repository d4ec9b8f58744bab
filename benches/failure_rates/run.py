#!/usr/bin/env python3
"""How often, how soon and after how many failures a map of a set of tiles is made, by method and size.

Writes docs/failure-rates.md. Each run is a process of its own, limited by steps, so that shares and failures are the same on
every machine; times are the processor's, and are not.

    python3 benches/failure_rates/run.py target/release/ndscript [--seeds 5] [--sizes 16,32,64,128]
"""
import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SETS = {
    "shore": "sand between grass and water",
    "pipes": "pipes without ends",
    "castles": "walls that know inside from outside, towers at the corners",
    "loops": "loops through every cell that neither branch nor cross",
    "knots": "strands of two colours that cross one another, never themselves",
    "circuits": "thin and thick wires, chips of several cells",
    "sixteen of three colours": "16 of the 81 squares with three colours at their sides",
    "twelve of three colours": "12 of them",
    "dominoes": "a floor of stones of two cells, without a gap",
    "stones of five": "stones of five cells, a square and one more",
    "stones of three": "stones of three cells, an L",
    "stones of four": "stones of four cells, a T",
}
METHODS = {
    "restart": "guess the smallest set until the first contradiction, then begin again: wave function collapse as it is mostly written",
    "chronological": "`decide(g, {backjump: false})`: smallest set first, back to the latest guess",
    "conflict-directed": "`decide(g)`: the same, but back to the latest guess that had a part in the failure",
    "patience": "blocks of 8 x 8, one after another, with 100 failures each; what fails three times is left for the block before, "
    "which is decided anew: going back far when patience ends, as DeBroglie does",
    "blocks": "`patchwork` of `std/regions.nds`: a small pattern that repeats, then each block of it decided anew",
}


def steps_for(size):
    return max(5_000_000, 2000 * size * size)


def run(binary, name, method, size, seed):
    command = [binary, "run", str(HERE / "run.nds"), f"tiles={name}", f"method={method}", f"size={size}", "--seed", str(seed),
               "--max-steps", str(steps_for(size)), "--stats"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    failures = [line.split()[1] for line in done.stderr.splitlines() if line.startswith("failures")]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"solved": done.returncode == 0, "failures": int(failures[0].replace(",", "")), "seconds": seconds}


def median(numbers):
    return sorted(numbers)[len(numbers) // 2]


def short(number):
    if number < 1000:
        return str(number)
    return f"{number / 1000:.1f}k" if number < 10_000 else f"{number // 1000}k"


def cell(runs):
    solved = [each for each in runs if each["solved"]]
    share = f"{100 * len(solved) // len(runs)} %"
    if not solved:
        return f"{share}, {short(median([each['failures'] for each in runs]))} f"
    return f"{share}, {short(median([each['failures'] for each in solved]))} f, {median([each['seconds'] for each in solved]):.2f} s"


def document(results, sizes, seeds, version):
    lines = [
        "# How often maps fail", "",
        "Everybody who fills maps with tiles that have to fit knows that it fails sometimes, and hardly anybody says how often. Here is a",
        "table: twelve sets of tiles, " + ", ".join(f"{size} x {size}" for size in sizes) + " cells, five ways to go about it, "
        f"{seeds} seeds each. Made by", "[benches/failure_rates](../benches/failure_rates/run.py) with " + version + "; "
        "the sets are in [tilesets.nds](../benches/failure_rates/tilesets.nds).", "",
        "A run may take 2000 steps a cell, and five million at least; one that has no map by then counts as failed. Each entry is the share of",
        "runs that made a map, the median of their failures (*f*), and the median of their processor time; where no run made one, the median",
        "of the failures of all. Shares and failures are the same on every machine. Each map was checked.", "",
        "## The methods", "",
    ]
    lines += [f"- **{name}**: {words}." for name, words in METHODS.items()]
    lines += ["", "## The tables", ""]
    for name, words in SETS.items():
        lines += [f"### {name}", "", f"{words[0].upper()}{words[1:]}.", ""]
        lines += ["| | " + " | ".join(f"{size} x {size}" for size in sizes) + " |", "| --- |" + " --- |" * len(sizes)]
        for method in METHODS:
            keys = [f"{name}/{method}/{size}" for size in sizes]
            row = [cell(results[key]) if key in results else "–" for key in keys]
            lines.append(f"| {method} | " + " | ".join(row) + " |")
        lines.append("")
    notes = HERE / "notes.md"
    return "\n".join(lines) + (notes.read_text() if notes.exists() else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--sizes", default="16,32,64,128")
    parser.add_argument("--keep", help="a file that results are kept in, so that a broken run goes on")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    version = subprocess.run([options.binary, "--version"], capture_output=True, text=True).stdout.strip()
    keep = Path(options.keep) if options.keep else None
    results = json.loads(keep.read_text()) if keep and keep.exists() else {}
    started = time.time()
    for size in sizes:
        # What is hard comes first, as it takes longest.
        for name in reversed(SETS):
            for method in METHODS:
                key = f"{name}/{method}/{size}"
                if key in results:
                    continue
                results[key] = [run(options.binary, name, method, size, seed) for seed in range(1, options.seeds + 1)]
                print(f"{time.time() - started:6.0f} s  {key}: {cell(results[key])}", flush=True)
                if keep:
                    keep.write_text(json.dumps(results))
    (ROOT / "docs" / "failure-rates.md").write_text(document(results, sizes, options.seeds, version))


if __name__ == "__main__":
    main()
