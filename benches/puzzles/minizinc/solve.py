#!/usr/bin/env python3
"""Solves a puzzle by a model in MiniZinc: python3 solve.py SOLVER... -- --solver CONFIGURATION MODEL DATA

MiniZinc flattens the model, as the words behind `--` tell it; the command SOLVER solves what came of it; MiniZinc prints the solution.
To flatten takes longer than to solve many a puzzle; what the solver takes alone is told as well.
"""
import os
import resource
import subprocess
import sys
import tempfile

split = sys.argv.index("--")
solver, flattening = sys.argv[1:split], sys.argv[split + 1:]


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


with tempfile.TemporaryDirectory() as folder:
    flat, output = (os.path.join(folder, name) for name in ("flat.fzn", "flat.ozn"))
    # Debian's library for Gecode makes MiniZinc warn whatever the model: only errors are told.
    flattened = subprocess.run(["minizinc", "-c", *flattening, "--fzn", flat, "--ozn", output], capture_output=True, text=True)
    if flattened.returncode:
        sys.exit(flattened.stderr)
    begun = used()
    found = subprocess.run([*solver, flat], stdout=subprocess.PIPE)
    behind = used() - begun
    if found.returncode or b"-----" not in found.stdout:
        sys.exit(1)
    # Remarks of a solver would come before the solution.
    answer = b"\n".join(line for line in found.stdout.split(b"\n") if not line.startswith(b"%"))
    subprocess.run(["minizinc", "--ozn-file", output, "--soln-sep", ""], input=answer, check=True)
print(f"behind the start: {behind}", file=sys.stderr)
