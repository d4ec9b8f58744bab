"""Latin squares by AddAllDifferent."""
from puzzle import given


def latin(model, clues):
    size = len(clues)
    cells = [[model.new_int_var(1, size, "") for _ in range(size)] for _ in range(size)]
    for (x, y), word in given(clues).items():
        model.add(cells[y][x] == int(word))
    for line in cells + [list(column) for column in zip(*cells)]:
        model.add_all_different(line)
    return cells
