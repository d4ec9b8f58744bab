#!/usr/bin/env python3
"""Makes the puzzles of `instances/` anew: tables of words, with an empty line between two tables.

    python3 benches/puzzles/make.py

Needs Simon Tatham's collection (Debian's sgt-puzzles), whose generators promise one solution. Quasigroups are made here, and may have several.
"""
import os
import random
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
# Our name and size, the name in the collection and the parameters of its generator.
GAMES = [
    ("slitherlink-15", "loopy", "15x15t0dh"), ("slitherlink-25", "loopy", "25x25t0dh"),
    ("fillomino-9", "filling", "9x7"), ("fillomino-13", "filling", "13x9"),
    ("palisade-8", "palisade", "8x6n6"), ("palisade-10", "palisade", "10x8n8"),
    ("magnets-16", "magnets", "16x15dtS"), ("binairo-24", "unruly", "24x24dn"), ("slant-20", "slant", "20x20dh"),
    ("tracks-15", "tracks", "15x15dh"), ("skyscrapers-8", "towers", "8du"),
]
COUNT = 3


def in_rows(cells, width):
    return [cells[start:start + width] for start in range(0, len(cells), width)]


def with_gaps(text):
    """Characters, each a cell; a small letter stands for as many empty cells as its place in the alphabet says."""
    cells = []
    for sign in text:
        cells += ["."] * (ord(sign) - 96) if sign.islower() else [sign]
    return cells


def magnets(text, width):
    """The numbers of plus by column and by row, those of minus, and for each cell its side of a magnet."""
    *numbers, sides = text.split(",")
    return [[list(each) for each in numbers], in_rows(list(sides), width)]


def binairo(text, width):
    """A letter is so many empty cells, then a one if it is a capital, else a zero."""
    cells = []
    for sign in text:
        gap = ord(sign.lower()) - 97
        cells += ["."] * gap + (["1" if sign.isupper() else "0"] if gap < 25 else [])
    return [in_rows(cells[:width * width], width)]


def tracks(text, width):
    """The numbers of columns and rows, the row and the column where the track enters and leaves, and pieces that are given."""
    cells, *numbers = text.split(",")
    names = {"5": "LR", "A": "UD", "6": "LU", "C": "LD", "3": "RU", "9": "RD"}
    ends = [index for index, number in enumerate(numbers) if number[0] == "S"]
    numbers = [number.lstrip("S") for number in numbers]
    start, end = ends[1] - width, ends[0]
    rows = in_rows([names.get(cell, cell) for cell in with_gaps(cells)], width)
    return [[numbers[:width], numbers[width:], [str(start), str(end)]], rows]


def skyscrapers(text, width):
    """What is seen from the top, the bottom, the left and the right; and heights that are given."""
    seen, _, cells = text.partition(",")
    given = with_gaps(cells.replace("_", "")) if cells else ["."] * width * width
    return [in_rows([number or "." for number in seen.split("/")], width), in_rows(given, width)]


def decoded(kind, game):
    """The tables of a game's name."""
    params, text = game.split(":")
    size = params.split("x")
    width = int(size[0])
    if kind == "palisade":
        # Empty cells at the end are left out.
        height, pieces = size[1].split("n")
        cells = with_gaps(text)
        return [[[pieces]], in_rows(cells + ["."] * (width * int(height) - len(cells)), width)]
    if kind in ("magnets", "binairo", "tracks", "skyscrapers"):
        return globals()[kind](text, width)
    return [in_rows(with_gaps(text), width + 1 if kind == "slant" else width)]


def quasigroup(order, seed):
    """A Latin square, mixed by moves that keep it one, with as many holes in each row and column."""
    draw = random.Random(seed)
    square = [[(row + column) % order + 1 for column in range(order)] for row in range(order)]
    for _ in range(4 * order * order):
        # Two rows exchange what they hold in the columns of one cycle between them.
        one, two = draw.sample(square, 2)
        column = draw.randrange(order)
        first = one[column]
        while True:
            one[column], two[column] = two[column], one[column]
            if one[column] == first:
                break
            column = next(other for other in range(order) if other != column and one[other] == one[column])
        if draw.random() < 0.1:
            square = [list(line) for line in zip(*square)]
    rows, columns = draw.sample(range(order), order), draw.sample(range(order), order)
    holes = round(0.42 * order)
    return [[["." if (rows[y] + columns[x]) % order < holes else str(square[y][x]) for x in range(order)] for y in range(order)]]


def store(name, number, tables):
    with open(os.path.join(HERE, "instances", f"{name}-{number}.txt"), "w") as file:
        file.write("\n\n".join("\n".join(" ".join(row) for row in table) for table in tables) + "\n")


def main():
    for number in range(1, COUNT + 1):
        for name, program, params in GAMES:
            command = [f"/usr/games/sgt-{program}", "--generate", "1", f"{params}#ndscript-{number}"]
            game = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
            store(name, number, decoded(name.split("-")[0], game))
        for order in (30, 33):
            store(f"quasigroup-{order}", number, quasigroup(order, f"ndscript {order} {number}"))


if __name__ == "__main__":
    main()
