"""Friction laws: from a name and numbers to forces on arrays."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike

from bristle import _bench, _core, _gradients, _points, _toml
from bristle._card import Card, card_from
from bristle._derivatives import Gradient, Jacobian
from bristle._points import Array, Step
from bristle._state import State

#: A force: a float at one point on a line, (D,) at one in D dimensions, (n,) or (n, D) at many.
Force: TypeAlias = float | Array


class Law:
    """A friction law with its parameters; never changes. Made by :func:`law`.

    Conventions: SI units; the slip velocity ``v`` is that of the moving body relative to the other
    one; the force is *along* ``v``, and the moving body feels its opposite; normal forces are 0 or
    more. Arguments over many points are a number for all of them or an array with one for each;
    velocities are (n,) on a line, (n, 2) in a plane, (n, 3) in space.
    """

    __slots__ = ("__weakref__", "_changes", "_core", "_lists", "_place", "_text")

    def __init__(self, place: str, text: str, changes: tuple[str, ...] = ()) -> None:
        self._place = place
        self._text = text
        self._changes = changes
        self._core = _core.Law(place, text, list(changes))
        self._lists: dict[str, list[int]] | None = None

    @property
    def name(self) -> str:
        """The name of the catalogue."""
        return self._core.name

    @property
    def card(self) -> Card:
        """What the law is: equations, parameters, limits, source."""
        return card_from(_core.card(self._core))

    @property
    def parameters(self) -> dict[str, Any]:
        """All values in SI units, defaults filled in."""
        return self._core.values()

    @property
    def notices(self) -> tuple[str, ...]:
        """What deserves a second look."""
        return tuple(self._core.warnings)

    def with_(self, **parameters: Any) -> Law:
        """The same law with some parameters changed."""
        changes = (
            f"{name}={_toml.value(x, f'{self.name}.{name}')}" for name, x in parameters.items()
        )
        return Law(self._place, self._text, (*self._changes, *changes))

    def state(
        self,
        n: int | None = None,
        dim: int = 1,
        *,
        velocity: ArrayLike | None = None,
        normal_force: ArrayLike = 0.0,
    ) -> State:
        """The state at the start of a motion: of one point, or of ``n`` points.

        With a ``velocity`` it has as many points and dimensions as that, and is the state of a
        motion that begins so; else of one that begins at rest.
        """
        if velocity is not None:
            n, dim = _points.points(velocity, "velocity")
        dim = _points.dimension(dim)
        if n is not None and (isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0):
            raise ValueError(f"n = {n!r}, must be a whole number, 0 or more, or None for one point")
        count = 1 if n is None else int(n)
        names = tuple(_core.names_of_states(self._core, dim))
        values = np.zeros((len(names), count))
        v = np.zeros((dim, count))
        if velocity is not None:
            v = _points.columns(velocity, "velocity", dim, n)
        _core.start(self._core, v, _points.numbers(normal_force, "normal_force", n), values)
        return State(values, names, dim, None if n is None else count)

    def rates(
        self,
        state: State | ArrayLike,
        velocity: ArrayLike,
        normal_force: ArrayLike,
        *,
        jobs: int = 1,
    ) -> tuple[Force, Array]:
        """The continuous view: the force along ``velocity``, and dz/dt in the shape of the states.

        ``state`` may also be the array of a solver, as :meth:`State.numpy` gives it.
        """
        at = self._state_of(state, velocity)
        v = _points.columns(velocity, "velocity", at._dim, at._n)
        load = _points.numbers(normal_force, "normal_force", at._n)
        force = np.empty(v.shape)
        rates = np.empty(at._values.shape)
        step = (v, load, None, None, None)
        _core.rates(self._core, at._values, step, force, rates, _points.threads(jobs))
        return _shaped(force, at), rates[:, 0] if at._n is None else rates

    @overload
    def update(
        self,
        state: State,
        velocity: ArrayLike,
        normal_force: ArrayLike,
        dt: ArrayLike,
        *,
        mean_velocity: ArrayLike | None = ...,
        mean_normal_force: ArrayLike | None = ...,
        jacobian: Literal[False] = ...,
        out: Array | None = ...,
        jobs: int = ...,
    ) -> Force: ...
    @overload
    def update(
        self,
        state: State,
        velocity: ArrayLike,
        normal_force: ArrayLike,
        dt: ArrayLike,
        *,
        mean_velocity: ArrayLike | None = ...,
        mean_normal_force: ArrayLike | None = ...,
        jacobian: Literal[True],
        out: Array | None = ...,
        jobs: int = ...,
    ) -> tuple[Force, Jacobian]: ...
    def update(
        self,
        state: State,
        velocity: ArrayLike,
        normal_force: ArrayLike,
        dt: ArrayLike,
        *,
        mean_velocity: ArrayLike | None = None,
        mean_normal_force: ArrayLike | None = None,
        jacobian: bool = False,
        out: Array | None = None,
        jobs: int = 1,
    ) -> Force | tuple[Force, Jacobian]:
        """Moves ``state`` in place by a step of ``dt`` and gives the force at its end.

        Stable for every ``dt``. The mean conditions move the state, those at the end enter the
        force; where no mean ones are given they are the same. With the mean slip velocity =
        (slip of the step)/dt the update is of second order. With ``jacobian=True`` also gives the
        exact derivatives. ``out`` takes the force, ``jobs`` is a number of threads (0: all cores).
        """
        at = self._owned(state)
        step = _step(at, velocity, normal_force, dt, mean_velocity, mean_normal_force)
        force = np.empty(step[0].shape) if out is None else _room(out, at)
        threads = _points.threads(jobs)
        derivatives = _gradients.jacobian(self, at, step, threads) if jacobian else None
        try:
            _core.update(self._core, at._values, step, force, threads)
        except TypeError:
            # all are arrays of float64 by now: one is both read and written
            raise ValueError("an argument shares memory with the state; give a copy") from None
        shaped = _shaped(force, at) if out is None else out
        return shaped if derivatives is None else (shaped, derivatives)

    def update_with_jacobian(
        self,
        state: State,
        velocity: ArrayLike,
        normal_force: ArrayLike,
        dt: ArrayLike,
        *,
        mean_velocity: ArrayLike | None = None,
        mean_normal_force: ArrayLike | None = None,
        jobs: int = 1,
    ) -> tuple[Force, Jacobian]:
        """:meth:`update` with the exact derivatives of force and states after the step."""
        return self.update(
            state,
            velocity,
            normal_force,
            dt,
            mean_velocity=mean_velocity,
            mean_normal_force=mean_normal_force,
            jacobian=True,
            jobs=jobs,
        )

    def rates_jacobian(
        self,
        state: State | ArrayLike,
        velocity: ArrayLike,
        normal_force: ArrayLike,
        *,
        jobs: int = 1,
    ) -> Jacobian:
        """The exact derivatives of :meth:`rates`; ``.state`` is that of dz/dt."""
        at = self._state_of(state, velocity)
        step = _step(at, velocity, normal_force, None, None, None)
        return _gradients.jacobian(self, at, step, _points.threads(jobs))

    def vjp(
        self,
        state: State | ArrayLike,
        velocity: ArrayLike,
        normal_force: ArrayLike,
        dt: ArrayLike | None,
        *,
        force: ArrayLike | None = None,
        new_state: ArrayLike | None = None,
        mean_velocity: ArrayLike | None = None,
        mean_normal_force: ArrayLike | None = None,
        jobs: int = 1,
    ) -> Gradient:
        """The vector-Jacobian product of an update, of :meth:`rates` if ``dt`` is None.

        That is the gradient of sum(force * F) + sum(new_state * z) by every input: for a loss
        behind the step, ``force`` and ``new_state`` are its gradients by both results. ``state`` is
        that before the step and is not moved.
        """
        at = self._state_of(state, velocity)
        step = _step(at, velocity, normal_force, dt, mean_velocity, mean_normal_force)
        weights = _gradients.weights(at, force, new_state)
        return _gradients.pull_back(self, at, step, weights, _points.threads(jobs))

    def steady(self, velocity: ArrayLike, normal_force: ArrayLike) -> Force:
        """The force of a long steady slide on a line, along the velocity; 0 at rest.

        The arguments are broadcast against each other, whatever their shapes.
        """
        v = _points.array(velocity, "velocity")
        load = _points.array(normal_force, "normal_force")
        speed, load = np.broadcast_arrays(np.abs(v), load)
        flat = np.ascontiguousarray(speed).ravel(), np.ascontiguousarray(load).ravel()
        force: Array = np.sign(v) * _core.steady(self._core, *flat).reshape(speed.shape)
        return float(force) if force.ndim == 0 else force

    def stored_energy(self, state: State | ArrayLike, normal_force: ArrayLike) -> Force:
        """The elastic energy that the state holds, J, where the law defines one; else 0."""
        at = self._state_of(state, None)
        load = _points.numbers(normal_force, "normal_force", at._n)
        energy = _core.stored_energy(self._core, at._values, at._dim, load)
        return float(energy[0]) if at._n is None else energy

    def drive(
        self,
        t: ArrayLike,
        velocity: ArrayLike,
        normal_force: ArrayLike,
        *,
        applied: ArrayLike | None = None,
        rtol: float = 1e-8,
    ) -> _bench.Drive:
        """Follows a motion, as ``bristle drive`` does: the force and the states at its samples.

        Between samples velocity, normal force and ``applied`` force are linear. The error of the
        force is below some 100 ``rtol`` of the largest.
        """
        return _bench.drive(self, t, velocity, normal_force, applied, rtol)

    def characterise(
        self,
        *,
        normal_force: float = 10.0,
        mass: float = 1.0,
        stiffness: float = 20.0,
        drawing_speed: float = 0.1,
    ) -> _bench.Characterisation:
        """Puts the law on the virtual test bench, as ``bristle characterise`` does."""
        conditions = (float(normal_force), float(mass), float(stiffness), float(drawing_speed))
        return _bench.characterise(self, *conditions)

    def _owned(self, state: State) -> State:
        """A state of this law; refuses any other."""
        if not isinstance(state, State):
            kind = type(state).__name__
            raise TypeError(f"state is {kind}, must be a State: law.state(n) makes one")
        return state

    def _state_of(self, state: State | ArrayLike, velocity: ArrayLike | None) -> State:
        """The state, or that which an array holds."""
        if isinstance(state, State):
            return state
        values = _points.array(state, "state")
        n, dim = (None, 1) if velocity is None else _points.points(velocity, "velocity")
        if velocity is not None and values.ndim == 1 and n is not None and dim == 1:
            # one point in a plane or in space: its velocity looks like that of points on a line
            n, dim = (None, n) if n in (2, 3) else (n, dim)
        names = tuple(_core.names_of_states(self._core, dim))
        count = 1 if n is None else n
        if values.shape != ((len(names),) if n is None else (len(names), count)):
            wanted = f"({len(names)},)" if n is None else f"({len(names)}, {count})"
            raise ValueError(f"state has the shape {values.shape}, must have {wanted}")
        return State(values.reshape(len(names), count), names, dim, n)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={x!r}" for name, x in self.parameters.items())
        return f"bristle.law({self.name!r}, {values})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Law):
            return NotImplemented
        return self._core.same(other._core)

    def __hash__(self) -> int:
        return hash((self.name, repr(self.parameters)))

    def __reduce__(self) -> tuple[type[Law], tuple[str, str, tuple[str, ...]]]:
        return (Law, (self._place, self._text, self._changes))


def _step(
    at: State,
    velocity: ArrayLike,
    normal_force: ArrayLike,
    dt: ArrayLike | None,
    mean_velocity: ArrayLike | None,
    mean_normal_force: ArrayLike | None,
) -> Step:
    """The conditions of a step as the extension takes them."""
    n, dim = at._n, at._dim
    return (
        _points.columns(velocity, "velocity", dim, n),
        _points.numbers(normal_force, "normal_force", n),
        None
        if mean_velocity is None
        else _points.columns(mean_velocity, "mean_velocity", dim, n),
        None
        if mean_normal_force is None
        else _points.numbers(mean_normal_force, "mean_normal_force", n),
        None if dt is None else _points.numbers(dt, "dt", n),
    )


def _shaped(force: Array, at: State) -> Force:
    """The force of all points in the shape of their velocity."""
    if at._n is None:
        return float(force[0, 0]) if at._dim == 1 else force[:, 0]
    return force[0] if at._dim == 1 else force.T


def _room(out: Array, at: State) -> Array:
    """The array ``out`` with a row for each component; refuses one that cannot be filled."""
    wanted = (at._n,) if at._dim == 1 else (at._n, at._dim)
    is_array = isinstance(out, np.ndarray) and out.dtype == np.float64
    if not is_array or out.shape != wanted or not out.flags.writeable:
        raise ValueError(f"out must be a writeable array of float64 of the shape {wanted}")
    if not (out if at._dim == 1 else out.T).flags.c_contiguous:
        raise ValueError("out must lie in one piece, component by component (order 'F')")
    return out.reshape(1, -1) if at._dim == 1 else out.T


def law(name: str | PathLike[str], **parameters: Any) -> Law:
    """A law of the catalogue by name, or one of your own by the path of its file.

    Parameters are the fields of scenario files, or the symbols of the literature: numbers in SI
    units, or texts with a unit.

    >>> import bristle as br
    >>> br.law("dahl", bristle_stiffness="10/mm", kinetic_coefficient=0.2)
    bristle.law('dahl', bristle_stiffness=10000.0, kinetic_coefficient=0.2, dahl_exponent=1.0)
    """
    if isinstance(name, PathLike) or name.endswith(".toml"):
        path = Path(name)
        changes = (f"{key}={_toml.value(x, key)}" for key, x in parameters.items())
        return Law(str(path), path.read_text(encoding="utf-8"), tuple(changes))
    lines = [f"law = {_toml.value(name, 'law')}"]
    lines += (f"{_toml.key(key)} = {_toml.value(x, key)}" for key, x in parameters.items())
    return Law(f"bristle.law({name!r})", "\n".join(lines) + "\n")
