"""Laws on arrays: against closed forms, one point at a time, one thread, and the command."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import bristle as br
from laws import ALL, LUGRE, motion

COMMAND = str(Path(sys.executable).with_name("bristle"))


def test_dahl_follows_its_closed_form() -> None:
    law = br.law("dahl", bristle_stiffness=1e4, kinetic_coefficient=0.2)
    state = law.state()
    for k in range(1, 50):
        force = law.update(state, 0.01, 10.0, 1e-4)
        # z = mu/sigma (1 - exp(-sigma x/mu)) at constant speed, which the update has exactly
        assert force == pytest.approx(2.0 * -math.expm1(-1e4 * 0.01 * 1e-4 * k / 0.2), rel=1e-13)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_many_points_are_single_points(name: str, dim: int) -> None:
    law, n = ALL[name], 40
    v = motion(n, dim)
    load = np.linspace(0.0, 20.0, n)
    dt = np.where(np.arange(n) % 3 == 0, 1e-3, 1e-5)
    state = law.state(n, dim)
    alone = [law.state(None, dim) for _ in range(n)]
    for _ in range(3):
        force = law.update(state, v, load, dt)
        assert isinstance(force, np.ndarray) and force.shape == v.shape
        for i, single in enumerate(alone):
            one = law.update(single, v[i], load[i], dt[i])
            assert np.array_equal(one, force[i])
            assert np.array_equal(single.numpy(), state.numpy()[:, i])
    f, zdot = law.rates(state, v, load)
    again, again_zdot = law.rates(state.numpy(), v, load)
    assert np.array_equal(f, again) and np.array_equal(zdot, again_zdot)
    assert zdot.shape == state.numpy().shape


@pytest.mark.parametrize("dim", [1, 2])
def test_threads_and_layouts_give_the_same_bits(dim: int) -> None:
    n = 20_000
    v, load = motion(n, dim), np.full(n, 10.0)
    results = []
    strided = np.repeat(v, 2, axis=0)[::2]
    for velocity, normal, jobs in [
        (v, load, 1),
        (v, 10.0, 2),
        (np.asfortranarray(v), load, 7),
        (strided, 10, 0),
        (v[::-1][::-1], np.float64(10.0), 3),
    ]:
        state = LUGRE.state(n, dim)
        force = LUGRE.update(state, velocity, normal, 1e-3, jobs=jobs)
        results.append((force, state.numpy()))
    for force, z in results[1:]:
        assert np.array_equal(force, results[0][0]) and np.array_equal(z, results[0][1])


def test_float32_lists_and_integers_are_numbers() -> None:
    v = np.array([1e-3, -2e-3, 0.0], dtype=np.float32)
    a, b = LUGRE.state(3), LUGRE.state(3)
    first = LUGRE.update(a, v, 10, 1e-3)
    assert np.array_equal(first, LUGRE.update(b, [float(x) for x in v], [10, 10, 10], [1e-3] * 3))
    assert LUGRE.steady(1, 10) == LUGRE.steady(1.0, 10.0)


def test_mean_conditions_move_the_state_and_those_at_the_end_enter_the_force() -> None:
    law = br.law("dahl", bristle_stiffness=1e4, kinetic_coefficient=0.2)
    a, b = law.state(2), law.state(2)
    law.update(a, [0.01, 0.02], 10.0, 1e-4)
    force = law.update(b, [1.0, -1.0], 5.0, 1e-4, mean_velocity=[0.01, 0.02], mean_normal_force=10.0)
    assert a == b
    # F = sigma z N at the end
    assert np.allclose(force, 1e4 * 5.0 * b.numpy()[0], rtol=1e-14)


def test_out_takes_the_force() -> None:
    for dim in (1, 2):
        v = motion(100, dim)
        out = np.empty(100) if dim == 1 else np.empty((100, 2), order="F")
        a, b = LUGRE.state(100, dim), LUGRE.state(100, dim)
        assert LUGRE.update(a, v, 10.0, 1e-3, out=out) is out
        assert np.array_equal(out, LUGRE.update(b, v, 10.0, 1e-3))
    with pytest.raises(ValueError, match="out must"):
        LUGRE.update(a, v, 10.0, 1e-3, out=np.empty((100, 2)))


def test_a_state_is_of_numbers_with_names() -> None:
    state = LUGRE.state(4, 2)
    assert state.names == ("z.x", "z.y") and len(state) == 4 and state.numpy().shape == (2, 4)
    state.set(np.arange(8.0).reshape(2, 4))
    assert np.array_equal(state["z.y"], [4, 5, 6, 7])
    copy = pickle.loads(pickle.dumps(state))
    assert copy == state and copy == state.copy()
    copy["z.x"][0] = 1.0
    assert copy != state
    with pytest.raises(KeyError, match=r"z\.x, z\.y"):
        state["z"]
    with pytest.raises(ValueError, match=r"state\[1, 2\] = nan"):
        state.set([[0, 0, 0, 0], [0, 0, np.nan, 0]])


def test_a_motion_that_begins_in_a_slide_starts_in_its_state() -> None:
    law = ALL["armstrong"]
    assert law.state(velocity=[0.1, -0.1, 0.0], normal_force=10.0) != law.state(3)


def test_steady_is_the_limit_of_the_update() -> None:
    v = np.array([-0.1, -1e-3, 0.0, 1e-3, 0.1])
    state = LUGRE.state(5)
    for _ in range(200):
        force = LUGRE.update(state, v, 10.0, 1.0)
    assert np.allclose(force, LUGRE.steady(v, 10.0), rtol=1e-12)
    assert LUGRE.steady(v[:, None], [1.0, 2.0]).shape == (5, 2)  # type: ignore[union-attr]


def test_stored_energy_is_that_of_the_bristle() -> None:
    state = LUGRE.state(2)
    state.set([[1e-5, 2e-5]])
    expected = 0.5 * 1e4 * 10.0 * np.array([1e-5, 2e-5]) ** 2
    assert np.allclose(LUGRE.stored_energy(state, 10.0), expected, rtol=1e-15)


@pytest.mark.parametrize("dim", [1, 2])
def test_a_drive_is_that_of_the_command(dim: int, tmp_path: Path) -> None:
    t = np.linspace(0.0, 1.0, 101)
    v = 1e-3 * np.stack([np.sin(7 * t), np.cos(5 * t)], axis=1)[:, :dim]
    load = 10.0 + np.sin(3 * t)
    names = ["v"] if dim == 1 else ["vx", "vy"]
    rows = np.column_stack([t, v, load])
    motion_file = tmp_path / "motion.csv"
    text = "\n".join(",".join(repr(float(x)) for x in row) for row in rows)
    motion_file.write_text(",".join(["t", *names, "N"]) + "\n" + text + "\n")
    arguments = [f"--param={name}={x}" for name, x in LUGRE.parameters.items()]
    done = subprocess.run(
        [COMMAND, "drive", motion_file, "--law", "lugre", *arguments],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    table = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
    result = LUGRE.drive(t, v[:, 0] if dim == 1 else v, load)
    columns = result.columns()
    assert list(columns) == lines[0].split(",")
    force = [name for name in columns if name.startswith("F")]
    # the command writes numbers that read back to the same bits
    for name in ["t", *force, *result.states]:
        assert np.array_equal(columns[name], table[:, list(columns).index(name)]), name
    assert result.units["z" if dim == 1 else "z.x"] == "m"


def test_characterise_measures_as_the_command_does() -> None:
    law = br.law("jenkins", **br.laws()["jenkins"].typical)
    measured = law.characterise()
    assert measured["frictional_lag"].verdict is False
    assert measured["presliding_displacement"].verdict is True
    assert measured["presliding_displacement"].unit
    assert all(curve.x.shape == curve.y.shape for curve in measured.curves)


def test_the_catalogue_describes_itself() -> None:
    catalogue = br.laws()
    assert len(catalogue) == 31 and "lugre" in catalogue
    card = catalogue["lugre"]
    assert card["mu_s"].name == "static_coefficient" and card["sigma_0"].unit == "1/m"
    assert "sigma_0" in str(card) and "lugre" in repr(catalogue)
    assert LUGRE.card == card
    assert len(br.laws("normal")) == 6
    with pytest.raises(KeyError, match="it has bristle_stiffness"):
        card["mu"]


def test_a_law_of_your_own_comes_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('law = "dahl"\nbristle_stiffness = "10/mm"\nkinetic_coefficient = 0.2\n')
    law = br.law(file, kinetic_coefficient=0.3)
    assert law == br.law("dahl", sigma_0=1e4, mu_k=0.3)
    assert pickle.loads(pickle.dumps(law)) == law
    file.write_text("law = 3")
    with pytest.raises(br.ParameterError, match=r"mine\.toml:1:7"):
        br.law(file)


def test_threads_of_python_may_share_a_law() -> None:
    n, results = 50_000, {}
    v = motion(n, 1)

    def work(k: int) -> None:
        state = LUGRE.state(n)
        results[k] = LUGRE.update(state, v, 10.0, 1e-3, jobs=2)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(results[0], results[k]) for k in range(4))
