"""Magnets: a cell has a plus, a minus, or neither."""
from ortools.sat.python import cp_model
from puzzle import read, show, solved

numbers, sides = read()
width, height = len(sides[0]), len(sides)
model = cp_model.CpModel()

signs = [{(x, y): model.new_bool_var("") for y in range(height) for x in range(width)} for _ in range(2)]
for (x, y), plus in signs[0].items():
    model.add_at_most_one(plus, signs[1][x, y])
    half = {"L": (x + 1, y), "T": (x, y + 1)}.get(sides[y][x])
    for sign, other in (signs, reversed(signs)):
        if half:
            model.add(sign[x, y] == other[half])
        if sides[y][x] == "*":
            model.add(sign[x, y] == 0)
        for near in ((x + 1, y), (x, y + 1)):
            if near in sign:
                model.add_at_most_one(sign[x, y], sign[near])
for index, words in enumerate(numbers):
    for at, word in enumerate(words):
        if word != ".":
            line = [signs[index // 2][(at, other) if index % 2 == 0 else (other, at)] for other in range(height if index % 2 == 0 else width)]
            model.add(sum(line) == int(word))

solver = solved(model)
show(width, height, lambda x, y: "+" if solver.value(signs[0][x, y]) else "-" if solver.value(signs[1][x, y]) else "0")
