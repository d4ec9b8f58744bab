#!/usr/bin/env python3
"""Runs boards with constraints beside Gecode, clingo, Lua, the crate `wfc` and a loop in Rust, and prints how they compare.

    python3 benches/peers/constraints.py [--bound SECONDS] [--first N] [--binary F] [--write] [--no-rust] [ROW ...]

All solvers get the same instances (constraints/instances.py), one process each, one after another; what needs more processor
seconds than the bound counts as unsolved, and as the bound. Each solution of ours is checked. Times are processor times of whole
processes; those below two seconds are run by turns, as often as `--rounds` says, and told is the median. MiniZinc makes FlatZinc of the models beforehand, which does not count. Of Gecode there is its own solve time, too: with it
goes what our program takes behind its reading, and what it takes from its first `decide` on. For that the same program is run to its
end, to its beginning and to that line. A difference between processes of some milliseconds is nothing that one run of each could
tell: all are run by turns, as often as `--rounds` says, each twice in a row of which the second counts, so that each finds the
processor's caches as it left them; told is the least of each, of Gecode's solve time as well, which is time on the wall. `--write` stores the table in
benches/CONSTRAINTS.md.

Installed here if they are missing and we are root: the Debian packages minizinc, flatzinc, gringo (or the wheel clingo), lua5.4.
"""
import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MODELS = os.path.join(HERE, "constraints")
sys.path.insert(0, MODELS)
import instances as make  # noqa: E402

TILES = os.path.join(ROOT, "benches", "tiles", "Cargo.toml")
# Whole processes of less than so many seconds are run by turns, several times.
SHORT = 2.0
PEERS = [("minizinc", "minizinc"), ("fzn-gecode", "flatzinc"), ("clingo", "gringo"), ("lua5.4", "lua5.4")]


@dataclass
class Row:
    name: str
    program: str
    instances: list
    # By peer: at most so much of its time, and then so much.
    goals: dict = field(default_factory=dict)
    # The arguments of peers that take no model.
    command: list = None
    note: str = ""


def dungeons():
    """The gallery's puzzle of 8 x 8, and three of 12 x 12 that its `make.nds` has made."""
    found = []
    for name in ("hard8", "hard12-1", "hard12-2", "hard12-3"):
        folder = os.path.join(ROOT, "examples", "dungeons") if name == "hard8" else MODELS
        path = os.path.join(folder, f"{name}.txt")
        with open(path) as file:
            text = file.read()
        found.append(make.Instance(lambda printed: "#" in printed, {"puzzle": "@" + path}, facts=make.dungeon_facts(text)))
    return found


def rows():
    same = make.same
    return [
        Row("50 sudokus with 17 clues", "sudoku17", make.sudokus(), {"Gecode": (1.0, 0.5), "clingo": (1.0, 0.5)}),
        Row("quasigroup with holes, order 22, 42 %, 20 of them", "latin", make.latins(22, 20, 0.42), {"Gecode": (1.0, 1.0)}),
        Row("quasigroup with holes, order 30, 42 %, 3 of them", "latin", make.latins(30, 3, 0.42), {"Gecode": (1.0, 1.0)}),
        Row("nonograms of 25 x 25, 10 of them", "nonogram", make.nonograms(25, 10), {"Gecode": (1.0, 1.0), "clingo": (1.0, 1.0)}),
        Row("killer sudokus, 10 of them", "killer", make.killers(10), {"Gecode": (1.0, 1.0), "clingo": (1.0, 1.0)}),
        Row("magic square of 5, 10 seeds", "magic", same(make.is_magic, 10, n=5), {"Gecode": (1.0, 1.0)}),
        Row("SEND+MORE=MONEY, 5 times", "money", same(make.is_money, 5), {"Gecode": (1.0, 1.0)}),
        Row("zebra, 5 times", "zebra", same(make.is_zebra, 5), {"Gecode": (1.0, 1.0), "clingo": (1.0, 1.0)}),
        Row("50 queens, 10 seeds", "queens", same(make.are_queens, 10, n=50), {"Gecode": (1.0, 1.0), "clingo": (1.0, 1.0)}),
        Row("island of 600 cells, 40 x 40, 5 seeds", "island", same(make.is_island, 5, n=40, land=600), {"clingo": (0.2, 0.2)}),
        Row("way from door to treasure, 30 x 30, 5 seeds", "way", same(make.is_way, 5, n=30, floor=300), {"clingo": (0.2, 0.2)}),
        Row("one connected sea, 20 x 20, 5 seeds", "sea", same(make.is_sea, 5, n=20, sea=220), {"clingo": (0.2, 0.2)}),
        Row("dungeon puzzles, 8 x 8 and 12 x 12", "dungeon", dungeons(), {"clingo": (1.0, 1.0)}),
        Row("late contradiction, 5 seeds", "late", same(lambda text: "right" in text, 5), note="failures are to be few"),
        Row("map of three tiles, 256 x 256", "map", same(lambda text: text == "true", 3, n=256),
            {"Lua": (0.3, 0.3), "Rust": (3.0, 3.0)}, ["map", "256"]),
        Row("map of three tiles, 1024 x 1024", "map", same(lambda text: text == "true", 3, n=1024),
            {"Lua": (0.3, 0.3), "Rust": (3.0, 3.0)}, ["map", "1024"]),
        Row("forty tiles in four directions, 64 x 64, 5 seeds", "terrain", same(make.is_terrain, 5, n=64, print="true"),
            {"wfc": (1.0, 0.5)}, ["terrain", "64"]),
    ]


@dataclass
class Run:
    seconds: float
    solved: bool
    failures: int = None
    command: list = None
    # Gecode's own solve time.
    own: float = None
    # Ours: the seconds behind the reading of the program, and those from its first `decide` on.
    behind: float = None
    search: float = None
    # The commands of which these are differences; of Gecode the one that tells its solve time.
    parts: list = None


class Solvers:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.tiles = None

    def run(self, command, inner=()):
        """One run: processor seconds, exit code or None if it took too long, output and errors."""
        bound = self.options.bound
        # The limit is set from outside: what Python does in a process before the command begins would count as the command's.
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with subprocess.Popen(command, cwd=MODELS, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (bound, bound + 1))
            except ProcessLookupError:
                pass
            printed, errors = process.communicate()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return seconds, process.returncode if process.returncode >= 0 else None, printed, errors

    def by_turns(self, runs):
        """Runs again what is short, and takes the median: one run of a few milliseconds tells little."""
        short = [run for run in runs if run.solved and run.command and run.seconds < SHORT]
        seconds = [[run.seconds] for run in short]
        for _ in range(self.options.rounds - 1):
            for run, times in zip(short, seconds):
                times.append(self.run(run.command)[0])
        for run, times in zip(short, seconds):
            run.seconds = statistics.median(times)

    def ours(self, program, instance, seed, parts):
        """One run, with the seconds of its parts if they are wanted."""
        path = os.path.join(MODELS, f"{program}.nds")
        if program == "dungeon":
            path = os.path.join(ROOT, "examples", "dungeons", "short.nds")
        given = [f"{name}={value}" for name, value in instance.given.items()]
        rest = [*given, "--seed", str(seed), "--stats"]
        rest += ["--out", os.path.join(self.folder, "picture.png")] if program == "dungeon" else []
        command = [self.options.binary, "run", path, *rest]
        seconds, code, printed, errors = self.run(command)
        if code not in (None, 0):
            sys.exit(f"failed: {' '.join(command)}\n{errors}")
        if code == 0 and not instance.check(printed.strip()):
            sys.exit(f"this is no solution of {program}: {printed}\n{' '.join(command)}")
        failures = re.search(r"^failures +([\d,]+)", errors, re.M)
        found = Run(seconds, code == 0, int(failures[1].replace(",", "")) if failures else None, command)
        if parts and found.solved:
            found.parts = [command, *(self.up_to(path, mark, rest) for mark in (None, "decide("))]
        return self.bounded(found)

    def up_to(self, path, mark, rest):
        """The command for a program up to the first line that has a mark, or up to its beginning."""
        with open(path) as file:
            lines = file.read().split("\n")
        at = next(number for number, line in enumerate(lines) if mark is None or mark in line)
        part = os.path.join(self.folder, f"part-{'whole' if mark is None else 'search'}.nds")
        with open(part, "w") as file:
            file.write("\n".join([*lines[:at], "return;", *lines[at:]]))
        return [self.options.binary, "run", part, *rest]

    def compare_parts(self, ours, gecode):
        """Measures the parts of a run of ours and Gecode's own solving, by turns."""
        whole, begun, put, solving = [], [], [], []
        for _ in range(self.options.rounds):
            for command, times in zip(ours.parts, (whole, begun, put)):
                self.run(command)
                times.append(self.run(command)[0])
            if gecode.parts:
                self.run(gecode.parts)
                solving.append(own_time(self.run(gecode.parts)[2]))
        ours.behind, ours.search = (max(min(whole) - min(times), 0) for times in (begun, put))
        if solving:
            gecode.own = min(solving)

    def bounded(self, run):
        bound = self.options.bound
        return run if run.solved else Run(bound, False, run.failures, None, bound, bound, bound)

    def gecode(self, program, instance, seed):
        flat = os.path.join(self.folder, "model.fzn")
        model = os.path.join(MODELS, f"{program}.mzn")
        if instance.model:
            model = os.path.join(self.folder, "model.mzn")
            with open(model, "w") as file:
                file.write(instance.model)
        data = os.path.join(self.folder, "data.dzn")
        with open(data, "w") as file:
            file.write(instance.data)
        flatten = ["minizinc", "-c", "--solver", "gecode", model, data, "--fzn", flat, "--ozn", flat + ".ozn"]
        done = subprocess.run(flatten, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"failed: {' '.join(flatten)}\n{done.stderr}")
        command = ["fzn-gecode", "-s", "-r", str(seed), flat]
        seconds, code, printed, _ = self.run(command)
        own = own_time(printed)
        failures = re.search(r"failures=(\d+)", printed)
        solved = code == 0 and "----------" in printed
        # What it says is time on the wall, which is more where others use the machine.
        solving = min(own, seconds) if own is not None else None
        parts = command if solved and seconds < 1 else None
        return self.bounded(Run(seconds, solved, int(failures[1]) if failures else None, command, solving, parts=parts))

    def clingo(self, program, instance, seed):
        facts = os.path.join(self.folder, "facts.lp")
        with open(facts, "w") as file:
            file.write(instance.facts or "")
        model = os.path.join(MODELS, f"{program}.lp")
        command = ["clingo", model, facts, f"--seed={seed}", "--stats"]
        seconds, code, printed, errors = self.run(command)
        if "*** ERROR" in errors:
            sys.exit(f"failed: clingo {model}\n{errors}")
        conflicts = re.search(r"Conflicts +: (\d+)", printed)
        return self.bounded(Run(seconds, code in (10, 30), int(conflicts[1]) if conflicts else None, command))

    def lua(self, row):
        command = ["lua5.4", os.path.join(HERE, "map.lua"), row.command[1]]
        seconds, code, _, _ = self.run(command)
        return self.bounded(Run(seconds, code == 0, command=command))

    def rust(self, row, peer, seed):
        if self.tiles is None:
            target = os.path.join(ROOT, "target", "tiles")
            subprocess.run(
                ["cargo", "build", "--quiet", "--release", "--manifest-path", TILES, "--target-dir", target], check=True
            )
            self.tiles = os.path.join(target, "release", "tiles")
        command = [self.tiles, {"Rust": "plain", "wfc": "wfc"}[peer], *row.command, str(seed)]
        seconds, code, _, _ = self.run(command)
        return self.bounded(Run(seconds, code == 0, command=command))

    def peer(self, row, peer, instance, seed):
        if peer == "Gecode":
            return self.gecode(row.program, instance, seed)
        if peer == "clingo":
            return self.clingo(row.program, instance, seed)
        return self.lua(row) if peer == "Lua" else self.rust(row, peer, seed)


def own_time(printed):
    """What Gecode says that solving took."""
    own = re.search(r"solveTime=([\d.e+-]+)", printed)
    return float(own[1]) if own else None


def install():
    missing = [(command, package) for command, package in PEERS if shutil.which(command) is None]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "update"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _, package in missing:
            subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", package], stdout=subprocess.DEVNULL)
    if shutil.which("clingo") is None:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "clingo"])


def total(runs, what):
    values = [getattr(run, what) for run in runs]
    return None if None in values else sum(values)


def written(seconds):
    return "" if seconds is None else f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def solved(runs):
    return f"{sum(run.solved for run in runs)} of {len(runs)}"


def median(values):
    known = [value for value in values if value is not None]
    return f"{statistics.median(known):.0f}" if known else ""


def line(row, ours, peer, theirs):
    """The line of a table for one peer, or for none."""
    own = [f"{solved(ours)}", written(total(ours, "seconds")), median([run.failures for run in ours])]
    if peer is None:
        return [row.name, *own, "", "", "", "", "", "", "", "", row.note]
    goal, further = row.goals[peer]
    seconds, solving = total(theirs, "seconds"), total(theirs, "own") if peer == "Gecode" else None
    ratios = [total(ours, "seconds") / max(seconds, 0.001)]
    if solving is not None:
        ratios += [total(ours, part) / max(solving, 0.0001) for part in ("behind", "search")]
    worst = max(ratios)
    lost = sum(run.solved for run in ours) < sum(run.solved for run in theirs)
    verdict = "MISSED" if worst > goal or lost else "reached" if worst > further else "beyond" if further < goal else "reached"
    goals = f"{goal}" if goal == further else f"{goal}, then {further}"
    shown = [f"{ratio:.2f}" for ratio in ratios] + ["", ""]
    return [row.name, *own, peer, solved(theirs), written(seconds), written(solving),
            median([run.failures for run in theirs]), *shown[:3], f"{goals}: {verdict}"]


def version(command, at=0):
    if shutil.which(command[0]) is None:
        return None
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return lines[at].strip() if lines else None


def write(lines, options):
    gecode = [each.split("(")[0].strip() for each in
              subprocess.run(["minizinc", "--solvers"], capture_output=True, text=True).stdout.splitlines() if "org.gecode.gecode" in each]
    versions = [version(["minizinc", "--version"]), *gecode, version(["clingo", "--version"]), version(["lua5.4", "-v"]),
                "wfc 0.10.7", version(["rustc", "--version"]),
                version(["git", "-C", ROOT, "log", "-1", "--format=commit %h of %cs"])]
    with open("/proc/cpuinfo") as file:
        models = [each.split(":")[1].strip() for each in file if each.startswith("model name")]
    notes = os.path.join(MODELS, "notes.md")
    with open(os.path.join(ROOT, "benches", "CONSTRAINTS.md"), "w") as file:
        file.write("# Constraints beside other solvers\n\n")
        file.write("Made by `python3 benches/peers/constraints.py --write` after `cargo build --release`. Times are processor times of "
                   f"all instances of a row together, each in a process of its own and bounded by {options.bound} s; what was not "
                   f"solved by then counts as the bound. What takes less than two seconds is run by turns with its peers, {options.rounds} times, and "
                   "the median is told. *Failures* are medians (clingo: conflicts). Of Gecode there is the time of the process "
                   "and its own solve time. With the latter go two figures of ours: what the program takes behind its reading, with "
                   "making the board and putting all constraints, and what it takes from its first `decide` on. Like is between them: Gecode's "
                   "solving begins with the first propagation of all constraints, which ours does while they are put. These two are "
                   "differences between processes, so that all of it is run by turns, each twice in a row of which the second counts, "
                   f"{options.rounds} times; told is the least of each, of Gecode's solve time as well. The verdict "
                   "goes by the worst ratio, and by how many were solved. "
                   "FlatZinc is made beforehand and does not count.\n\n")
        file.write(
            "The sudokus are every 983rd of the public list of 49,151 puzzles with 17 clues that Gordon Royle collected; all "
            "other instances are made\nby `benches/peers/constraints/instances.py`.\n\n"
        )
        file.write(f"Machine: {models[0] if models else '?'}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end. ")
        file.write(f"Versions: {'; '.join(filter(None, versions))}.\n\n")
        file.write("\n".join(lines) + "\n")
        if os.path.exists(notes):
            with open(notes) as more:
                file.write("\n" + more.read())


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--bound", type=int, default=60, help="processor seconds for a run")
    arguments.add_argument("--rounds", type=int, default=5, help="how often short runs, and parts of runs, are measured")
    arguments.add_argument("--first", type=int, help="only so many instances of each row")
    arguments.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "ndscript"))
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--no-rust", action="store_true", help="without the peers that are to be built")
    arguments.add_argument("--alone", action="store_true", help="without any peer")
    arguments.add_argument("rows", nargs="*", help="only rows whose names contain one of these")
    options = arguments.parse_args()
    if not options.alone:
        install()
    if not os.path.exists(options.binary):
        sys.exit("build first: cargo build --release")
    options.binary = os.path.abspath(options.binary)
    lines = [
        "| work | solved | ours | failures | peer | solved | process | solving | failures | ours / process | behind reading / solving | search / solving | goal |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        solvers = Solvers(options, folder)
        for row in rows():
            if options.rows and not any(part in row.name for part in options.rows):
                continue
            peers = [] if options.alone else [
                peer for peer in row.goals if not (options.no_rust and peer in ("Rust", "wfc"))
            ]
            results = {peer: [] for peer in peers}
            ours = []
            for seed, instance in enumerate(row.instances[:options.first], 1):
                ours.append(solvers.ours(row.program, instance, seed, "Gecode" in peers))
                for peer in peers:
                    results[peer].append(solvers.peer(row, peer, instance, seed))
                solvers.by_turns([ours[-1], *(results[peer][-1] for peer in peers)])
                if ours[-1].parts:
                    solvers.compare_parts(ours[-1], results["Gecode"][-1])
            for peer in peers or [None]:
                lines.append("| " + " | ".join(line(row, ours, peer, results.get(peer))) + " |")
                print(lines[-1], flush=True)
    if options.write:
        write(lines, options)


main()
