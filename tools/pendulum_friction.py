#!/usr/bin/env python3
"""Pendulum whose pin rubs under its own reaction: the numbers of crates/mechanics/tests/joint_friction.rs.

A rod (2 kg, 0.5 m) swings about its end from 1.2 rad. Reaction of the pin, in the axes of the rod:
along it  m g cos q + m l q'^2,  across it  m g sin q + m l q''  with l = 0.25 m. Friction torque
r mu N tanh(r q'/v_t) with N = 1 N + |reaction|. The reaction holds q'', so that each evaluation
solves a scalar equation. Run: python3 tools/pendulum_friction.py
"""

from math import cos, hypot, sin, tanh

from scipy.integrate import solve_ivp
from scipy.optimize import brentq

M, LENGTH, G, R, MU, VT, PRELOAD = 2.0, 0.5, 9.81, 0.02, 0.2, 1e-3, 1.0
L = 0.5 * LENGTH
I = M * LENGTH**2 / 12 + M * L**2


def rates(t, y):
    q, w = y

    def residual(a):
        load = PRELOAD + hypot(M * G * cos(q) + M * L * w * w, M * G * sin(q) + M * L * a)
        return I * a + M * G * L * sin(q) + R * MU * load * tanh(R * w / VT)

    return [w, brentq(residual, -200, 200, xtol=1e-13, rtol=1e-14)]


run = solve_ivp(rates, (0, 4), [1.2, 0.0], method="Radau", rtol=1e-10, atol=1e-12, t_eval=[1, 2, 3, 4])
print(", ".join(f"{q:.9f}" for q in run.y[0]))
