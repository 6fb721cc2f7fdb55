"""Laws in PyTorch: exact gradients by velocity, normal force, states and parameters.

:func:`update` makes a function of PyTorch from a law. It computes on the CPU in float64; the forward
pass is :meth:`bristle.Law.update`, the backward pass :meth:`bristle.Law.vjp`. Derivatives are of
first order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from bristle._law import Law
from bristle._points import dimension
from bristle._state import State

#: (z, v, N, parameters) -> (F, z after the step); parameters may be left out.
UpdateFunction = Callable[..., tuple[torch.Tensor, torch.Tensor]]


def update(law: Law, dt: float, dim: int = 1, *, jobs: int = 1) -> UpdateFunction:
    """A function ``step(z, v, N, parameters={}) -> (F, z_new)`` for steps of ``dt``.

    Points come first: ``z`` is (n, states), ``N`` a number or (n,), ``v`` and ``F`` are (n,) on a
    line, (n, dim) in ``dim`` dimensions. ``parameters`` are numbers or lists by name in SI units, in
    place of those of the law.
    """
    if not (np.isfinite(dt) and dt > 0):
        raise ValueError(f"dt = {dt} s, must be a finite number above 0")
    dim = dimension(dim)
    names = law.state(0, dim).names

    class Step(torch.autograd.Function):
        @staticmethod
        def forward(
            ctx: Any, z: Any, v: Any, load: Any, keys: tuple[str, ...], *values: Any
        ) -> tuple[Any, Any]:
            here = law.with_(**_numbers(keys, values)) if keys else law
            n = z.shape[0]
            if z.shape != (n, len(names)):
                raise ValueError(f"z has the shape {tuple(z.shape)}, must have (n, {len(names)})")
            before = State(np.array(_array(z).T, order="C"), names, dim, n)
            after = before.copy()
            normal = float(load) if load.ndim == 0 else _array(load)
            force = here.update(after, _array(v), normal, dt, jobs=jobs)
            ctx.past = (here, before, _array(v), normal)
            ctx.keys = keys
            return _tensor(force), _tensor(after.numpy().T)

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx: Any, by_force: Any, by_state: Any) -> tuple[Any, ...]:
            here, before, v, normal = ctx.past
            gradient = here.vjp(
                before,
                v,
                normal,
                dt,
                force=_array(by_force),
                new_state=np.ascontiguousarray(_array(by_state).T),
                jobs=jobs,
            )
            parameters = (_tensor(gradient.parameters[key]) for key in ctx.keys)
            return (
                _tensor(gradient.state.T),
                _tensor(gradient.velocity),
                _tensor(gradient.normal_force),
                None,
                *parameters,
            )

    def call(
        z: Any, v: Any, normal_force: Any, parameters: Mapping[str, Any] | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        given = dict(parameters or {})
        known = law.card
        keys = tuple(known[name].name for name in given)
        values = [_given(x) for x in given.values()]
        force, after = Step.apply(_given(z), _given(v), _given(normal_force), keys, *values)
        return force, after

    return call


def _given(x: Any) -> torch.Tensor:
    """A tensor of float64; others are refused, since their gradients would lose digits."""
    if isinstance(x, torch.Tensor) and x.dtype != torch.float64:
        raise TypeError(f"a tensor is {x.dtype}, must be torch.float64: tensor.double()")
    return torch.as_tensor(x, dtype=torch.float64)


def _array(x: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    array: np.ndarray[Any, np.dtype[np.float64]] = x.detach().cpu().numpy()
    return array


def _tensor(x: Any) -> torch.Tensor:
    return torch.from_numpy(np.array(x, dtype=np.float64))


def _numbers(keys: tuple[str, ...], values: tuple[Any, ...]) -> dict[str, Any]:
    return {key: x.detach().cpu().tolist() for key, x in zip(keys, values, strict=True)}
