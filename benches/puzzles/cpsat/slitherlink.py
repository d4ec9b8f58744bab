"""Slitherlink: AddCircuit over lines that go one way or the other; a point that the loop leaves out has an arc to itself.

What a circuit says of the lines at a point is said once more of lines without direction: that makes it faster by far.
"""
from ortools.sat.python import cp_model
from puzzle import given, read, show, solved

clues, = read()
width, height = len(clues[0]), len(clues)
model = cp_model.CpModel()

number = {(x, y): y * (width + 1) + x for x in range(width + 1) for y in range(height + 1)}
off = {point: model.new_bool_var("") for point in number}
arcs = [(number[point], number[point], off[point]) for point in number]
lines, ending = {}, {point: [] for point in number}
for x, y in number:
    for a, b in ((x + 1, y), (x, y + 1)):
        if (a, b) in number:
            line, there, back = (model.new_bool_var("") for _ in range(3))
            model.add(line == there + back)
            arcs += [(number[x, y], number[a, b], there), (number[a, b], number[x, y], back)]
            lines[x + a, y + b] = line
            ending[x, y].append(line)
            ending[a, b].append(line)
model.add_circuit(arcs)
for point in number:
    model.add(sum(ending[point]) + 2 * off[point] == 2)
for (x, y), clue in given(clues).items():
    model.add(sum(lines[2 * x + 1 + a, 2 * y + 1 + b] for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))) == int(clue))

solver = solved(model)
show(2 * width + 1, 2 * height + 1, lambda x, y: "#" if (x, y) in lines and solver.value(lines[x, y]) else ".")
