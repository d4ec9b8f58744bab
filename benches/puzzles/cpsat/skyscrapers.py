"""Skyscrapers: an automaton for each number, whose states are the highest house so far and how many were seen."""
from latin import latin
from ortools.sat.python import cp_model
from puzzle import given, read, show, solved

seen, clues = read()
model = cp_model.CpModel()
cells = latin(model, clues)
size = len(cells)

steps = []
state = lambda highest, count: highest * (size + 1) + count  # noqa: E731
for highest in range(size + 1):
    for count in range(highest + 1):
        for height in range(1, size + 1):
            after = state(height, count + 1) if height > highest else state(highest, count)
            steps.append((state(highest, count), height, after))
for (at, side), word in given(seen).items():
    line = [row[at] for row in cells] if side < 2 else cells[at]
    model.add_automaton(line if side % 2 == 0 else line[::-1], 0, [state(size, int(word))], steps)

solver = solved(model)
show(size, size, lambda x, y: solver.value(cells[y][x]))
