"""NDScript: a scripting language that guesses.

>>> import ndscript
>>> for solution in ndscript.compile("let x = choose(1, 2, 3); require(x > 2); return x;").run(seed=1):
...     print(solution.value)
3
"""

from __future__ import annotations

import concurrent.futures
import multiprocessing
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Iterator, Mapping

from . import _ndscript
from ._values import (
    Choices, CompileError, FrozenObject, Function, Grid, LimitError, NdsError, Position, PriorityQueue, Queue, QuestionError,
    Relation, ScriptError,
)

__all__ = [
    "Choices", "CompileError", "Engine", "FrozenObject", "Function", "Grid", "LimitError", "NdsError", "Picture",
    "Position", "PriorityQueue", "Program", "Question", "QuestionError", "Queue", "Relation", "Run", "ScriptError", "Solution",
    "check", "compile", "map",
]
__version__ = _ndscript.VERSION

#: As much fuel as there is.
_ALL = 2**64 - 1


class Picture:
    """A picture that a program has printed. Jupyter shows it; ``png()`` is the bytes of a file."""

    def __init__(self, native: Any, png: bytes | None = None, words: str = ""):
        self._native, self._png, self._words = native, png, words

    def png(self, tile_size: int | None = None) -> bytes:
        """The bytes of a PNG file; a cell is ``tile_size`` pixels wide, or as its tiles are."""
        if self._native is None:
            if tile_size is not None:
                raise ValueError("a picture from another process has the size that it has")
            return self._png
        return self._native.png(tile_size)

    def svg(self) -> str:
        """An SVG file."""
        if self._native is None:
            raise ValueError("a picture from another process is there as PNG only")
        return self._native.svg()

    def _repr_png_(self) -> bytes:
        return self.png()

    def __str__(self) -> str:
        return self._words if self._native is None else self._native.in_words()

    def __repr__(self) -> str:
        return f"<Picture: {self}>"

    def __reduce__(self):
        return Picture, (None, self.png(), str(self))


@dataclass
class Solution:
    """A way through a program in which no guess was wrong."""

    text: str
    value: Any
    globals: dict[str, Any]
    pictures: list[Picture] = field(default_factory=list)

    def _repr_png_(self) -> bytes | None:
        return self.pictures[0].png() if self.pictures else None


@dataclass
class Question:
    """What a program asks a person; ``options`` is None for a free line."""

    prompt: str
    options: list[str] | None
    text: str
    pictures: list[Picture] = field(default_factory=list)


class Run:
    """A search: an iterator over its solutions. Ctrl-C stops it, and other threads go on meanwhile."""

    def __init__(self, native: Any):
        self._native = native
        #: What the latest failure said that said anything.
        self.failure_message: str | None = None

    def resume(self, steps: int | None = None, globals: bool = True) -> Solution | Question | str:
        """Goes on for at most so many steps: a Solution, a Question, "failed" or "out_of_fuel".

        The ``globals`` of a solution are copies, which take their time where they are large. Without them the variables
        are there as ``run[name]``."""
        kind, about = self._native.resume(_ALL if steps is None else steps, globals)
        if kind in ("solved", "asked"):
            *parts, pictures = about
            return (Solution if kind == "solved" else Question)(*parts, [Picture(native) for native in pictures])
        if kind == "failed":
            self.failure_message = about
        return kind

    def __iter__(self) -> Iterator[Solution]:
        return self

    def __next__(self) -> Solution:
        while True:
            outcome = self.resume()
            if isinstance(outcome, Solution):
                return outcome
            if isinstance(outcome, Question):
                raise QuestionError(f"the program asks: {outcome.prompt}", outcome)
            if outcome == "failed":
                raise StopIteration

    def answer(self, answer: int | str) -> None:
        """Answers a question by the number of an option, from 0, or with a line."""
        self._native.answer(answer)

    def call(self, name: str, *arguments: Any) -> Any:
        """Calls a function of the script and returns its first result, whose effects stay; None if it has none."""
        return self._native.call(name, arguments)

    def __getitem__(self, name: str) -> Any:
        """A global variable as it is now."""
        return self._native.global_value(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self._native.set_global(name, value)

    def fork(self) -> Run:
        """A run of its own that goes on from the same state."""
        return Run(self._native.fork())

    def save(self) -> bytes:
        """The state of the run, for ``Engine.restore``."""
        return self._native.save()

    def cancel(self) -> None:
        """Stops the run from another thread: it raises LimitError."""
        self._native.cancel()

    @property
    def steps(self) -> int:
        """How many steps the run has taken."""
        return self._native.steps()


class Program:
    """A compiled program. It can be sent to other processes."""

    def __init__(self, engine: Engine, name: str, text: str):
        self._recipe = (engine, name, text)
        self._native = engine._native.compile(name, text)

    @property
    def warnings(self) -> list[dict]:
        return self._native.warnings()

    @property
    def parameters(self) -> list[str] | None:
        """The names that it asks for with ``param``; None if it works some out as it runs."""
        return self._native.parameters()

    def run(self, seed: int = 0, **parameters: Any) -> Run:
        """A run. The same seed and the same parameters give the same run."""
        return Run(self._native.run(seed, parameters))

    def __reduce__(self):
        return Program, self._recipe


class Engine:
    """What programs may use: files by path, functions of Python by name, and limits.

    Limits are steps, memory (bytes), depth, output, pictures, picture_cells, source (bytes) and seconds.
    """

    def __init__(
        self,
        functions: Mapping[str, Callable[..., Any]] | None = None,
        files: Mapping[str, str | bytes] | None = None,
        **limits: int | float,
    ):
        self._recipe = (dict(functions or {}), dict(files or {}), limits)
        contents = [(path, text.encode() if isinstance(text, str) else text) for path, text in (files or {}).items()]
        named = [(name, function, 0, None) for name, function in (functions or {}).items()]
        self._native = _ndscript.Engine(limits, contents, named)

    def compile(self, text: str, name: str = "program") -> Program:
        """Compiles a program; its mistakes are a CompileError."""
        return Program(self, name, text)

    def check(self, text: str, name: str = "program") -> list[dict]:
        """What is wrong with a program, or may not be what is meant; nothing runs."""
        return self._native.check(name, text)

    def restore(self, program: Program, saved: bytes) -> Run:
        """A run that was saved, of the same program."""
        return Run(self._native.restore(program._native, saved))

    def __reduce__(self):
        return _engine, self._recipe


def _engine(functions, files, limits):
    return Engine(functions, files, **limits)


def compile(text: str, name: str = "program") -> Program:
    """Compiles a program for an engine that allows nothing but computing."""
    return Engine().compile(text, name)


def check(text: str, name: str = "program") -> list[dict]:
    """What is wrong with a program, or may not be what is meant."""
    return Engine().check(text, name)


_worker: tuple[Program, dict] | None = None


def _begin_worker(program: Program, parameters: dict) -> None:
    global _worker
    _worker = (program, parameters)


def _first(seed: int) -> Solution | None:
    program, parameters = _worker
    return next(program.run(seed, **parameters), None)


def map(program: Program, seeds: Iterable[int], processes: int | None = None, **parameters: Any) -> Iterator[Solution | None]:
    """The first solution of each seed, in order, over processes; None where a seed has none.

    Functions of the engine have to be those of a module, so that other processes find them; as everywhere with
    processes, a script keeps what it does behind ``if __name__ == "__main__":``.
    """
    pool = concurrent.futures.ProcessPoolExecutor(
        processes, multiprocessing.get_context("spawn"), _begin_worker, (program, parameters)
    )
    with pool:
        yield from pool.map(_first, seeds)


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext ndscript`` gives a notebook cells that begin with ``%%ndscript [seed] [name=value ...]``: the result is
    the first solution, None if there is none. Values are variables of the notebook, or else as they stand."""

    def cell(line: str, text: str) -> Solution | None:
        seed, parameters = 0, {}
        for word in line.split():
            name, is_parameter, value = word.partition("=")
            if is_parameter:
                parameters[name] = shell.user_ns.get(value, _read(value))
            else:
                seed = int(word)
        solution = next(compile(text, "cell").run(seed, **parameters), None)
        if solution is not None and solution.text:
            print(solution.text, end="" if solution.text.endswith("\n") else "\n")
        return solution

    shell.register_magic_function(cell, "cell", "ndscript")


def _read(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text
