"""The states of a law at one point or many."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bristle import _points
from bristle._points import Array


class State:
    """What a law remembers at every point: a column for each state, moved by :meth:`Law.update`.

    Made by :meth:`Law.state`. A law without states has columns none, and a state all the same.
    """

    __slots__ = ("_dim", "_n", "_names", "_values")

    def __init__(self, values: Array, names: tuple[str, ...], dim: int, n: int | None) -> None:
        self._values = values
        self._names = names
        self._dim = dim
        self._n = n

    @property
    def dim(self) -> int:
        """Number of components of the slip velocity."""
        return self._dim

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the states, such as ``z.x``, in the order of the rows of :meth:`numpy`."""
        return self._names

    @property
    def is_single(self) -> bool:
        """Whether it is that of one point, which has numbers and not arrays of them."""
        return self._n is None

    def numpy(self) -> Array:
        """The states themselves, no copy: (states, n), of one point (states,)."""
        values: Array = self._values[:, 0] if self._n is None else self._values
        return values

    def set(self, values: ArrayLike) -> None:
        """Puts other states, in the shape of :meth:`numpy`."""
        array = _points.array(values, "state")
        here = self.numpy()
        if array.shape != here.shape:
            raise ValueError(f"state has the shape {array.shape}, must have {here.shape}")
        bad = np.argwhere(~np.isfinite(array))
        if len(bad):
            place = tuple(int(i) for i in bad[0])
            raise ValueError(f"state{list(place)} = {array[place]} is not a finite number")
        here[...] = array

    def copy(self) -> State:
        """A state that moves by itself from here."""
        return State(self._values.copy(), self._names, self._dim, self._n)

    def __getitem__(self, name: str) -> Array:
        """The state of that name at every point, no copy."""
        try:
            row: Array = self.numpy()[self._names.index(name)]
        except ValueError:
            known = ", ".join(self._names) or "none"
            raise KeyError(f"{name!r}; there are {known}") from None
        return row

    def __len__(self) -> int:
        return int(self._values.shape[1])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        mine, theirs = (self._dim, self._n, self._names), (other._dim, other._n, other._names)
        return mine == theirs and np.array_equal(self._values, other._values)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        where = "one point" if self._n is None else f"{self._n} points"
        return f"<State of {where} in {self._dim}D: {', '.join(self._names) or 'no states'}>"

    def __reduce__(self) -> tuple[type[State], tuple[Array, tuple[str, ...], int, int | None]]:
        return (State, (self._values, self._names, self._dim, self._n))
