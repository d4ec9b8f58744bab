#!/usr/bin/env python3
"""How good solutions are that are not looked for by going through all: `improve` and `fair` of `decide`.

    cargo build --release && benches/search/run.py [--binary PATH] [--seeds N] [--mazes N] [--cpu SECONDS]

Plans of guests at tables (`seating.nds`): the sums (less is better) and CPU seconds of the first plan, of some rounds of `improve`, and of
the search for the best, which is stopped after some seconds and then gives the best so far (marked `>`).

Mazes (`maze.nds`): how often each passage is open over many seeds, beside the exact chance in a tree that is drawn fairly (its effective
resistance, by Kirchhoff). `rms z` is the root mean square of the deviations in standard errors: about 1 where the draw is fair."""

import argparse
import math
import pathlib
import re
import resource
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def run(binary, program, seed, cpu=None, **parameters):
    """Output, messages and CPU seconds of a run."""
    command = [binary, "run", str(HERE / program), "--seed", str(seed)]
    command += [f"{name}={value}" for name, value in parameters.items()]
    if cpu:
        # The clock of the wall bounds it as well as it can on a busy machine.
        command += ["--timeout", str(cpu)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, done.stderr, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def plans(binary, seeds, cpu):
    print("| guests, pairs | search | sums | CPU, s |\n| --- | --- | --- | --- |")
    for guests, tables, pairs in [(40, 5, 80), (120, 12, 300)]:
        for rounds in [0, 30, 100, 300, -1]:
            sums, seconds = [], []
            for seed in range(1, seeds + 1):
                out, messages, took = run(
                    binary, "seating.nds", seed, cpu, guests=guests, tables=tables, pairs=pairs, rounds=rounds
                )
                best = re.search(r"cost of (-?[\d.]+)", messages)
                sums.append(f"> {best.group(1)}" if best else out.strip() or "none")
                seconds.append(f"{took:.2f}")
            name = "the best" if rounds < 0 else f"`improve: {rounds}`"
            print(f"| {guests}, {pairs} | {name} | {', '.join(sums)} | {', '.join(seconds)} |", flush=True)


def chances(width, height):
    """The exact chance of each passage, in the order of `maze.nds`."""
    rooms = width * height
    edges = []
    for room in range(rooms):
        if (room + 1) % width:
            edges.append((room, room + 1))
        if room + width < rooms:
            edges.append((room, room + width))
    # The Laplacian without the last room, inverted by Gauss and Jordan.
    size = rooms - 1
    rows = [[0.0] * size + [float(i == j) for j in range(size)] for i in range(size)]
    for a, b in edges:
        for i, j in [(a, b), (b, a)]:
            if i < size:
                rows[i][i] += 1
                if j < size:
                    rows[i][j] -= 1
    for i in range(size):
        pivot = rows[i][i]
        rows[i] = [x / pivot for x in rows[i]]
        for k in range(size):
            if k != i and rows[k][i]:
                factor = rows[k][i]
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i])]
    inverse = [row[size:] + [0.0] for row in rows] + [[0.0] * rooms]
    return [inverse[a][a] + inverse[b][b] - 2 * inverse[a][b] for a, b in edges]


def mazes(binary, count):
    exact = chances(6, 5)
    print("\n| maze of 6 x 5 | rms z | most open passage | the exact chance there |\n| --- | --- | --- | --- |")
    for fair in ["true", "false"]:
        drawn = [run(binary, "maze.nds", seed, fair=fair)[0].strip() for seed in range(1, count + 1)]
        shares = [sum(maze[at] == "1" for maze in drawn) / count for at in range(len(exact))]
        z = [(share - p) / math.sqrt(p * (1 - p) / count) for share, p in zip(shares, exact)]
        rms = math.sqrt(sum(x * x for x in z) / len(z))
        most = max(range(len(exact)), key=shares.__getitem__)
        name = "`fair: true`" if fair == "true" else "plain `decide`"
        print(f"| {name}, {count} seeds | {rms:.2f} | {shares[most]:.2f} | {exact[most]:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=str(HERE.parent.parent / "target/release/ndscript"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--mazes", type=int, default=150)
    parser.add_argument("--cpu", type=int, default=20)
    given = parser.parse_args()
    plans(given.binary, given.seeds, given.cpu)
    mazes(given.binary, given.mazes)


if __name__ == "__main__":
    main()
