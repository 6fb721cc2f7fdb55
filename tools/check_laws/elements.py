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
    """A mode of an element: False stuck, True sliding, "border", "corner".

    Where the motion turns across a sliding element above its level, sliding leads it to f.v < 0,
    where it is stuck, and that leads it back: it is held on the border f.v = 0, stuck for the share
    of the time that keeps it there (Filippov). Its force falls to the level; there it is stuck, or,
    if the level falls as well, keeps the level: the corner.
    """

    def rest(self, c, y, mode):
        return y, (False,) * len(self.k)

    def level(self, i, c):
        return self.p["element_fractions"][i] * self.g(norm(c.v))

    def level_rate(self, i, c):
        w = norm(c.v)
        gain = dot(c.v, c.dv) / w
        step = 1e-6 * w
        slope = (self.g(w + step) - self.g(w - step)) / (2 * step)
        return self.p["element_fractions"][i] * slope * gain

    def pulls(self, i, c, f):
        """Rates of f.v/|v| on the border: sliding, and stuck."""
        w = norm(c.v)
        turn = dot(f, c.dv) / w
        return self.p["attraction"] * self.p["element_fractions"][i] + turn, self.k[i] * w + turn

    def slid(self, i, c, f):
        """The share of the time in which an element on the border slides."""
        sliding, stuck = self.pulls(i, c, f)
        return stuck / (stuck - sliding)

    def event_functions(self, i, mode):
        part = lambda y: self.parts(y)[i]
        if mode is False:

            def begins(c, y):
                f = part(y)
                return min(norm(f) - self.level(i, c) * ROUNDED, dot(f, unit(c.v)))

            return [begins]
        if mode is True:
            # not by rounding where it has just left the border
            return [lambda c, y: -dot(part(y), unit(c.v)) - 1e-12 * norm(part(y))]
        ends = [
            lambda c, y: self.pulls(i, c, part(y))[0],
            lambda c, y: -self.pulls(i, c, part(y))[1],
        ]
        if mode == "border":
            return [*ends, lambda c, y: self.level(i, c) - norm(part(y))]
        down = lambda c, y: self.level_rate(i, c) / self.level(i, c)
        slow = lambda c, y: -self.slid(i, c, part(y)) * self.p["attraction"] / self.g(norm(c.v))
        return [*ends, down, lambda c, y: slow(c, y) - down(c, y)]

    def events(self, mode):
        return [f for i, m in enumerate(mode) for f in self.event_functions(i, m)]

    def across(self, i, c, f):
        """The mode where f.v = 0."""
        if norm(f) < self.level(i, c) * (1 - 1e-9):
            return False
        sliding, stuck = self.pulls(i, c, f)
        if stuck <= 0:
            return False
        if sliding >= -1e-9 * (stuck - sliding):
            return True
        at_level = norm(f) <= self.level(i, c) * (1 + 1e-9)
        fall = -self.slid(i, c, f) * self.p["attraction"] / self.g(norm(c.v))
        drop = self.level_rate(i, c) / self.level(i, c)
        if not at_level or fall > drop:
            return "border"
        return "corner" if drop < 0 else False

    def settle(self, c, y, mode):
        def now(i, m, f):
            if m is False:
                at_limit = norm(f) >= self.level(i, c) * ROUNDED
                return bool(at_limit and dot(f, c.next()) > 0)
            if m is True or norm(c.v) == 0:
                return m
            return self.across(i, c, f)

        return y, tuple(now(i, m, f) for i, (m, f) in enumerate(zip(mode, self.parts(y))))

    def switched(self, index, c, y, mode):
        owners = [i for i, m in enumerate(mode) for _ in self.event_functions(i, m)]
        chosen = owners[index]
        parts, modes = self.parts(y), []
        for i, (m, f) in enumerate(zip(mode, parts)):
            near = abs(dot(f, c.v)) <= 1e-9 * norm(f) * norm(c.v)
            if m is False:
                at_limit = norm(f) >= self.level(i, c) * ROUNDED and dot(f, c.v) > 0
                if i == chosen or at_limit:
                    m = self.across(i, c, f) if near else True
            elif m is True:
                # elements that are parallel get there together
                behind = dot(f, c.v) <= 1e-9 * norm(f) * norm(c.v)
                if i == chosen or (behind and mode[chosen] is True):
                    m = self.across(i, c, f)
            elif i == chosen:
                m = self.across(i, c, f)
            modes.append(m)
        return y, tuple(modes)

    def rates(self, c, y, mode):
        w, u = norm(c.v), unit(c.v)
        g, rate = self.g(w), self.p["attraction"]
        out = []
        for i, (f, k, m) in enumerate(zip(self.parts(y), self.k, mode)):
            a = self.p["element_fractions"][i]
            if m is True:
                out += [rate * (a * e - x / g) for e, x in zip(u, f)]
            elif m is False:
                out += [k * v for v in c.v]
            else:
                # along v as the motion turns, across it as far as it slides
                turn = dot(f, c.dv) / w
                fall = -self.slid(i, c, f) * rate / g
                if m == "corner":
                    fall = self.level_rate(i, c) / self.level(i, c)
                out += [fall * x - turn * e for e, x in zip(u, f)]
        return out

    def stiffness(self, speed, n):
        return self.p["attraction"] / self.g.mu_k

    def force(self, c, y, mode):
        return [c.n * (f + self.s2 * v) for f, v in zip(self.total(y), c.v)]


class Leuven(Elements):
    """In steady sliding z stands still: which way is then rounding, and the elements keep their mode."""

    STANDS = 1e-8

    def dz(self, c, y, level_speed=None):
        w, total = norm(c.v), self.total(y)
        size = norm(total)
        if size == 0:
            return list(c.v)
        level = self.g(w if level_speed is None else level_speed)
        loss = w * (size / level) ** self.p.get("leuven_exponent", 1.0) / size
        return [v - loss * f for v, f in zip(c.v, total)]

    def push(self, f, dz, c):
        """How fast z moves an element outwards, over the speed of the pair."""
        size = norm(f) * norm(c.v)
        return dot(f, dz) / size if size > 0 else 0.0

    def settle(self, c, y, mode):
        at_rest = norm(c.v) == 0
        ahead = Conditions(c.dv, c.n, c.fe, c.dv, c.dn) if at_rest else c
        dz = self.dz(ahead, y, 0.0 if at_rest else None)

        def now(slides, f, limit):
            push = self.push(f, dz, ahead)
            # one that slides is at its limit, however its norm rounds
            if slides:
                return push > -self.STANDS
            return norm(f) >= limit * ROUNDED and push > self.STANDS

        limits = self.p["element_limits"]
        return y, tuple(now(*each) for each in zip(mode, self.parts(y), limits))

    def event(self, i, slides):
        limit = self.p["element_limits"][i]
        if slides:
            return lambda c, y: -self.push(self.parts(y)[i], self.dz(c, y), c) - self.STANDS

        def begins(c, y):
            f = self.parts(y)[i]
            return min(norm(f) / limit - ROUNDED, self.push(f, self.dz(c, y), c) - self.STANDS)

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
