"""Laws without memory, and those that switch between stick and slip."""

import math

from base import ROUNDED, Curve, Law, dot, norm, step5, unit


class Coulomb(Law):
    def force(self, c, y, mode):
        w, p = norm(c.v), self.p
        fc = p["kinetic_coefficient"] * c.n
        return [fc * self.shape(w / p["regularisation_velocity"]) * u for u in unit(c.v)]


class CoulombTanh(Coulomb):
    shape = staticmethod(math.tanh)


class CoulombLinear(Coulomb):
    shape = staticmethod(lambda x: min(x, 1.0))


class Threlfall(Coulomb):
    shape = staticmethod(lambda x: -math.expm1(-3 * min(x, 1.0)))


class Speed(Law):
    """A coefficient mu(|v|), and a viscous part."""

    def force(self, c, y, mode):
        mu, s2 = self.mu(norm(c.v)), self.p.get("viscous_coefficient", 0.0)
        return [c.n * (mu * u + s2 * v) for u, v in zip(unit(c.v), c.v)]


class Ambrosio(Speed):
    def mu(self, w):
        lower, upper = self.p["lower_velocity"], self.p["upper_velocity"]
        return self.p["kinetic_coefficient"] * min(max((w - lower) / (upper - lower), 0.0), 1.0)


class Levels(Speed):
    def __init__(self, p, dim):
        super().__init__(p, dim)
        self.mu_k = p["kinetic_coefficient"]
        self.mu_s = p.get("static_coefficient", self.mu_k)


class BengisuAkay(Levels):
    def mu(self, w):
        v0 = self.p["regularisation_velocity"]
        if w <= v0:
            return self.mu_s * (1 - ((w - v0) / v0) ** 2)
        return self.mu_k + (self.mu_s - self.mu_k) * math.exp(-self.p["decay_rate"] * (w - v0))


class Andersson(Speed):
    def __init__(self, p, dim):
        super().__init__(p, dim)
        self.g = Curve(p)

    def mu(self, w):
        return self.g(w) * math.tanh(self.p["transition_rate"] * w)


class Makkar(Speed):
    def mu(self, w):
        p = self.p
        hump = math.tanh(p["rise_rate"] * w) - math.tanh(p["fall_rate"] * w)
        level = p["kinetic_coefficient"] * math.tanh(p["transition_rate"] * w)
        return p["stribeck_excess"] * hump + level


class BrownMcPhee(Levels):
    def mu(self, w):
        r = w / self.p["transition_velocity"]
        excess = r / ((r / 2) ** 2 + 0.75) ** 2
        return self.mu_k * math.tanh(4 * r) + (self.mu_s - self.mu_k) * excess


class Gkf(Law):
    def __init__(self, p, dim):
        super().__init__(p, dim)
        self.g = Curve(p)

    def force(self, c, y, mode):
        p, w, eps = self.p, norm(c.v), self.p["regularisation_velocity"]
        s2 = p.get("viscous_coefficient", 0.0)
        if w < eps:
            return [c.n * (self.g.mu_s * v / eps + s2 * v) for v in c.v]
        return [c.n * (self.g(w - eps) * u + s2 * v) for u, v in zip(unit(c.v), c.v)]


class Vendor(Law):
    def __init__(self, p, dim):
        super().__init__(p, dim)
        self.vs = p["stiction_velocity"]
        self.vd = p.get("dynamic_velocity", 1.5 * self.vs)
        self.mu_k = p["kinetic_coefficient"]
        self.mu_s = p.get("static_coefficient", self.mu_k)

    def force(self, c, y, mode):
        mu = self.level(norm(c.v))
        return [c.n * mu * u for u in unit(c.v)]


class Step5Regularised(Vendor):
    def level(self, w):
        if w <= self.vs:
            return step5(w, -self.vs, -self.mu_s, self.vs, self.mu_s)
        return step5(w, self.vs, self.mu_s, self.vd, self.mu_k)


class SineRegularised(Vendor):
    def level(self, w):
        if w <= self.vs:
            return self.mu_s * math.sin(math.pi * w / (2 * self.vs))
        r = min((w - self.vs) / (self.vd - self.vs), 1.0)
        return self.mu_k + 0.5 * (self.mu_s - self.mu_k) * (1 + math.cos(math.pi * r))


class Step5StickSlip(Step5Regularised):
    """State x; modes "free", "bound" (|x| = x_s) and "slide"."""

    def speeds(self):
        return [self.vs]

    def start(self, c):
        return [0.0] * self.dim, None

    def scale(self):
        return self.p["stiction_displacement"]

    def settle(self, c, y, mode):
        # judged a little later than the instant, so that |v| = v_s is told apart
        w, turn = norm(c.v), dot(c.v, c.dv)
        inside = w < self.vs * (1 - 1e-9) or (w < self.vs * (1 + 1e-9) and turn < 0)
        if not inside:
            return [0.0] * self.dim, "slide"
        if mode == "slide" or mode is None:
            return [0.0] * self.dim, "free"
        if norm(y) >= self.p["stiction_displacement"] * ROUNDED:
            return y, "bound" if dot(y, c.next()) > 0 else "free"
        return y, mode

    def rates(self, c, y, mode):
        if mode == "slide":
            return [0.0] * self.dim
        if mode == "free":
            return list(c.v)
        e = unit(y)
        along = dot(e, c.v)
        return [v - along * a for v, a in zip(c.v, e)]

    def events(self, mode):
        if mode == "free":
            limit = self.p["stiction_displacement"] * ROUNDED
            return [lambda c, y: min(norm(y) - limit, dot(y, c.v))]
        if mode == "bound":
            return [lambda c, y: -dot(y, c.v)]
        return []

    def switched(self, index, c, y, mode):
        if mode == "free":
            return [a * self.p["stiction_displacement"] for a in unit(y)], "bound"
        return y, "free"

    def force(self, c, y, mode):
        w = norm(c.v)
        if w > self.vs:
            return super().force(c, y, mode)
        xs = self.p["stiction_displacement"]
        beta = step5(w, -self.vs, -1.0, self.vs, 1.0)
        mu1 = step5(norm(y), -xs, -self.mu_s, xs, self.mu_s)
        return [
            c.n * ((1 - beta) * mu1 * e + self.mu_s * beta * u) for e, u in zip(unit(y), unit(c.v))
        ]


class Karnopp(Law):
    needs_applied = True

    def __init__(self, p, dim):
        super().__init__(p, dim)
        self.g = Curve(p)

    def force(self, c, y, mode):
        w = norm(c.v)
        if w > self.p["stiction_velocity"]:
            s2 = self.p.get("viscous_coefficient", 0.0)
            return [c.n * (self.g(w) * u + s2 * v) for u, v in zip(unit(c.v), c.v)]
        limit, fe = self.g.mu_s * c.n, norm(c.fe)
        return list(c.fe) if fe <= limit else [limit * f / fe for f in c.fe]


class SimpackStickSlip(Law):
    """State x and the last slip direction; modes "stick" and "slip"."""

    def start(self, c):
        self.last, self.most = unit(c.v), 0.0
        mode = "stick" if norm(c.v) == 0 else "slip"
        return [0.0] * self.dim, mode

    def scale(self):
        return 1e-6

    def held(self, c, direction):
        if not self.p.get("preloaded", False):
            return [0.0] * self.dim, "stick"
        x = self.p["kinetic_coefficient"] * c.n / self.p["stick_stiffness"]
        return [x * e for e in direction], "stick"

    def rest(self, c, y, mode):
        if mode == "slip":
            return self.held(c, self.last)
        return y, mode

    def rates(self, c, y, mode):
        return list(c.v) if mode == "stick" else [0.0] * self.dim

    def events(self, mode):
        mu_s = self.p.get("static_coefficient", self.p["kinetic_coefficient"])
        if mode == "stick":
            return [lambda c, y: self.p["stick_stiffness"] * norm(y) - mu_s * c.n]
        return []

    def switched(self, index, c, y, mode):
        self.most = max(self.most, c.n)
        # a load that fades at rest releases it again and again: enough of it; without load it is free
        if norm(c.v) > 0 or c.n <= 1e-12 * self.most:
            return [0.0] * self.dim, "slip"
        return self.held(c, unit(y))

    def unloaded(self, y, mode):
        return [0.0] * self.dim, mode

    def force(self, c, y, mode):
        if mode == "slip" and norm(c.v) > 0:
            self.last = unit(c.v)
        if c.n <= 0:
            return [0.0] * self.dim
        if mode == "slip":
            return [self.p["kinetic_coefficient"] * c.n * u for u in unit(c.v)]
        cf, df = self.p["stick_stiffness"], self.p["stick_damping"]
        return [cf * x + df * v for x, v in zip(y, c.v)]


class SpringSlip(Law):
    """A spring x in stick; in slip the direction e follows u over a tenth of the deflection.

    States x and e, and those of the law; the mode is ("stick" or "slip", what the law freezes).
    """

    def __init__(self, p, dim, deflection):
        super().__init__(p, dim)
        self.length = 0.1 * deflection
        self.sizes = [deflection] * dim + [1.0] * dim

    def begin(self, c):
        return [0.0] * self.dim + unit(c.v)

    def stuck(self, y, deflection):
        return [deflection * e for e in unit(y[self.dim : 2 * self.dim])] + [0.0] * self.dim

    def released(self, c, y):
        x = y[: self.dim]
        return [0.0] * self.dim + unit(c.v if dot(c.v, x) > 0 else x)

    def rates(self, c, y, mode):
        if mode[0] == "stick":
            return list(c.v) + [0.0] * self.dim
        w = norm(c.v)
        return [0.0] * self.dim + [(v - w * e) / self.length for v, e in zip(c.v, y[self.dim :])]

    def reversal(self, c, y):
        return -dot(y[self.dim : 2 * self.dim], c.v)

    def heading(self, c, y):
        e = y[self.dim : 2 * self.dim]
        return unit(c.v) if dot(c.v, e) > 0.1 * norm(c.v) else unit(e)

    def stiffness(self, speed, n):
        return speed / self.length


class ResetIntegrator(SpringSlip):
    """The spring ends at z_0, where the pair slips at the kinetic level."""

    def __init__(self, p, dim):
        self.mu_k, self.z0 = p["kinetic_coefficient"], p["kinetic_coefficient"] / p["bristle_stiffness"]
        super().__init__(p, dim, self.z0)

    def start(self, c):
        return [0.0] * 2 * self.dim, ("stick",)

    def scale(self):
        return self.sizes

    def events(self, mode):
        return [lambda c, y: norm(y[: self.dim]) - self.z0] if mode[0] == "stick" else [self.reversal]

    def switched(self, index, c, y, mode):
        if mode[0] == "slip":
            return self.stuck(y, self.z0), ("stick",)
        return self.released(c, y), ("slip",)

    def force(self, c, y, mode):
        if mode[0] == "slip":
            return [c.n * self.mu_k * u for u in self.heading(c, y)]
        mu_s = self.p.get("static_coefficient", self.mu_k)
        sigma_1 = self.p["bristle_damping"]
        return [c.n * (mu_s / self.z0 * z + sigma_1 * v) for z, v in zip(y, c.v)]


class Armstrong(SpringSlip):
    """With the time at rest and the delayed speed; the mode keeps s_a in stick and s in slip."""

    def __init__(self, p, dim):
        self.mu_k, self.k = p["kinetic_coefficient"], p["stick_stiffness"]
        super().__init__(p, dim, self.mu_k / self.k)

    def start(self, c):
        kind = "stick" if norm(c.v) == 0 else "slip"
        return self.begin(c) + [0.0, norm(c.v)], (kind, self.p["stribeck_excess"])

    def scale(self):
        return [*self.sizes, self.p["dwell_time"], self.p["stribeck_velocity"]]

    def risen(self, y, mode):
        share = y[-2] / (y[-2] + self.p["dwell_time"])
        return mode[1] + (self.p["stribeck_excess"] - mode[1]) * share

    def falling(self, y, mode):
        return mode[1] / (1 + (y[-1] / self.p["stribeck_velocity"]) ** 2)

    def held(self, y, mode):
        excess = self.falling(y, mode)
        return self.stuck(y, (self.mu_k + excess) / self.k) + [0.0, y[-1]], ("stick", excess)

    def rest(self, c, y, mode):
        return (y, mode) if mode[0] == "stick" else self.held(y, mode)

    def rates(self, c, y, mode):
        lag = (norm(c.v) - y[-1]) / self.p["memory_time"]
        return super().rates(c, y[:-2], mode) + [float(mode[0] == "stick"), lag]

    def events(self, mode):
        if mode[0] == "slip":
            return [self.reversal]
        # back in stick the spring is at its limit, but for rounding
        limit = self.mu_k * (1 + 1e-12)
        return [lambda c, y: self.k * norm(y[: self.dim]) - limit - self.risen(y, mode)]

    def switched(self, index, c, y, mode):
        if mode[0] == "slip":
            return self.held(y, mode)
        return self.released(c, y) + [0.0, y[-1]], ("slip", self.risen(y, mode))

    def stiffness(self, speed, n):
        return super().stiffness(speed, n) + 1 / self.p["memory_time"]

    def force(self, c, y, mode):
        if mode[0] == "stick":
            return [c.n * self.k * x for x in y[: self.dim]]
        level, s2 = self.mu_k + self.falling(y, mode), self.p.get("viscous_coefficient", 0.0)
        return [c.n * (level * u + s2 * v) for u, v in zip(self.heading(c, y), c.v)]
