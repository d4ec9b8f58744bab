#!/usr/bin/env python3
"""What it costs to record a run and to keep its tree, in instructions: they are the same however busy the machine is.

    python3 benches/timeline/instructions.py FILE... [--binary target/quick/ndscript] [--seed 1]

For each program: the instructions of a plain run (those of an empty program taken left out), and how many times as many are
carried out while it is recorded for going back (`ndscript debug`, `end`: the recording alone, without showing where it stands),
by `ndscript tree` as text, and by `ndscript tree --html`. Runs are watched by callgrind of valgrind, which makes them fifty
times slower: take programs of a few million steps, which have a solution (without one, a plain run is made once more to say
what failed). The binary needs its symbols (`--profile quick` has them).
"""

import argparse
import os
import re
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def instructions(command, folder, text="", inside=None):
    """The instructions of a command, or those inside of a function."""
    told = os.path.join(folder, "callgrind.out")
    watched = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={told}", *command]
    ended = subprocess.run(watched, input=text, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", ended.stderr)
    if not found:
        raise SystemExit(f"{' '.join(command)}: {ended.stderr}")
    if inside is None:
        return int(found[1])
    listed = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", told], capture_output=True, text=True).stdout
    for line in listed.splitlines():
        if inside in line:
            return int(line.split()[0].replace(",", ""))
    raise SystemExit(f"{inside} is not among the functions: has the binary its symbols?")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=os.path.join(ROOT, "target/quick/ndscript"))
    parser.add_argument("--seed", default="1")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    print("| program | plain, millions | recorded | tree | tree with its page |")
    print("| --- | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        empty = os.path.join(folder, "empty.nds")
        open(empty, "w").close()
        page = ["--html", os.path.join(folder, "page.html")]

        def cost(command, file, more=()):
            own = [options.binary, command, file, "--seed", options.seed, *more]
            return instructions(own, folder)

        begin = {form: cost(*form.split()[:1], empty, page if "page" in form else ()) for form in ("run", "tree", "tree page")}
        for file in options.files:
            plain = cost("run", file) - begin["run"]
            debug = [options.binary, "debug", file, "--seed", options.seed, "--screen", "never"]
            recorded = instructions(debug, folder, "end\n", "timeline::line::Timeline::record ")
            tree = cost("tree", file) - begin["tree"]
            paged = cost("tree", file, page) - begin["tree page"]
            print(
                f"| {os.path.basename(file)} | {plain / 1e6:.1f} | {recorded / plain:.1f}x | {tree / plain:.1f}x"
                f" | {paged / plain:.1f}x |",
                flush=True,
            )


if __name__ == "__main__":
    main()
