#!/usr/bin/env python3
"""Counts the solutions of small generated models by NDScript, by MiniZinc with Gecode and by clingo, which have to agree.

    python3 benches/peers/referee.py [--models N] [--seed S] [--binary F]

A model is a small grid of numbers and a few constraints of all kinds. Gecode has no part in those with a connected piece or a way,
clingo none in those with a regular expression. The first model that they do not agree on is shown, and the exit code is 1.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
START = {
    "mzn": "predicate gecode_all_different_int(array[int] of var int: x);\n"
           "predicate gecode_regular(array[int] of var int: x, int: Q, int: S, array[int] of int: d, int: q0, set of int: F);\n",
}


class Model:
    """The same rules in three languages; a language that has no word for one of them has no part."""

    def __init__(self, rng):
        self.rng = rng
        self.width, self.height, self.most = rng.choice([(2, 2, 3), (2, 3, 3), (3, 2, 3), (3, 3, 2), (3, 4, 2), (4, 4, 2)])
        self.count = self.width * self.height
        self.ours = [f"let g = makeGrid({self.width}, {self.height}, toSet(range(1, {self.most + 1})));"]
        self.mzn = [START["mzn"] + f"array[0..{self.count - 1}] of var 1..{self.most}: c;"]
        self.lp = [
            f"1 {{ h(P,1..{self.most}) }} 1 :- P = 0..{self.count - 1}. #show h/2.",
            " ".join(f"n({p},{q})." for p in range(self.count) for q in self.neighbours(p)),
        ]
        kinds = ["different", "offsets", "related", "tuples", "adjacent", "atLeast", "atMost", "exactly", "sum", "pattern", "connected", "way"]
        for number, kind in enumerate(rng.choices(kinds, k=rng.randint(1, 4))):
            getattr(self, kind)(number)

    def neighbours(self, p):
        x, y = p % self.width, p // self.width
        near = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return [b * self.width + a for a, b in near if 0 <= a < self.width and 0 <= b < self.height]

    def some(self, least=1, most=None):
        return self.rng.sample(range(self.count), self.rng.randint(least, min(self.count, most or self.count)))

    def values(self):
        return sorted(self.rng.sample(range(1, self.most + 1), self.rng.randint(1, self.most)))

    def at(self, p):
        return f"position({p % self.width}, {p // self.width})"

    def listed(self, places):
        return "[" + ", ".join(map(self.at, places)) + "]"

    def add(self, ours, mzn, lp):
        self.ours.append(ours)
        for name, text in (("mzn", mzn), ("lp", lp)):
            if text is None:
                setattr(self, name, None)
            elif getattr(self, name) is not None:
                getattr(self, name).append(text)

    def different(self, number, offsets=None):
        places = self.some(2, self.most)
        shifts = offsets(places) if offsets else [0] * len(places)
        rest = f", [{', '.join(map(str, shifts))}]" if offsets else ""
        terms = ", ".join(f"c[{p}] + {shift}" for p, shift in zip(places, shifts))
        own = " ".join(f"o{number}({p},{shift})." for p, shift in zip(places, shifts))
        rule = f":- o{number}(P,S), o{number}(Q,T), P < Q, h(P,V), h(Q,V+S-T)."
        self.add(f"allDifferent(g, {self.listed(places)}{rest});", f"constraint gecode_all_different_int([{terms}]) :: domain;", f"{own} {rule}")

    def offsets(self, number):
        self.different(number, lambda places: [self.rng.randint(-2, 2) for _ in places])

    def pairs(self):
        return [(a, b) for a in range(1, self.most + 1) for b in range(1, self.most + 1) if self.rng.random() < 0.6] or [(1, 1)]

    def related(self, number):
        (p, q), pairs = self.some(2, 2), self.pairs()
        ours = ", ".join(f"[{a}, {b}]" for a, b in pairs)
        mzn = " \\/ ".join(f"c[{p}] = {a} /\\ c[{q}] = {b}" for a, b in pairs)
        facts = " ".join(f"r{number}({a},{b})." for a, b in pairs)
        self.add(f"related(g, {self.at(p)}, {self.at(q)}, relation({ours}));", f"constraint {mzn};",
                 f"{facts} :- h({p},A), h({q},B), not r{number}(A,B).")

    def adjacent(self, number):
        pairs = self.pairs()
        ours = ", ".join(f"[{a}, {b}]" for a, b in pairs)
        sides = [(p, q) for p in range(self.count) for q in self.neighbours(p)]
        side = self.rng.choice(["any", "right", "down"])
        step = {"right": 1, "down": self.width}.get(side)
        if step:
            sides = [(p, q) for p, q in sides if q == p + step]
        rule = f"relation({ours})" if side == "any" else f"{{{side}: relation({ours})}}"
        either = [" \\/ ".join(f"c[{p}] = {a} /\\ c[{q}] = {b}" for a, b in pairs) for p, q in sides]
        mzn = "".join(f"constraint {rule};" for rule in either)
        facts = " ".join([f"r{number}({a},{b})." for a, b in pairs] + [f"s{number}({p},{q})." for p, q in sides])
        self.add(f"adjacent(g, {rule});", mzn, f"{facts} :- s{number}(P,Q), h(P,A), h(Q,B), not r{number}(A,B).")

    def tuples(self, number):
        places = self.some(2, 3)
        rows = [[self.rng.randint(1, self.most) for _ in places] for _ in range(self.rng.randint(1, 8))]
        ours = ", ".join(f"[{', '.join(map(str, row))}]" for row in rows)
        mzn = " \\/ ".join("(" + " /\\ ".join(f"c[{p}] = {v}" for p, v in zip(places, row)) + ")" for row in rows)
        lp = " ".join(f"t{number} :- {', '.join(f'h({p},{v})' for p, v in zip(places, row))}." for row in rows)
        self.add(f"tuples(g, {self.listed(places)}, [{ours}]);", f"constraint {mzn};", f"{lp} :- not t{number}.")

    def counted(self, number, name, sign, opposite):
        places, values = self.some(), self.values()
        n = self.rng.randint(0, len(places))
        own = ", ".join(map(str, values))
        mzn = f"constraint sum([bool2int(c[p] in {{{own}}}) | p in {places}]) {sign} {n};"
        facts = " ".join([f"p{number}({p})." for p in places] + [f"v{number}({v})." for v in values])
        self.add(f"{name}(g, {n}, setOf({own}), {self.listed(places)});", mzn,
                 f"{facts} :- {{ h(P,V) : p{number}(P), v{number}(V) }} {opposite} {n}.")

    def atLeast(self, number):
        self.counted(number, "atLeast", ">=", "<")

    def atMost(self, number):
        self.counted(number, "atMost", "<=", ">")

    def exactly(self, number):
        self.counted(number, "exactly", "=", "!=")

    def sum(self, number):
        places = self.some()
        factors = [self.rng.choice([-2, -1, 1, 2, 3]) for _ in places]
        middle = sum(factor * self.rng.randint(1, self.most) for factor in factors)
        low, high = middle - self.rng.randint(0, 2), middle + self.rng.randint(0, 2)
        terms = " + ".join(f"{factor} * c[{p}]" for p, factor in zip(places, factors))
        facts = " ".join(f"f{number}({p},{factor})." for p, factor in zip(places, factors))
        self.add(f"sumOf(g, {low}, {high}, {self.listed(places)}, {factors});", f"constraint {terms} >= {low} /\\ {terms} <= {high};",
                 f"{facts} :- not {low} <= #sum {{ F*V,P : f{number}(P,F), h(P,V) }} <= {high}.")

    def pattern(self, number):
        places = self.some(2)
        a, b = self.rng.randint(1, self.most), self.rng.randint(1, self.most)
        # Any text, then a run of one value that another one follows, and so on to the end.
        if a == b:
            return
        steps = []
        for state in (1, 2):
            row = [0] * self.most
            row[a - 1] = 2
            row[b - 1] = 1 if state == 2 else 0
            steps += row
        self.add(f'pattern(g, {self.listed(places)}, "({a}+{b})*{a}*");',
                 f"constraint gecode_regular([c[p] | p in {places}], 2, {self.most}, {steps}, 1, {{1, 2}});", None)

    def cells(self, number, values):
        own = " ".join(f"v{number}({v})." for v in values)
        return f"{own} in{number}(P) :- h(P,V), v{number}(V). later{number}(P+1) :- in{number}(P). later{number}(P+1) :- later{number}(P), P < {self.count}. "

    def connected(self, number):
        values = self.values()
        self.add(f"connected(g, setOf({', '.join(map(str, values))}));", None, self.cells(number, values)
                 + f"on{number}(P) :- in{number}(P), not later{number}(P). on{number}(Q) :- on{number}(P), n(P,Q), in{number}(Q). "
                 + f":- in{number}(P), not on{number}(P).")

    def way(self, number):
        values, (start, end) = self.values(), (self.rng.randrange(self.count), self.rng.randrange(self.count))
        self.add(f"reachable(g, setOf({', '.join(map(str, values))}), {self.at(start)}, {self.at(end)});", None, self.cells(number, values)
                 + f"on{number}({start}) :- in{number}({start}). on{number}(Q) :- on{number}(P), n(P,Q), in{number}(Q). :- not on{number}({end}).")

    def programs(self):
        ours = "printLine(countSolutions(() => {\n" + "\n".join(self.ours) + "\nreturn decide(g); }));\n"
        mzn = self.mzn and "\n".join(self.mzn) + "\nsolve satisfy;\noutput [show(c)];\n"
        return {"nds": ours, "mzn": mzn, "lp": self.lp and "\n".join(self.lp) + "\n"}


def counts(programs, folder, binary):
    paths = {}
    for ending, text in programs.items():
        if text is not None:
            paths[ending] = os.path.join(folder, f"model.{ending}")
            with open(paths[ending], "w") as file:
                file.write(text)

    def output(command):
        return subprocess.run(command, capture_output=True, text=True)

    ours = output([binary, "run", paths["nds"]])
    if ours.returncode != 0:
        sys.exit(f"{programs['nds']}\n{ours.stderr}")
    found = {"NDScript": int(ours.stdout)}
    if "mzn" in paths:
        gecode = output(["minizinc", "--solver", "gecode", "-a", paths["mzn"]])
        if gecode.returncode != 0 or "==========" not in gecode.stdout and "UNSATISFIABLE" not in gecode.stdout:
            sys.exit(f"{programs['mzn']}\n{gecode.stdout}{gecode.stderr}")
        found["Gecode"] = gecode.stdout.count("----------")
    if "lp" in paths:
        clingo = output(["clingo", paths["lp"], "0", "--quiet"])
        if clingo.returncode not in (10, 20, 30):
            sys.exit(f"{programs['lp']}\n{clingo.stdout}{clingo.stderr}")
        found["clingo"] = int(re.search(r"Models +: (\d+)", clingo.stdout)[1])
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--models", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "ndscript"))
    options = arguments.parse_args()
    judged, solvable = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.models):
            programs = Model(random.Random(f"{options.seed} {number}")).programs()
            found = counts(programs, folder, options.binary)
            if len(set(found.values())) > 1:
                print(f"model {number}: {found}", *filter(None, programs.values()), sep="\n")
                sys.exit(1)
            solvable += found["NDScript"] > 0
            for name in found:
                judged[name] = judged.get(name, 0) + 1
    print(f"{options.models} models, {solvable} of them with solutions; " + ", ".join(f"{name} counted {count}" for name, count in judged.items()))


main()
