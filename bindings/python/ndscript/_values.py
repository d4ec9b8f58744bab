"""Values of the language that Python has no class of its own for, and errors."""

from __future__ import annotations

from typing import Any, Callable, Iterable, NamedTuple


class Position(NamedTuple):
    """A column and a row."""

    x: int
    y: int


class Grid:
    """Cells that lie row by row. ``grid[x, y]`` is a cell, ``grid.rows()`` a list of lists.

    ``numpy.array(grid)`` has the shape (height, width).
    """

    __slots__ = ("width", "height", "cells")

    def __init__(self, width: int, height: int, cells: Iterable[Any]):
        if not isinstance(cells, (list, tuple)):
            cells = list(cells)
        if len(cells) != width * height:
            raise ValueError(f"{len(cells)} cells are not {width} times {height}")
        self.width, self.height, self.cells = width, height, cells

    def __getitem__(self, place):
        x, y = place
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"({x},{y}) is outside of a grid of {self.width}x{self.height}")
        return self.cells[y * self.width + x]

    def rows(self) -> list[list[Any]]:
        return [list(self.cells[y * self.width : (y + 1) * self.width]) for y in range(self.height)]

    def __array__(self, dtype=None, copy=None):
        import numpy

        return numpy.array(self.rows(), dtype=dtype)

    def __eq__(self, other):
        if not isinstance(other, Grid):
            return NotImplemented
        return (self.width, self.height, list(self.cells)) == (other.width, other.height, list(other.cells))

    def __hash__(self):
        return hash((self.width, self.height, tuple(self.cells)))

    def __repr__(self):
        return f"Grid({self.width}, {self.height}, {self.cells!r})"


class Queue(tuple):
    """The elements of a queue, in the order in which they will come."""

    __slots__ = ()


class PriorityQueue(tuple):
    """The elements of a queue with priorities, each with its own: pairs, in the order in which they will come."""

    __slots__ = ()


class Relation(frozenset):
    """The pairs of a relation."""

    __slots__ = ()


class FrozenObject(tuple):
    """An object inside of a set: its fields as pairs, so that it can be hashed. ``dict(it)`` is the object."""

    __slots__ = ()


class Function(str):
    """A function, by its name."""

    __slots__ = ()


class Choices:
    """What a function of Python returns to make the script choose: alternatives, tried in this order or shuffled."""

    __slots__ = ("alternatives", "shuffled")

    def __init__(self, alternatives: Iterable[Any], shuffled: bool = False):
        self.alternatives, self.shuffled = list(alternatives), shuffled

    @classmethod
    def lazily(cls, alternative: Callable[[int], Any]) -> Choices:
        """Alternatives in order, each made when the search asks for it: by its number, from 0, until StopIteration.

        The function that returns this is called again for each of them with the same arguments. So both must compute
        from what they get and remember nothing: forks and restored runs then find the same alternatives.
        """
        if not callable(alternative):
            raise TypeError(f"alternatives are made by a function of their number, not by {alternative!r}")
        choices = cls(())
        choices.alternatives = alternative
        return choices


class NdsError(Exception):
    """What goes wrong with a program or its run."""


class CompileError(NdsError):
    """A program with mistakes; ``diagnostics`` has all of them, each a dict with file, line and column."""

    def __init__(self, words: str, diagnostics: list[dict]):
        super().__init__(words)
        self.diagnostics = diagnostics

    def __reduce__(self):
        return CompileError, (str(self), self.diagnostics)


class ScriptError(NdsError):
    """A script has made an error; ``diagnostic`` is a dict with file, line, column, hints and calls."""

    def __init__(self, words: str, diagnostic: dict):
        super().__init__(words)
        self.diagnostic = diagnostic

    def __reduce__(self):
        return ScriptError, (str(self), self.diagnostic)


class LimitError(NdsError):
    """A run has reached a limit, or was cancelled; ``limit`` says which."""

    def __init__(self, words: str, limit: str):
        super().__init__(words)
        self.limit = limit

    def __reduce__(self):
        return LimitError, (str(self), self.limit)


class QuestionError(NdsError):
    """A program asks where nobody answers."""

    def __init__(self, words: str, question: Any = None):
        super().__init__(words)
        self.question = question

    def __reduce__(self):
        return QuestionError, (str(self),)
