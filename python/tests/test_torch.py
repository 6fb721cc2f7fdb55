"""The adapter for PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from laws import ALL, LUGRE

torch = pytest.importorskip("torch")

from bristle.interop.torch import update  # noqa: E402

DT = 1e-3


def double(x: object, **options: object) -> object:
    return torch.tensor(x, dtype=torch.float64, **options)


def test_a_step_is_that_of_the_law() -> None:
    for dim in (1, 2):
        v = np.linspace(-1e-3, 1e-3, 7 * dim).reshape((7, dim) if dim > 1 else 7)
        state = LUGRE.state(7, dim)
        force, z = update(LUGRE, DT, dim)(torch.zeros(7, dim).double(), double(v), 10.0)
        assert np.array_equal(force, LUGRE.update(state, v, 10.0, DT))
        assert np.array_equal(z.T, state.numpy())


@pytest.mark.parametrize("dim", [1, 2])
def test_gradients_are_those_of_differences(dim: int) -> None:
    step = update(LUGRE, DT, dim)
    v = 1e-3 * (1.0 + np.arange(3 * dim)).reshape((3, dim) if dim > 1 else 3)
    inputs = (
        double(np.full((3, dim), 2e-6), requires_grad=True),
        double(v, requires_grad=True),
        double([8.0, 10.0, 12.0], requires_grad=True),
    )

    def scaled(z, v, load):  # type: ignore[no-untyped-def]
        force, z = step(z * 1e-6, v * 1e-3, load)
        return force, z * 1e6

    # in units in which all inputs are of the size of 1, as the step of the check wants it
    ones = (inputs[0] * 1e6, inputs[1] * 1e3, inputs[2])
    ones = tuple(x.detach().requires_grad_() for x in ones)
    assert torch.autograd.gradcheck(scaled, ones, eps=1e-5, atol=1e-6, rtol=1e-5)


def test_parameters_learn() -> None:
    level = double(0.15, requires_grad=True)
    z, total = torch.zeros(1, 1).double(), double(0.0)
    step = update(LUGRE, DT)
    for k in range(20):
        force, z = step(z, double([2e-3 * np.sin(0.3 * k)]), 10.0, {"mu_s": level})
        total = total + (force**2).sum()
    total.backward()

    def loss(mu_s: float) -> float:
        law, state = LUGRE.with_(mu_s=mu_s), LUGRE.state(1)
        forces = [law.update(state, [2e-3 * np.sin(0.3 * k)], 10.0, DT) for k in range(20)]
        return float(np.sum(np.square(forces)))

    wanted = (loss(0.15 + 1e-7) - loss(0.15 - 1e-7)) / 2e-7
    assert float(level.grad) == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("name", ALL)
def test_gradients_are_finite_where_formulas_have_kinks(name: str) -> None:
    law = ALL[name]
    step = update(law, DT)
    z = torch.zeros(4, len(law.state().names)).double().requires_grad_()
    v = double([0.0, 1e-3, 0.0, -1e-3], requires_grad=True)
    load = double([10.0, 0.0, 0.0, 10.0], requires_grad=True)
    force, after = step(z, v, load)
    (force.sum() + after.sum()).backward()
    assert all(torch.isfinite(x.grad).all() for x in (z, v, load))


def test_single_precision_is_refused() -> None:
    with pytest.raises(TypeError, match="float64"):
        update(LUGRE, DT)(torch.zeros(1, 1), torch.zeros(1), 1.0)
