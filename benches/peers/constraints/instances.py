"""The instances of the table of constraints: the same for all, made with fixed seeds, and what a solution of each must be like."""
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def numbers(text):
    return [int(word) for word in text.split()]


def is_permutation(values, low=1):
    return sorted(values) == list(range(low, low + len(values)))


def units(n, values):
    rows = [values[n * y:n * y + n] for y in range(n)]
    return rows + [values[x::n] for x in range(n)]


def is_sudoku(values):
    boxes = [[values[9 * (3 * b + i) + 3 * k + j] for i in range(3) for j in range(3)] for b in range(3) for k in range(3)]
    return len(values) == 81 and all(is_permutation(unit) for unit in units(9, values) + boxes)


class Instance:
    """What one run of each solver is given; `given` is for our program, `data` and `model` for MiniZinc, `facts` for clingo."""

    def __init__(self, check, given=None, data="", model=None, facts=None):
        self.check, self.given, self.data, self.model, self.facts = check, given or {}, data, model, facts


def sudokus():
    with open(os.path.join(HERE, "sudoku17.txt")) as file:
        puzzles = file.read().split()
    return [one_sudoku(puzzle) for puzzle in puzzles]


def one_sudoku(puzzle):
    cells = [0 if digit == "." else int(digit) for digit in puzzle]

    def check(text):
        values = numbers(text)
        return is_sudoku(values) and all(given in (0, value) for given, value in zip(cells, values))

    facts = " ".join(f"given({at // 9 + 1},{at % 9 + 1},{cell})." for at, cell in enumerate(cells) if cell)
    return Instance(check, {"puzzle": puzzle}, f"given = array2d(1..9, 1..9, {cells});", facts=facts)


def latin_square(n, rng):
    """Jacobson and Matthews, "Generating uniformly distributed random Latin squares" (1996): moves between squares, some of which
    have one cell with two numbers and one that is taken away."""
    cube = {(r, c, (r + c) % n) for r in range(n) for c in range(n)}
    extra = None
    moves = 0
    while moves < n**3 or extra is not None:
        moves += 1
        if extra is None:
            while True:
                r, c, s = (rng.randrange(n) for _ in range(3))
                if (r, c, s) not in cube:
                    break
        else:
            r, c, s = extra
        r2 = rng.choice([k for k in range(n) if (k, c, s) in cube])
        c2 = rng.choice([k for k in range(n) if (r, k, s) in cube])
        s2 = rng.choice([k for k in range(n) if (r, c, k) in cube])
        if extra is None:
            cube.add((r, c, s))
        cube |= {(r, c2, s2), (r2, c, s2), (r2, c2, s)}
        cube -= {(r2, c, s), (r, c2, s), (r, c, s2)}
        if (r2, c2, s2) in cube:
            cube.discard((r2, c2, s2))
            extra = None
        else:
            extra = (r2, c2, s2)
    square = [0] * (n * n)
    for r, c, s in cube:
        square[n * r + c] = s + 1
    return square


def latins(n, count, share):
    made = []
    for seed in range(count):
        rng = random.Random(f"latin {n} {seed}")
        square = latin_square(n, rng)
        for at in rng.sample(range(n * n), round(share * n * n)):
            square[at] = 0
        made.append(one_latin(n, square))
    return made


def one_latin(n, square):
    def check(text):
        values = numbers(text)
        is_latin = len(values) == n * n and all(is_permutation(unit) for unit in units(n, values))
        return is_latin and all(given in (0, value) for given, value in zip(square, values))

    return Instance(check, {"square": ",".join(map(str, square))}, f"n = {n};\ngiven = array2d(1..n, 1..n, {square});")


def runs(line):
    return [len(run) for run in "".join("#" if cell else " " for cell in line).split()]


def nonograms(n, count):
    made = []
    for seed in range(count):
        rng = random.Random(f"nonogram {n} {seed}")
        # Every other one is a picture of blots, the rest is noise.
        picture = [rng.random() < 0.55 for _ in range(n * n)]
        if seed % 2 == 0:
            around = [-n - 1, -n, 1 - n, -1, 0, 1, n - 1, n, n + 1]
            picture = [sum(picture[(at + to) % (n * n)] for to in around) > 4 for at in range(n * n)]
        else:
            picture = [cell or rng.random() < 0.3 for cell in picture]
        lines = units(n, picture)
        made.append(one_nonogram(n, [runs(line) for line in lines[:n]], [runs(line) for line in lines[n:]]))
    return made


def one_nonogram(n, rows, columns):
    def check(text):
        cells = [word == "#" for word in text.split()]
        return len(cells) == n * n and [runs(line) for line in units(n, cells)] == rows + columns

    def written(clues):
        return " ".join(",".join(map(str, clue)) or "0" for clue in clues)

    model = [f'predicate gecode_regular(array[int] of var int: x, int: Q, int: S, array[int] of int: d, int: q0, set of int: F);\narray[1..{n}, 1..{n}] of var 1..2: cell;']
    facts = []
    for side, clues in (("row", rows), ("column", columns)):
        for at, clue in enumerate(clues):
            line = f"[cell[{at + 1}, k] | k in 1..{n}]" if side == "row" else f"[cell[k, {at + 1}] | k in 1..{n}]"
            steps = automaton(clue)
            text = ",".join(f"{blank},{filled}" for blank, filled in steps)
            ends = [len(steps)] + ([len(steps) - 1] if clue and len(steps) > 1 and steps[-1] == (len(steps), 0) else [])
            model.append(f"constraint gecode_regular({line}, {len(steps)}, 2, [{text}], 1, {{{','.join(map(str, ends))}}});")
            facts += [f"run({side},{at},{k},{size})." for k, size in enumerate(clue)]
    model.append(f"solve :: int_search([cell[r, c] | r, c in 1..{n}], first_fail, indomain_random) satisfy;")
    model.append(f'output [show(cell[r, c]) ++ " " | r, c in 1..{n}];')
    facts.append(f"#const n = {n}.")
    return Instance(check, {"rows": written(rows), "columns": written(columns)}, model="\n".join(model), facts=" ".join(facts))


def automaton(clue):
    """For each state where a blank and where a filled cell leads, 0 for nowhere; the first begins, and the last one ends, as does
    the one before it if a run may end the line."""
    steps = []
    for size in clue:
        steps.append((len(steps) + 1, len(steps) + 2))
        for _ in range(size - 1):
            steps.append((0, len(steps) + 2))
        # Behind a run comes a blank.
        steps.append((len(steps) + 2, 0))
    steps.append((len(steps) + 1, 0))
    return steps


def killers(count):
    return [one_killer(random.Random(f"killer {seed}")) for seed in range(count)]


def one_killer(rng):
    digits, rows, columns = (shuffled(rng) for _ in range(3))
    solution = [digits[(3 * (rows[y] % 3) + rows[y] // 3 + columns[x]) % 9] + 1 for y in range(9) for x in range(9)]
    cage = [None] * 81
    sizes = []
    order = list(range(81))
    rng.shuffle(order)
    for start in order:
        if cage[start] is not None:
            continue
        cells, wanted = [start], rng.randint(2, 4)
        while len(cells) < wanted:
            near = [to for at in cells for to in neighbours(at) if cage[to] is None and to not in cells]
            near = [to for to in near if solution[to] not in [solution[at] for at in cells]]
            if not near:
                break
            cells.append(rng.choice(near))
        for at in cells:
            cage[at] = len(sizes)
        sizes.append(cells)
    sums = [sum(solution[at] for at in cells) for cells in sizes]

    def check(text):
        values = numbers(text)
        own = [[values[at] for at in cells] for cells in sizes]
        return is_sudoku(values) and all(len(set(each)) == len(each) and sum(each) == total for each, total in zip(own, sums))

    assert check(" ".join(map(str, solution))) and len(sums) <= len(LETTERS)
    model = ['predicate gecode_all_different_int(array[int] of var int: x);', "array[0..80] of var 1..9: cell;"]
    for unit in units(9, list(range(81))) + [[9 * (3 * b + i) + 3 * k + j for i in range(3) for j in range(3)] for b in range(3) for k in range(3)]:
        model.append(f"constraint gecode_all_different_int([cell[at] | at in {unit}]) :: domain;")
    facts = []
    for number, (cells, total) in enumerate(zip(sizes, sums)):
        model.append(f"constraint gecode_all_different_int([cell[at] | at in {cells}]) :: domain /\\ sum([cell[at] | at in {cells}]) = {total};")
        facts += [f"cage({number},{at // 9 + 1},{at % 9 + 1})." for at in cells] + [f"total({number},{total})."]
    model.append("solve :: int_search(cell, first_fail, indomain_random) satisfy;")
    model.append('output [show(cell[at]) ++ " " | at in 0..80];')
    given = {"cages": "".join(LETTERS[each] for each in cage), "sums": ",".join(map(str, sums))}
    return Instance(check, given, model="\n".join(model), facts=" ".join(facts))


def shuffled(rng):
    """The numbers from 0 to 8, shuffled by threes and within each three, so that boxes stay boxes."""
    threes = [rng.sample(range(3 * three, 3 * three + 3), 3) for three in rng.sample(range(3), 3)]
    return [number for three in threes for number in three]


def neighbours(at):
    x, y = at % 9, at // 9
    return [9 * b + a for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if 0 <= a < 9 and 0 <= b < 9]


def is_magic(text):
    values = numbers(text)
    lines = units(5, values) + [values[0::6], values[4:-1:4]]
    return is_permutation(values) and all(sum(line) == 65 for line in lines)


def are_queens(text):
    columns = numbers(text)
    sums, differences = ({y + sign * x for y, x in enumerate(columns)} for sign in (1, -1))
    return is_permutation(columns, 0) and len(sums) == len(differences) == len(columns)


def is_money(text):
    return numbers(text) == [9, 5, 6, 7, 1, 0, 8, 2]


def is_zebra(text):
    return numbers(text) == [3, 5, 4, 1, 2, 3, 4, 2, 1, 5, 4, 3, 1, 2, 5, 5, 2, 3, 4, 1, 3, 1, 2, 4, 5]


def pieces(n, cells):
    """How many pieces some cells of a grid form."""
    left, count = set(cells), 0
    while left:
        count += 1
        waiting = [left.pop()]
        while waiting:
            at = waiting.pop()
            x = at % n
            near = [at - n, at + n] + ([at - 1] if x > 0 else []) + ([at + 1] if x + 1 < n else [])
            found = [to for to in near if to in left]
            left.difference_update(found)
            waiting += found
    return count


def cells_of(text, shown):
    return [at for at, word in enumerate(text.split()) if word == shown]


def is_island(text):
    land = cells_of(text, "#")
    is_inside = all(0 < at % 40 < 39 and 0 < at // 40 < 39 for at in land)
    return len(land) == 600 and is_inside and pieces(40, land) == 1


def is_way(text):
    floor = cells_of(text, ".")
    return len(floor) == 300 and joins(30, set(floor), 0, 899)


def joins(n, cells, start, end):
    seen, waiting = {start}, [start]
    while waiting:
        at = waiting.pop()
        x = at % n
        near = [at - n, at + n] + ([at - 1] if x > 0 else []) + ([at + 1] if x + 1 < n else [])
        found = [to for to in near if to in cells and to not in seen]
        seen.update(found)
        waiting += found
    return start in cells and end in seen


def is_sea(text):
    sea = set(cells_of(text, "~"))
    squares = [[at, at + 1, at + 20, at + 21] for at in range(379) if at % 20 < 19]
    return len(sea) == 220 and pieces(20, sea) == 1 and all(0 < sum(at in sea for at in square) < 4 for square in squares)


def is_terrain(text):
    values = numbers(text)
    right = all(-2 <= values[at + 1] - values[at] <= 3 for at in range(64 * 64) if at % 64 < 63)
    return right and all(-3 <= values[at + 64] - values[at] <= 2 for at in range(64 * 63))


def same(check, count, **given):
    """The same work with different seeds."""
    data = "".join(f"{name} = {value};" for name, value in given.items())
    constants = " ".join(f"#const {name} = {value}." for name, value in given.items())
    return [Instance(check, given, data, facts=constants) for _ in range(count)]


def dungeon_facts(text):
    lines = [line for line in text.splitlines() if line.strip()]
    columns, rows = lines[0].split() if " " in lines[0].strip() else list(lines[0].strip()), lines[1:]
    facts, names = [f"size({len(columns)},{len(rows)})."], {"#": "wall", "x": "floor", "m": "monster", "$": "treasure"}
    facts += [f"column({x},{clue})." for x, clue in enumerate(columns)]
    for y, line in enumerate(rows):
        parts = line.split() if " " in line.strip() else list(line)
        facts.append(f"row({y},{parts[0]}).")
        facts += [f"{names[cell]}({x},{y})." for x, cell in enumerate(parts[1:]) if cell != "."]
    return " ".join(facts)
