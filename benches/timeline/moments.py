#!/usr/bin/env python3
"""What a long recording takes, and going to moments of it.

    python3 benches/timeline/moments.py FILE [--binary target/release/ndscript] [--moments 20]

Prints the steps of the run, the processor time of recording it (all that `ndscript debug` does up to `end`), the most memory
that this took, and the processor time to go to moments in no order.
"""

import argparse
import os
import random
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Debugger:
    def __init__(self, binary, file):
        command = [binary, "debug", file, "--seed", "1", "--screen", "never"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.arrive()

    def arrive(self):
        """The step that it says it stands at."""
        for line in self.process.stdout:
            if line.startswith("step "):
                return int(line.split()[1].split(".")[0])
        raise SystemExit("the debugger has ended")

    def go(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.arrive()

    def seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def most_memory(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--binary", default=os.path.join(ROOT, "target/release/ndscript"))
    parser.add_argument("--moments", type=int, default=20)
    options = parser.parse_args()
    debugger = Debugger(options.binary, options.file)
    last = debugger.go("end")
    print(f"{last:,} steps, recorded in {debugger.seconds():.2f} s, with {debugger.most_memory():.0f} MB")
    chosen = random.Random(7)
    times = []
    for _ in range(options.moments):
        before = debugger.seconds()
        debugger.go(f"go {chosen.randrange(1, last)}")
        times.append(debugger.seconds() - before)
    times.sort()
    print(f"to a moment: {times[len(times) // 2]:.2f} s, the longest {times[-1]:.2f} s; {debugger.most_memory():.0f} MB")
    debugger.process.kill()


if __name__ == "__main__":
    main()
