#!/usr/bin/env python3
"""Instructions per point of every friction law, alone and in batches, counted by valgrind.

    tools/count_instructions.py [PROGRAM] [--against FILE] [LAW ...]

PROGRAM is the bench `instructions` of the crate bristle-laws; without one it is built. Counts do not
depend on what else the machine does: those of two builds can be compared to a tenth of a percent.
With --against, FILE is a table that this script printed before, and every cell shows both.
"""

import argparse
import json
import os
import re
import subprocess
import tempfile

VIEWS = {"rates": 256, "update": 256, "tangent": 256, "batch_rates": 2000, "batch_update": 2000}


def built():
    command = ["cargo", "bench", "-p", "bristle-laws", "--bench", "instructions", "--no-run"]
    lines = subprocess.run(
        [*command, "--message-format", "json"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    messages = [json.loads(line) for line in lines]
    return next(
        m["executable"]
        for m in messages
        if m.get("executable") and m["target"]["name"] == "instructions"
    )


def laws():
    """The names in the order of the catalogue."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with open(f"{folder}/crates/laws/src/friction/mod.rs", encoding="utf-8") as file:
        listed = file.read().split("friction_laws! {")[-1].split("}")[0]
    return re.findall(r"(\w+)::", listed)


def instructions(program, law, view, rounds):
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=cachegrind", "--cache-sim=no"]
        command.append(f"--cachegrind-out-file={folder}/out")
        run = subprocess.run(
            [*command, program, law, view, str(rounds)], check=True, capture_output=True, text=True
        )
    return int(re.search(r"I\s+refs:\s+([\d,]+)", run.stderr)[1].replace(",", ""))


def per_point(program, law, view):
    few, many = (instructions(program, law, view, rounds) for rounds in (1, 5))
    return (many - few) / (4 * VIEWS[view])


def read(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.strip("|\n ").split("|") for line in file if line.startswith("| `")]
    return {row[0].strip(" `"): [cell.split("→")[-1].split("(")[0] for cell in row[1:]] for row in rows}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("laws", nargs="*")
    parser.add_argument("--against")
    given = parser.parse_args()
    before = read(given.against) if given.against else {}
    program = given.program or built()
    print("| instructions per point, in the plane | " + " | ".join(VIEWS) + " |")
    print("|---|" + "---|" * len(VIEWS))
    for law in given.laws or laws():
        cells = []
        for i, view in enumerate(VIEWS):
            count = per_point(program, law, view)
            cell = f"{count:.1f}"
            if law in before:
                old = float(before[law][i])
                cell = f"{old:.1f} → {cell} ({100 * (count / old - 1):+.1f} %)"
            cells.append(cell)
        print(f"| `{law}` | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
