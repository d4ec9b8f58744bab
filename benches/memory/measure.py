#!/usr/bin/env python3
"""Compares what a run says it uses with what the process really uses.

    cargo build --release && benches/memory/measure.py [--binary PATH] [NAME ...]

Every program of this folder is run twice: as it is, which takes some 60 to 600 MB, and within a limit of 64 MB. The
process's own baseline is what a program that does nothing takes. Fails if the account of a run is more than 20% off,
or if a limited run takes more than the limit and a quarter of it beyond the baseline.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIMIT = 64


def run(binary, path, *options):
    """The exit code, the memory that the run counted and the peak that the system saw, in MB."""
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nothing:
        # `time` is small; a child of this process would count what Python had before it became another program.
        process = subprocess.run(
            ["/usr/bin/time", "--format=peak %M", binary, "run", str(path), "--seed", "7", "--stats", "--out", folder,
             *options],
            stdout=nothing, stderr=subprocess.PIPE, text=True)
    errors = process.stderr
    peak = int(re.search(r"^peak (\d+)$", errors, re.M)[1]) / 1024
    found = re.search(r"^memory +([\d.]+) (bytes|kB|MB)", errors, re.M)
    unit = {"bytes": 1 / 2**20, "kB": 1 / 2**10, "MB": 1}
    counted = float(found[1]) * unit[found[2]] if found else float("nan")
    return process.returncode, counted, peak, errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=str(ROOT / "target/release/ndscript"))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    with tempfile.NamedTemporaryFile("w", suffix=".nds") as nothing:
        baseline = run(options.binary, nothing.name)[2]
    print(f"baseline {baseline:.1f} MB\n")
    print(f"| {'program':<14} | counted MB | resident MB | counted / resident | resident at --max-memory {LIMIT}M |")
    print("| --- | ---: | ---: | ---: | ---: |")
    wrong = []
    for path in sorted(HERE.glob("*.nds")):
        name = path.stem
        if options.names and name not in options.names:
            continue
        exit_code, counted, peak, errors = run(options.binary, path)
        resident = peak - baseline
        limited_code, _, limited, _ = run(options.binary, path, "--max-memory", f"{LIMIT}M")
        limited -= baseline
        print(f"| {name:<14} | {counted:.1f} | {resident:.1f} | {counted / resident:.2f} | {limited:.1f}"
              f"{' (fits)' if limited_code == 0 else ''} |", flush=True)
        if exit_code not in (0, 1):
            wrong.append(f"{name} exits with {exit_code}: {errors}")
        if resident > 32 and not 0.8 <= counted / resident <= 1.2:
            wrong.append(f"{name}: counted {counted:.1f} MB, resident {resident:.1f} MB")
        if limited > LIMIT * 1.25:
            wrong.append(f"{name}: resident {limited:.1f} MB within a limit of {LIMIT} MB")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
