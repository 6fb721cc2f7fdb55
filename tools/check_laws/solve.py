"""The force of a law over a motion: an ODE with modes, whose switches are events."""

import numpy as np
from base import Segment, norm
from bristles import Dahl, Iwan, Jenkins, LugreClassical
from scipy.integrate import solve_ivp

RTOL = 1e-11
# near what doubles carry, for motions that grow errors (an element that comes to rest at its limit)
FINE_RTOL = 1e-13


def piece(law, segment, start, end, y, mode, rtol):
    """Integrates over a piece in which the speed passes none of the law's."""
    scale = np.array(law.scale(), dtype=float) * np.ones(len(y))
    y, mode = law.settle(segment.at(start), y, mode)
    at, switches = start, 0
    if isinstance(law, Dahl) and law.dim == 1:
        a, b = segment.at(start).v[0], segment.at(end).v[0]
        travel = 0.5 * (a + b) * (end - start)
        return (law.exact(None, y, travel) if travel else y), mode
    while at < end:
        events = []
        for f in law.events(mode):
            # at rest they are exactly zero, which is no crossing
            event = lambda t, y, f=f: f(segment.at(t), list(y)) or -1e-300
            event.terminal, event.direction = True, 1
            events.append(event)
        fast = max(norm(segment.at(at).v), norm(segment.at(end).v))
        low = min(segment.at(at).n, segment.at(end).n)
        stiff = law.stiffness(fast, low) * (end - at) > 3e4
        solution = solve_ivp(
            lambda t, y: law.rates(segment.at(t), list(y), mode),
            (at, end),
            y,
            method="Radau" if stiff else "DOP853",
            rtol=rtol,
            atol=1e-2 * rtol * scale,
            events=events or None,
            max_step=(end - at) / 100,
        )
        if solution.status < 0:
            raise ArithmeticError(solution.message)
        at, y = float(solution.t[-1]), list(solution.y[:, -1])
        if solution.status == 1:
            index = next(i for i, t in enumerate(solution.t_events) if len(t))
            y = list(solution.y_events[index][0])
            y, mode = law.switched(index, segment.at(at), y, mode)
            switches += 1
            if switches > 2000:
                raise ArithmeticError(f"{switches} switches from {start} to {end}")
    return y, mode


def follow(law, motion, rtol=RTOL):
    """The force at every sample."""
    first = Segment(motion[0], motion[1]).at(0.0)
    y, mode = law.start(first)
    if norm(first.v) == 0:
        y, mode = law.rest(first, y, mode)
    forces = [law.force(first, y, law.settle(first, y, mode)[1])]
    for a, b in zip(motion, motion[1:]):
        segment = Segment(a, b)
        if y:
            y, mode = integrate(law, segment, y, mode, rtol)
        forces.append(law.force(segment.at(segment.length), y, mode))
    return forces


def integrate(law, segment, y, mode, rtol):
    cuts = segment.cuts(law.speeds())
    loaded = max(segment.a[2], segment.b[2]) > 0
    for start, end in zip(cuts, cuts[1:]):
        if segment.rests_at(start) or segment.rests_at(0.5 * (start + end)):
            y, mode = law.rest(segment.at(start), y, mode)
        else:
            law.force(segment.at(0.5 * (start + end)), y, mode)
        per_load = isinstance(law, (LugreClassical, Jenkins, Iwan))
        sliver = 1e-7 * (end - start)
        first, last = start, end
        if per_load and not loaded:
            continue
        if per_load and segment.at(end).n <= 0:
            last = end - sliver
        if isinstance(law, LugreClassical) and segment.at(start).n <= 0:
            first = start + sliver
            y = law.after_contact(segment.at(start), sliver)
        y, mode = piece(law, segment, first, last, y, mode, rtol)
        law.force(segment.at(0.5 * (start + end)), y, mode)
    tail = segment.at(segment.length)
    if tail.n <= 0:
        y, mode = law.unloaded(y, mode)
    if segment.rests_at(segment.length):
        y, mode = law.rest(tail, y, mode)
    return y, mode
