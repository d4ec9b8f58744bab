#!/usr/bin/env python3
"""What a call costs in each language: of a function of the script by the host, and of one of the host by the script.

    python3 benches/calls/run.py [TIMES]

Builds Rust's side and the library for C with the profile `quick`, and prints the table of RESULTS.md: medians of 5 rounds,
in which all sides run in turn. LuaJIT and mono take part where they are installed, and Python where an environment with
the wheel of a release build is: PYTHON names its interpreter.
"""

import os
import shutil
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "benches", "calls")
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
BUILT = os.path.join(TARGET, "quick")
ROUNDS = 5


def made(name):
    return os.path.join(BUILT, name)


def build():
    """The sides that this machine has, and how each is run."""
    cargo = ["cargo", "build", "--quiet", "--profile", "quick", "-p", "ndscript-c"]
    subprocess.run(cargo, cwd=ROOT, check=True)
    subprocess.run([*cargo, "--example", "calls"], cwd=ROOT, check=True)
    source = os.path.join(HERE, "calls.c")
    link = ["-L", BUILT, "-lndscript_c", f"-Wl,-rpath,{BUILT}"]
    subprocess.run(["cc", "-std=c99", "-O2", "-o", made("calls-c"), source, *link], check=True)
    sides = {"Rust": [made("examples/calls")], "C": [made("calls-c")]}
    if shutil.which("luajit"):
        sides["LuaJIT"] = ["luajit", os.path.join(HERE, "calls.lua")]
    if shutil.which("mcs") and shutil.which("mono"):
        runtime = os.path.join(ROOT, "bindings", "csharp", "Runtime", "NdScript.cs")
        subprocess.run(["mcs", "-optimize+", f"-out:{made('calls.exe')}", runtime, os.path.join(HERE, "Calls.cs")], check=True)
        sides["C#, mono"] = ["mono", made("calls.exe")]
    if os.environ.get("PYTHON"):
        sides["Python"] = [os.environ["PYTHON"], os.path.join(HERE, "calls.py")]
    return sides


def measure(command, times):
    environment = {
        **os.environ,
        "LUA_PATH": os.path.join(ROOT, "bindings", "lua", "?.lua"),
        "NDSCRIPT_LIBRARY": made("libndscript_c.so"),
        "LD_LIBRARY_PATH": BUILT,
    }
    program = os.path.join(HERE, "calls.nds")
    run = subprocess.run([*command, program, times], env=environment, check=True, capture_output=True, text=True)
    return {name: int(nanos) for name, nanos in (line.rsplit(" ", 1) for line in run.stdout.splitlines())}


def main():
    times = sys.argv[1] if len(sys.argv) > 1 else "200000"
    sides = build()
    found = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, command in sides.items():
            found[name].append(measure(command, times))
    median = lambda name, row: statistics.median(figures[row] for figures in found[name])
    print("| from | call of a script function, ns | of Rust | call of a host function, ns | of Rust |")
    print("| --- | ---: | ---: | ---: | ---: |")
    rows = [(name, name, "script") for name in sides]
    rows.insert(1, ("Rust, by name in pieces", "Rust", "script in pieces"))
    rows += [(f"{name}, numbers", name, "numbers") for name in sides if "numbers" in found[name][0]]
    for title, name, row in rows:
        script, host = median(name, row), median(name, "host")
        of_rust = [script / median("Rust", "script"), host / median("Rust", "host")]
        print(f"| {title} | {script:.0f} | {of_rust[0]:.2f} | {host:.0f} | {of_rust[1]:.2f} |")
    print(f"\n{times} calls of each kind, CPU time, medians of {ROUNDS} rounds; load {os.getloadavg()[0]:.1f} at the end.")


main()
