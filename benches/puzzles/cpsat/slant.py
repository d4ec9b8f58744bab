"""Slant: every line leads from one of its corners to the other; from each corner leads one at most, and ranks go up."""
from ortools.sat.python import cp_model
from puzzle import given, read, show, solved

clues, = read()
width, height = len(clues[0]) - 1, len(clues) - 1
model = cp_model.CpModel()

corners = [(x, y) for x in range(width + 1) for y in range(height + 1)]
rank = {corner: model.new_int_var(0, len(corners) // 2, "") for corner in corners}
ending, leading = ({corner: [] for corner in corners} for _ in range(2))
falls = {(x, y): model.new_bool_var("") for x in range(width) for y in range(height)}
for (x, y), fall in falls.items():
    for line, one, other in ((fall, (x, y), (x + 1, y + 1)), (~fall, (x + 1, y), (x, y + 1))):
        ending[one].append(line)
        ending[other].append(line)
        ways = []
        for start, end in ((one, other), (other, one)):
            ways.append(model.new_bool_var(""))
            leading[start].append(ways[-1])
            model.add(rank[end] > rank[start]).only_enforce_if(ways[-1])
        model.add(sum(ways) == line)
for corner in corners:
    model.add_at_most_one(leading[corner])
for corner, number in given(clues).items():
    model.add(sum(ending[corner]) == int(number))

solver = solved(model)
show(width, height, lambda x, y: "\\" if solver.value(falls[x, y]) else "/")
