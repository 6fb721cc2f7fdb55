"""Derivatives from the rows of the extension to arrays by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from bristle import _core, _points
from bristle._derivatives import Derivatives, Gradient, Jacobian
from bristle._points import Array, Step
from bristle._state import State

if TYPE_CHECKING:
    from bristle._law import Law


def _named(law: Law) -> dict[str, list[int]]:
    """The places of each parameter among those by which derivatives are taken."""
    if law._lists is None:
        places: dict[str, list[int]] = {}
        for place, (name, _) in enumerate(_core.differentiated_parameters(law._core)):
            places.setdefault(name, []).append(place)
        law._lists = places
    return law._lists


class _Order:
    """Where each input stands in a row of derivatives."""

    def __init__(self, law: Law, at: State, step: Step) -> None:
        dim, states = at._dim, len(at._names)
        self.has_mean = step[4] is not None and not (step[2] is None and step[3] is None)
        self.velocity = slice(0, dim)
        self.normal_force = dim
        self.mean_velocity = slice(dim + 1, 2 * dim + 1)
        self.mean_normal_force = 2 * dim + 1
        first = (dim + 1) * (2 if self.has_mean else 1)
        self.states = slice(first, first + states)
        self.of_point = first + states
        self.outputs = dim + states
        self.named = _named(law)
        self.parameters = sum(map(len, self.named.values()))


def jacobian(law: Law, at: State, step: Step, threads: int) -> Jacobian:
    """The Jacobian at the state before the step."""
    order = _Order(law, at, step)
    shape = (at._values.shape[1], order.outputs, order.of_point + order.parameters)
    rows = np.empty(shape)
    _core.jacobian(law._core, at._values, step, rows.reshape(-1), threads)
    force, state = rows[:, : at._dim], rows[:, at._dim :]
    if at._n is None:
        force, state = force[0], state[0]
    line = at._dim == 1
    return Jacobian(
        force=_derivatives(force[..., 0, :] if line else force, order, line),
        state=_derivatives(state, order, line),
    )


def _derivatives(rows: Array, order: _Order, line: bool) -> Derivatives:
    def velocity(place: slice) -> Array:
        return rows[..., place.start] if line else rows[..., place]

    first = order.of_point
    named = {
        name: rows[..., first + places[0]]
        if len(places) == 1
        else rows[..., [first + place for place in places]]
        for name, places in order.named.items()
    }
    return Derivatives(
        velocity=velocity(order.velocity),
        normal_force=rows[..., order.normal_force],
        mean_velocity=velocity(order.mean_velocity) if order.has_mean else None,
        mean_normal_force=rows[..., order.mean_normal_force] if order.has_mean else None,
        state=rows[..., order.states],
        parameters=named,
    )


def weights(at: State, force: ArrayLike | None, new_state: ArrayLike | None) -> Array:
    """The weights of all outputs in rows of one point each."""
    rows = np.zeros((at._values.shape[1], at._dim + len(at._names)))
    if force is not None:
        rows[:, : at._dim] = _points.columns(force, "force", at._dim, at._n).T
    if new_state is not None:
        given = _points.array(new_state, "new_state")
        wanted = at.numpy().shape
        if given.shape != wanted:
            raise ValueError(f"new_state has the shape {given.shape}, must have {wanted}")
        rows[:, at._dim :] = given.reshape(len(at._names), len(rows)).T
    return rows


def pull_back(law: Law, at: State, step: Step, rows: Array, threads: int) -> Gradient:
    """The vector-Jacobian product, in the shapes of the inputs."""
    order = _Order(law, at, step)
    points = np.empty((len(rows), order.of_point))
    sums = np.zeros(order.parameters)
    _core.pull_back(
        law._core, at._values, step, rows.reshape(-1), points.reshape(-1), sums, threads
    )

    def vector(place: slice) -> Array:
        part = points[:, place]
        part = part[0] if at._n is None else part
        return part[..., 0] if at._dim == 1 else part

    def number(place: int, given: float | Array | None) -> float | Array:
        column = points[:, place]
        return float(column.sum()) if isinstance(given, float) else column

    mean_load = step[1] if step[3] is None else step[3]
    state = points[:, order.states]
    return Gradient(
        velocity=vector(order.velocity),
        normal_force=number(order.normal_force, step[1]),
        mean_velocity=vector(order.mean_velocity) if order.has_mean else None,
        mean_normal_force=number(order.mean_normal_force, mean_load) if order.has_mean else None,
        state=state[0] if at._n is None else state.T,
        parameters={
            name: float(sums[places[0]]) if len(places) == 1 else sums[places]
            for name, places in order.named.items()
        },
    )
