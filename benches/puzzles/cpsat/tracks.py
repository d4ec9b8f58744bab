"""Train tracks: AddCircuit from cell to cell, from the exit by an arc of its own back to the entry; other cells have arcs to themselves."""
from ortools.sat.python import cp_model
from puzzle import given, read, show, solved

(by_column, by_row, (start, end)), clues = read()
width, height = len(by_column), len(by_row)
start, end = (0, int(start)), (int(end), height - 1)
model = cp_model.CpModel()

number = {(x, y): y * width + x for x in range(width) for y in range(height)}
off = {cell: model.new_bool_var("") for cell in number}
arcs = [(number[cell], number[cell], off[cell]) for cell in number] + [(number[end], number[start], True)]
# For each side of a cell, whether the track crosses it.
crossed = {cell: dict.fromkeys("LRUD", 0) for cell in number}
crossed[start]["L"] = crossed[end]["D"] = 1
for x, y in number:
    for near, side, other in (((x + 1, y), "R", "L"), ((x, y + 1), "D", "U")):
        if near in number:
            there, back = model.new_bool_var(""), model.new_bool_var("")
            arcs += [(number[x, y], number[near], there), (number[near], number[x, y], back)]
            crossed[x, y][side] = crossed[near][other] = there + back
model.add_circuit(arcs)
model.add(off[start] == 0)
for cell, piece in given(clues).items():
    for side in piece:
        model.add(crossed[cell][side] == 1)
for x, word in enumerate(by_column):
    model.add(sum(off[x, y] for y in range(height)) == height - int(word))
for y, word in enumerate(by_row):
    model.add(sum(off[x, y] for x in range(width)) == width - int(word))

solver = solved(model)
show(width, height, lambda x, y: "".join(side for side in "LRUD" if solver.value(crossed[x, y][side])) or ".")
