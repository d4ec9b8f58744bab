#!/usr/bin/env python3
"""How well `difficulty` puts puzzles of known grades in order.

    python3 benches/grades/run.py [BINARY] [KIND ...] [--each N]

The puzzles and their grades are those of Simon Tatham's generators (Debian's `sgt-puzzles`): N of each grade, by the seeds 0, 1, ...
A line for each kind: the rank correlation of grade and level (Spearman's, ties share their ranks), and of each grade the
least, the median and the greatest level.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PUZZLES = os.path.join(os.path.dirname(HERE), "puzzles")
BINARY = os.path.join(HERE, "..", "..", "target", "release", "ndscript")
STEPS = {"U": (0, -1), "R": (1, 0), "D": (0, 1), "L": (-1, 0)}


sys.path.insert(0, PUZZLES)
from make import decoded, in_rows  # noqa: E402


def sudoku(game):
    """Numbers that are parted by `_` or by a letter, which stands for as many empty cells as its place in the alphabet."""
    cells = []
    for part in re.findall(r"\d+|[a-z]", game.split(":")[1]):
        cells += [part] if part.isdigit() else ["."] * (ord(part) - 96)
    return [in_rows(cells, 9)]


def unequal(game):
    """For each cell its number, 0 if none is given, and a letter for each side on which its neighbor is less."""
    numbers, signs = [], []
    for place, cell in enumerate(game.split(":")[1].strip(",").split(",")):
        number = cell.rstrip("URDL")
        numbers.append("." if number == "0" else number)
        x, y = place % 5, place // 5
        signs += [[str(c) for c in (x, y, x + STEPS[s][0], y + STEPS[s][1])] for s in cell[len(number):]]
    return [in_rows(numbers, 5)] + ([signs] if signs else [])


# The generator, what stands before the grade, the grades from easy to hard, what decodes a game, and the model.
KINDS = {
    "sudoku": ("solo", "3x3d", "tbiaeu", sudoku, os.path.join(HERE, "sudoku.nds")),
    "towers": ("towers", "5d", "ehxu", lambda game: decoded("skyscrapers", game), os.path.join(HERE, "towers.nds")),
    "unequal": ("unequal", "5d", "tekxr", unequal, os.path.join(HERE, "unequal.nds")),
    "slitherlink": ("loopy", "7x7t0d", "enth", lambda game: decoded("slitherlink", game), os.path.join(PUZZLES, "ours", "slitherlink.nds")),
}


def level(binary, kind, grade, seed):
    generator, size, _, tables_of, program = KINDS[kind]
    made = subprocess.run([f"/usr/games/sgt-{generator}", "--generate", "1", f"{size}{grade}#{seed}"],
                          capture_output=True, text=True, check=True).stdout
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        tables = tables_of(made.strip())
        file.write("\n\n".join("\n".join(" ".join(row) for row in table) for table in tables) + "\n")
        file.flush()
        told = subprocess.run([binary, "explain", "--solve", program, "puzzle=@" + file.name, "--json"],
                              capture_output=True, text=True)
    if told.returncode != 0:
        raise SystemExit(f"{kind}, grade {grade}, seed {seed}: {told.stderr}")
    difficulty = json.loads(told.stdout)["difficulty"]
    if difficulty["end"] != "solved":
        raise SystemExit(f"{kind}, grade {grade}, seed {seed} is not solved by steps: {difficulty}")
    return difficulty["level"]


def ranks(values):
    """From the least on; equal values share the mean of their ranks."""
    order = sorted(values)
    return [order.index(v) + (order.count(v) - 1) / 2 for v in values]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="?", default=BINARY)
    parser.add_argument("kinds", nargs="*", metavar="KIND", default=[])
    parser.add_argument("--each", type=int, default=25)
    options = parser.parse_args()
    for kind in options.kinds or KINDS:
        grades = KINDS[kind][2]
        levels = [[level(options.binary, kind, grade, seed) for seed in range(options.each)] for grade in grades]
        graded = [(number, found) for number, row in enumerate(levels) for found in row]
        correlation = statistics.correlation(ranks([number for number, _ in graded]), ranks([found for _, found in graded]))
        spread = ", ".join(f"{g} {min(row):.1f} {statistics.median(row):.1f} {max(row):.1f}" for g, row in zip(grades, levels))
        print(f"{kind}: {correlation:.2f} of {len(graded)} puzzles ({spread})", flush=True)


if __name__ == "__main__":
    main()
