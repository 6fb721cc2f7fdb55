#!/usr/bin/env python3
"""What the Python package costs: one call, a batch, the import; beside NumPy, and Numba where it is installed.

    $(PROFILE=release tools/python_env) tools/bench_python.py

Times are the least of several, in turn, so that a busy machine spoils few. The batch is LuGre on a line, as in
`cargo bench -p bristle-laws --bench laws`.
"""

import subprocess
import sys
import time

import numpy as np

import bristle as br

POINTS = 1_000_000
DT = 1e-3


def least(function, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def lugre():
    values = {"bristle_stiffness": 1e4, "bristle_damping": 31.6, "stribeck_velocity": 1e-3}
    return br.law("lugre", kinetic_coefficient=0.1, static_coefficient=0.15, **values)


def in_numpy(z, v, load):
    """The update of LuGre with a constant damping, in NumPy; z is moved."""
    speed = np.abs(v)
    g = 0.1 + 0.05 * np.exp(-((speed / 1e-3) ** 2))
    a = 1e4 * speed * DT / g
    decay = np.exp(-a)
    z[:] = decay * z - np.expm1(-a) * (g / 1e4) * np.sign(v)
    rate = v - 1e4 * speed / g * z
    return load * (1e4 * z + 31.6 * rate)


def numba_version():
    try:
        import numba
    except ImportError:
        return None
    from math import exp, expm1

    @numba.njit(fastmath=False)
    def run(z, v, load, force):
        for i in range(len(v)):
            speed = abs(v[i])
            g = 0.1 + 0.05 * exp(-((speed / 1e-3) ** 2))
            a = 1e4 * speed * DT / g
            sign = 1.0 if v[i] > 0 else (-1.0 if v[i] < 0 else 0.0)
            z[i] = exp(-a) * z[i] - expm1(-a) * (g / 1e4) * sign
            force[i] = load[i] * (1e4 * z[i] + 31.6 * (v[i] - 1e4 * speed / g * z[i]))

    return run


def report(name, seconds, unit=1e-9, per=POINTS):
    label = {1e-9: "ns a point", 1e-6: "us", 1.0: "s"}[unit]
    print(f"{name:44}{seconds / per / unit:10.2f} {label}")


def main():
    law = lugre()
    state, few = law.state(), law.state(8)
    v8 = np.linspace(-1e-3, 1e-3, 8)
    call = 2000
    one = least(lambda: [law.update(state, 1e-3, 10.0, DT) for _ in range(call)], 20)
    report("update of one point, a call", one, 1e-6, call)
    small = least(lambda: [law.update(few, v8, 10.0, DT) for _ in range(call)], 20)
    report("update of 8 points, a call", small, 1e-6, call)

    rng = np.random.default_rng(1)
    v = 3e-3 * rng.standard_normal(POINTS)
    load = np.full(POINTS, 10.0)
    state, force = law.state(POINTS), np.empty(POINTS)
    report("update, 1e6 points, out=", least(lambda: law.update(state, v, load, DT, out=force), 15))
    report("update, 1e6 points, N a number, out=", least(lambda: law.update(state, v, 10.0, DT, out=force), 15))
    report("update, 1e6 points, a new force", least(lambda: law.update(state, v, load, DT), 15))
    report("update, 1e6 points, jobs=0", least(lambda: law.update(state, v, load, DT, out=force, jobs=0), 15))
    tenth, part = law.state(POINTS // 10), v[: POINTS // 10]
    slopes = least(lambda: law.update(tenth.copy(), part, 10.0, DT, jacobian=True), 3)
    report("update with Jacobian, 1e5 points", slopes, per=POINTS // 10)
    weight = np.ones(POINTS // 10)
    product = least(lambda: law.vjp(tenth, part, 10.0, DT, force=weight), 3)
    report("vector-Jacobian product, 1e5 points", product, per=POINTS // 10)

    z = np.zeros(POINTS)
    report("the same update in NumPy", least(lambda: in_numpy(z, v, load), 5))
    ours = law.state(POINTS)
    difference = np.abs(law.update(ours, v, load, DT) - in_numpy(np.zeros(POINTS), v, load)).max()
    print(f"{'largest difference of the forces':44}{difference:10.1e} N")
    run = numba_version()
    if run is None:
        print("Numba is not installed")
    else:
        run(z, v, load, force)
        report("the same update in Numba, one thread", least(lambda: run(z, v, load, force), 15))

    code = "import time, numpy; t = time.perf_counter(); import bristle; print(time.perf_counter() - t)"
    times = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(7)]
    report("import bristle, after numpy", min(times), 1.0, 1)


if __name__ == "__main__":
    main()
