"""Quasigroup with holes."""
from latin import latin
from ortools.sat.python import cp_model
from puzzle import read, show, solved

clues, = read()
model = cp_model.CpModel()
cells = latin(model, clues)
solver = solved(model)
show(len(cells), len(cells), lambda x, y: solver.value(cells[y][x]))
