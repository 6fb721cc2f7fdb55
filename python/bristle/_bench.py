"""A law along a motion, and on the virtual test bench."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from bristle import _core, _points
from bristle._points import Array

if TYPE_CHECKING:
    import pandas

    from bristle._law import Law


@dataclass(frozen=True, slots=True, eq=False)
class Drive:
    """The force of a law along a motion, at its samples."""

    #: Time, s.
    t: Array
    #: Force along the slip velocity, N: (n,) on a line, (n, D) in D dimensions.
    force: Array
    #: Its size over the normal force; 0 without load.
    friction_coefficient: Array
    #: The states by name.
    states: Mapping[str, Array]
    #: SI units of all columns by name.
    units: Mapping[str, str]

    def columns(self) -> dict[str, Array]:
        """All columns as ``bristle drive`` names them."""
        names = ["F"] if self.force.ndim == 1 else ["Fx", "Fy", "Fz"][: self.force.shape[1]]
        forces = dict(zip(names, np.atleast_2d(self.force.T), strict=True))
        return {"t": self.t, **forces, "mu": self.friction_coefficient, **self.states}

    def to_pandas(self) -> pandas.DataFrame:
        """A table with the time as its index and the units in ``.attrs["units"]``."""
        import pandas

        frame = pandas.DataFrame(self.columns()).set_index("t")
        frame.attrs["units"] = dict(self.units)
        return frame


def drive(
    law: Law,
    t: ArrayLike,
    velocity: ArrayLike,
    normal_force: ArrayLike,
    applied: ArrayLike | None,
    rtol: float,
) -> Drive:
    """See :meth:`bristle.Law.drive`."""
    time = _points.array(t, "t")
    if time.ndim != 1 or len(time) < 2:
        raise ValueError(f"t has the shape {time.shape}, must have (n,) with two samples or more")
    bad = np.flatnonzero(~np.isfinite(time))
    if len(bad):
        raise ValueError(f"t[{bad[0]}] = {time[bad[0]]} s, must be a finite number")
    late = np.flatnonzero(np.diff(time) <= 0)
    if len(late):
        i = int(late[0]) + 1
        raise ValueError(f"t[{i}] = {time[i]} s comes after t[{i - 1}] = {time[i - 1]} s")
    n, dim = _points.points(velocity, "velocity")
    v = _points.columns(velocity, "velocity", dim, len(time))
    load = np.empty(len(time))
    load[:] = _points.numbers(normal_force, "normal_force", len(time))
    push = np.zeros(v.shape)
    if applied is not None:
        push[:] = _points.columns(applied, "applied", dim, len(time))
    names = _core.names_of_states(law._core, dim)
    force, states = np.empty(v.shape), np.empty((len(names), len(time)))
    _core.drive(law._core, (time, v, load, push), float(rtol), force, states)
    size = np.abs(force[0]) if dim == 1 else np.sqrt((force * force).sum(axis=0))
    coefficient = np.divide(size, load, out=np.zeros(len(time)), where=load > 0)
    forces = ["F"] if dim == 1 else ["Fx", "Fy", "Fz"][:dim]
    return Drive(
        t=time,
        force=force[0] if dim == 1 else force.T,
        friction_coefficient=coefficient,
        states=dict(zip(names, states, strict=True)),
        units={"t": "s", **dict.fromkeys(forces, "N"), "mu": "1", **_units(law, names)},
    )


def _units(law: Law, names: list[str]) -> dict[str, str]:
    """The units of states: a name is that of the card with a number or an axis behind it."""
    units = {}
    for name in names:
        for state in law.card.states:
            rest = name.removeprefix(state.name)
            if rest != name and (not rest or rest[0] in ".0123456789"):
                units[name] = state.unit
    return units


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature of friction, as measured on a law."""

    key: str
    title: str
    #: Whether the law has it; None where it could not be measured or means nothing.
    verdict: bool | None
    #: The number behind the verdict.
    value: float | None
    #: What the number is.
    quantity: str
    unit: str
    #: When the verdict is yes.
    criterion: str
    #: Remarks; why it could not be measured.
    note: str
    #: What Colantonio et al. 2022, table 1, print for this law.
    printed: bool | None
    #: What else was measured: number and unit by name.
    numbers: Mapping[str, tuple[float, str]]


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredCurve:
    """A measured curve of a picture."""

    #: The picture it belongs to, such as ``steady``.
    picture: str
    label: str
    #: Quantity and unit of both axes.
    axes: tuple[tuple[str, str], tuple[str, str]]
    x: Array
    y: Array


@dataclass(frozen=True, slots=True, eq=False)
class Characterisation:
    """What a law can and cannot do."""

    law: str
    features: Mapping[str, Feature]
    curves: tuple[MeasuredCurve, ...]

    def __getitem__(self, key: str) -> Feature:
        """A feature by key."""
        return self.features[key]

    def __repr__(self) -> str:
        words = {True: "yes", False: "no", None: "-"}
        lines = [f"{self.law}"]
        lines += (f"  {words[f.verdict]:4}{f.title}" for f in self.features.values())
        return "\n".join(lines)


def characterise(
    law: Law, normal_force: float, mass: float, stiffness: float, drawing_speed: float
) -> Characterisation:
    """See :meth:`bristle.Law.characterise`."""
    measured: dict[str, Any] = _core.characterise(
        law._core, normal_force, mass, stiffness, drawing_speed
    )
    features = (Feature(**fields) for fields in measured["features"])
    curves = []
    for fields in measured["curves"]:
        x, y = fields["axes"]
        curves.append(MeasuredCurve(**{**fields, "axes": (x, y)}))
    return Characterisation(
        law=law.name,
        features={feature.key: feature for feature in features},
        curves=tuple(curves),
    )
