"""Friction laws written a second time, from their equations, and solved by SciPy.

Holds `bristle drive` against them over random motions: one to three dimensions, reversals, rests,
jumps, a normal force that varies and goes to zero, and random parameters of every law. The laws
here are ODEs with modes, integrated by DOP853 (Radau where stiff) to 1e-11; every switch is an
event. Nothing here comes from the Rust code.

    python tools/check_laws --bristle target/release/bristle [--cases 20] [--seed 1] [LAW...]

Prints the largest difference of the force per law, relative to the largest force of the motion, and
for each case that is off by more than 1e-6 the command, whose motion is kept; such a case is first
integrated once more, to 1e-13. A case has no reference where events follow each other without end. On the border of its modes `gms` slides as Filippov has it.
"""

import argparse
import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import bristles
import elements
import numpy as np
import static
from base import norm
from motions import dahl_exponent, parameters, random_motion, tabulated
from solve import FINE_RTOL, follow

PROMISE = 1e-6


LAWS = {
    "coulomb_tanh": static.CoulombTanh,
    "coulomb_linear": static.CoulombLinear,
    "threlfall": static.Threlfall,
    "ambrosio": static.Ambrosio,
    "gkf": static.Gkf,
    "bengisu_akay": static.BengisuAkay,
    "andersson": static.Andersson,
    "brown_mcphee": static.BrownMcPhee,
    "makkar": static.Makkar,
    "adams_regularised": static.Step5Regularised,
    "recurdyn_regularised": static.Step5Regularised,
    "simpack_regularised": static.SineRegularised,
    "karnopp": static.Karnopp,
    "dahl": bristles.Dahl,
    "gear": bristles.Gear,
    "bliman_sorine": bristles.BlimanSorine,
    "lugre": bristles.Lugre,
    "lugre_classical": bristles.LugreClassical,
    "lugre_anisotropic": bristles.LugreAnisotropic,
    "frbd": bristles.FrBd,
    "elastoplastic": bristles.Elastoplastic,
    "leuven": elements.Leuven,
    "gms": elements.Gms,
    "adams_stick_slip": static.Step5StickSlip,
    "recurdyn_stick_slip": static.Step5StickSlip,
    "simpack_stick_slip": static.SimpackStickSlip,
    "reset_integrator": static.ResetIntegrator,
    "armstrong": static.Armstrong,
    "gonthier": bristles.Gonthier,
    "jenkins": bristles.Jenkins,
    "iwan": bristles.Iwan,
}


def write(path, motion, dim):
    axes = [""] if dim == 1 else ["x", "y", "z"][:dim]
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["t"] + [f"v{a}" for a in axes] + ["N"] + [f"Fe{a}" for a in axes])
        for t, v, n, fe in motion:
            rows.writerow([repr(x) for x in [t, *v, n, *fe]])


def text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(repr(x) for x in value)
    return value if isinstance(value, str) else repr(value)


def drive(bristle, name, p, path, dim):
    command = [bristle, "drive", str(path), "--law", name]
    for field, value in p.items():
        command += ["--param", f"{field}={text(value)}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return command, None, done.stderr
    rows = list(csv.reader(done.stdout.splitlines()))
    return command, [[float(x) for x in row[1 : 1 + dim]] for row in rows[1:]], ""


def check(bristle, name, seed, folder):
    """(relative difference, command) of one random case."""
    rng = np.random.default_rng(seed)
    dim = int(rng.integers(1, 4))
    p, vs, length, load = parameters(name, rng)
    if name == "dahl":
        dahl_exponent(p, dim, rng)
    applied = load * p["kinetic_coefficient"] if name in ("karnopp", "gear") else 0.0
    chosen = np.random.default_rng([seed, 1])
    if "stribeck" in p and chosen.random() < 0.2:
        tabulated(p, Path(folder) / f"{name}-{seed}-curve.csv", chosen)
    # how far the last direction of slip is remembered is not in the equations
    straight = name == "simpack_stick_slip"
    motion = random_motion(dim, vs, length, load, applied, rng, straight)
    path = Path(folder) / f"{name}-{seed}.csv"
    write(path, motion, dim)
    command, forces, error = drive(bristle, name, p, path, dim)
    if forces is None:
        return math.inf, command, error
    off, what = apart(forces, follow(LAWS[name](p, dim), motion))
    if off > PROMISE:
        off, what = apart(forces, follow(LAWS[name](p, dim), motion, FINE_RTOL))
    return off, command, f"{what}, {dim}-D"


def apart(forces, reference):
    """The largest difference relative to the largest force, and where it is."""
    largest = max(norm(f) for f in reference)
    off = [norm([a - b for a, b in zip(f, r)]) for f, r in zip(forces, reference)]
    worst = max(range(len(off)), key=off.__getitem__)
    scale = largest if largest > 0 else 1.0
    return off[worst] / scale, f"line {worst + 2}: {forces[worst]} for {[float(x) for x in reference[worst]]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("laws", nargs="*", metavar="LAW")
    parser.add_argument("--bristle", default="target/release/bristle")
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="check-laws-")
    missed = 0
    for name in arguments.laws or LAWS:
        worst, skipped = 0.0, 0
        for seed in range(arguments.seed, arguments.seed + arguments.cases):
            try:
                off, command, what = check(arguments.bristle, name, seed, folder)
            except (ArithmeticError, OverflowError) as error:
                skipped += 1
                print(f"  {name} seed {seed}: no reference: {error}")
                continue
            worst = max(worst, off)
            if off > PROMISE:
                missed += 1
                print(f"  {name} seed {seed}: {off:.1e}, {what}\n    {' '.join(command)}")
        print(f"{name}: {worst:.1e}" + (f" ({skipped} without reference)" if skipped else ""), flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
