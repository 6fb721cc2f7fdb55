"""The adapter for JAX: derivatives forward and back, jit, vmap, scan."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import bristle as br
from laws import ALL, LUGRE

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402

from bristle.interop.jax import update  # noqa: E402

DT = 1e-3


def test_a_step_is_that_of_the_law() -> None:
    for dim in (1, 2):
        step = jax.jit(update(LUGRE, DT, dim))
        v = np.linspace(-1e-3, 1e-3, 7 * dim).reshape((7, dim) if dim > 1 else 7)
        state = LUGRE.state(7, dim)
        force, z = step(jnp.zeros((7, len(state.names))), v, 10.0)
        assert np.array_equal(force, LUGRE.update(state, v, 10.0, DT))
        assert np.array_equal(z.T, state.numpy())


def test_a_rollout_has_the_gradient_of_its_difference() -> None:
    step = update(LUGRE, DT)
    v = 2e-3 * jnp.sin(0.1 * jnp.arange(50.0))

    @jax.jit
    def loss(mu_s, sigma_0, load):  # type: ignore[no-untyped-def]
        parameters = {"static_coefficient": mu_s, "bristle_stiffness": sigma_0}

        def one(z, x):  # type: ignore[no-untyped-def]
            force, z = step(z, x, load, parameters)
            return z, force

        _, forces = jax.lax.scan(one, jnp.zeros(1), v)
        return jnp.sum(forces**2)

    at = (0.15, 1e4, 10.0)
    back = jax.grad(loss, argnums=(0, 1, 2))(*at)
    for k, slope in enumerate(back):
        h = 1e-6 * at[k]
        high, low = ([x + s * h * (i == k) for i, x in enumerate(at)] for s in (1, -1))
        wanted = (loss(*high) - loss(*low)) / (2 * h)
        # differences: third derivatives times h^2, rounding of the sum over h
        assert slope == pytest.approx(float(wanted), rel=1e-6)
    forward = jax.jvp(loss, at, (1.0, 0.0, 0.0))[1]
    assert forward == pytest.approx(float(back[0]), rel=1e-12)


def test_vmap_over_points_and_over_parameters() -> None:
    step = update(LUGRE, DT)
    v = jnp.array([1e-3, -2e-3, 0.0])
    force, z = jax.vmap(lambda x: step(jnp.zeros(1), x, 10.0))(v)
    together, z_together = step(jnp.zeros((3, 1)), v, 10.0)
    assert np.array_equal(force, together) and np.array_equal(z, z_together)
    levels = jnp.array([0.15, 0.2, 0.25])
    force, _ = jax.vmap(lambda mu: step(jnp.zeros(1), 1e-3, 10.0, {"static_coefficient": mu}))(levels)
    for mu, f in zip(levels, force, strict=True):
        assert f == LUGRE.with_(static_coefficient=float(mu)).update(LUGRE.state(), 1e-3, 10.0, DT)


@pytest.mark.parametrize("name", ALL)
def test_gradients_are_finite_where_formulas_have_kinks(name: str) -> None:
    law = ALL[name]
    step = update(law, DT)
    z = jnp.zeros(len(law.state().names))
    loss = lambda z, v, n: step(z, v, n)[0] + step(z, v, n)[1].sum()  # noqa: E731
    for v, n in [(0.0, 10.0), (1e-3, 0.0), (0.0, 0.0), (-1e-3, 10.0)]:
        assert all(np.isfinite(g).all() for g in jax.grad(loss, argnums=(0, 1, 2))(z, v, n))


def test_what_a_law_refuses_is_no_number() -> None:
    step = update(LUGRE, DT)
    force, z = step(jnp.zeros(1), 1e-3, -10.0)
    assert np.isnan(force) and np.isnan(z).all()
    force, _ = step(jnp.zeros(1), 1e-3, 10.0, {"static_coefficient": 0.01})
    assert np.isnan(force), "below the kinetic one"


def test_bad_arguments_are_refused_before_tracing() -> None:
    with pytest.raises(ValueError, match="dt = 0"):
        update(LUGRE, 0.0)
    step = update(LUGRE, DT)
    with pytest.raises(ValueError, match="shapes"):
        step(jnp.zeros((3, 1)), jnp.zeros(2), 1.0)
    with pytest.raises(ValueError, match="no number 'mu'; it has bristle_stiffness"):
        step(jnp.zeros(1), 0.0, 1.0, {"mu": 0.1})
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(RuntimeError, match="float64"):
            update(LUGRE, DT)
    finally:
        jax.config.update("jax_enable_x64", True)
