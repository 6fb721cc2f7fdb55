"""Vectors, conditions, the Stribeck curve, and what every law has."""

import bisect
import csv
import math

# a state this close to its limit is at it
ROUNDED = 1 - 1e-12


def norm(x):
    return math.sqrt(sum(a * a for a in x))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def unit(x):
    size = norm(x)
    return [a / size for a in x] if size > 0 else [0.0] * len(x)


def step5(x, x0, y0, x1, y1):
    r = min(max((x - x0) / (x1 - x0), 0.0), 1.0)
    return y0 + (y1 - y0) * r**3 * (10 - 15 * r + 6 * r * r)


class Conditions:
    """Velocity, normal force, applied force at a time, and their rates."""

    __slots__ = ("v", "n", "fe", "dv", "dn")

    def __init__(self, v, n, fe, dv, dn):
        self.v, self.n, self.fe, self.dv, self.dn = v, n, fe, dv, dn

    def next(self):
        """The velocity of the instant after, where this one is rest."""
        return self.v if norm(self.v) > 0 else self.dv


class Segment:
    """Conditions linear between two samples (t, v, n, fe)."""

    def __init__(self, a, b):
        self.a, self.b = a, b
        self.length = b[0] - a[0]
        self.dv = [(y - x) / self.length for x, y in zip(a[1], b[1])]
        self.dn = (b[2] - a[2]) / self.length
        square = dot(self.dv, self.dv)
        foot = -dot(a[1], self.dv) / square if square > 0 else -1.0
        near = [x + foot * d for x, d in zip(a[1], self.dv)]
        rests = norm(near) <= 1e-13 * max(norm(a[1]), norm(b[1]))
        # when the motion passes through rest, there; its direction is then not one of rounding
        self.rest = foot if rests and 0 < foot < self.length else None

    def at(self, tau):
        """Conditions a time tau after the start."""
        if tau >= self.length:
            return Conditions(self.b[1], self.b[2], self.b[3], self.dv, self.dn)
        share = tau / self.length
        if self.rest is None:
            v = [x + tau * d for x, d in zip(self.a[1], self.dv)]
        else:
            v = [(tau - self.rest) * d for d in self.dv]
        fe = [x + share * (y - x) for x, y in zip(self.a[3], self.b[3])]
        return Conditions(v, max(self.a[2] + tau * self.dn, 0.0), fe, self.dv, self.dn)

    def cuts(self, speeds):
        """Times at which |v| is least or passes one of the speeds; ends included."""
        cuts = [0.0, self.length]
        square = dot(self.dv, self.dv)
        if square > 0:
            foot = -dot(self.a[1], self.dv) / square
            least = dot(self.a[1], self.a[1]) - foot * foot * square
            cuts.append(foot)
            for speed in speeds:
                gap = (speed * speed - least) / square
                if gap > 0:
                    cuts += [foot - math.sqrt(gap), foot + math.sqrt(gap)]
        inside = sorted(c for c in cuts if 0.0 <= c <= self.length)
        kept = [inside[0]]
        for c in inside[1:]:
            if c - kept[-1] > 1e-12 * self.length:
                kept.append(c)
        kept[-1] = self.length
        return kept

    def rests_at(self, tau):
        speed = norm(self.at(tau).v)
        return speed <= 1e-13 * max(norm(self.a[1]), norm(self.b[1]))


class Curve:
    """The Stribeck coefficient g(|v|)."""

    def __init__(self, p):
        self.shape = p.get("stribeck", "exponential")
        if self.shape.endswith(".csv"):
            self.read(self.shape)
            return
        self.mu_k = p["kinetic_coefficient"]
        self.mu_s = p.get("static_coefficient", self.mu_k)
        self.vs = p["stribeck_velocity"]
        self.alpha = p.get("stribeck_exponent", 2.0)
        self.vd = 1.5 * self.vs

    def read(self, path):
        """Points (v, mu) of a file, joined by the cubics of Fritsch and Carlson, flat at both ends."""
        with open(path, newline="") as file:
            rows = list(csv.reader(file))[1:]
        self.v = [float(row[0]) for row in rows]
        self.mu = [float(row[1]) for row in rows]
        pairs = list(zip(zip(self.v, self.mu), zip(self.v[1:], self.mu[1:])))
        width = [b[0] - a[0] for a, b in pairs]
        chord = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairs]
        self.slope = [0.0]
        for h, k, c, d in zip(width, width[1:], chord, chord[1:]):
            # a harmonic mean, weighted by the widths; flat where the points turn
            weights = 2 * k + h, k + 2 * h
            turns = c * d <= 0
            self.slope.append(0.0 if turns else sum(weights) / (weights[0] / c + weights[1] / d))
        self.slope.append(0.0)
        self.mu_s, self.mu_k = self.mu[0], min(self.mu)

    def table(self, w):
        i = bisect.bisect_right(self.v, w) - 1
        if i + 1 >= len(self.v):
            return self.mu[-1]
        h = self.v[i + 1] - self.v[i]
        r = (w - self.v[i]) / h
        blend = r * r * (3 - 2 * r)
        bend = h * r * (1 - r) * ((1 - r) * self.slope[i] - r * self.slope[i + 1])
        return self.mu[i] + (self.mu[i + 1] - self.mu[i]) * blend + bend

    def __call__(self, w):
        if self.shape.endswith(".csv"):
            return self.table(w)
        excess = self.mu_s - self.mu_k
        if self.shape == "exponential":
            return self.mu_k + excess * math.exp(-((w / self.vs) ** self.alpha))
        if self.shape == "gaussian":
            return self.mu_k + excess * math.exp(-((w / self.vs) ** 2))
        if self.shape == "rational":
            return self.mu_k + excess / (1 + (w / self.vs) ** self.alpha)
        if self.shape == "step5":
            return step5(w, self.vs, self.mu_s, self.vd, self.mu_k)
        r = min(max((w - self.vs) / (self.vd - self.vs), 0.0), 1.0)
        return self.mu_k + 0.5 * excess * (1 + math.cos(math.pi * r))

    def speeds(self):
        if self.shape.endswith(".csv"):
            return self.v[1:]
        return [self.vs, self.vd] if self.shape in ("step5", "sine") else []


class Law:
    """A law without states; those with states override the rest.

    A mode is anything that can be compared; `settle` gives the one that holds just after an
    instant, `events` the functions whose upward zeros end it.
    """

    fields = ()
    needs_applied = False

    def __init__(self, p, dim):
        self.p, self.dim = p, dim

    def speeds(self):
        return []

    def start(self, c):
        return [], None

    def scale(self):
        return 1.0

    def rest(self, c, y, mode):
        return y, mode

    def settle(self, c, y, mode):
        return y, mode

    def rates(self, c, y, mode):
        return []

    def events(self, mode):
        return []

    def switched(self, index, c, y, mode):
        return y, mode

    def unloaded(self, y, mode):
        """At N = 0."""
        return y, mode

    def stiffness(self, speed, n):
        return 0.0
