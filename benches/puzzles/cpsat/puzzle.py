"""What the models for CP-SAT share: the tables of a puzzle, and the solution as a table of words."""
import sys
import time

from ortools.sat.python import cp_model

# To start Python and to import OR-Tools takes longer than many a puzzle; what comes behind it is told as well.
BEGUN = time.process_time()


def read():
    """The tables of the puzzle, as lists of rows of words."""
    with open(sys.argv[1]) as file:
        return [[line.split(" ") for line in table.split("\n")] for table in file.read().strip().split("\n\n")]


def given(table):
    """The words of a table that are not left out, by column and row."""
    return {(x, y): word for y, row in enumerate(table) for x, word in enumerate(row) if word != "."}


def solved(model):
    solver = cp_model.CpSolver()
    # What is counted is processor time.
    solver.parameters.num_workers = 1
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        sys.exit(1)
    return solver


def show(width, height, word):
    print("\n".join(" ".join(str(word(x, y)) for x in range(width)) for y in range(height)))
    print(f"behind the start: {time.process_time() - BEGUN}", file=sys.stderr)
