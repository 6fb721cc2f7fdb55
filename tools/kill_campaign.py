#!/usr/bin/env python3
"""Kills run, sweep, identify, compare and calibrate at random moments, and looks at what is left.

    tools/kill_campaign.py [--bristle target/release/bristle] [--kills 100] [--seed 1] [COMMAND ...]

Each command is run once to its end for its duration, then killed (SIGKILL) `--kills` times at
moments spread over that duration, each time over the folder of the run before; a sweep goes on with
--resume, and begins anew after three. What is left must hold no half file (JSON that does not parse,
CSV whose last line is not whole), and the next run must succeed.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
BLOCK = EXAMPLES / "stick-slip.toml"
FIT = EXAMPLES / "fit" / "lugre-bench.toml"


def commands(folder):
    """Arguments by command; each writes into `folder`/out."""
    out = str(folder / "out")
    return {
        "run": ["run", str(BLOCK), "--out", out, "--report"],
        "sweep": ["sweep", str(BLOCK), "--vary", "simulation.end_time=1:25:24", "--out", out, "--resume"],
        "identify": ["identify", str(FIT), "--out", out],
        "compare": ["compare", str(EXAMPLES / "pulse-lugre.toml"), "--law", "lugre", "--law", "gkf", "--out", out],
        "calibrate": calibrate(folder, out),
    }


def calibrate(folder, out):
    """A fit of the mass-spring block to its own run."""
    data = folder / "measured"
    scenario = str(EXAMPLES / "pulse-lugre.toml")
    channel = "body.block.position.x"
    return [
        "calibrate", scenario, str(data / "results.csv"), "--free", "contact.base.friction.static_coefficient",
        "--output", f"{channel}={channel}", "--out", out,
    ]


def faults(folder):
    """What is wrong with the files that are left."""
    found = []
    for path in folder.rglob("*"):
        if not path.is_file() or path.name.startswith(".") or ".partial" in path.name:
            continue
        if path.suffix == ".json":
            try:
                json.loads(path.read_text(encoding="utf-8"))
            except ValueError as error:
                found.append(f"{path.name}: {error}")
        elif path.suffix == ".csv":
            text = path.read_text(encoding="utf-8")
            widths = {line.count(",") for line in text.splitlines() if not line.startswith("#")}
            if not text.endswith("\n") or len(widths) > 1:
                found.append(f"{path.name}: a line is not whole")
    return found


def campaign(program, name, arguments, folder, kills, chance):
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    start = time.perf_counter()
    first = subprocess.run([program, *arguments], **quiet, check=False)
    duration = time.perf_counter() - start
    if first.returncode not in (0, 3):
        print(f"{name}: cannot run: {first.stderr.decode()[:300]}")
        return 1
    bad = 0
    for k in range(kills):
        if name == "sweep" and k % 3 == 0:
            # what is complete is not made again
            shutil.rmtree(folder / "out", ignore_errors=True)
        child = subprocess.Popen([program, *arguments], **quiet)
        time.sleep(duration * chance.random())
        child.send_signal(signal.SIGKILL)
        child.communicate()
        left = faults(folder / "out") if (folder / "out").exists() else []
        if left:
            bad += 1
            print(f"{name}, kill {k}: " + "; ".join(left))
    last = subprocess.run([program, *arguments], **quiet, check=False)
    if last.returncode != first.returncode:
        bad += 1
        print(f"{name}: the run after all kills fails: {last.stderr.decode()[-400:]}")
    strays = [p.name for p in folder.rglob("*") if ".partial" in p.name or ".draft" in p.name]
    print(f"{name}: {kills} kills within {duration:.2f} s, {bad} faults, {len(strays)} drafts left")
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bristle", default=str(ROOT / "target/release/bristle"))
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("commands", nargs="*")
    given = parser.parse_args()
    program, chance, bad = os.path.abspath(given.bristle), random.Random(given.seed), 0
    for name in given.commands or ["run", "sweep", "identify", "compare", "calibrate"]:
        folder = Path(tempfile.mkdtemp(prefix="bristle-kill-"))
        if name == "calibrate":
            scenario = str(EXAMPLES / "pulse-lugre.toml")
            run = [program, "run", scenario, "--out", str(folder / "measured"), "--quiet"]
            subprocess.run(run, check=False, stdout=subprocess.DEVNULL)
        bad += campaign(program, name, commands(folder)[name], folder, given.kills, chance)
        shutil.rmtree(folder)
    sys.exit(min(bad, 1))


if __name__ == "__main__":
    main()
