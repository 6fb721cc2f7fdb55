"""State of a double pendulum after 2 s, by the textbook equations: a reference for the tests.

Two uniform thin rods, 1 kg and 1 m each. Angles from the vertical: the first absolute, the second
relative to the first; positive about y (x forward, z up), so that a rod at angle q hangs towards
-x for q > 0. Lagrange's equations in absolute angles, integrated by DOP853 at 1e-13.
"""

import numpy as np
from scipy.integrate import solve_ivp

M, L, G = 1.0, 1.0, 9.81
I = M * L**2 / 12


def rates(_, y):
    a, b, da, db = y
    mass = np.array([
        [I + M * L**2 / 4 + M * L**2, M * L**2 / 2 * np.cos(a - b)],
        [M * L**2 / 2 * np.cos(a - b), I + M * L**2 / 4],
    ])
    force = np.array([
        -M * L**2 / 2 * np.sin(a - b) * db**2 - 1.5 * M * G * L * np.sin(a),
        M * L**2 / 2 * np.sin(a - b) * da**2 - 0.5 * M * G * L * np.sin(b),
    ])
    return np.concatenate([[da, db], np.linalg.solve(mass, force)])


start = [-1.2, -1.2 + 0.7, 0.0, 0.0]
for rtol in [1e-11, 1e-13]:
    end = solve_ivp(rates, (0, 2), start, method="DOP853", rtol=rtol, atol=1e-13).y[:, -1]
    print(repr([float(x) for x in (end[0], end[1] - end[0], end[2], end[3] - end[2])]))
