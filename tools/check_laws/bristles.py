"""The Jenkins element, and laws of one or two mean bristles."""

import math

from base import ROUNDED, Curve, Law, dot, norm, unit


class Jenkins(Law):
    def start(self, c):
        return [0.0] * self.dim, "stick"

    def scale(self):
        return self.p["kinetic_coefficient"] * 1.0

    def settle(self, c, y, mode):
        if c.n == 0:
            y = [0.0] * self.dim
            gain = self.p["tangential_stiffness"] * norm(c.v) - self.p["kinetic_coefficient"] * c.dn
            return y, "slip" if gain > 0 else "stick"
        at_limit = norm(y) >= self.p["kinetic_coefficient"] * c.n * ROUNDED
        return y, "slip" if at_limit and self.gain(c, y) > 0 else "stick"

    def direction(self, c, y):
        return unit(y) if norm(y) > 0 else unit(c.v)

    def gain(self, c, y):
        e = self.direction(c, y)
        k, mu = self.p["tangential_stiffness"], self.p["kinetic_coefficient"]
        return k * dot(e, c.v) - mu * c.dn

    def rates(self, c, y, mode):
        k = self.p["tangential_stiffness"]
        if mode == "stick":
            return [k * v for v in c.v]
        e, gain = self.direction(c, y), self.gain(c, y)
        return [k * v - gain * a for v, a in zip(c.v, e)]

    def events(self, mode):
        if mode == "stick":
            mu = self.p["kinetic_coefficient"]
            return [lambda c, y: min(norm(y) - mu * c.n * ROUNDED, self.gain(c, y))]
        return [lambda c, y: -self.gain(c, y)]

    def switched(self, index, c, y, mode):
        return y, "slip" if mode == "stick" else "stick"

    def unloaded(self, y, mode):
        return [0.0] * self.dim, "stick"

    def force(self, c, y, mode):
        return list(y) if c.n > 0 else [0.0] * self.dim


class Iwan(Law):
    """Jenkins elements side by side, a mode each."""

    def __init__(self, p, dim):
        super().__init__(p, dim)
        pairs = zip(p["element_stiffnesses"], p["element_fractions"])
        fields = ("tangential_stiffness", "kinetic_coefficient")
        self.parts = [Jenkins(dict(zip(fields, (k, a * p["kinetic_coefficient"]))), dim) for k, a in pairs]

    def start(self, c):
        return [0.0] * (self.dim * len(self.parts)), ("stick",) * len(self.parts)

    def scale(self):
        return self.parts[0].scale()

    def piece(self, i, y):
        return y[i * self.dim : (i + 1) * self.dim]

    def each(self, ask, y, mode):
        """What every element answers, as one state and one mode."""
        answers = [ask(part, self.piece(i, y), mode[i]) for i, part in enumerate(self.parts)]
        return [x for f, _ in answers for x in f], tuple(m for _, m in answers)

    def settle(self, c, y, mode):
        return self.each(lambda part, f, m: part.settle(c, f, m), y, mode)

    def unloaded(self, y, mode):
        return self.each(lambda part, f, m: part.unloaded(f, m), y, mode)

    def rates(self, c, y, mode):
        return self.each(lambda part, f, m: (part.rates(c, f, m), m), y, mode)[0]

    def events(self, mode):
        def event(i, ends):
            return lambda c, y: ends(c, self.piece(i, y))

        return [event(i, part.events(mode[i])[0]) for i, part in enumerate(self.parts)]

    def switched(self, index, c, y, mode):
        # others may be at their limits too; those that slide go on
        others = [m if m == "slip" else o for m, o in zip(mode, self.settle(c, y, mode)[1])]
        others[index] = "stick" if mode[index] == "slip" else "slip"
        return y, tuple(others)

    def force(self, c, y, mode):
        forces = [part.force(c, self.piece(i, y), mode[i]) for i, part in enumerate(self.parts)]
        return [sum(f) for f in zip(*forces)]


class Dahl(Law):
    def start(self, c):
        return [0.0] * self.dim, None

    def scale(self):
        return self.p["kinetic_coefficient"] / self.p["bristle_stiffness"]

    def rates(self, c, y, mode):
        n, s0 = self.p.get("dahl_exponent", 1.0), self.p["bristle_stiffness"]
        mu = self.p["kinetic_coefficient"]
        w, u = norm(c.v), unit(c.v)
        along = dot(y, u)
        left = 1 - s0 * along / mu
        d = abs(left) ** n * (1 if left > 0 else -1 if left < 0 else 0)
        return [d * v - s0 * w / mu * (z - along * a) for v, z, a in zip(c.v, y, u)]

    def exact(self, c, y, travel):
        """In one dimension, after a travel of one sign."""
        n, s0 = self.p.get("dahl_exponent", 1.0), self.p["bristle_stiffness"]
        mu = self.p["kinetic_coefficient"]
        sign = 1.0 if travel > 0 else -1.0
        q, ds = 1 - sign * s0 * y[0] / mu, abs(travel)
        if n == 1:
            q *= math.exp(-s0 * ds / mu)
        elif n < 1:
            q = max(q ** (1 - n) - (1 - n) * s0 * ds / mu, 0.0) ** (1 / (1 - n))
        elif q > 0:
            q = (q ** (1 - n) + (n - 1) * s0 * ds / mu) ** (1 / (1 - n))
        return [sign * (1 - q) * mu / s0]

    def stiffness(self, speed, n):
        return self.p["bristle_stiffness"] * speed / self.p["kinetic_coefficient"]

    def force(self, c, y, mode):
        return [c.n * self.p["bristle_stiffness"] * z for z in y]


class Gear(Law):
    def start(self, c):
        return [0.0] * self.dim, None

    def scale(self):
        return 1.0

    def rates(self, c, y, mode):
        w = norm(c.v)
        return [(v - w * z) / self.p["relaxation_length"] for v, z in zip(c.v, y)]

    def stiffness(self, speed, n):
        return speed / self.p["relaxation_length"]

    def force(self, c, y, mode):
        mu_a, mu_d = self.p["kinetic_coefficient"], self.p["directional_coefficient"]
        size = sum(z * z for z in y)
        return [c.n * (mu_a * z + mu_d * size * e) for z, e in zip(y, unit(c.fe))]


class BlimanSorine(Law):
    def start(self, c):
        return [0.0] * (2 * self.dim), None

    def rates(self, c, y, mode):
        p, w, d = self.p, norm(c.v), self.dim
        long = p["friction_length"]
        short = p["length_ratio"] * long
        first = [(p["first_amplitude"] * v - w * x) / short for v, x in zip(c.v, y[:d])]
        second = [(-p["second_amplitude"] * v - w * x) / long for v, x in zip(c.v, y[d:])]
        return first + second

    def stiffness(self, speed, n):
        return speed / (self.p["length_ratio"] * self.p["friction_length"])

    def force(self, c, y, mode):
        return [c.n * (a + b) for a, b in zip(y[: self.dim], y[self.dim :])]


class Lugre(Law):
    def __init__(self, p, dim):
        super().__init__(p, dim)
        self.g = Curve(p)
        self.s0, self.s2 = p["bristle_stiffness"], p.get("viscous_coefficient", 0.0)

    def speeds(self):
        return self.g.speeds()

    def start(self, c):
        return [0.0] * self.dim, None

    def scale(self):
        return self.g.mu_k / self.s0

    def damping(self, w):
        vd = self.p.get("damping_velocity")
        return self.p["bristle_damping"] * (math.exp(-((w / vd) ** 2)) if vd else 1.0)

    def rates(self, c, y, mode):
        w = norm(c.v)
        loss = self.s0 * w / self.g(w)
        return [v - loss * z for v, z in zip(c.v, y)]

    def stiffness(self, speed, n):
        return self.s0 * speed / self.g.mu_k

    def force(self, c, y, mode):
        s1, dz = self.damping(norm(c.v)), self.rates(c, y, mode)
        return [c.n * (self.s0 * z + s1 * d + self.s2 * v) for z, d, v in zip(y, dz, c.v)]


class FrBd(Lugre):
    def rates(self, c, y, mode):
        w = norm(c.v)
        g = self.g(w)
        left = g + self.p["bristle_damping"] * w
        return [(g * v - self.s0 * w * z) / left for v, z in zip(c.v, y)]


class LugreAnisotropic(Lugre):
    def rates(self, c, y, mode):
        rho = self.p.get("transverse_ratio", 1.0)
        m = [1.0, rho, rho][: self.dim]
        lost = self.s0 * norm([a * v for a, v in zip(m, c.v)]) / self.g(norm(c.v))
        return [v - lost / a**2 * z for v, a, z in zip(c.v, m, y)]

    def stiffness(self, speed, n):
        rho = self.p.get("transverse_ratio", 1.0)
        return super().stiffness(speed, n) / min(rho, 1.0) ** 2


class LugreClassical(Lugre):
    def scale(self):
        return 1e-6

    def rates(self, c, y, mode):
        w = norm(c.v)
        if c.n <= 0:
            return [0.0] * self.dim
        loss = self.s0 * w / (c.n * self.g(w))
        return [v - loss * z for v, z in zip(c.v, y)]

    def after_contact(self, c, tau):
        """z a short time after N has risen from zero at a speed."""
        w = norm(c.v)
        if w == 0 or c.dn <= 0:
            return [0.0] * self.dim
        share = 1 / (1 + self.s0 * w / (c.dn * self.g(w)))
        return [v * share * tau for v in c.v]

    def stiffness(self, speed, n):
        return self.s0 * speed / (self.g.mu_k * max(n, 1e-300))

    def unloaded(self, y, mode):
        return [0.0] * self.dim, mode

    def force(self, c, y, mode):
        if c.n <= 0:
            return [0.0] * self.dim
        s1, dz = self.damping(norm(c.v)), self.rates(c, y, mode)
        return [self.s0 * z + s1 * d + self.s2 * v for z, d, v in zip(y, dz, c.v)]


class Elastoplastic(Lugre):
    """Modes: whether z.v > 0."""

    def settle(self, c, y, mode):
        later = [v + 1e-9 * d for v, d in zip(c.v, c.dv)]
        side = dot(y, c.v)
        if abs(side) <= 1e-12 * norm(y) * norm(c.v) or side == 0:
            side = dot(y, later)
        return y, side > 0 or norm(y) == 0

    def rates(self, c, y, mode):
        if not mode:
            return list(c.v)
        w, size = norm(c.v), norm(y)
        zm, zba = self.g(w) / self.s0, self.p["breakaway_deflection"]
        if size <= zba:
            alpha = 0.0
        elif size >= zm:
            alpha = 1.0
        else:
            alpha = 0.5 + 0.5 * math.sin(math.pi * (size - (zm + zba) / 2) / (zm - zba))
        return [v - alpha * w / zm * z for v, z in zip(c.v, y)]

    def events(self, mode):
        return [(lambda c, y: -dot(y, c.v)) if mode else (lambda c, y: dot(y, c.v))]

    def switched(self, index, c, y, mode):
        return y, not mode

    def stiffness(self, speed, n):
        # the slope of alpha is the steeper, the closer z_ba is to z_m
        return 3 * speed / (self.g.mu_k / self.s0 - self.p["breakaway_deflection"])


class Gonthier(Law):
    """State z, then s_dw, whose rate has a mere kink at s = s_dw."""

    def __init__(self, p, dim):
        super().__init__(p, dim)
        self.mu_k = p["kinetic_coefficient"]
        self.mu_s = p.get("static_coefficient", self.mu_k)
        self.s0, self.s1 = p["bristle_stiffness"], p["bristle_damping"]

    def speeds(self):
        return [self.p["regularisation_velocity"]]

    def slow(self, v):
        return math.exp(-((norm(v) / self.p["stribeck_velocity"]) ** 2))

    def start(self, c):
        return [0.0] * self.dim + [self.slow(c.v)], None

    def scale(self):
        return [self.mu_k / self.s0] * self.dim + [1.0]

    def direction(self, v):
        w, ve = norm(v), self.p["regularisation_velocity"]
        if w >= ve:
            return unit(v)
        return [x / ve * (1.5 - 0.5 * (w / ve) ** 2) for x in v]

    def zrate(self, c, y):
        s = self.slow(c.v)
        pull = self.direction(c.v)
        return [
            s * v + (1 - s) * (self.mu_k / self.s1 * e - self.s0 / self.s1 * z)
            for v, e, z in zip(c.v, pull, y)
        ]

    def rates(self, c, y, mode):
        gap = self.slow(c.v) - y[-1]
        tau = self.p["dwell_time"] if gap >= 0 else self.s1 / self.s0
        return self.zrate(c, y) + [gap / tau]

    def stiffness(self, speed, n):
        return self.s0 / self.s1

    def force(self, c, y, mode):
        bristle = [self.s0 * z + self.s1 * d for z, d in zip(y, self.zrate(c, y))]
        most, size = self.mu_k + (self.mu_s - self.mu_k) * y[-1], norm(bristle)
        share = min(1.0, most / size) if size > 0 else 1.0
        s2 = self.p.get("viscous_coefficient", 0.0)
        return [c.n * (share * f + s2 * v) for f, v in zip(bristle, c.v)]
