"""Arguments of functions over many points: numbers in, columns out."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.float64]

#: A step as the extension takes it: velocity and normal force at its end, the mean of both where
#: they are others, the duration; no duration for the rates at an instant.
Step: TypeAlias = tuple[Array, "float | Array", "Array | None", "float | Array | None", "float | Array | None"]

_FLOAT = np.dtype(np.float64)


def array(x: ArrayLike, name: str) -> Array:
    """An array of float64 that lies in one piece; refuses what is no number."""
    # the usual argument first: a call of a law on few points takes microseconds
    if type(x) is np.ndarray and x.dtype is _FLOAT and x.flags.forc and x.flags.aligned:
        return x
    try:
        raw = np.asarray(x)
    except ValueError as error:
        raise ValueError(f"{name} is no array: {error}") from None
    if raw.dtype.kind not in "fiu":
        raise TypeError(f"{name} has entries of type {raw.dtype}, must have real numbers")
    return np.ascontiguousarray(raw, dtype=_FLOAT).reshape(raw.shape)


def columns(x: ArrayLike, name: str, dim: int, n: int | None) -> Array:
    """A vector of every point with a row for each component; ``n`` is None for one point alone."""
    values = array(x, name)
    shape = values.shape
    if dim == 1 and shape == (() if n is None else (n,)):
        return values.reshape(1, -1)
    if n is None:
        if dim > 1 and shape == (dim,):
            return values.reshape(dim, 1)
        wanted = "a number" if dim == 1 else f"the shape ({dim},)"
        raise ValueError(f"{name} has the shape {shape}, must have {wanted}: one point in {dim}D")
    # forces on a line are (n,): beside an (n, 1) of the caller they would spread to (n, n)
    if dim > 1 and shape == (n, dim):
        return values.T
    wanted = f"({n},)" if dim == 1 else f"({n}, {dim})"
    raise ValueError(f"{name} has the shape {shape}, must have {wanted}: {n} points in {dim}D")


def numbers(x: ArrayLike, name: str, n: int | None) -> float | Array:
    """One number for all points, or one for each."""
    if type(x) is float:
        return x
    values = array(x, name)
    if values.ndim == 0 or values.shape == (1,):
        return float(values.reshape(()))
    if values.shape != (n,):
        wanted = "a number" if n is None else f"a number or the shape ({n},)"
        raise ValueError(f"{name} has the shape {values.shape}, must have {wanted}")
    return values


def threads(jobs: int) -> int:
    """A number of threads; 0 is one for every core."""
    if isinstance(jobs, bool) or not isinstance(jobs, (int, np.integer)) or jobs < 0:
        raise ValueError(f"jobs = {jobs!r}, must be a whole number, 0 (all cores) or more")
    return min(int(jobs), 256) or os.cpu_count() or 1


def points(velocity: ArrayLike, name: str) -> tuple[int | None, int]:
    """Number of points and of components, by the shape: (), (n,), (n, 2) or (n, 3)."""
    values = array(velocity, name)
    if values.ndim == 0:
        return None, 1
    if values.ndim == 1:
        return values.shape[0], 1
    if values.ndim == 2 and values.shape[1] in (2, 3):
        return values.shape[0], values.shape[1]
    raise ValueError(f"{name} has the shape {values.shape}, must have (), (n,), (n, 2) or (n, 3)")


def dimension(dim: Any) -> int:
    """1, 2 or 3."""
    if dim not in (1, 2, 3):
        raise ValueError(f"dim = {dim!r}, must be 1, 2 or 3")
    return int(dim)
