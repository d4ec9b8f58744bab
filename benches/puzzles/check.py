"""Whether a solution keeps the rules of its puzzle, kind by kind. No solver is asked.

A puzzle is a list of tables of words, "." where nothing is given. A solution is an object from (column, row) to a word; cells
with "." are left out. `broken(kind, tables, found)` is the first rule that is broken, or None.
"""
SIDES = {"L": (-1, 0), "R": (1, 0), "U": (0, -1), "D": (0, 1)}
OPPOSITE = {"L": "R", "R": "L", "U": "D", "D": "U"}


def cells_of(table):
    return [(x, y) for y, row in enumerate(table) for x in range(len(row))]


def given_in(table):
    return {(x, y): table[y][x] for x, y in cells_of(table) if table[y][x] != "."}


def lines_of(table):
    """The columns and the rows, as lists of cells."""
    width, height = len(table[0]), len(table)
    columns = [[(x, y) for y in range(height)] for x in range(width)]
    return columns, [[(x, y) for x in range(width)] for y in range(height)]


def beside(cell, steps=SIDES.values()):
    return [(cell[0] + x, cell[1] + y) for x, y in steps]


def pieces_of(nodes, linked):
    """The connected pieces of some nodes, as sets; `linked(node)` are those next to one."""
    left, pieces = set(nodes), []
    while left:
        piece, front = set(), [left.pop()]
        while front:
            node = front.pop()
            piece.add(node)
            more = {other for other in linked(node) if other in left}
            left -= more
            front += more
        pieces.append(piece)
    return pieces


def filled(table, found, words):
    """That each cell holds one of some words, and what is given."""
    if set(found) != set(cells_of(table)) or not set(found.values()) <= set(words):
        return "every cell holds a word of the puzzle"
    if any(found[cell] != word for cell, word in given_in(table).items()):
        return "what is given stays"


def is_latin(table, found):
    numbers = {str(number + 1) for number in range(len(table))}
    columns, rows = lines_of(table)
    wrong = any({found[cell] for cell in line} != numbers for line in columns + rows)
    return "each row and column has all numbers" if wrong else None


def middle(cell):
    return 2 * cell[0] + 1, 2 * cell[1] + 1


def sides_are_counted(clues, found):
    for cell, number in given_in(clues).items():
        if sum(side in found for side in beside(middle(cell))) != int(number):
            return "numbers count the sides of their cell"


def slitherlink(tables, found):
    clues, = tables
    inside = all(0 <= x <= 2 * len(clues[0]) and 0 <= y <= 2 * len(clues) for x, y in found)
    if not found or not inside or any((x + y) % 2 == 0 for x, y in found):
        return "lines lie between points"
    points = {point for x, y in found for point in beside((x, y), [(-1, 0), (1, 0)] if x % 2 else [(0, -1), (0, 1)])}
    over = {point: [line for line in beside(point) if line in found] for point in points}
    if any(len(lines) != 2 for lines in over.values()):
        return "the loop has no ends and no crossings"
    step = {point: [(2 * x - point[0], 2 * y - point[1]) for x, y in over[point]] for point in points}
    if len(pieces_of(points, step.get)) != 1:
        return "there is one loop"
    return sides_are_counted(clues, found)


def fillomino(tables, found):
    clues, = tables
    wrong = filled(clues, found, "123456789")
    for piece in [] if wrong else pieces_of(found, lambda cell: [other for other in beside(cell) if found.get(other) == found[cell]]):
        if str(len(piece)) != found[min(piece)]:
            return "a piece has as many cells as its number says"
    return wrong


def palisade(tables, found):
    ((size,),), clues = tables
    width, height = len(clues[0]), len(clues)
    between = lambda one, other: (one[0] + other[0] + 1, one[1] + other[1] + 1)  # noqa: E731
    cells = set(cells_of(clues))
    borders = {between(cell, other) for cell in cells for other in beside(cell)}
    rim = {between(cell, other) for cell in cells for other in beside(cell) if other not in cells}
    if not rim <= set(found) <= borders or len(rim) != 2 * (width + height):
        return "fences lie between cells and at the rim"
    pieces = pieces_of(cells, lambda cell: [other for other in beside(cell) if between(cell, other) not in found])
    if any(len(piece) != int(size) for piece in pieces):
        return "pieces have their size"
    for piece in pieces:
        if any(other in piece and between(cell, other) in found for cell in piece for other in beside(cell)):
            return "a fence parts two pieces"
    return sides_are_counted(clues, found)


def magnets(tables, found):
    numbers, sides = tables
    if set(found) != set(cells_of(sides)) or not set(found.values()) <= set("+-0"):
        return "every cell holds a word of the puzzle"
    other_half = {"L": (1, 0), "R": (-1, 0), "T": (0, 1), "B": (0, -1)}
    for cell, sign in found.items():
        side = sides[cell[1]][cell[0]]
        half = "0" if side == "*" else found[beside(cell, [other_half[side]])[0]]
        if half != {"+": "-", "-": "+", "0": "0"}[sign]:
            return "a magnet has a plus and a minus"
        if sign != "0" and any(found.get(other) == sign for other in beside(cell)):
            return "equal signs do not touch"
    columns, rows = lines_of(sides)
    for line, words, sign in zip([columns, rows, columns, rows], numbers, "++--"):
        for cells, word in zip(line, words):
            if word not in (".", str(sum(found[cell] == sign for cell in cells))):
                return "numbers count the signs of their line"


def binairo(tables, found):
    clues, = tables
    wrong = filled(clues, found, "01")
    columns, rows = lines_of(clues)
    for line in [] if wrong else columns + rows:
        text = "".join(found[cell] for cell in line)
        if text.count("0") != text.count("1") or "000" in text or "111" in text:
            return "as many of each, and never three alike"
    return wrong


def slant(tables, found):
    clues, = tables
    cells = {(x, y) for x, y in cells_of(clues) if x < len(clues[0]) - 1 and y < len(clues) - 1}
    if set(found) != cells or not set(found.values()) <= set("\\/"):
        return "every cell has a diagonal"
    joined = {}
    for (x, y), line in found.items():
        one, other = ((x, y), (x + 1, y + 1)) if line == "\\" else ((x + 1, y), (x, y + 1))
        joined.setdefault(one, []).append(other)
        joined.setdefault(other, []).append(one)
    if any(len(joined.get(corner, [])) != int(number) for corner, number in given_in(clues).items()):
        return "numbers count the lines at their corner"
    # A forest has a line less than corners in each of its pieces.
    if len(cells) != len(joined) - len(pieces_of(joined, joined.get)):
        return "no lines form a loop"


def tracks(tables, found):
    (by_column, by_row, (start, end)), given = tables
    if not set(found.values()) <= {"LR", "UD", "LU", "LD", "RU", "RD"} or any(found.get(cell) != word for cell, word in given_in(given).items()):
        return "what is given stays"
    columns, rows = lines_of(given)
    counted = [sum(cell in found for cell in line) for line in columns + rows]
    if counted != [int(number) for number in by_column + by_row]:
        return "numbers count the track of their line"
    cell, side, gone = (0, int(start)), "L", set()
    while cell in found and cell not in gone and side in found[cell]:
        gone.add(cell)
        way = found[cell].replace(side, "")
        if cell == (int(end), len(given) - 1) and way == "D":
            return None if gone == set(found) else "there is one track"
        cell, side = beside(cell, [SIDES[way]])[0], OPPOSITE[way]
    return "the track leads from its entry to its exit"


def skyscrapers(tables, found):
    seen, given = tables
    wrong = filled(given, found, "123456789") or is_latin(given, found)
    columns, rows = lines_of(given)
    backwards = [[list(reversed(line)) for line in lines] for lines in (columns, rows)]
    for lines, words in [] if wrong else zip([columns, backwards[0], rows, backwards[1]], seen):
        for line, word in zip(lines, words):
            heights = [found[cell] for cell in line]
            visible = sum(height == max(heights[:index + 1]) for index, height in enumerate(heights))
            if word not in (".", str(visible)):
                return "numbers say how many houses are seen"
    return wrong


def quasigroup(tables, found):
    given, = tables
    return filled(given, found, [str(number + 1) for number in range(len(given))]) or is_latin(given, found)


def broken(kind, tables, found):
    return globals()[kind](tables, found)
