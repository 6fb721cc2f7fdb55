"""Linear vibrations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristle import _frames


@dataclass(frozen=True, eq=False)
class Modes:
    """Natural frequencies, damping ratios and shapes, and the matrices they come from."""

    #: |λ|/2π, Hz.
    frequency: NDArray[np.float64]
    #: −Re λ/|λ|.
    damping_ratio: NDArray[np.float64]
    #: Im λ/2π, Hz.
    damped_frequency: NDArray[np.float64]
    #: Without damping, Hz; NaN where there is none.
    undamped_frequency: NDArray[np.float64]
    real: NDArray[np.float64]
    imaginary: NDArray[np.float64]
    #: Displacement and rotation, (2, 3), of every body by name, of every mode.
    shapes: list[dict[str, NDArray[np.float64]]]
    #: Mass matrix of the degrees of freedom.
    M: NDArray[np.float64]
    #: Damping matrix.
    C: NDArray[np.float64]
    #: Stiffness matrix.
    K: NDArray[np.float64]

    @property
    def eigenvalue(self) -> NDArray[np.complex128]:
        """λ, 1/s."""
        return self.real + 1j * self.imaginary

    def __len__(self) -> int:
        return len(self.frequency)

    def to_pandas(self) -> Any:
        """A DataFrame with one row for each mode."""
        columns = {
            "frequency": _frames.Column(self.frequency, "Hz", "natural frequency"),
            "damping_ratio": _frames.Column(self.damping_ratio, "1", "damping ratio"),
            "damped_frequency": _frames.Column(self.damped_frequency, "Hz", "damped frequency"),
            "undamped_frequency": _frames.Column(self.undamped_frequency, "Hz", "without damping"),
        }
        return _frames.to_pandas(columns, None)

    def __repr__(self) -> str:
        rows = zip(self.frequency, self.damping_ratio, strict=True)
        lines = (f"  {i + 1}: {f:.6g} Hz, ζ = {z:.4g}" for i, (f, z) in enumerate(rows))
        return "<bristle.Modes\n" + "\n".join(lines) + ">"
