#!/usr/bin/env python3
"""check_proof.py PROOF: checks a proof that `ndscript solve --proof` has written.

It needs nothing but Python 3.8 and shares nothing with NDScript but the form of the file, which is told in
crates/proof/src/board.rs (the head: what the board is) and crates/proof/src/log.rs (what follows, step by step).
It knows what each constraint means, and how one clause follows from others; no search, no propagation.

Whether the board is the one of a program says `ndscript verify PROOF PROGRAM`; here the board can be read in the head.
Exit codes: 0 the proof holds, 1 it does not, 2 it cannot be read."""
import sys


class Wrong(Exception):
    pass


def number(word):
    try:
        return int(word)
    except ValueError:
        raise Wrong("`%s` is no number" % word)


def numbers(words):
    return [number(word) for word in words]


def check(condition, why):
    if not condition:
        raise Wrong(why)


def bits(values):
    mask = 0
    for value in values:
        mask |= 1 << value
    return mask


def ones(mask):
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


# --- Rules: each says whether it is impossible, if places have these domains (masks) and it knows these facts. ---


class Different:
    """No two places have the same value, or the same symbol."""

    def __init__(self, board, numbers_, sections, of_symbols):
        self.spots = []
        if of_symbols:
            for section in sections:
                place = board.place(section[0])
                values = list(ones(board.places[place]))
                check(len(values) == len(section) - 1, "each value has a symbol")
                self.spots.append((place, dict(zip(values, section[1:]))))
        else:
            check(len(sections) == 1, "expected one section")
            for place in sections[0]:
                own = board.places[board.place(place)]
                self.spots.append((place, {value: value for value in ones(own)}))

    def impossible(self, domains, facts, narrowed):
        edges = [[symbols[value] for value in ones(domains[place])] for place, symbols in self.spots]
        single = [own[0] for own in edges if len(own) == 1]
        if len(set(single)) < len(single):
            return True
        # A matching: each place in turn gets a symbol, and others another one where that is needed.
        taken = {}
        for spot in range(len(edges)):
            came, queue, end = {}, [spot], None
            for current in queue:
                for symbol in edges[current]:
                    if symbol not in came:
                        came[symbol] = current
                        if symbol not in taken:
                            end = symbol
                            break
                        queue.append(taken[symbol])
                if end is not None:
                    break
            if end is None:
                return True
            while True:
                current = came[end]
                before = next((s for s, other in taken.items() if other == current), None)
                taken[end] = current
                if current == spot:
                    break
                end = before
        return False


class Pairs:
    """Two places each hold values that are related."""

    def __init__(self, board, numbers_, sections):
        check(len(sections) == 1 and len(sections[0]) % 3 == 0, "expected pairs with a relation")
        flat = sections[0]
        self.pairs = []
        self.of = {}
        for at in range(0, len(flat), 3):
            pair = (board.place(flat[at]), board.place(flat[at + 1]), board.relation(flat[at + 2]))
            for place in pair[:2]:
                self.of.setdefault(place, []).append(pair)
            self.pairs.append(pair)

    def impossible(self, domains, facts, narrowed):
        pairs = self.pairs if not narrowed else [pair for place in narrowed for pair in self.of.get(place, [])]
        return any(
            not any(relation.get(value, 0) & domains[second] for value in ones(domains[first]))
            for first, second, relation in pairs
        )


class Count:
    """So many places have one of some values."""

    def __init__(self, board, numbers_, sections):
        check(len(sections) == 2 and len(numbers_) == 2, "expected two bounds and two sections")
        self.places = [board.place(place) for place in sections[0]]
        self.values = board.mask(sections[1])
        self.least, self.most = numbers_

    def impossible(self, domains, facts, narrowed):
        can = sum(1 for place in self.places if domains[place] & self.values)
        must = sum(1 for place in self.places if not domains[place] & ~self.values)
        return (self.least is not None and can < self.least) or (self.most is not None and must > self.most)


class Sum:
    """The weights of values add up to something."""

    def __init__(self, board, numbers_, sections):
        check(len(numbers_) == 2, "expected two bounds")
        self.least, self.most = numbers_
        self.terms = {}
        for section in sections:
            place = board.place(section[0])
            values = list(ones(board.places[place]))
            check(len(values) == len(section) - 1, "each value has a weight")
            own = self.terms.setdefault(place, {})
            for value, weight in zip(values, section[1:]):
                own[value] = own.get(value, 0) + weight

    def impossible(self, domains, facts, narrowed):
        least = most = 0
        for place, weights in self.terms.items():
            own = [weights[value] for value in ones(domains[place])]
            least += min(own)
            most += max(own)
        return (self.most is not None and least > self.most) or (self.least is not None and most < self.least)


class Table:
    """The places spell a row."""

    def __init__(self, board, numbers_, sections):
        check(sections, "places are missing")
        self.places = [board.place(place) for place in sections[0]]
        self.rows = len(sections) - 1
        columns = [{} for _ in self.places]
        for at, row in enumerate(sections[1:]):
            check(len(row) == len(self.places), "a row has a value for each place")
            for column, value in zip(columns, row):
                column.setdefault(value, []).append(at)
        # For each place and value the rows that have it there, as bits.
        self.have = []
        for column in columns:
            have = {}
            for value, rows in column.items():
                mask = bytearray(self.rows // 8 + 1)
                for row in rows:
                    mask[row >> 3] |= 1 << (row & 7)
                have[value] = int.from_bytes(mask, "little")
            self.have.append(have)

    def knows(self, kind, fact):
        return kind == "row" and len(fact) == 1 and 0 <= fact[0] < self.rows

    def impossible(self, domains, facts, narrowed):
        left = (1 << self.rows) - 1
        for (_, row), is_so in facts:
            left &= (1 << row) if is_so else ~(1 << row)
        for place, have in zip(self.places, self.have):
            some = 0
            for value in ones(domains[place]):
                some |= have.get(value, 0)
            left &= some
        return not left


class Pattern:
    """An automaton reads what the places spell."""

    def __init__(self, board, numbers_, sections):
        check(len(sections) > 3 and len(sections) % 2 == 0, "an automaton has states")
        self.places = [board.place(place) for place in sections[0]]
        states = (len(sections) - 2) // 2
        self.values = [board.mask(section) for section in sections[2::2]]
        self.follows = [bits(index(s, states, "state") for s in section) for section in sections[3::2]]
        self.ends = bits(index(s, states, "state") for s in sections[1])

    def knows(self, kind, fact):
        return kind == "state" and len(fact) == 2 and 1 <= fact[0] <= len(self.places) and 0 <= fact[1] < len(self.values)

    def impossible(self, domains, facts, narrowed):
        reached = 1
        for at, place in enumerate(self.places):
            following = 0
            for state in ones(reached):
                following |= self.follows[state]
            reached = bits(state for state in ones(following) if self.values[state] & domains[place])
            for (_, behind, state), is_so in facts:
                if behind == at + 1:
                    reached &= (1 << state) if is_so else ~(1 << state)
        return not reached & self.ends


class Lexicographic:
    """Some places read no later than others."""

    def __init__(self, board, numbers_, sections):
        check(len(sections) == 3 and len(sections[2]) % 2 == 0, "expected three sections")
        left, right = ([board.place(place) for place in section] for section in sections[:2])
        self.ranks = dict(zip(sections[2][::2], sections[2][1::2]))
        for place in left + right:
            check(all(value in self.ranks for value in ones(board.places[place])), "a value has no rank")
        self.pairs = list(zip(left, right))
        self.ends_well = len(left) <= len(right)

    def knows(self, kind, fact):
        return kind == "equal" and len(fact) == 1 and 0 <= fact[0] <= len(self.pairs)

    def impossible(self, domains, facts, narrowed):
        known = {count: is_so for (_, count), is_so in facts}
        equal, less = known.get(0) is not False, False
        for at, (left, right) in enumerate(self.pairs):
            left = {self.ranks[value] for value in ones(domains[left])}
            right = {self.ranks[value] for value in ones(domains[right])}
            less = (less or (equal and min(left) < max(right))) and known.get(at + 1) is not True
            equal = equal and bool(left & right) and known.get(at + 1) is not False
        return not (less or (equal and self.ends_well))


class Graph:
    """Nodes and edges that are so, not so, or open: one loop, no loop, one piece, a way, or pieces of some sizes."""

    def __init__(self, board, kind, numbers_, sections):
        self.kind = kind
        wanted = {"circuit": 1, "acyclic": 1, "piece": 1, "way": 5, "regions": 3, "division": 1}
        check(kind in wanted, "there is no rule `%s`" % kind)
        check(len(numbers_) == wanted[kind] and numbers_[0] is not None and len(sections) >= 2, "numbers are missing")
        self.nodes = numbers_[0]
        check(self.nodes <= len(sections[0]) + len(sections[1]), "there are nodes of which nothing is said")
        ends = [index(node, self.nodes, "node") for node in sections[0]]
        check(len(ends) % 2 == 0 and len(sections[1]) % 2 == 0, "half an edge or an item")
        self.edges = list(zip(ends[::2], ends[1::2]))
        check(all(a != b for a, b in self.edges), "an edge has two nodes")
        self.around = [[] for _ in range(self.nodes)]
        for edge, (a, b) in enumerate(self.edges):
            self.around[a].append((edge, b))
            self.around[b].append((edge, a))
        held = sections[1]
        self.items = [
            (board.place(held[at]), board.sets[index(held[at + 1], len(board.sets), "set")])
            for at in range(0, len(held), 2)
        ]
        self.fits = []
        expected = len(self.edges) if kind in ("circuit", "acyclic", "division") else self.nodes
        if kind == "regions":
            rest = sections[2:]
            check(len(rest) % 2 == 0, "each value has nodes and sizes")
            self.single, self.sized = numbers_[1] == 1, numbers_[2] == 1
            self.of = [[index(node, self.nodes, "node") for node in own] for own in rest[::2]]
            self.sizes = rest[1::2]
            expected = sum(len(own) for own in self.of)
        elif kind == "division":
            rest = sections[2:]
            check(len(rest) % 2 == 0, "each row of sizes has nodes and sizes")
            self.of = [[index(node, self.nodes, "node") for node in own] for own in rest[::2]]
            self.sizes = [set(row) for row in rest[1::2]]
        elif kind in ("piece", "way"):
            check(len(sections) <= 3, "there are too many sections")
            flat = sections[2] if len(sections) == 3 else []
            for at in range(0, len(flat), 3):
                self.fits.append((board.place(flat[at]), board.place(flat[at + 1]), board.relation(flat[at + 2])))
            check(not flat or len(self.fits) == len(self.edges), "each edge has two places that fit")
        else:
            check(len(sections) == 2, "there are too many sections")
        if kind == "way":
            self.ends = [index(node, self.nodes, "node") for node in numbers_[1:3]]
            self.least, self.most = numbers_[3] or 0, numbers_[4]
        check(len(self.items) == expected, "what is so is said of each")

    def knows(self, kind, fact):
        return kind == "fits" and len(fact) == 1 and 0 <= fact[0] < len(self.fits)

    def impossible(self, domains, facts, narrowed):
        # True, False, or None if it is open.
        known = []
        for place, values in self.items:
            own = domains[place]
            known.append(False if not own & values else True if not own & ~values else None)
        fits = []
        for first, second, relation in self.fits:
            rows = [relation.get(value, 0) for value in ones(domains[first])]
            own = domains[second]
            some, all_ = any(own & row for row in rows), all(not own & ~row for row in rows)
            fits.append(False if not some else True if all_ else None)
        for (_, edge), is_so in facts:
            if fits[edge] is not None and fits[edge] != is_so:
                return True
            fits[edge] = is_so
        fits = fits or [True] * len(self.edges)
        return getattr(self, "no_" + self.kind)(known, fits)

    def parts(self, there, usable):
        """The part of each node that is there, by a node of it."""
        part = [None] * self.nodes
        for start in range(self.nodes):
            if not there[start] or part[start] is not None:
                continue
            part[start], waiting = start, [start]
            while waiting:
                for edge, other in self.around[waiting.pop()]:
                    if there[other] and usable[edge] and part[other] is None:
                        part[other] = start
                        waiting.append(other)
        return part

    def no_piece(self, known, fits):
        parts = self.parts([is_so is not False for is_so in known], [is_so is not False for is_so in fits])
        return len({parts[node] for node in range(self.nodes) if known[node]}) > 1

    def steps(self, there, usable):
        steps, queue = {self.ends[0]: 0}, [self.ends[0]]
        for node in queue:
            for edge, other in self.around[node]:
                if other not in steps and there[other] and usable[edge]:
                    steps[other] = steps[node] + 1
                    queue.append(other)
        return steps.get(self.ends[1])

    def no_way(self, known, fits):
        if any(known[end] is False for end in self.ends):
            return True
        shortest = self.steps([is_so is not False for is_so in known], [is_so is not False for is_so in fits])
        if shortest is None or (self.most is not None and shortest > self.most):
            return True
        so = [bool(is_so) or node in self.ends for node, is_so in enumerate(known)]
        longest = self.steps(so, [bool(is_so) for is_so in fits])
        return longest is not None and longest < self.least

    def no_regions(self, known, fits):
        at = 0
        for own, sizes in zip(self.of, self.sizes):
            so, may = [False] * self.nodes, [False] * self.nodes
            for node in own:
                so[node], may[node] = bool(known[at]), known[at] is not False
                at += 1
            parts = self.parts(may, fits)
            if self.single and len({parts[node] for node in range(self.nodes) if so[node]}) > 1:
                return True
            if self.sized:
                pieces = self.parts(so, fits)
                for node in range(self.nodes):
                    if pieces[node] == node:
                        least, most = pieces.count(node), parts.count(parts[node])
                        if not any(least <= size <= most for size in sizes):
                            return True
        return False

    def no_division(self, known, fits):
        all_ = [True] * self.nodes
        pieces = self.parts(all_, [is_so is False for is_so in known])
        rooms = self.parts(all_, [not is_so for is_so in known])
        if any(is_so and pieces[a] == pieces[b] for is_so, (a, b) in zip(known, self.edges)):
            return True
        allowed = {}
        for own, sizes in zip(self.of, self.sizes):
            for node in own:
                piece = pieces[node]
                allowed[piece] = allowed[piece] & sizes if piece in allowed else sizes
        for piece, sizes in allowed.items():
            least, most = pieces.count(piece), rooms.count(rooms[piece])
            if not any(least <= size <= most for size in sizes):
                return True
        if not self.of or sum(len(own) for own in self.of) != self.nodes:
            return False
        # The numbers of nodes that can be divided.
        sums = [True]
        for total in range(1, self.nodes + 1):
            sums.append(any(0 < size <= total and sums[total - size] for row in self.sizes for size in row))
        return any(not sums[rooms.count(room)] for room in set(rooms))

    def no_acyclic(self, known, fits):
        return self.closes(known)

    def closes(self, known):
        """Edges that are so close a loop."""
        leads = list(range(self.nodes))

        def top(node):
            while leads[node] != node:
                leads[node] = leads[leads[node]]
                node = leads[node]
            return node

        for edge, (a, b) in enumerate(self.edges):
            if known[edge]:
                a, b = top(a), top(b)
                if a == b:
                    return True
                leads[a] = b
        return False

    def no_circuit(self, known, fits):
        chosen = [edge for edge in range(len(self.edges)) if known[edge]]
        degree = [0] * self.nodes
        for edge in chosen:
            for node in self.edges[edge]:
                degree[node] += 1
                if degree[node] > 2:
                    return True
        if self.closes(known):
            # As no three meet, the part with the loop is the loop.
            parts = self.parts([True] * self.nodes, known)
            return len({parts[self.edges[edge][0]] for edge in chosen}) > 1
        blocks = self.blocks([is_so is not False for is_so in known])
        if not chosen:
            return all(block is None for block in blocks)
        return blocks[chosen[0]] is None or any(blocks[edge] != blocks[chosen[0]] for edge in chosen)

    def blocks(self, there):
        """Edges are in one block if a loop goes through both (Hopcroft and Tarjan); None if no loop goes through an edge."""
        blocks = [None] * len(self.edges)
        met, low, count = [0] * self.nodes, [0] * self.nodes, 0
        for root in range(self.nodes):
            if met[root]:
                continue
            count += 1
            met[root] = low[root] = count
            path, stack = [(root, None, iter(self.around[root]))], []
            while path:
                node, by, rest = path[-1]
                step = next(rest, None)
                if step is None:
                    path.pop()
                    if not path:
                        break
                    above = path[-1][0]
                    low[above] = min(low[above], low[node])
                    if low[node] >= met[above]:
                        own = []
                        while not own or own[-1] != by:
                            own.append(stack.pop())
                        if len(own) > 1:
                            for edge in own:
                                blocks[edge] = by
                    continue
                edge, other = step
                if edge == by or not there[edge] or met[other] > met[node]:
                    continue
                stack.append(edge)
                if met[other]:
                    low[node] = min(low[node], met[other])
                else:
                    count += 1
                    met[other] = low[other] = count
                    path.append((other, edge, iter(self.around[other])))
        return blocks


def index(value, count, what):
    check(0 <= value < count, "there is no %s %d" % (what, value))
    return value


class Board:
    """The head."""

    def __init__(self):
        self.values, self.places, self.sets, self.relations, self.rules = 0, [], [], [], []

    def mask(self, values):
        return bits(index(value, self.values, "value") for value in values)

    def place(self, place):
        return index(place, len(self.places), "place")

    def relation(self, number_):
        return self.relations[index(number_, len(self.relations), "relation")]

    def line(self, line):
        parts = line.split(" | ")[0].split(":")
        words = parts[0].split()
        check(len(words) >= 2, "a number is missing")
        sections = [numbers(part.split()) for part in parts[1:]]
        known = {"v": self.values, "p": len(self.places), "m": len(self.sets), "t": len(self.relations), "r": len(self.rules)}
        letter = words[0]
        check(letter in known, "`%s` begins no line of a head" % letter)
        check(number(words[1]) == known[letter], "expected number %d" % known[letter])
        rest = words[2:]
        if letter == "v":
            self.values += 1
        elif letter == "p":
            self.places.append(self.mask(numbers(rest)))
        elif letter == "m":
            self.sets.append(self.mask(numbers(rest)))
        elif letter == "t":
            check(all(sections), "a row is empty")
            self.relations.append({index(row[0], self.values, "value"): self.mask(row[1:]) for row in sections})
        else:
            check(rest, "a rule has a name")
            own = [None if word == "none" else number(word) for word in rest[1:]]
            self.rules.append(self.rule(rest[0], own, sections))

    def rule(self, kind, own, sections):
        check(all(sections) or kind in ("count", "pattern", "regions", "table", "lexicographic", "pairs", "different")
              or kind in ("circuit", "acyclic", "piece", "way", "division"), "a section is empty")
        if kind in ("different", "symbols"):
            return Different(self, own, sections, kind == "symbols")
        kinds = {"pairs": Pairs, "count": Count, "sum": Sum, "table": Table, "pattern": Pattern,
                 "lexicographic": Lexicographic}
        if kind in kinds:
            return kinds[kind](self, own, sections)
        return Graph(self, kind, own, sections)


class Log:
    """What follows. A state is what is supposed: domains of places, and facts of rules."""

    def __init__(self, board):
        self.board = board
        self.domains = list(board.places)
        self.narrowed, self.facts = [], {}
        # By number, from 1 on: (place, mask) or (rule, fact).
        self.atoms, self.clauses, self.solutions = [None], [None], []
        self.refuted, self.claim = False, None
        self.empty_place = not all(board.places)

    def clear(self):
        for place in self.narrowed:
            self.domains[place] = self.board.places[place]
        self.narrowed, self.facts = [], {}

    def holds(self, literal):
        """True, False, or None if it is open."""
        is_fact, who, what = self.atoms[abs(literal)]
        if is_fact:
            known = self.facts.get((who, what))
        else:
            own = self.domains[who]
            known = False if not own & what else True if not own & ~what else None
        return known if known is None or literal > 0 else not known

    def suppose(self, literal):
        """False if that contradicts what is supposed."""
        known = self.holds(literal)
        if known is not None:
            return known
        is_fact, who, what = self.atoms[abs(literal)]
        if is_fact:
            self.facts[(who, what)] = literal > 0
        else:
            self.narrowed.append(who)
            self.domains[who] &= what if literal > 0 else ~what
        return True

    def deny(self, clause):
        self.clear()
        return not self.empty_place and all(self.suppose(-literal) for literal in clause)

    def clause(self, words):
        clause = numbers(words)
        for literal in clause:
            check(0 < abs(literal) < len(self.atoms), "there is no atom %d" % abs(literal))
        return clause

    def add(self, clause):
        self.refuted = self.refuted or not clause
        self.clauses.append(clause)

    def line(self, line):
        words = line.split()
        check(len(words) >= 2, "an empty line")
        letter, rest = words[0], words[2:]
        if letter == "end":
            return self.end(words[1])
        expected = len(self.atoms) if letter == "a" else len(self.clauses)
        check(number(words[1]) == expected, "expected number %d" % expected)
        if letter == "a":
            self.atoms.append(self.atom(rest))
        elif letter == "e":
            check(rest, "a rule is missing")
            rule = index(number(rest[0]), len(self.board.rules), "rule")
            clause = self.clause(rest[1:])
            self.explain(rule, clause)
            self.add(clause)
        elif letter == "n":
            check(":" in rest, "`:` and clauses are missing")
            colon = rest.index(":")
            clause = self.clause(rest[:colon])
            self.follow(clause, numbers(rest[colon + 1:]))
            self.add(clause)
        elif letter == "s":
            self.solution(numbers(rest))
        else:
            raise Wrong("`%s` begins no line of a log" % letter)

    def atom(self, rest):
        check(len(rest) >= 2, "an atom says something")
        own = numbers(rest[1:])
        if rest[0] == "in":
            return (False, self.board.place(own[0]), self.board.mask(own[1:]))
        rule = index(own[0], len(self.board.rules), "rule")
        knows = getattr(self.board.rules[rule], "knows", lambda kind, fact: False)
        check(knows(rest[0], own[1:]), "rule %d knows no such fact" % rule)
        return (True, rule, (rest[0],) + tuple(own[1:]))

    def explain(self, rule, clause):
        if not self.deny(clause):
            return
        facts = [(fact, is_so) for (own, fact), is_so in self.facts.items() if own == rule]
        check(self.board.rules[rule].impossible(self.domains, facts, self.narrowed), "rule %d does not imply this clause" % rule)

    def follow(self, clause, hints):
        refuted = not self.deny(clause)
        for hint in hints:
            check(0 < hint < len(self.clauses), "there is no clause %d before this one" % hint)
            if refuted:
                continue
            states = [(literal, self.holds(literal)) for literal in self.clauses[hint]]
            if any(known for _, known in states):
                continue
            left = [literal for literal, known in states if known is None]
            check(len(left) < 2, "clause %d leaves more than one literal" % hint)
            refuted = not left or not self.suppose(left[0])
        check(refuted, "it does not follow from the clauses that are named")

    def solution(self, values):
        places = self.board.places
        check(len(values) == len(places), "a solution has a value for each place")
        for place, value in enumerate(values):
            check(value >= 0 and places[place] >> value & 1, "place %d cannot have value %d" % (place, value))
        domains = [1 << value for value in values]
        for at, rule in enumerate(self.board.rules):
            check(not rule.impossible(domains, [], range(len(places))), "rule %d does not hold in this solution" % at)
        clause = []
        for place, value in enumerate(values):
            self.atoms.append((False, place, 1 << value))
            clause.append(1 - len(self.atoms))
        self.add(clause)
        self.solutions.append(values)

    def end(self, word):
        told = len(self.solutions)
        differ = any(other != self.solutions[0] for other in self.solutions)
        fits = {"none": told == 0, "one": told == 1, "some": told > 0, "several": differ}
        check(fits.get(word, False), "`%s` does not fit to the solutions that were told" % word)
        check(word in ("some", "several") or self.refuted, "a clause without literals is missing")
        self.claim = word


def read(lines):
    """Gives back what was shown, or raises Wrong with the number of the line before it."""
    at = 0
    try:
        check(lines and lines[0] == "ndscript proof 1", "a proof begins with `ndscript proof 1`")
        board, log = Board(), None
        for at, line in enumerate(lines):
            if at == 0 or line == "c" or line.startswith("c "):
                continue
            if log is None:
                if line == "log":
                    log = Log(board)
                else:
                    board.line(line)
            else:
                check(log.claim is None, "something stands behind the end")
                log.line(line)
        check(log is not None and log.claim is not None, "the proof has no end")
        return board, log
    except Wrong as wrong:
        raise Wrong("line %d: %s" % (at + 1, wrong))
    except (IndexError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise Wrong("line %d cannot be read: %s" % (at + 1, error))


SHOWN = {"none": "there is no solution", "one": "there is exactly one solution", "some": "there is a solution",
         "several": "there is more than one solution"}


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            lines = file.read().split("\n")
    except (OSError, UnicodeError) as error:
        print(error, file=sys.stderr)
        return 2
    if lines and lines[-1] == "":
        lines.pop()
    try:
        board, log = read(lines)
    except Wrong as wrong:
        print("The proof does not hold: %s" % wrong)
        return 1
    print("The proof holds: %s (%d places, %d rules, %d steps)."
          % (SHOWN[log.claim], len(board.places), len(board.rules), len(log.clauses) - 1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
