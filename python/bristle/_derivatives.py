"""Derivatives by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bristle._points import Array


@dataclass(frozen=True, slots=True, eq=False)
class Derivatives:
    """Derivatives of one result, the force or the states, by all inputs.

    The first axis is that of the points (there is none of one point alone). Then come the axis of
    the components of the result and that of the input, each left out for a force or a velocity on a
    line: ``velocity`` is (n,) on a line and (n, D, D) in D dimensions.
    """

    #: By the slip velocity, at the end of a step.
    velocity: Array
    #: By the normal force, at the end of a step.
    normal_force: Array
    #: By the mean slip velocity, where it was given.
    mean_velocity: Array | None
    #: By the mean normal force, where mean conditions were given.
    mean_normal_force: Array | None
    #: By the states before.
    state: Array
    #: By each parameter that is a number; a list has an axis of its own, the last.
    parameters: Mapping[str, Array]


@dataclass(frozen=True, slots=True, eq=False)
class Jacobian:
    """The exact derivatives of an update, or of rates. Where a law switches, those of its branch."""

    #: Of the force.
    force: Derivatives
    #: Of the states after the step; of their rates.
    state: Derivatives


@dataclass(frozen=True, slots=True, eq=False)
class Gradient:
    """What a weighted sum of results changes with each input, in the shape of that input."""

    #: By the slip velocity.
    velocity: Array
    #: By the normal force: a number where one was given for all points.
    normal_force: float | Array
    #: By the mean slip velocity, where it was given.
    mean_velocity: Array | None
    #: By the mean normal force, where it was given.
    mean_normal_force: float | Array | None
    #: By the states before, in the shape of ``State.numpy()``.
    state: Array
    #: By each parameter that is a number, summed over the points; a list has an entry for each.
    parameters: Mapping[str, float | Array]
