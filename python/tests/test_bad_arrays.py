"""Bad arrays are refused with what and where; nothing is moved then, and nothing crashes."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from laws import ALL, LUGRE

#: More of them on demand: EXAMPLES=100000 python -m pytest python/tests/test_bad_arrays.py
EXAMPLES = int(os.environ.get("EXAMPLES", "300"))
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (([1.0, 2.0], 10.0, 1e-3), ValueError, r"velocity has the shape \(2,\), must have \(3,\)"),
        ((np.zeros((3, 2)), 10.0, 1e-3), ValueError, r"velocity has the shape \(3, 2\)"),
        ((np.zeros((3, 1)), 10.0, 1e-3), ValueError, r"shape \(3, 1\), must have \(3,\)"),
        (([0.0, NAN, 0.0], 10.0, 1e-3), ValueError, r"velocity\[1\] = NaN m/s"),
        (([0.0, 0.0, -INF], 10.0, 1e-3), ValueError, r"velocity\[2\] = -inf m/s"),
        (([0, 0, 0], -1.0, 1e-3), ValueError, r"normal_force = -1 N, must be a finite number, 0"),
        (([0, 0, 0], [1, -2, 3], 1e-3), ValueError, r"normal_force\[1\] = -2 N"),
        (([0, 0, 0], NAN, 1e-3), ValueError, "normal_force = NaN N"),
        (([0, 0, 0], [1, 2], 1e-3), ValueError, r"normal_force has the shape \(2,\)"),
        (([0, 0, 0], 10.0, 0.0), ValueError, "dt = 0 s, must be a finite number above 0"),
        (([0, 0, 0], 10.0, [1, 1, -1]), ValueError, r"dt\[2\] = -1 s"),
        (([0, 0, 0], 10.0, INF), ValueError, "dt = inf s"),
        ((["a", 0, 0], 10.0, 1e-3), TypeError, "velocity has entries of type"),
        (([None, 0, 0], 10.0, 1e-3), TypeError, "velocity has entries of type object"),
        (([0, 0, 1j], 10.0, 1e-3), TypeError, "velocity has entries of type complex"),
        (([True, False, True], 10.0, 1e-3), TypeError, "bool"),
        (([[1], [1, 2], 0], 10.0, 1e-3), ValueError, "velocity is no array"),
        (([0, 0, 0], "10 N", 1e-3), TypeError, "normal_force has entries of type"),
    ],
)
def test_what_and_where(arguments: Any, kind: type[Exception], message: str) -> None:
    state = LUGRE.state(3)
    state.set([[1e-6, 2e-6, 3e-6]])
    before = state.copy()
    with pytest.raises(kind, match=message):
        LUGRE.update(state, *arguments)
    assert state == before


def test_states_of_others_are_refused() -> None:
    with pytest.raises(ValueError, match="state has the shape"):
        ALL["gms"].update(LUGRE.state(3), [0, 0, 0], 1.0, 1e-3)
    with pytest.raises(TypeError, match="law.state"):
        LUGRE.update(np.zeros((1, 3)), [0, 0, 0], 1.0, 1e-3)  # type: ignore[call-overload]
    state = LUGRE.state(2)
    state.numpy()[0, 1] = NAN
    with pytest.raises(ValueError, match=r"state\[0, 1\] = NaN"):
        LUGRE.update(state, [0, 0], 1.0, 1e-3)


def test_an_array_that_is_written_to_is_no_argument() -> None:
    state = LUGRE.state(3)
    with pytest.raises(ValueError, match="shares memory|borrowed"):
        LUGRE.update(state, state.numpy()[0], 1.0, 1e-3)


def test_an_array_that_is_given_twice_has_both_ranges() -> None:
    both = np.array([1.0, 0.0, 2.0])
    with pytest.raises(ValueError, match=r"dt\[1\] = 0 s"):
        LUGRE.update(LUGRE.state(3), [0, 0, 0], both, both)


@pytest.mark.parametrize("jobs", [-1, 1.5, "2", True, None])
def test_jobs_are_a_whole_number(jobs: Any) -> None:
    with pytest.raises(ValueError, match="jobs"):
        LUGRE.update(LUGRE.state(3), [0, 0, 0], 1.0, 1e-3, jobs=jobs)


def test_no_points_are_no_trouble() -> None:
    state = LUGRE.state(0, 2)
    assert LUGRE.update(state, np.zeros((0, 2)), 1.0, 1e-3).shape == (0, 2)  # type: ignore[union-attr]
    assert LUGRE.rates(state, np.zeros((0, 2)), 1.0)[1].shape == (2, 0)
    assert LUGRE.rates_jacobian(state, np.zeros((0, 2)), 1.0).force.velocity.shape == (0, 2, 2)
    assert LUGRE.vjp(state, np.zeros((0, 2)), 1.0, 1e-3).velocity.shape == (0, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.0], [0.0], 1.0), "two samples"),
        (([0, 1, 1], [0, 0, 0], 1.0), r"t\[2\] = 1.0 s comes after"),
        (([0, NAN, 1], [0, 0, 0], 1.0), r"t\[1\] = nan s"),
        (([0, 1, 2], [0, 0], 1.0), r"velocity has the shape \(2,\)"),
        (([0, 1, 2], [0, 0, 0], -1.0), "sample 1 of the motion: normal force = -1 N"),
        (([0, 1, 2], [0, INF, 0], 1.0), "sample 1 of the motion"),
    ],
)
def test_bad_motions(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LUGRE.drive(*arguments)


ANY_ARRAY = hnp.arrays(
    dtype=st.one_of(
        hnp.floating_dtypes(), hnp.integer_dtypes(), hnp.boolean_dtypes(), st.just(np.dtype(object))
    ),
    shape=hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
)
NUMBERS = st.one_of(st.floats(), st.floats(1e-9, 1e3), st.integers(-3, 3), ANY_ARRAY)
#: Those that are mostly taken.
FINE = hnp.arrays(np.float64, 5, elements=st.floats(-1e300, 1e300))
FORCES = st.one_of(st.floats(0, 1e300), hnp.arrays(np.float64, 5, elements=st.floats(0, 1e6)))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(sorted(ALL)),
    dim=st.sampled_from([1, 2, 3]),
    velocity=ANY_ARRAY,
    load=NUMBERS,
    dt=NUMBERS,
    data=st.data(),
)
def test_whatever_arrays_come(
    name: str, dim: int, velocity: Any, load: Any, dt: Any, data: st.DataObject
) -> None:
    law, n = ALL[name], data.draw(st.sampled_from([None, 0, 1, 5]))
    state = law.state(n, dim)
    before = state.copy()
    try:
        force = law.update(state, velocity, load, dt)
    except (ValueError, TypeError, OverflowError) as error:
        assert state == before and str(error)
    else:
        assert np.shape(force) == np.shape(velocity)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(sorted(ALL)),
    velocity=FINE,
    load=FORCES,
    dt=st.floats(1e-12, 1e6),
    turned=st.booleans(),
)
def test_finite_arrays_move_every_law_the_same_in_one_call_or_in_five(
    name: str, velocity: Any, load: Any, dt: float, turned: bool
) -> None:
    law, velocity = ALL[name], velocity[::-1] if turned else velocity
    state, alone = law.state(5), [law.state() for _ in range(5)]
    for _ in range(2):
        if not np.isfinite(state.numpy()).all():
            return
        force = law.update(state, velocity, load, dt)
        one = [law.update(s, v, n, dt) for s, v, n in zip(alone, velocity, np.broadcast_to(load, 5), strict=True)]
        assert np.array_equal(force, one, equal_nan=True)
