#!/usr/bin/env python3
"""Six parameters of a LuGre law from 20 000 samples: Bristle beside SciPy, in one run.

    python3 tools/bench_identify.py [--law lugre_classical] [--methods LSODA,Radau] [--nfev N]

The record is made by SciPy (LSODA at tight tolerance) along a motion of presliding loops, slow and
fast sliding, with a load that varies, plus normal noise of a fixed seed. SciPy fits it with
`least_squares` (trust region, bounds, two-point differences, parameters scaled by their start)
around `solve_ivp` with a numba right-hand side, from a start within a factor of two of the truth;
`--nfev` bounds its evaluations. Bristle gets the file alone: it reads, searches its own starting
values, fits, judges every parameter and prints the result. Both use one core. Times are of one run on
this machine; compare ratios within one run only.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "target" / "bench-env"
NEEDS = ["numpy", "scipy", "numba"]

SAMPLES, DURATION, NOISE = 20_000, 8.0, 0.01

# sigma_0, sigma_1, sigma_2, mu_k, mu_s, v_s
NAMES = ["bristle_stiffness", "bristle_damping", "viscous_coefficient", "kinetic_coefficient"]
NAMES += ["static_coefficient", "stribeck_velocity"]
TRUTH = {
    "lugre": [1e4, 31.6228, 0.04, 0.1, 0.15, 1e-3],
    "lugre_classical": [1e5, 316.228, 0.4, 0.1, 0.15, 1e-3],
}
START = [2.0, 0.5, 2.0, 1.3, 1.4, 1.7]


def in_environment():
    """Starts this script again inside the virtual environment, made if needed, unless SciPy and
    numba are here."""
    try:
        import numba, scipy  # noqa: E401, F401
        return
    except ImportError:
        pass
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *NEEDS], check=True)
    os.execv(python, [str(python), __file__, *sys.argv[1:]])


def motion():
    import numpy as np

    t = np.arange(SAMPLES) * (DURATION / SAMPLES)
    tau = 2 * np.pi
    loops = 1e-4 * t * np.cos(tau * 2 * t)
    slow = 5e-3 * np.sin(tau * 0.5 * (t - 2))
    fast = 0.05 * (t - 5) / 3 * np.sin(tau * (t - 5))
    v = np.where(t < 2, loops, np.where(t < 5, slow, fast))
    return t, v, 10 + 3 * np.sin(tau * 0.3 * t)


def model(law, compiled=True):
    """The right-hand side dz/dt and the force; v and N are linear between samples."""
    import numpy as np
    from numba import njit

    if not compiled:

        def njit(**_):
            return lambda function: function

    per_load = law == "lugre"

    @njit(cache=False)
    def parts(v, n, z, p):
        scale = n if per_load else 1.0
        g = p[3] + (p[4] - p[3]) * np.exp(-((v / p[5]) ** 2))
        level = g if per_load else n * g
        dz = v - p[0] * abs(v) / level * z
        return dz, scale * (p[0] * z + p[1] * dz + p[2] * v)

    @njit(cache=False)
    def rate(t, y, vs, ns, dt, p):
        i = min(max(int(t / dt), 0), len(vs) - 2)
        s = t / dt - i
        v = vs[i] + s * (vs[i + 1] - vs[i])
        n = ns[i] + s * (ns[i + 1] - ns[i])
        dz, _ = parts(v, n, y[0], p)
        return np.array([dz])

    @njit(cache=False)
    def force(vs, ns, zs, p):
        f = np.empty(len(vs))
        for i in range(len(vs)):
            f[i] = parts(vs[i], ns[i], zs[i], p)[1]
        return f

    return rate, force


def simulator(law, t, v, n, compiled=True):
    from scipy.integrate import solve_ivp

    rate, force = model(law, compiled)
    dt = t[1] - t[0]

    def simulate(p, method, rtol, atol, **more):
        out = solve_ivp(rate, (0, t[-1]), [0.0], method=method, t_eval=t, rtol=rtol, atol=atol,
                        args=(v, n, dt, p), **more)
        return force(v, n, out.y[0], p)

    return simulate


def by_scipy(method, simulate, measured, start, nfev):
    import numpy as np
    from scipy.optimize import least_squares

    count = [0]

    def residual(q):
        count[0] += 1
        # a bristle bends by some 1e-5 m
        return simulate(q * start, method, 1e-6, 1e-11) - measured

    residual(np.ones(len(start)))  # compiles
    count[0] = 0
    begin, cpu = time.perf_counter(), time.process_time()
    fit = least_squares(residual, np.ones(len(start)), jac="2-point", diff_step=1e-4,
                        bounds=(1e-3, 1e3), max_nfev=nfev)
    seconds = time.perf_counter() - begin, time.process_time() - cpu
    return fit.x * start, seconds, f"{count[0]} simulations", np.sqrt(2 * fit.cost / len(measured))


def children():
    """CPU time of the processes that have ended, s."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def by_bristle(binary, law, table):
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "record.csv")
        np.savetxt(path, table, delimiter=",", header="t,v,F,N", comments="", fmt="%.17g")
        command = [str(binary), "identify", str(path), "--law", law, "--json"]
        times = []
        for _ in range(5):
            begin, used = time.perf_counter(), children()
            run = subprocess.run(command, check=True, capture_output=True, text=True,
                                 env={**os.environ, "RAYON_NUM_THREADS": "1"})
            times.append((time.perf_counter() - begin, children() - used))
    result = json.loads(run.stdout)
    values = {p["name"]: p["value"] for p in result["parameters"]}
    errors = {p["name"]: p["standard_error"] for p in result["parameters"]}
    note = f"{result['optimiser']['iterations']} iterations, fastest of 5 runs"
    fastest = tuple(min(column) for column in zip(*times))
    return (np.array([values[k] for k in NAMES]), fastest, note, result["rms_train"],
            np.array([errors[k] or np.nan for k in NAMES]))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--law", default="lugre_classical", choices=TRUTH)
    options.add_argument("--methods", default="LSODA,Radau")
    options.add_argument("--nfev", type=int, default=None, help="most evaluations of SciPy's optimiser")
    options.add_argument("--python", action="store_true", help="also without numba: minutes")
    options.add_argument("--bristle", type=Path, help="a release binary; built if not given")
    options = options.parse_args()
    in_environment()
    import numpy as np

    # one core for the linear algebra of NumPy too
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    binary = options.bristle
    if binary is None:
        subprocess.run(["cargo", "build", "-q", "--release", "-p", "bristle"], cwd=ROOT, check=True)
        binary = ROOT / "target" / "release" / "bristle"
    t, v, n = motion()
    simulate = simulator(options.law, t, v, n)
    truth = np.array(TRUTH[options.law])
    clean = simulate(truth, "LSODA", 1e-10, 1e-15, max_step=t[1])
    measured = clean + NOISE * np.random.default_rng(1).standard_normal(SAMPLES)

    rows = []
    own, seconds, note, rms, errors = by_bristle(binary, options.law, np.column_stack([t, v, measured, n]))
    rows.append(("Bristle, file to verdicts", seconds, note, rms, own))
    for method in [m for m in options.methods.split(",") if m]:
        found, wall, note, rms = by_scipy(method, simulate, measured, truth * START, options.nfev)
        rows.append((f"SciPy, {method}, numba", wall, note, rms, found))
    if options.python:
        plain = simulator(options.law, t, v, n, compiled=False)
        found, wall, note, rms = by_scipy("LSODA", plain, measured, truth * START, options.nfev)
        rows.append(("SciPy, LSODA, plain Python", wall, note, rms, found))
    print(f"{options.law}, six parameters, {SAMPLES} samples, noise {NOISE} N")
    for name, (wall, cpu), note, rms, found in rows:
        ratio = f"{wall / seconds[0]:.0f} and {cpu / seconds[1]:.0f} x Bristle"
        print(f"\n{name}: {wall:.2f} s wall, {cpu:.2f} s CPU ({ratio}), {note}, rms {rms:.6f} N")
        for key, x, true, mine, sigma in zip(NAMES, found, truth, own, errors):
            print(f"  {key:<22} {x:13.6g}  off the truth {100 * (x / true - 1):+8.3f} %"
                  f"  off Bristle {(x - mine) / sigma:+7.3f} standard errors")


if __name__ == "__main__":
    main()
