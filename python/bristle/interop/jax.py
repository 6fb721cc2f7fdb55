"""Laws in JAX: forward and reverse derivatives, ``jit``, ``vmap``, ``scan``.

:func:`update` makes a function of JAX from a law. A call goes back to the CPU and computes all points of a
batch at once: fine for a thousand points and more, slow (a millisecond) for one alone. Derivatives
are exact and of first order; second ones are refused by JAX.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from bristle import _core
from bristle._law import Law
from bristle._points import dimension

#: (z, v, N, parameters) -> (F, z after the step); parameters may be left out.
UpdateFunction = Callable[..., tuple[jax.Array, jax.Array]]


def update(law: Law, dt: float, dim: int = 1) -> UpdateFunction:
    """A function ``step(z, v, N, parameters={}) -> (F, z_new)`` for steps of ``dt``.

    Points come first: ``z`` is (..., states), ``N`` is (...), ``v`` and ``F`` are (...) on a line,
    (..., dim) in ``dim`` dimensions. ``parameters`` are numbers or lists by name in SI units, in
    place of those of the law, and may be traced. Arguments that a law refuses give NaN, since an
    exception must not leave a traced function.
    """
    if not jax.config.jax_enable_x64:
        raise RuntimeError('laws need float64: jax.config.update("jax_enable_x64", True)')
    if not (np.isfinite(dt) and dt > 0):
        raise ValueError(f"dt = {dt} s, must be a finite number above 0")
    host = _Host(law, float(dt), dimension(dim))

    @jax.custom_jvp
    def step(z: jax.Array, v: jax.Array, load: jax.Array, p: jax.Array) -> Any:
        shapes = host.shapes(z)[:2]
        return jax.pure_callback(host.update, shapes, z, v, load, p, vmap_method="broadcast_all")

    @step.defjvp
    def step_jvp(primals: Any, tangents: Any) -> Any:
        z, v, load, p = primals
        force, z_new, rows = jax.pure_callback(
            host.jacobian, host.shapes(z), z, v, load, p, vmap_method="broadcast_all"
        )
        dz, dv, dload, dp = tangents
        inputs = jnp.concatenate(
            [dv, dload[..., None], dz, jnp.broadcast_to(dp, (*dz.shape[:-1], dp.shape[-1]))], axis=-1
        )
        out = jnp.einsum("...oi,...i->...o", rows, inputs)
        return (force, z_new), (out[..., : host.dim], out[..., host.dim :])

    def call(
        z: Any, v: Any, normal_force: Any, parameters: Mapping[str, Any] | None = None
    ) -> tuple[jax.Array, jax.Array]:
        z, v = jnp.asarray(z, float), jnp.asarray(v, float)
        v = v[..., None] if host.dim == 1 else v
        if v.shape != (*z.shape[:-1], host.dim) or z.shape[-1] != host.states:
            raise ValueError(
                f"v and z have the shapes {v.shape} and {z.shape}, must have (..., {host.dim}) and "
                f"(..., {host.states}) with the same points"
            )
        load = jnp.broadcast_to(jnp.asarray(normal_force, float), z.shape[:-1])
        force, z_new = step(z, v, load, host.parameters(parameters or {}))
        return (force[..., 0] if host.dim == 1 else force), z_new

    return call


class _Host:
    """What runs outside of JAX."""

    def __init__(self, law: Law, dt: float, dim: int) -> None:
        self.law, self.dt, self.dim = law, dt, dim
        self.states = len(_core.names_of_states(law._core, dim))
        self.order = _core.differentiated_parameters(law._core)
        values = law.parameters
        self.own = np.array([np.atleast_1d(values[name])[index] for name, index in self.order])
        self.inputs = dim + 1 + self.states + len(self.order)

    def parameters(self, given: Mapping[str, Any]) -> jax.Array:
        """All numbers of the law, those given in the place of its own."""
        known = [name for name, _ in self.order]
        for name in given:
            if name not in known:
                raise ValueError(
                    f"{self.law.name} has no number {name!r}; it has {', '.join(dict.fromkeys(known))}"
                )
        numbers = [
            jnp.atleast_1d(jnp.asarray(given[name], float))[..., index] if name in given else own
            for (name, index), own in zip(self.order, self.own, strict=True)
        ]
        return jnp.stack([jnp.asarray(x) for x in numbers]) if numbers else jnp.zeros(0)

    def shapes(self, z: jax.Array) -> tuple[Any, Any, Any]:
        """Shapes of force, states and Jacobian for these points."""
        points, outputs = z.shape[:-1], self.dim + self.states

        def shape(*last: int) -> Any:
            return jax.ShapeDtypeStruct((*points, *last), np.float64)

        return shape(self.dim), shape(self.states), shape(outputs, self.inputs)

    def update(self, *arguments: Any) -> tuple[np.ndarray, np.ndarray]:
        force, z_new, _ = self._run(False, *arguments)
        return force, z_new

    def jacobian(self, *arguments: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        force, z_new, rows = self._run(True, *arguments)
        assert rows is not None
        return force, z_new, rows

    def _run(
        self, with_jacobian: bool, z: Any, v: Any, load: Any, p: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        z, v, load, p = (np.asarray(x, np.float64) for x in (z, v, load, p))
        points = z.shape[:-1]
        n = int(np.prod(points))
        # moved in place, and that of JAX is not ours
        z = np.array(z.reshape(n, self.states).T, order="C")
        v = np.ascontiguousarray(v.reshape(n, self.dim).T)
        load = np.ascontiguousarray(np.broadcast_to(load, points).reshape(n))
        # with vmap over parameters every point has its own
        sets = p.reshape(-1, len(self.order)) if len(self.order) else np.zeros((1, 0))
        sets = np.repeat(sets, max(n // len(sets), 1), axis=0) if len(sets) > 1 else sets
        force, rows = np.full((self.dim, n), np.nan), None
        outputs = self.dim + self.states
        if with_jacobian:
            rows = np.full((n, outputs, self.inputs), np.nan)
        different, which = np.unique(sets, axis=0, return_inverse=True)
        for k, numbers in enumerate(different):
            picked = slice(None) if len(different) == 1 else np.flatnonzero(which.ravel() == k)
            part = np.ascontiguousarray(z[:, picked])
            step = (
                np.ascontiguousarray(v[:, picked]),
                np.ascontiguousarray(load[picked]),
                None,
                None,
                self.dt,
            )
            here = np.empty(step[0].shape)
            try:
                law = _with_numbers(self.law, tuple(self.order), numbers.tobytes())
                if rows is not None:
                    slopes = np.empty((part.shape[1], outputs, self.inputs))
                    _core.jacobian(law._core, part, step, slopes.reshape(-1), 1)
                    rows[picked] = slopes
                _core.update(law._core, part, step, here, 1)
            except ValueError:
                part[...] = here[...] = np.nan
            z[:, picked], force[:, picked] = part, here
        shaped = None if rows is None else rows.reshape(*points, outputs, self.inputs)
        return (
            np.ascontiguousarray(force.T).reshape(*points, self.dim),
            np.ascontiguousarray(z.T).reshape(*points, self.states),
            shaped,
        )


@lru_cache(maxsize=256)
def _with_numbers(law: Law, order: tuple[tuple[str, int], ...], numbers: bytes) -> Law:
    """The law with these numbers; itself where they are its own."""
    own, values = law.parameters, np.frombuffer(numbers)
    changed: dict[str, Any] = {}
    for (name, index), x in zip(order, values, strict=True):
        before = np.atleast_1d(own[name])
        if before[index] != x or name in changed:
            changed.setdefault(name, before.tolist())[index] = float(x)
    single = {name: isinstance(own[name], float) for name in changed}
    return law.with_(**{k: x[0] if single[k] else x for k, x in changed.items()}) if changed else law
