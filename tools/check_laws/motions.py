"""Random parameters and motions."""

import math

import numpy as np


def spread(rng, low, high):
    return float(math.exp(rng.uniform(math.log(low), math.log(high))))


def parameters(name, rng):
    """Random admissible parameters, and a speed and a travel that matter to them."""
    mu_k = spread(rng, 0.02, 1.0)
    mu_s = mu_k * (1.0 if rng.random() < 0.15 else 1 + spread(rng, 0.05, 3.0))
    vs = spread(rng, 1e-4, 1e-1)
    s0 = spread(rng, 1e3, 1e6)
    n = spread(rng, 0.1, 1e3)
    levels = {"kinetic_coefficient": mu_k, "static_coefficient": mu_s}
    if rng.random() < 0.1:
        del levels["static_coefficient"]
        mu_s = mu_k
    curve = {"stribeck_velocity": vs}
    shape = rng.choice(["", "exponential", "gaussian", "rational", "step5", "sine"])
    if shape:
        curve["stribeck"] = str(shape)
    if shape in ("", "exponential", "rational") and rng.random() < 0.5:
        curve["stribeck_exponent"] = float(rng.choice([0.5, 0.8, 1.0, 1.5, 2.0, 3.0]))
    length = mu_k / s0
    viscous = {"viscous_coefficient": spread(rng, 1e-3, 1e1)} if rng.random() < 0.6 else {}
    if name in ("coulomb_tanh", "coulomb_linear", "threlfall"):
        p = {"kinetic_coefficient": mu_k, "regularisation_velocity": vs}
    elif name == "ambrosio":
        p = {"kinetic_coefficient": mu_k, "lower_velocity": vs, "upper_velocity": vs * (1 + spread(rng, 0.1, 9))}
    elif name == "bengisu_akay":
        p = levels | {"regularisation_velocity": vs, "decay_rate": spread(rng, 0.1, 10) / vs}
    elif name == "andersson":
        p = levels | curve | viscous | {"transition_rate": spread(rng, 0.1, 30) / vs}
    elif name == "makkar":
        fall = 1 / vs
        p = {"stribeck_excess": max(mu_s - mu_k, 0.01 * mu_k), "kinetic_coefficient": mu_k} | viscous
        p |= {"fall_rate": fall, "rise_rate": fall * (1 + spread(rng, 0.1, 30))}
        p["transition_rate"] = fall * spread(rng, 0.1, 30)
    elif name == "armstrong":
        p = {"stick_stiffness": s0, "kinetic_coefficient": mu_k, "stribeck_velocity": vs} | viscous
        p["stribeck_excess"] = max(mu_s - mu_k, 0.01 * mu_k)
        p |= {"memory_time": spread(rng, 1e-4, 1e-1), "dwell_time": spread(rng, 1e-3, 1e1)}
    elif name == "reset_integrator":
        p = levels | {"bristle_stiffness": s0, "bristle_damping": spread(rng, 1e-3, 1) * mu_k / vs}
    elif name == "brown_mcphee":
        p = levels | viscous | {"transition_velocity": vs}
    elif name == "gkf":
        p = levels | curve | viscous | {"regularisation_velocity": vs * spread(rng, 0.05, 2)}
    elif name == "karnopp":
        p = levels | curve | viscous | {"stiction_velocity": vs * spread(rng, 0.05, 2)}
    elif "regularised" in name or name in ("adams_stick_slip", "recurdyn_stick_slip"):
        p = levels | {"stiction_velocity": vs}
        if rng.random() < 0.5:
            p["dynamic_velocity"] = vs * (1 + spread(rng, 0.1, 5))
        if "stick" in name:
            p["stiction_displacement"] = length
    elif name == "simpack_stick_slip":
        p = levels | {"stick_stiffness": s0 * n, "stick_damping": spread(rng, 1e-3, 1) * mu_k * n / vs}
        # held at the kinetic level, a pair needs a static one above it
        p["preloaded"] = bool(mu_s > mu_k and rng.random() < 0.5)
    elif name == "jenkins":
        p = {"kinetic_coefficient": mu_k, "tangential_stiffness": s0 * n}
    elif name == "dahl":
        p = {"kinetic_coefficient": mu_k, "bristle_stiffness": s0}
    elif name == "gear":
        p = {"kinetic_coefficient": mu_k, "relaxation_length": length}
        p["directional_coefficient"] = mu_k * float(rng.uniform(-0.99, 0.99))
    elif name == "bliman_sorine":
        p = {
            "first_amplitude": mu_k,
            "second_amplitude": mu_k * float(rng.choice([0.0, 0.2, 0.6, 0.95])),
            "length_ratio": float(rng.uniform(0.05, 0.9)),
            "friction_length": 3 * length,
        }
    elif name in ("leuven", "gms", "iwan"):
        count = int(rng.integers(1, 6))
        shares = rng.uniform(0.2, 1.0, count)
        shares = [float(x) for x in shares / shares.sum()]
        shares[-1] = 1.0 - sum(shares[:-1])
        stiff = [float(s0 * x) for x in rng.uniform(0.1, 1.0, count)]
        p = levels | curve | viscous | {"element_stiffnesses": stiff}
        if name == "iwan":
            p = {"kinetic_coefficient": mu_k, "element_fractions": shares}
            p |= {"element_stiffnesses": [k * n for k in stiff]}
        elif name == "gms":
            p |= {"element_fractions": shares, "attraction": spread(rng, 0.1, 1e2) * vs / length * mu_k}
        else:
            over = float(rng.choice([1.0 + 1e-9, 1.2, 3.0]))
            p |= {"element_limits": [over * mu_s * x for x in shares]}
            p |= {"bristle_damping": float(rng.choice([0.0, 1.0])) * spread(rng, 0.01, 2) * length * s0 / vs}
            if rng.random() < 0.7:
                p["leuven_exponent"] = float(rng.choice([1.0, 1.5, 2.0, 4.0, 9.0]))
    else:
        damping = float(rng.choice([0.0, 1.0, 1.0])) * spread(rng, 0.01, 2) * mu_k / vs
        p = levels | viscous | {"bristle_stiffness": s0, "bristle_damping": damping}
        if name == "gonthier":
            p["bristle_damping"] = spread(rng, 0.01, 2) * mu_k / vs
            p |= {"stribeck_velocity": vs, "regularisation_velocity": vs * spread(rng, 0.05, 2)}
            p["dwell_time"] = spread(rng, 1e-3, 1.0)
        else:
            p |= curve
            if name in ("lugre", "lugre_classical") and rng.random() < 0.4:
                p["damping_velocity"] = vs * spread(rng, 0.3, 10)
        if name == "frbd":
            p.pop("viscous_coefficient", None)
        if name == "lugre_anisotropic":
            p["transverse_ratio"] = spread(rng, 0.2, 5.0)
        if name == "elastoplastic":
            p["breakaway_deflection"] = float(rng.uniform(0.05, 0.97)) * length
        if name == "lugre_classical":
            for field in ("bristle_stiffness", "bristle_damping", "viscous_coefficient"):
                if field in p:
                    p[field] *= n
    return p, vs, length, n


def tabulated(p, path, rng):
    """The curve as points of a file, which replace the levels."""
    vs, mu_k = p.pop("stribeck_velocity"), p.pop("kinetic_coefficient")
    mu_s = p.pop("static_coefficient", mu_k)
    p.pop("stribeck_exponent", None)
    speeds = [0.0, *np.cumsum(rng.uniform(0.2, 1.5, int(rng.integers(2, 7))) * vs)]
    # both levels, and whatever lies between
    shares = [1.0, *rng.uniform(0.0, 1.0, len(speeds) - 2), 0.0]
    with open(path, "w") as file:
        file.write("v,mu\n")
        for v, share in zip(speeds, shares):
            file.write(f"{float(v)!r},{float(mu_k + (mu_s - mu_k) * share)!r}\n")
    p["stribeck"] = str(path)


def dahl_exponent(p, dim, rng):
    if dim == 1:
        p["dahl_exponent"] = float(rng.choice([0.0, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0]))
    else:
        p["dahl_exponent"] = float(rng.choice([1.0, 1.5, 2.0]))


def random_motion(dim, vs, length, load, applied, rng, straight=False):
    """Samples (t, v, n, fe): slow and fast, with rests, reversals, jumps and unloadings."""
    line = rng.normal(size=dim)

    def direction():
        x = line * rng.choice([-1.0, 1.0]) if straight else rng.normal(size=dim)
        return x / np.linalg.norm(x)

    t, v, n = 0.0, np.zeros(dim), load * rng.uniform(0.5, 1.5)
    if rng.random() < 0.4:
        v = direction() * vs * spread(rng, 0.05, 20)
    if rng.random() < 0.15:
        n = 0.0
    constant = rng.random() < 0.25
    motion = []
    for _ in range(int(rng.integers(8, 25))):
        fe = direction() * applied * rng.uniform(0, 2)
        motion.append((t, [float(x) for x in v], float(n), [float(x) for x in fe]))
        kind = rng.integers(0, 8)
        old = v
        if kind == 0:
            v = np.zeros(dim)
        elif kind == 1:
            v = -v * rng.uniform(0.1, 2)
        elif kind == 2:
            v = v.copy()
        elif kind == 3 and np.linalg.norm(v) > 0:
            v = v * rng.uniform(0.2, 3)
        else:
            v = direction() * vs * spread(rng, 0.02, 30)
        pace = max(np.linalg.norm(old), np.linalg.norm(v), 1e-3 * vs)
        dt = length / pace * spread(rng, 0.05, 100)
        if rng.random() < 0.1:
            dt = 1e-4 * length / pace
        t += float(dt)
        if not constant:
            turn = rng.integers(0, 6)
            if turn == 0:
                n = 0.0
            elif turn < 4:
                n = load * rng.uniform(0.2, 2)
    return motion
