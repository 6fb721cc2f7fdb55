#!/usr/bin/env python3
"""How well a sweep uses the cores: the same sweep with one job and with several, in turns.

    cargo build --release && python3 tools/bench_sweep.py [--bristle target/release/bristle]

The efficiency is T(1) / (n T(n)) with the shortest of several measurements each, once for many runs of
some milliseconds and once for few long ones. Other work on the machine makes it look worse, and so does
a processor whose clock falls when all cores work; the second number divides the CPU time of one job by
that of n jobs, which shows how much of the loss is not the sweep's own.
"""

import argparse
import os
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

CASES = {
    # name: scenario, options
    "short runs (cube, 4 s of model time)": (
        "cube-30deg.toml",
        ["--vary", "contact.base.friction.bristle_damping=5:50:{n}"],
        400,
    ),
    "long runs (cube in steps of 20 us at most)": (
        "cube-30deg.toml",
        ["--vary", "contact.base.friction.bristle_damping=5:50:{n}",
         "--set", "simulation.integrator.max_step=20e-6"],
        8,
    ),
}


def run(bristle, scenario, options, jobs):
    """Wall time and CPU time (s) of one sweep in a new folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = [bristle, "sweep", scenario, *options, "--jobs", str(jobs), "--quiet", "--no-plots",
                   "--out", os.path.join(folder, "sweep")]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bristle", default=shutil.which("bristle") or str(ROOT / "target/release/bristle"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    for name, (scenario, options, count) in CASES.items():
        options = [option.format(n=count) for option in options]
        scenario = str(ROOT / "examples" / scenario)
        measured = {1: [], arguments.jobs: []}
        for _ in range(arguments.repeat):
            for jobs, times in measured.items():
                times.append(run(arguments.bristle, scenario, options, jobs))
        one, many = (min(measured[jobs]) for jobs in (1, arguments.jobs))
        n = arguments.jobs
        print(f"{name}: {count} runs")
        print(f"  1 job  {one[0]:.3f} s ({1e3 * one[0] / count:.2f} ms a run), {one[1]:.3f} s of CPU time")
        print(f"  {n} jobs {many[0]:.3f} s, {many[1]:.3f} s of CPU time")
        print(f"  efficiency {100 * one[0] / (n * many[0]):.1f} %, CPU time kept {100 * one[1] / many[1]:.1f} %")


if __name__ == "__main__":
    main()
