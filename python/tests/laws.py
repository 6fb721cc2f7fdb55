"""Laws that tests share."""

from __future__ import annotations

import numpy as np

import bristle as br

#: Every law of the catalogue with its typical parameters.
ALL = {name: br.law(name, **card.typical) for name, card in br.laws().items()}

LUGRE = br.law(
    "lugre",
    bristle_stiffness=1e4,
    bristle_damping=31.6,
    stribeck_velocity=1e-3,
    kinetic_coefficient=0.1,
    static_coefficient=0.15,
)

rng = np.random.default_rng(20)


def motion(n: int, dim: int) -> np.ndarray:
    """Slip velocities of n points that are slow, fast, at rest, and of both signs."""
    v = rng.normal(size=(n, dim)) * np.array([1e-4, 1e-3, 1e-2, 0.0])[np.arange(n) % 4, None]
    return v[:, 0] if dim == 1 else v
