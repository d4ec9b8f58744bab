"""A map of islands: grass, sand and sea, where grass and sea never touch. Prints it and writes islands.png.

python islands.py 7
"""

import sys

import ndscript

SCRIPT = """
var size = param("size", 12);
var map = makeGrid(size, size, setOf("grass", "sand", "sea"));
adjacent(map, allowed);
decide(map, {weights: {grass: 4, sand: 1, sea: 4}});
printTilemap(mapGrid(map, cell => singletonValue(cell)));
"""


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    pairs = {(a, b) for a in ("grass", "sand", "sea") for b in ("grass", "sand", "sea")}
    program = ndscript.compile(SCRIPT, "islands.nds")
    run = program.run(seed, size=12)
    # A value that the program only reads is handed in before the run begins.
    run["allowed"] = ndscript.Relation(pairs - {("grass", "sea"), ("sea", "grass")})
    solution = next(run)
    for row in solution.globals["map"].rows():
        print("".join({"grass": "#", "sand": ".", "sea": "~"}[next(iter(cell))] for cell in row))
    with open("islands.png", "wb") as file:
        file.write(solution.pictures[0].png(tile_size=16))


if __name__ == "__main__":
    main()
