"""Laws of several elements."""

from base import ROUNDED, Conditions, Curve, Law, dot, norm, unit


class Elements(Law):
    """Elements f_i, a mode each: True while it slides."""

    def __init__(self, p, dim):
        super().__init__(p, dim)
        self.g = Curve(p)
        self.k = p["element_stiffnesses"]
        self.s2 = p.get("viscous_coefficient", 0.0)

    def speeds(self):
        return self.g.speeds()

    def start(self, c):
        return [0.0] * (self.dim * len(self.k)), (False,) * len(self.k)

    def scale(self):
        return self.g.mu_k / len(self.k)

    def parts(self, y):
        d = self.dim
        return [y[i * d : (i + 1) * d] for i in range(len(self.k))]

    def total(self, y):
        return [sum(f) for f in zip(*self.parts(y))]

    def switched(self, index, c, y, mode):
        # others may be at their limits too
        others = self.settle(c, y, mode)[1]
        return y, tuple(not m if i == index else o for i, (m, o) in enumerate(zip(mode, others)))

    def events(self, mode):
        return [self.event(i, slides) for i, slides in enumerate(mode)]


class Gms(Elements):
    def rest(self, c, y, mode):
        return y, (False,) * len(self.k)

    def event(self, i, slides):
        share = self.p["element_fractions"][i]

        def ends(c, y):
            return -dot(self.parts(y)[i], unit(c.v))

        def begins(c, y):
            f = self.parts(y)[i]
            return min(norm(f) - share * self.g(norm(c.v)) * ROUNDED, dot(f, unit(c.v)))

        return ends if slides else begins

    def settle(self, c, y, mode):
        def begins(f, share):
            return norm(f) >= share * self.g(norm(c.v)) * ROUNDED and dot(f, c.next()) > 0

        shares = self.p["element_fractions"]
        return y, tuple(m or begins(f, a) for m, f, a in zip(mode, self.parts(y), shares))

    def switched(self, index, c, y, mode):
        # elements that are parallel stick together
        if mode[index]:
            near = [dot(f, c.v) <= 1e-9 * norm(f) * norm(c.v) for f in self.parts(y)]
            return y, tuple(m and not n for m, n in zip(mode, near))
        return super().switched(index, c, y, mode)

    def rates(self, c, y, mode):
        w, u = norm(c.v), unit(c.v)
        g, rate = self.g(w), self.p["attraction"]
        out = []
        for f, k, a, slides in zip(self.parts(y), self.k, self.p["element_fractions"], mode):
            if slides:
                out += [rate * (a * e - x / g) for e, x in zip(u, f)]
            else:
                out += [k * v for v in c.v]
        return out

    def stiffness(self, speed, n):
        return self.p["attraction"] / self.g.mu_k

    def force(self, c, y, mode):
        return [c.n * (f + self.s2 * v) for f, v in zip(self.total(y), c.v)]


class Leuven(Elements):
    def dz(self, c, y, level_speed=None):
        w, total = norm(c.v), self.total(y)
        size = norm(total)
        if size == 0:
            return list(c.v)
        level = self.g(w if level_speed is None else level_speed)
        loss = w * (size / level) ** self.p.get("leuven_exponent", 1.0) / size
        return [v - loss * f for v, f in zip(c.v, total)]

    def settle(self, c, y, mode):
        at_rest = norm(c.v) == 0
        ahead = Conditions(c.dv, c.n, c.fe, c.dv, c.dn) if at_rest else c
        dz = self.dz(ahead, y, 0.0 if at_rest else None)
        limits = self.p["element_limits"]
        return y, tuple(
            norm(f) >= limit * ROUNDED and dot(f, dz) > 0
            for f, limit in zip(self.parts(y), limits)
        )

    def event(self, i, slides):
        limit = self.p["element_limits"][i]
        if slides:
            return lambda c, y: -dot(self.parts(y)[i], self.dz(c, y))

        def begins(c, y):
            f = self.parts(y)[i]
            return min(norm(f) - limit * ROUNDED, dot(f, self.dz(c, y)))

        return begins

    def rates(self, c, y, mode):
        dz, out = self.dz(c, y), []
        for f, k, slides in zip(self.parts(y), self.k, mode):
            along = dot(unit(f), dz) if slides else 0.0
            out += [k * (d - along * e) for d, e in zip(dz, unit(f))]
        return out

    def stiffness(self, speed, n):
        return self.p.get("leuven_exponent", 1.0) * sum(self.k) * speed / self.g.mu_k

    def force(self, c, y, mode):
        s1 = self.p["bristle_damping"]
        dz = self.dz(c, y)
        return [c.n * (f + s1 * d + self.s2 * v) for f, d, v in zip(self.total(y), dz, c.v)]
