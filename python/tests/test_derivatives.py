"""Derivatives against central differences of the same law, in every law and dimension."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bristle as br
from laws import ALL, LUGRE, motion

DT = 1e-3


def moved(law: br.Law, n: int, dim: int) -> tuple[br.State, np.ndarray]:
    """States after a few steps, and a velocity for the next."""
    state = law.state(n, dim)
    for k in range(3):
        law.update(state, 0.7 * np.roll(motion(n, dim), k, axis=0), 10.0, DT)
    return state, motion(n, dim)


def test_on_a_line_shapes_are_those_of_the_numbers() -> None:
    state, v = moved(LUGRE, 8, 1)
    before = state.copy()
    force, j = LUGRE.update_with_jacobian(state, v, 10.0, DT)
    assert np.array_equal(force, LUGRE.update(before, v, 10.0, DT)) and before == state
    assert j.force.velocity.shape == j.force.normal_force.shape == (8,)
    assert j.force.state.shape == (8, 1) and j.state.velocity.shape == (8, 1)
    assert j.state.state.shape == (8, 1, 1)
    assert j.force.parameters["static_coefficient"].shape == (8,)
    assert j.force.mean_velocity is None
    single, one = LUGRE.update(LUGRE.state(), 1e-3, 10.0, DT, jacobian=True)
    assert isinstance(single, float) and one.force.velocity.shape == ()


def test_in_space_and_of_lists_they_have_axes() -> None:
    law = ALL["gms"]
    state, v = moved(law, 4, 3)
    states = len(state.names)
    _, j = law.update(state, v, 10.0, DT, mean_velocity=v, jacobian=True)
    assert j.force.velocity.shape == (4, 3, 3) and j.force.mean_velocity.shape == (4, 3, 3)
    assert j.force.mean_normal_force.shape == (4, 3) and j.state.state.shape == (4, states, states)
    lists = {k: x.shape for k, x in j.force.parameters.items() if x.ndim == 3}
    assert lists, "the elements of gms have lists"
    gradient = law.vjp(state, v, 10.0, DT, force=np.ones((4, 3)))
    assert gradient.velocity.shape == (4, 3) and gradient.state.shape == (states, 4)
    for name, shape in lists.items():
        assert gradient.parameters[name].shape == shape[-1:]  # type: ignore[union-attr]


def test_a_step_with_means_has_the_derivatives_of_one_without() -> None:
    state, v = moved(LUGRE, 16, 2)
    a, b = state.copy(), state.copy()
    _, both = LUGRE.update(a, v, 10.0, DT, jacobian=True)
    _, split = LUGRE.update(
        b, v, 10.0, DT, mean_velocity=v, mean_normal_force=10.0, jacobian=True
    )
    total = split.force.velocity + split.force.mean_velocity
    assert np.allclose(both.force.velocity, total, rtol=1e-13, atol=1e-12)
    total = split.force.normal_force + split.force.mean_normal_force
    assert np.allclose(both.force.normal_force, total, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dim", [1, 2])
@pytest.mark.parametrize("dt", [DT, None])
def test_the_product_is_that_of_the_jacobian(name: str, dim: int, dt: float | None) -> None:
    law, n = ALL[name], 12
    state, v = moved(law, n, dim)
    load = np.linspace(1.0, 20.0, n)
    if dt is None:
        j = law.rates_jacobian(state, v, load)
    else:
        j = law.update(state.copy(), v, load, dt, jacobian=True)[1]
    rng = np.random.default_rng(1)
    wf, wz = rng.normal(size=v.shape), rng.normal(size=state.numpy().shape)
    g = law.vjp(state, v, load, dt, force=wf, new_state=wz, jobs=2)
    f = wf.reshape(n, dim)

    def product(of_force: Any, of_state: Any) -> Any:
        of_force = of_force.reshape(n, dim, -1)
        of_state = of_state.reshape(n, len(wz), of_force.shape[2])
        return np.einsum("nd,ndk->nk", f, of_force) + np.einsum("sn,nsk->nk", wz, of_state)

    def close(a: Any, b: Any) -> None:
        scale = np.abs(b).max(initial=1e-300)
        assert np.allclose(np.reshape(a, np.shape(b)), b, rtol=1e-9, atol=1e-12 * scale)

    close(g.velocity.reshape(n, dim), product(j.force.velocity, j.state.velocity))
    close(np.reshape(g.normal_force, (n, 1)), product(j.force.normal_force, j.state.normal_force))
    if len(wz):
        close(g.state.T, product(j.force.state, j.state.state))
    for parameter, slopes in j.force.parameters.items():
        both = product(slopes, j.state.parameters[parameter])
        # sums over points cancel
        scale = np.abs(both).sum() + 1e-300
        assert np.allclose(g.parameters[parameter], both.sum(axis=0), rtol=1e-9, atol=1e-12 * scale)


def test_sums_do_not_depend_on_threads() -> None:
    n = 20_000
    state, v = moved(LUGRE, n, 1)
    products = [LUGRE.vjp(state, v, 10.0, DT, force=np.ones(n), jobs=jobs) for jobs in (1, 2, 5)]
    for product in products[1:]:
        assert product.parameters == products[0].parameters
        assert np.array_equal(product.velocity, products[0].velocity)


def test_a_parameter_of_a_long_path_has_the_gradient_of_its_difference() -> None:
    """Back through 200 steps by hand: the loss is the last force."""
    v = 2e-3 * np.sin(0.05 * np.arange(200))

    def last(law: br.Law) -> float:
        state = law.state()
        for x in v:
            force = law.update(state, x, 10.0, DT)
        return float(force)

    states, state = [], LUGRE.state()
    for x in v:
        states.append(state.copy())
        LUGRE.update(state, x, 10.0, DT)
    total = dict.fromkeys(LUGRE.vjp(state, 0.0, 10.0, DT).parameters, 0.0)
    weight, by_force = np.zeros(1), 1.0
    for before, x in zip(reversed(states), reversed(v), strict=True):
        g = LUGRE.vjp(before, x, 10.0, DT, force=by_force, new_state=weight)
        for name, slope in g.parameters.items():
            total[name] += slope
        weight, by_force = g.state, 0.0
    for name in ("bristle_stiffness", "static_coefficient", "stribeck_velocity"):
        x = LUGRE.parameters[name]
        h = 1e-6 * x
        wanted = (last(LUGRE.with_(**{name: x + h})) - last(LUGRE.with_(**{name: x - h}))) / (2 * h)
        # the error of a central difference: h^2 of the third derivative, rounding over h
        assert total[name] == pytest.approx(wanted, rel=1e-6, abs=1e-9 / h)


def test_weights_of_wrong_shapes_are_refused() -> None:
    state = LUGRE.state(3)
    with pytest.raises(ValueError, match="force has the shape"):
        LUGRE.vjp(state, [0, 0, 0], 1.0, DT, force=[1.0, 2.0])
    with pytest.raises(ValueError, match="new_state has the shape"):
        LUGRE.vjp(state, [0, 0, 0], 1.0, DT, new_state=[1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"weights\[2\] = NaN"):
        LUGRE.vjp(state, [0, 0, 0], 1.0, DT, force=[1.0, float("nan"), 0.0])
