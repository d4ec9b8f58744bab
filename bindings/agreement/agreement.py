"""Runs the programs of this folder in Python, and prints what every binding has to print."""

import sys

import ndscript


def main(path, seeds):
    with open(path, encoding="utf-8") as file:
        blocks = file.read().split("=== ")[1:]
    for block in blocks:
        name, text = block.split("\n", 1)
        program = ndscript.compile(text, name)
        for seed in range(1, int(seeds) + 1):
            run = program.run(seed)
            outcome, said, pictures = "failed", "", 0
            try:
                for solution in run:
                    outcome, said, pictures = "solved", solution.text, len(solution.pictures)
                    break
            except ndscript.ScriptError as error:
                outcome, said = "error", error.diagnostic["message"]
            said = said.replace("\n", "|")
            sys.stdout.write(f"{name} {seed} {outcome} {run.steps} {pictures} {said}\n")


main(*sys.argv[1:])
