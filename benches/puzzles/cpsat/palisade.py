"""Palisade: a piece is named after its first cell, its root. Every cell sends one grain there, where there is no fence."""
from ortools.sat.python import cp_model
from puzzle import given, read, show, solved

((size,),), clues = read()
size, width, height = int(size), len(clues[0]), len(clues)
model = cp_model.CpModel()

cells = [(x, y) for y in range(height) for x in range(width)]
# Whether a cell belongs to a root. What is too far away never does.
of = {}
for index, (x, y) in enumerate(cells):
    roots = [root for root in cells[:index + 1] if abs(x - root[0]) + abs(y - root[1]) < size]
    of.update({((x, y), root): model.new_bool_var("") for root in roots})
    model.add_exactly_one(of[(x, y), root] for root in roots)
into, out = ({cell: [] for cell in cells} for _ in range(2))
fences = {}
for x, y in cells:
    for near in ((x + 1, y), (x, y + 1)):
        if near not in into:
            continue
        fences[x + near[0], y + near[1]] = fence = model.new_bool_var("")
        for root in cells:
            both = [of[cell, root] for cell in ((x, y), near) if (cell, root) in of]
            if len(both) == 2:
                one, other = both
                model.add_bool_or(fence, ~one, other)
                model.add_bool_or(fence, one, ~other)
                model.add_bool_or(~fence, ~one, ~other)
            elif both:
                model.add_bool_or(fence, ~both[0])
        for start, end in (((x, y), near), (near, (x, y))):
            grains = model.new_int_var(0, size - 1, "")
            model.add(grains == 0).only_enforce_if(fence)
            out[start].append(grains)
            into[end].append(grains)
for cell in cells:
    kept = size * of[cell, cell]
    model.add(sum(of[other, cell] for other in cells if (other, cell) in of) == kept)
    model.add(sum(into[cell]) + 1 == sum(out[cell]) + kept)
for (x, y), clue in given(clues).items():
    sides = [fences.get((2 * x + a, 2 * y + b), 1) for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    model.add(sum(sides) == int(clue))

solver = solved(model)
# In the picture a cell is in the middle of three columns and rows.
show(2 * width + 1, 2 * height + 1,
     lambda x, y: "#" if x % 2 != y % 2 and ((x - 1, y - 1) not in fences or solver.value(fences[x - 1, y - 1])) else ".")
