#!/usr/bin/env python3
"""Solves real puzzles with our models, with clingo, CP-SAT, Gecode and Pumpkin, checks the solutions and prints how long it takes.

    python3 benches/puzzles/run.py BINARY [KIND | KIND-SIZE | KIND-SIZE-N ...] [--cpu SECONDS] [--ours] [--write]

The models are in `ours/`, `clingo/`, `cpsat/` and, for Gecode and Pumpkin, `minizinc/`, the puzzles in `instances/`, which `make.py` has made, and the rules by which
solutions are checked in `check.py`. Each puzzle has one solution, so all solvers have to find the same; quasigroups may have several.

Times are processor seconds of whole processes, all puzzles of a row together; of CP-SAT also without the start of Python and the
import of OR-Tools, of Gecode and Pumpkin also without what MiniZinc does before and after. What is not solved within `--cpu` seconds counts as so many. Short runs are made three times, by turns, and the
median is told. `--ours` leaves the peers out, `--write` stores the table in RESULTS.md. Exit code 1: one of ours is not solved, breaks
a rule or differs.

Installed here if they are missing: CP-SAT (the package ortools), clingo and Pumpkin (by cargo, and by git for its library for
MiniZinc) into target/puzzles; MiniZinc with Gecode from Debian, if we are root. A peer that cannot be had is left out.
"""
import argparse
import contextlib
import glob
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from check import broken

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
VENV = os.path.join(ROOT, "target", "puzzles")
PYTHON = os.path.join(VENV, "bin", "python")
PUMPKIN = os.path.join(VENV, "bin", "pumpkin-solver")
PUMPKIN_CONFIGURATION = os.path.join(VENV, "Pumpkin", "minizinc", "pumpkin.msc")
CLINGO = ["clingo"] if shutil.which("clingo") else [PYTHON, "-m", "clingo"]
# Runs of fewer seconds are made three times.
SHORT = 2.0


class Puzzle:
    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)[:-4]
        self.kind, size, _ = self.name.split("-")
        self.row = f"{self.kind}-{size}"
        with open(path) as file:
            self.tables = [[line.split(" ") for line in table.split("\n")] for table in file.read().strip().split("\n\n")]

    def facts(self):
        """For clingo: at(TABLE, COLUMN, ROW, WORD), and the width and height of the last table."""
        facts = [f"#const w = {len(self.tables[-1][0])}. #const h = {len(self.tables[-1])}."]
        for index, table in enumerate(self.tables):
            for y, row in enumerate(table):
                for x, word in enumerate(row):
                    if word != ".":
                        term = word if word.isdigit() else f'"{word}"'
                        facts.append(f"at({index},{x},{y},{term}).")
        return "\n".join(facts) + "\n"

    def data(self):
        """For MiniZinc: tables t0, t1, ..., of numbers with <> where nothing is given, or else of texts."""
        lines = []
        for index, table in enumerate(self.tables):
            numbers = all(word == "." or word.isdigit() for row in table for word in row)
            term = (lambda word: "<>" if word == "." else word) if numbers else (lambda word: f'"{word}"')
            width = max(map(len, table))
            rows = [", ".join(map(term, row + ["."] * (width - len(row)))) for row in table]
            lines.append(f"t{index} = [|{'|'.join(rows)}|];")
        return "\n".join(lines) + "\n"


def table_in(text):
    """What cells hold, of a table of words."""
    return {(x, y): word for y, line in enumerate(text.strip("\n").split("\n")) for x, word in enumerate(line.split()) if word != "."}


def atoms_in(text):
    """What cells hold, of clingo's atoms v(COLUMN, ROW, WORD)."""
    found = {}
    for atom in text.split("Answer:")[-1].split("\n")[1].split():
        x, y, word = atom[2:-1].split(",")
        found[int(x), int(y)] = word.strip('"').replace("\\\\", "\\")
    return found


class Ours:
    name, codes, read = "NDScript", (0,), staticmethod(table_in)

    def __init__(self, binary):
        self.binary = binary

    def command(self, puzzle, _):
        return [self.binary, "run", os.path.join(HERE, "ours", f"{puzzle.kind}.nds"), f"puzzle=@{puzzle.path}", "--seed", "1"]

    def version(self):
        return first_line([self.binary, "--version"])


class Clingo:
    name, codes, read = "clingo", (10, 30), staticmethod(atoms_in)

    def command(self, puzzle, folder):
        facts = os.path.join(folder, "facts.lp")
        with open(facts, "w") as file:
            file.write(puzzle.facts())
        return [*CLINGO, os.path.join(HERE, "clingo", f"{puzzle.kind}.lp"), facts, "1"]

    def version(self):
        return first_line([*CLINGO, "--version"])


class CpSat:
    name, codes, read = "CP-SAT", (0,), staticmethod(table_in)

    def command(self, puzzle, _):
        return [PYTHON, os.path.join(HERE, "cpsat", f"{puzzle.kind}.py"), puzzle.path]

    def version(self):
        number = first_line([PYTHON, "-c", "import ortools; print(ortools.__version__)"])
        return number and f"OR-Tools {number}"


class Gecode:
    name, codes, read = "Gecode", (0,), staticmethod(table_in)
    # The command, what MiniZinc flattens for, and whether there is a propagator for automata.
    solver, flattening, automata = ["fzn-gecode"], ["--solver", "gecode", "-I", os.path.join(HERE, "minizinc", "gecode")], "true"

    def command(self, puzzle, folder):
        data = os.path.join(folder, f"{self.name}.dzn")
        with open(data, "w") as file:
            file.write(f"{puzzle.data()}automata = {self.automata};\n")
        model = os.path.join(HERE, "minizinc", f"{puzzle.kind}.mzn")
        return [sys.executable, os.path.join(HERE, "minizinc", "solve.py"), *self.solver, "--", *self.flattening, model, data]

    def version(self):
        known = subprocess.run(["minizinc", "--solvers"], capture_output=True, text=True) if shutil.which("minizinc") else None
        found = re.search(r"Gecode \d\S*", known.stdout) if known and shutil.which("fzn-gecode") else None
        return found and f"{found[0]}; {first_line(['minizinc', '--version'])}"


class Pumpkin(Gecode):
    name, solver, flattening, automata = "Pumpkin", [PUMPKIN, "-f"], ["--solver", PUMPKIN_CONFIGURATION], "false"

    def version(self):
        there = shutil.which("minizinc") and os.path.exists(PUMPKIN_CONFIGURATION)
        return there and first_line([PUMPKIN, "--version"])


def run(command, bound):
    """Processor seconds, those behind the start, the exit code and what was printed."""
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=printed, stderr=errors)
        # From outside: what Python does in a process before the command begins would count as the command's.
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (bound, bound + 1))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        errors.seek(0)
        seconds, complaints = used.ru_utime + used.ru_stime, errors.read()
        behind = re.search(r"behind the start: ([\d.]+)", complaints)
        return (seconds, float(behind[1]) if behind else seconds), process.returncode, printed.read(), complaints


def solve(puzzle, solvers, bound):
    """For each solver its seconds and those behind its start, and its solution, None if there is none by then."""
    with tempfile.TemporaryDirectory() as folder:
        commands = [solver.command(puzzle, folder) for solver in solvers]
        seconds, solutions = [], []
        for solver, command in zip(solvers, commands):
            used, code, printed, errors = run(command, bound)
            solved = code in solver.codes
            if not solved and code >= 0 and used[0] < bound:
                print(f"{solver.name} ends with {code} at {puzzle.name}: {errors[:2000]}", file=sys.stderr)
            seconds.append([used if solved else (bound, bound)])
            solutions.append(solver.read(printed) if solved else None)
        for _ in range(2):
            for command, used in zip(commands, seconds):
                if used[0][0] < SHORT:
                    used.append(run(command, bound)[0])
    return [tuple(map(statistics.median, zip(*used))) for used in seconds], solutions


def faults(puzzle, solvers, solutions):
    """Words about what is wrong with the solutions."""
    found = []
    for solver, solution in zip(solvers, solutions):
        rule = solution is not None and broken(puzzle.kind, puzzle.tables, solution)
        if rule:
            found.append(f"{solver.name} breaks a rule of {puzzle.name}: {rule}")
    known = [solution for solution in solutions if solution is not None]
    if puzzle.kind != "quasigroup" and any(solution != known[0] for solution in known):
        found.append(f"solutions of {puzzle.name} differ")
    if solutions[0] is None:
        found.append(f"ours does not solve {puzzle.name}")
    return found


def row(name, seconds, solutions):
    """A line of the table, of the seconds and solutions of each puzzle by solver."""
    totals = [tuple(map(sum, zip(*column))) for column in zip(*seconds)]
    words = []
    for (total, behind), column in zip(totals, zip(*solutions)):
        unsolved = column.count(None)
        start = f", {behind:.3f} s behind its start" if behind < total else ""
        words.append(f"{total:.3f} s{start}" + (f", {unsolved} unsolved" if unsolved else ""))
    ratios = [f"{totals[0][0] / behind:.2f}" for _, behind in totals[1:]]
    return "| " + " | ".join([name, str(len(seconds)), *words, *ratios]) + " |"


def install():
    if not shutil.which("minizinc") and shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run(["apt-get", "update"], stdout=subprocess.DEVNULL)
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "minizinc"], stdout=subprocess.DEVNULL)
    if not os.path.exists(PYTHON):
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    wanted = ["ortools"] + (["clingo"] if CLINGO[0] == PYTHON else [])
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted])
    if shutil.which("minizinc") and not os.path.exists(PUMPKIN_CONFIGURATION) and shutil.which("git"):
        library = os.path.dirname(os.path.dirname(PUMPKIN_CONFIGURATION))
        subprocess.run(["git", "clone", "--quiet", "--depth", "1", "https://github.com/ConSol-Lab/Pumpkin", library])
    if os.path.exists(PUMPKIN_CONFIGURATION) and not os.path.exists(PUMPKIN) and shutil.which("cargo"):
        subprocess.run(["cargo", "install", "--quiet", "--locked", "--root", VENV, "pumpkin-solver"])


def first_line(command):
    """The first line that a command prints, empty if there is no such command or it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return "" if done.returncode else done.stdout.split("\n")[0].strip()


def write(lines, options, solvers):
    versions = [solver.version() for solver in solvers] + [first_line(["git", "-C", ROOT, "log", "-1", "--format=commit %h of %cs"])]
    with open("/proc/cpuinfo") as file:
        models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    with open(os.path.join(HERE, "RESULTS.md"), "w") as file:
        file.write("# Puzzles beside clingo, CP-SAT, Gecode and Pumpkin\n\nMade by `python3 benches/puzzles/run.py BINARY --write`. Seconds are processor "
                   "seconds of whole processes, of all puzzles of a row together; what was not solved counts as "
                   f"{options.cpu} s a puzzle. CP-SAT has one worker; its ratio is to what comes behind the start of Python and "
                   "the import of OR-Tools. Gecode and Pumpkin have the same models in MiniZinc; their ratios are to what they take "
                   "themselves, without MiniZinc, which flattens the model and prints the solution. Every solution was checked by the rules of its puzzle, and all solvers found the same "
                   "(quasigroups may have several).\n\n" + "\n".join(lines) + "\n\n"
                   f"Machine: {models[0] if models else '?'}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end. "
                   f"Versions: {'; '.join(versions)}. {time.strftime('%Y-%m-%d')}.\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary")
    arguments.add_argument("names", nargs="*", metavar="KIND-SIZE")
    arguments.add_argument("--cpu", type=int, default=60, metavar="SECONDS")
    arguments.add_argument("--ours", action="store_true", help="without the peers")
    arguments.add_argument("--write", action="store_true", help="store the table in RESULTS.md")
    options = arguments.parse_args()
    if options.write and (options.ours or options.names):
        sys.exit("--write stores the whole table")
    options.binary = os.path.abspath(options.binary)
    solvers = [Ours(options.binary)]
    if not options.ours:
        install()
        for peer in Clingo(), CpSat(), Gecode(), Pumpkin():
            if peer.version():
                solvers.append(peer)
            else:
                print(f"{peer.name} is not there and left out", file=sys.stderr)
    rows, wrong = {}, []
    for puzzle in map(Puzzle, sorted(glob.glob(os.path.join(HERE, "instances", "*.txt")))):
        if not options.names or any(name in (puzzle.kind, puzzle.row, puzzle.name) for name in options.names):
            rows.setdefault(puzzle.row, []).append(puzzle)
    names = [solver.name for solver in solvers]
    lines = ["| " + " | ".join(["puzzle", "of them", *names, *(f"NDScript / {name}" for name in names[1:])]) + " |"]
    lines.append("| --- " + "| ---: " * (lines[0].count("|") - 2) + "|")
    print("\n".join(lines))
    for name, puzzles in rows.items():
        results = [solve(puzzle, solvers, options.cpu) for puzzle in puzzles]
        for puzzle, (_, solutions) in zip(puzzles, results):
            wrong += faults(puzzle, solvers, solutions)
        lines.append(row(name, *zip(*results)))
        print(lines[-1], flush=True)
    print("\n".join(wrong), end="\n" if wrong else "")
    if options.write and not wrong:
        write(lines, options, solvers)
    return bool(wrong) or not rows


if __name__ == "__main__":
    sys.exit(main())
