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
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BINARY = os.path.join(HERE, "..", "..", "target", "release", "ndscript")
STEPS = {"U": (0, -1), "R": (1, 0), "D": (0, 1), "L": (-1, 0)}


def table(cells, width):
    return "\n".join(" ".join(cells[i:i + width]) for i in range(0, len(cells), width))


def unpacked(text):
    """Numbers that are parted by `_` or by a letter, which stands for as many empty cells as its place in the alphabet."""
    cells, number = [], ""
    for character in text + "_":
        if character.isdigit():
            number += character
            continue
        cells += [number] if number else []
        cells += ["."] * (ord(character) - ord("a") + 1 if character != "_" else 0)
        number = ""
    return cells


def slitherlink(text):
    return table([c for run in text for c in (run if run.isdigit() else "." * (ord(run) - ord("a") + 1))], 7)


def sudoku(text):
    return table(unpacked(text), 9)


def towers(text):
    edge, _, cells = text.partition(",")
    return table([clue or "." for clue in edge.split("/")], 5) + "\n\n" + table(unpacked(cells) if cells else ["."] * 25, 5)


def unequal(text):
    numbers, signs = [], []
    for place, cell in enumerate(text.strip(",").split(",")):
        number = cell.rstrip("URDL")
        numbers.append("." if number == "0" else number)
        x, y = place % 5, place // 5
        signs += [f"{x} {y} {x + STEPS[s][0]} {y + STEPS[s][1]}" for s in cell[len(number):]]
    return table(numbers, 5) + ("\n\n" + "\n".join(signs) if signs else "")


# The generator, what stands before the grade and behind it, the grades from easy to hard.
KINDS = {
    "sudoku": ("solo", "3x3d", "tbiaeu", sudoku),
    "towers": ("towers", "5d", "ehxu", towers),
    "unequal": ("unequal", "5d", "tekxr", unequal),
    "slitherlink": ("loopy", "7x7t0d", "enth", slitherlink),
}


def level(binary, kind, grade, seed):
    generator, size, _, decoded = KINDS[kind]
    made = subprocess.run([f"/usr/games/sgt-{generator}", "--generate", "1", f"{size}{grade}#{seed}"],
                          capture_output=True, text=True, check=True).stdout
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(decoded(made.strip().split(":", 1)[1]) + "\n")
        file.flush()
        program = os.path.join(HERE, kind + ".nds")
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
