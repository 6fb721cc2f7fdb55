#!/usr/bin/env python3
"""The three turbine blades beside other solvers, in one run.

    python3 tools/bench_blades.py PEERS [--exudyn]

PEERS is the folder with b3_sim.py (the blades as a linear model with a hand-written numba solver)
and b3_exudyn.py (the same matrices and contacts as user functions of Exudyn; some minutes). The
script makes a virtual environment in target/bench-env and runs all of them one after the other on
the same machine: simulation 1 with fixed steps of 10 us, with one and four points in each
interface, and simulation 2 under error control. It prints microseconds per step, the energy lost,
and the ratio to the numba solver. Machines are noisy, so compare ratios within one run only.
"""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "target" / "bench-env"
NEEDS = ["numpy", "scipy", "numba"]
FIXED = 'simulation.integrator={method="generalised_alpha",step="10 us",spectral_radius=0}'


def in_environment(needs):
    """Starts this script again inside the virtual environment, made if needed."""
    python = ENVIRONMENT / "bin" / "python"
    if Path(sys.prefix).resolve() == ENVIRONMENT.resolve():
        return
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "-q", *needs], check=True)
    os.execv(python, [str(python), __file__, *sys.argv[1:]])


def bristle(scenario, *settings):
    """Wall time in s and summary of one run, without plots."""
    binary = ROOT / "target" / "release" / "bristle"
    with tempfile.TemporaryDirectory() as folder:
        command = [str(binary), "run", str(ROOT / "examples" / f"{scenario}.toml"), "--no-plots"]
        command += ["--quiet", "--out", folder + "/run"]
        for setting in settings:
            command += ["--set", setting]
        start = time.perf_counter()
        subprocess.run(command, check=False, capture_output=True)
        wall = time.perf_counter() - start
        return wall, json.loads(Path(folder, "run", "summary.json").read_text())


def show(title, rows):
    """One line per row: name, time, its ratio to the first row, what else there is."""
    print(f"\n{title}")
    width = max(len(name) for name, *_ in rows)
    base = rows[0][1]
    for name, value, unit, *more in rows:
        print(f"  {name:<{width}}  {value:9.2f} {unit} {value / base:7.2f} x   " + "  ".join(more))


def simulation_1(with_exudyn, peers):
    from b3_sim import run

    for points, scenario in [(1, "blades-sim1"), (4, "blades-sim1-four-points")]:
        out, timing = run(1, "lugre", "faces_r45", points)
        rows = [("numba, linear structure", timing["us_per_step"], "us/step", f"{1e3 * out[-1, 8]:.2f} mJ")]
        _, summary = bristle(scenario, FIXED, "simulation.output_step=10 ms")
        rows.append(
            (
                "Bristle, corotational",
                1e6 * summary["wall_s"] / summary["steps"],
                "us/step",
                f"{1e3 * summary['energy']['dissipated']:.2f} mJ",
            )
        )
        if with_exudyn and points == 1:
            command = [sys.executable, str(peers / "b3_exudyn.py"), "faces_r45", "0.1", "only"]
            text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            found = json.loads(text.strip().splitlines()[-1])
            rows.append(("Exudyn, the same matrices, 0.1 s", found["us_per_step"], "us/step"))
        title = "point" if points == 1 else "points"
        show(f"Simulation 1, 200 000 steps of 10 us, {points} {title} in each interface", rows)


def simulation_2():
    from b3_sim import fig2, run

    out, timing = run(2, "lugre", "faces_r45", 1)
    peak = fig2(out)["tip1_peak_um"]
    rows = [("numba, a million steps of 10 us", timing["wall_s"], "s", f"peak {peak:.0f} um")]
    for tolerance in ["1e-2", "1e-3"]:
        wall, summary = bristle("blades-sim2", f"simulation.integrator.tolerance={tolerance}")
        extreme = summary["extremes"]["body.centre_tip.position.x"]
        peak = 1e6 * max(abs(extreme["min"]), abs(extreme["max"]))
        more = (f"peak {peak:.0f} um", f"{summary['steps']} steps")
        rows.append((f"Bristle, error control {tolerance}", wall, "s", *more))
    show("Simulation 2, 10 s, LuGre, one point in each interface (the peak scatters by some percent)", rows)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--exudyn"]
    with_exudyn = "--exudyn" in sys.argv
    if len(arguments) != 1:
        sys.exit(__doc__)
    peers = Path(arguments[0]).resolve()
    if not (peers / "b3_sim.py").exists():
        sys.exit(f"no b3_sim.py in {peers}")
    in_environment(NEEDS + (["exudyn"] if with_exudyn else []))
    sys.path.insert(0, str(peers))
    os.environ.setdefault("NUMBA_CACHE_DIR", str(ENVIRONMENT / "numba"))
    subprocess.run(["cargo", "build", "-q", "--release"], cwd=ROOT, check=True)
    simulation_1(with_exudyn, peers)
    simulation_2()


if __name__ == "__main__":
    main()
