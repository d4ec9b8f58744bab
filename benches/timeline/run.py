#!/usr/bin/env python3
"""What it costs to record a run, and to go back in it.

    python3 benches/timeline/run.py [--binary target/release/ndscript] [--rounds 5] [FILE...]

For each program: the processor time of a plain run to the first solution, the factor of a watched run that is recorded for
going back (`ndscript debug`, `end`), and the time to go to a moment, as the mean over moments in no order. Plain and recorded
runs take turns; medians are shown.
"""

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = [
    "benches/timeline/loop.nds",
    "benches/timeline/search.nds",
    "examples/sudoku/short.nds",
    "examples/zebra/zebra.nds",
    "examples/tiles/map.nds",
    "examples/tiles/queue.nds",
]
MOMENTS = 10


def seconds(command, text):
    """Processor time of a command that gets a text, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(command, input=text, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, ended


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=os.path.join(ROOT, "target/release/ndscript"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    files = options.files or [file for file in PROGRAMS if os.path.exists(os.path.join(ROOT, file))]
    print("| program | steps | plain, s | recorded | to a moment, s | memory, MB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for file in files:
        path = os.path.join(ROOT, file)
        run = [options.binary, "run", path, "--seed", "1"]
        debug = [options.binary, "debug", path, "--seed", "1", "--screen", "never"]
        ended = seconds(debug, "end\n")[1]
        steps = [line.split()[1] for line in ended.stdout.splitlines() if line.startswith("step ")]
        if ended.returncode or not steps:
            print(f"| {file} | cannot be recorded: {ended.stderr.strip()[:60]} |", file=sys.stderr)
            continue
        last = int(steps[-1].split(".")[0])
        chosen = random.Random(7)
        goes = "".join(f"go {chosen.randrange(1, max(2, last))}\n" for _ in range(MOMENTS))
        plain, factors, moments = [], [], []
        for _ in range(options.rounds):
            alone = seconds(run, "")[0]
            recorded = seconds(debug, "end\n")[0]
            there = seconds(debug, "end\n" + goes)[0]
            plain.append(alone)
            factors.append(recorded / alone)
            moments.append(max(0.0, there - recorded) / MOMENTS)
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(
            f"| {file} | {last:,} | {statistics.median(plain):.2f} | {statistics.median(factors):.1f}x"
            f" | {statistics.median(moments):.3f} | {memory:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
