#!/usr/bin/env python3
"""The cube on six contacts and the stick-slip block beside SciPy, in one run.

    python3 tools/bench_cube.py PEERS

PEERS is the folder with b1_scipy.py and b2_common.py (the same problems, written for SciPy with
numba right-hand sides). The script makes a virtual environment in target/bench-env, computes a
tight reference, times SciPy's solvers and Bristle one after the other on the same machine, and
prints the error of each against the reference beside its time. Times are the fastest of several
runs; machines are noisy, so compare ratios within one run only.
"""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "target" / "bench-env"
NEEDS = ["numpy", "scipy", "numba"]


def in_environment():
    """Starts this script again inside the virtual environment, made if needed."""
    python = ENVIRONMENT / "bin" / "python"
    if Path(sys.prefix).resolve() == ENVIRONMENT.resolve():
        return
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *NEEDS], check=True)
    os.execv(python, [str(python), __file__, *sys.argv[1:]])


def fastest(run, times):
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def bench():
    """Fastest times of `cargo bench`, in ms, by name and argument."""
    command = ["cargo", "bench", "-q", "-p", "bristle-mechanics", "--bench", "systems"]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    times, group = {}, ""
    for line in text.splitlines():
        found = re.search(r"[├╰]─ (\S+)\s+(?:([\d.]+) (ns|µs|ms|s)\b)?", line)
        if not found:
            continue
        name, number, unit = found.groups()
        if number is None:
            group = name
            continue
        scale = {"ns": 1e-6, "µs": 1e-3, "ms": 1.0, "s": 1e3}[unit]
        nested = line.startswith(("│", " "))
        times[f"{group} {float(name):.0e}" if nested else name] = float(number) * scale
    return times


def bristle(scenario, settings):
    """Runs the command and returns its results as columns and its summary."""
    import numpy as np

    binary = ROOT / "target" / "release" / "bristle"
    with tempfile.TemporaryDirectory() as folder:
        command = [str(binary), "run", str(ROOT / "examples" / scenario), "--no-plots", "--quiet"]
        command += ["--out", folder + "/run"]
        for setting in settings:
            command += ["--set", setting]
        subprocess.run(command, check=False, capture_output=True)
        with open(folder + "/run/results.csv", newline="") as file:
            rows = list(csv.reader(file))
        summary = json.loads(Path(folder, "run", "summary.json").read_text())
    data = np.array(rows[1:], dtype=float)
    return {name: data[:, i] for i, name in enumerate(rows[0])}, summary


def show(title, rows):
    print(f"\n{title}")
    width = max(len(r[0]) for r in rows)
    base = min(r[1] for r in rows if r[0].startswith("SciPy"))
    for name, ms, *errors in rows:
        ratio = f"{base / ms:7.1f}x"
        print(f"  {name:<{width}}  {ms:9.2f} ms {ratio}   " + "  ".join(errors))


def cube(times):
    import numpy as np
    from b2_common import ANG, fun, report, y0  # noqa: F401
    from b2_scipy import ATOL, run

    dense = np.round(np.arange(0, 3.9901, 2e-3), 6)
    angle = np.deg2rad(30)
    t, states, *_ = run("LSODA", 1e-10, ATOL * 1e-3, angle, 0.0, dense)
    _, forces, path = report(t, states, angle, 0.0)
    window = (t > 0.5) & (t < 3.9)
    rows = []
    for method, rtol, atol in [
        ("LSODA", 1e-4, ATOL * 100),
        ("LSODA", 1e-6, ATOL),
        ("Radau", 1e-4, ATOL * 100),
        ("Radau", 1e-6, ATOL * 10),
    ]:
        walls, result = [], None
        for _ in range(3):
            result = run(method, rtol, atol, angle, 0.0, dense)
            walls.append(result[-1])
        _, f, s = report(result[0], result[1], angle, 0.0)
        ds, df = abs(s - path)[window].max(), abs(f[:, 0] - forces[:, 0])[window].max()
        rows.append((f"SciPy {method} rtol {rtol:.0e}, numba", 1e3 * min(walls), f"ds {ds:.1e} m", f"dF {df:.1e} N"))
    for name, settings, key in [
        ("Bristle, error control 1e-5", ["simulation.integrator.tolerance=1e-5"], "cube_adaptive 1e-05"),
        ("Bristle, error control 1e-6", ["simulation.integrator.tolerance=1e-6"], "cube_adaptive 1e-06"),
        ("Bristle, error control 1e-7", ["simulation.integrator.tolerance=1e-7"], "cube_adaptive 1e-07"),
        (
            "Bristle, 40 000 steps of 0.1 ms",
            ['simulation.integrator={method="newmark",step="0.1 ms",tolerance=1e-6}'],
            "cube_fixed_100us",
        ),
    ]:
        columns, _ = bristle("cube-30deg.toml", [*settings, "simulation.output_step=2 ms"])
        n = len(t)
        s = columns["body.cube.position.x"] * np.cos(angle) + columns["body.cube.position.y"] * np.sin(angle)
        ds = abs(s[:n] - path)[window].max()
        df = abs(columns["contact.base.friction.magnitude"][:n] - forces[:, 0])[window].max()
        rows.append((name, times[key], f"ds {ds:.1e} m", f"dF {df:.1e} N"))
    show("Cube on six contacts, 4 s, pull at 30 degrees (times relative to the fastest SciPy run)", rows)


def stick_slip(times):
    import numpy as np
    from b1_scipy import f_nb, j_nb
    from scipy.integrate import solve_ivp

    t = np.linspace(0, 20, 2001)
    start = np.zeros(3)

    def solve(method, rtol, atol, **more):
        return solve_ivp(f_nb, (0, 20), start, method=method, rtol=rtol, atol=atol, jac=j_nb, **more)

    reference = solve("Radau", 1e-12, 1e-16, t_eval=t).y[0]
    rows = []
    for method, rtol, atol in [("LSODA", 1e-6, 1e-10), ("LSODA", 1e-3, 1e-8), ("Radau", 1e-6, 1e-10)]:
        ms = 1e3 * fastest(lambda: solve(method, rtol, atol), 5)
        error = abs(solve(method, rtol, atol, t_eval=t).y[0] - reference).max()
        rows.append((f"SciPy {method} rtol {rtol:.0e}, numba", ms, f"error in x {error:.1e} m"))
    for tolerance in ["1e-5", "1e-6", "1e-7", "1e-8"]:
        settings = [f"simulation.integrator.tolerance={tolerance}", "simulation.output_step=10 ms"]
        settings.append("simulation.integrator.max_step=200 ms")
        columns, _ = bristle("stick-slip.toml", settings)
        error = abs(columns["body.block.position.x"][: len(t)] - reference).max()
        name = f"Bristle, error control {tolerance}"
        rows.append((name, times[f"stick_slip_adaptive {float(tolerance):.0e}"], f"error in x {error:.1e} m"))
    show("Stick-slip block, 20 s (times relative to the fastest SciPy run)", rows)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    peers = Path(sys.argv[1]).resolve()
    if not (peers / "b2_common.py").exists():
        sys.exit(f"no b2_common.py in {peers}")
    in_environment()
    sys.path.insert(0, str(peers))
    os.environ.setdefault("NUMBA_CACHE_DIR", str(ENVIRONMENT / "numba"))
    subprocess.run(["cargo", "build", "-q", "--release"], cwd=ROOT, check=True)
    times = bench()
    cube(times)
    stick_slip(times)


if __name__ == "__main__":
    main()
