"""Fillomino: a piece is named after one of its cells, its root. Every cell sends one grain there, through cells of its piece."""
from ortools.sat.python import cp_model
from puzzle import given, read, show, solved

clues, = read()
width, height = len(clues[0]), len(clues)
model = cp_model.CpModel()

cells = [(x, y) for y in range(height) for x in range(width)]
number = {cell: model.new_int_var(1, 9, "") for cell in cells}
name = {cell: model.new_int_var(0, index, "") for index, cell in enumerate(cells)}
into, out = ({cell: [] for cell in cells} for _ in range(2))
for x, y in cells:
    for near in ((x + 1, y), (x, y + 1)):
        if near not in number:
            continue
        same = model.new_bool_var("")
        model.add(number[x, y] == number[near]).only_enforce_if(same)
        model.add(name[x, y] == name[near]).only_enforce_if(same)
        model.add(number[x, y] != number[near]).only_enforce_if(~same)
        for start, end in (((x, y), near), (near, (x, y))):
            grains = model.new_int_var(0, 8, "")
            model.add(grains == 0).only_enforce_if(~same)
            out[start].append(grains)
            into[end].append(grains)
for index, cell in enumerate(cells):
    root = model.new_bool_var("")
    model.add(name[cell] == index).only_enforce_if(root)
    model.add(name[cell] != index).only_enforce_if(~root)
    kept = model.new_int_var(0, 9, "")
    model.add(kept == number[cell]).only_enforce_if(root)
    model.add(kept == 0).only_enforce_if(~root)
    model.add(sum(into[cell]) + 1 == sum(out[cell]) + kept)
for cell, word in given(clues).items():
    model.add(number[cell] == int(word))

solver = solved(model)
show(width, height, lambda x, y: solver.value(number[x, y]))
