#!/usr/bin/env python3
"""Checks the steps of `ndscript explain --solve --json` by what the rules mean, without the solver.

    ndscript explain --solve --json FILE --seed 1 > steps.json
    ndscript solve FILE --seed 1 --proof proof.txt
    python3 tools/check_steps.py steps.json proof.txt

The head of the proof says what each rule means; `check_proof.py` beside this file knows these meanings. Of each step is checked that
its conclusion follows from the rules and the known places that it names, and from nothing else: all other places could hold what they
could hold at first. For that the opposite is supposed and refuted by a plain search. Then each place and each rule is left out in turn:
something of the conclusion must then no longer follow. A supposition names what its chain uses, and another chain may need less: these
are counted by themselves. Ends with 1 if a step does not follow.
"""

import json
import sys
import time

import check_proof
from check_proof import bits, ones


class TooLong(Exception):
    """The search takes too long."""


class Rules:
    """Some rules of a board: whether they hold together where places have some domains."""

    def __init__(self, rules, most):
        self.rules, self.until = rules, time.monotonic() + most

    def refutes(self, domains):
        """Whether no values of the places are allowed by all rules."""
        domains = self.narrowed(domains)
        if domains is None:
            return True
        places = {place for rule in self.rules for place in rule.scope}
        open_ = [place for place in places if domains[place] & (domains[place] - 1)]
        if not open_:
            return False
        place = min(open_, key=lambda place: (bin(domains[place]).count("1"), place))
        for value in ones(domains[place]):
            inner = list(domains)
            inner[place] = 1 << value
            if not self.refutes(inner):
                return False
        return True

    def narrowed(self, domains):
        """Leaves out what a rule alone forbids; None if that is everything."""
        domains = list(domains)
        waiting = list(self.rules)
        while waiting:
            if time.monotonic() > self.until:
                raise TooLong()
            rule = waiting.pop()
            if rule.impossible(domains, [], None):
                return None
            for place in rule.scope:
                own = before = domains[place]
                if not own & (own - 1):
                    continue
                for value in ones(before):
                    domains[place] = 1 << value
                    if rule.impossible(domains, [], None):
                        own &= ~(1 << value)
                if not own:
                    return None
                domains[place] = own
                if own != before:
                    waiting += [other for other in self.rules if place in other.scope and other not in waiting]
        return domains


def scope_of(words):
    """The places that a line of a rule is about, as check_proof.py has read it."""
    kind = words.__class__.__name__
    if kind == "Different":
        return [place for place, _ in words.spots]
    if kind == "Pairs":
        return list(words.of)
    if kind == "Sum":
        return list(words.terms)
    if kind == "Lexicographic":
        return [place for pair in words.pairs for place in pair]
    if kind == "Graph":
        return [place for place, _ in words.items] + [place for fit in words.fits for place in fit[:2]]
    return words.places


class Puzzle:
    """The board of a proof, and what the steps call its places, values and rules."""

    def __init__(self, head, told):
        self.board = check_proof.Board()
        texts, self.by_text = [], {}
        for line in head:
            if line.startswith("c") or line.startswith("ndscript proof"):
                continue
            if line == "log":
                break
            self.board.line(line)
            text = line.split(" | ", 1)[1] if " | " in line else ""
            if line.startswith("v "):
                texts.append(text)
            elif line.startswith("r "):
                rule = self.board.rules[-1]
                rule.scope = sorted(set(scope_of(rule)))
                self.by_text.setdefault(text, []).append(rule)
        start = told["start"]
        if len(start) != len(self.board.places):
            raise check_proof.Wrong("the proof has %d places, the steps have %d" % (len(self.board.places), len(start)))
        self.places = {self.key(place): at for at, (place, _) in enumerate(start)}
        self.values = {}
        for at, (_, values) in enumerate(start):
            for value, number in zip(values, ones(self.board.places[at])):
                known = self.values.setdefault(self.key(value), number)
                if known != number:
                    raise check_proof.Wrong("place %d: %s has two numbers" % (at, value))
        self.start = [bits(self.values[self.key(value)] for value in values) for _, values in start]

    @staticmethod
    def key(what):
        return json.dumps(what)

    def step(self, step, known):
        """The rules of a step, its places, and what places lose."""
        rules = [rule for text in step["rules"] for rule in self.by_text[text]]
        places = [self.places[self.key(place)] for place in step["places"]]
        lost = [(self.places[self.key(place)], self.values[self.key(value)])
                for place, values in step["removed"] for value in values]
        return rules, places, lost

    def follows(self, rules, known, places, lost, most):
        """Whether rules and known places alone leave no other way. Nothing lost: whether they contradict one another."""
        domains = list(self.start)
        for place in places:
            domains[place] = known[place]
        if not lost:
            return Rules(rules, most).refutes(domains)
        for place, value in lost:
            inner = list(domains)
            # What is lost there at once is lost by the same reason.
            inner[place] &= 1 << value
            if inner[place] and not Rules(rules, most).refutes(inner):
                return False
        return True


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        told = json.loads(file.readline())
    with open(arguments[1], encoding="utf-8") as file:
        head = file.read().split("\n")
    puzzle = Puzzle(head, told)
    counts = dict.fromkeys(["steps", "wrong", "search", "too long", "more than needed", "other chains"], 0)
    check_all(puzzle, told["steps"], list(puzzle.start), counts, "")
    print(", ".join("%s: %d" % item for item in counts.items()))
    return 1 if counts["wrong"] else 0


def check_all(puzzle, steps, known, counts, within):
    for number, step in enumerate(steps):
        name = "%s%d" % (within, number + 1)
        rules, places, lost = puzzle.step(step, known)
        if step["kind"] == "search":
            counts["search"] += 1
        else:
            counts["steps"] += 1
            try:
                if not puzzle.follows(rules, known, places, lost, 20):
                    counts["wrong"] += 1
                    print("step %s does not follow: %s" % (name, step["text"]))
                elif not within:
                    spare = spared(puzzle, step, known, rules, places, lost)
                    if spare and step["chain"]:
                        counts["other chains"] += 1
                    elif spare:
                        counts["more than needed"] += 1
                        print("step %s needs no %s: %s" % (name, spare, step["text"]))
            except TooLong:
                counts["too long"] += 1
                print("step %s was not decided: %s" % (name, step["text"]))
        if step["chain"]:
            inner = list(known)
            place, value = step["supposed"]
            inner[puzzle.places[puzzle.key(place)]] = 1 << puzzle.values[puzzle.key(value)]
            check_all(puzzle, step["chain"], inner, counts, name + ".")
        for place, value in lost:
            known[place] &= ~(1 << value)


def spared(puzzle, step, known, rules, places, lost):
    """The first thing that could be left out, as far as a second tells."""

    def follows(rules, places):
        try:
            return puzzle.follows(rules, known, places, lost, 1)
        except TooLong:
            return False

    for at, place in enumerate(places):
        # What is given is known without a step.
        if known[place] != puzzle.start[place] and follows(rules, places[:at] + places[at + 1:]):
            return "place %s" % step["places"][at]
    for text in step["rules"]:
        own = puzzle.by_text[text]
        if follows([rule for rule in rules if rule not in own], places):
            return "rule %r" % text
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
