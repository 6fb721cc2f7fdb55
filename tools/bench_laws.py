#!/usr/bin/env python3
"""Times the laws and prints them beside NumPy and Numba, on this machine, in one run.

    python tools/bench_laws.py PEERS [options of the benches, such as --max-time 1]

PEERS is the folder with b4_throughput.py (one LuGre contact point in two dimensions: rates
and forces, normal force varying). NumPy and Numba must be importable, for instance from a
virtual environment:

    python -m venv venv && venv/bin/pip install numpy numba
    venv/bin/python tools/bench_laws.py PEERS

Times are nanoseconds per point on one core, the fastest of all samples with the median
beside it. Run it on a quiet machine: a shared core doubles the numbers.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNITS = {"ps": 1e-3, "ns": 1.0, "µs": 1e3, "us": 1e3, "ms": 1e6, "s": 1e9}
# points that one iteration of a single-point bench covers, as in benches/laws.rs
POINTS_OF_SINGLE = 256


def peers(folder):
    """Name, fastest and median ns per point of NumPy and Numba."""
    script = Path(folder) / "b4_throughput.py"
    # what follows the last timing of NumPy and Numba needs other packages
    source = script.read_text().split("\ntry:\n    import mujoco")[0]
    run = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True
    )
    for line in run.stdout.splitlines():
        row = json.loads(line)
        yield row["peer"], row["ns_per_point_min"], row["ns_per_point_median"]


def nanoseconds(cell):
    number, unit = cell.split()
    return float(number) * UNITS[unit]


def ours(bench_args):
    """Name, fastest and median ns per point of the crate's benches."""
    command = ["cargo", "bench", "-p", "bristle-laws", "--bench", "laws", "--"]
    run = subprocess.run(
        command + bench_args, capture_output=True, text=True, cwd=ROOT, check=True
    )
    bench = ""
    for line in run.stdout.splitlines():
        # a name, then fastest │ slowest │ median │ mean │ samples │ iterations
        match = re.match(r"^[\s│]*[├╰]─ ([A-Za-z0-9_]+)\s+(.*)$", line)
        if not match:
            continue
        name, rest = match.groups()
        cells = [cell.strip() for cell in rest.split("│")]
        if len(cells) < 4 or not re.match(r"^[\d.]+ (ps|ns|µs|us|ms|s)$", cells[0]):
            if len(cells) >= 4:
                bench = name
            continue
        points = int(name) if name.isdigit() else POINTS_OF_SINGLE
        label = f"{bench}, {name} points" if name.isdigit() else f"{bench}, {name}"
        yield label, nanoseconds(cells[0]) / points, nanoseconds(cells[2]) / points


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peers", help="folder with b4_throughput.py")
    # everything else is for the benches
    arguments, bench_args = parser.parse_known_args()
    # before and after, the better of the two: another program may have been at work
    before = list(peers(arguments.peers))
    own = list(ours(bench_args))
    after = list(peers(arguments.peers))
    rows = [min(pair, key=lambda row: row[1]) for pair in zip(before, after)] + own
    numba = next(fastest for name, fastest, _ in rows if name.startswith("numba 1e6"))
    print(f"{'':52} {'ns min':>8} {'median':>8} {'numba/this':>11}")
    for name, fastest, median in rows:
        # the peers evaluate the rates of lugre in two dimensions: only that compares
        same = "rates_2d" in name or not re.search(r"_[23]d", name)
        ratio = f"{numba / fastest:11.2f}" if same else f"{'':>11}"
        print(f"{name:52} {fastest:8.2f} {median:8.2f} {ratio}")


if __name__ == "__main__":
    main()
