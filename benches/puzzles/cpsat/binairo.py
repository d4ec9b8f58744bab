"""Binairo: sums of lines, and clauses for each three in a row."""
from ortools.sat.python import cp_model
from puzzle import given, read, show, solved

clues, = read()
size = len(clues)
model = cp_model.CpModel()

cells = [[model.new_bool_var("") for _ in range(size)] for _ in range(size)]
for (x, y), word in given(clues).items():
    model.add(cells[y][x] == int(word))
for line in cells + [list(column) for column in zip(*cells)]:
    model.add(sum(line) == size // 2)
    for start in range(size - 2):
        three = line[start:start + 3]
        model.add_bool_or(three)
        model.add_bool_or([~cell for cell in three])

solver = solved(model)
show(size, size, lambda x, y: solver.value(cells[y][x]))
