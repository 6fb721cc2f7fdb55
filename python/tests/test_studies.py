"""Comparing laws, steady responses and calibration of scenarios, against closed forms."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scenarios import EXAMPLES, cart

import bristle as br

MASS, STIFFNESS, DAMPING, FORCE = 2.0, 5000.0, 20.0, 3.0


def oscillator() -> br.Scenario:
    """A mass on a spring and a damper, excited."""
    fields = cart()
    fields["body"]["cart"]["mass"] = MASS
    fields["force"]["motor"]["magnitude"] = {"harmonic": {"amplitude": FORCE}}
    fields["joint_spring"] = {
        "wall": {"body": "cart", "stiffness": STIFFNESS, "damping": DAMPING},
    }
    return br.Scenario.from_dict(fields)


def coefficient(frequency: Any) -> Any:
    """x of m ẍ + d ẋ + k x = Re F exp(i ω t)."""
    omega = 2.0 * np.pi * np.asarray(frequency)
    return FORCE / (STIFFNESS - MASS * omega**2 + 1j * DAMPING * omega)


def test_a_response_is_that_of_the_linear_oscillator() -> None:
    response = oscillator().response(4, "16 Hz", at=[7.5, "50 rad/s"])
    (curve,) = response
    assert curve.complete and curve.stable.all()
    channel = "body.cart.position.x"
    exact = coefficient(curve.frequency)
    # one harmonic is the whole motion: what is left is the residual of the equations
    np.testing.assert_allclose(curve[f"{channel}.amplitude"], abs(exact), rtol=1e-9)
    np.testing.assert_allclose(curve.harmonics(channel)[:, 1], exact, rtol=1e-9)
    for asked in (7.5, 50.0 / (2.0 * np.pi)):
        # what is asked for is passed, to a rounding of the angular frequency
        assert np.min(abs(curve.frequency / asked - 1.0)) < 1e-15
    table = response.to_pandas()
    assert len(table) == len(curve.points)
    assert table.attrs["units"]["frequency"] == "Hz"


def test_a_response_has_a_curve_for_each_value() -> None:
    response = oscillator().response(7.5, 7.5, vary={"force.motor.magnitude.harmonic.amplitude": [1, 2]})
    amplitudes = [curve["body.cart.position.x.amplitude"][0] for curve in response]
    size = abs(coefficient(7.5)) / FORCE
    np.testing.assert_allclose(amplitudes, [size, 2.0 * size], rtol=1e-9)
    assert [list(curve.varied.values()) for curve in response] == [[1.0], [2.0]]


def test_what_is_wrong_in_a_response_is_an_exception() -> None:
    with pytest.raises(br.ScenarioError, match="wrong way round: from 9 Hz to 8 Hz") as raised:
        oscillator().response(9, 8)
    assert "--from" in raised.value.diagnostics[0].help
    with pytest.raises(br.ScenarioError, match="body.carp.position.x"):
        oscillator().response(8, 9, channels="body.carp.position.x")


@pytest.mark.filterwarnings("ignore::bristle.ScenarioWarning")
def test_laws_are_compared() -> None:
    scenario = br.Scenario.from_file(EXAMPLES / "pulse-lugre.toml")
    comparison = scenario.compare(["lugre", "gkf"])
    assert list(comparison) == ["lugre", "gkf"]
    for law in comparison.values():
        assert law.status == "complete"
    # the scenario's own law does what it does in a run
    own = scenario.run().summary["contacts"]["base"]
    assert comparison["lugre"].contacts["base"]["first_slip_time"] == own["first_slip_time"]
    # what slides loses more than what is held: 1 J against 1e-4 J
    lost = [law.contacts["base"]["dissipated"] for law in comparison.values()]
    assert lost[0] > 1e3 * lost[1]
    table = comparison.to_pandas()
    assert list(table["law"]) == ["lugre", "gkf"]
    assert "gkf needs regularisation_velocity" in comparison["gkf"].notes[0]


@pytest.mark.filterwarnings("ignore::bristle.ScenarioWarning")
def test_compared_laws_have_the_channels_of_their_runs() -> None:
    scenario = br.Scenario.from_file(EXAMPLES / "pulse-lugre.toml").set("simulation.end_time", 0.2)
    comparison = scenario.compare(["lugre", "gkf"])
    run, own, other = scenario.run(), comparison["lugre"], comparison["gkf"]
    # the scenario's own law gives the bits of a run
    assert list(own) == list(run)
    assert all(np.array_equal(own[name], run[name]) for name in run)
    assert (own.units, own.meanings) == (run.units, run.meanings)
    # the sum of dissipated energy is that of the table
    assert other["energy.dissipated"][-1] == pytest.approx(other.energy["dissipated"], rel=1e-12)
    # bristles are states that only one of them has
    assert set(own) > set(other)
    pytest.importorskip("pandas")
    assert own.to_pandas().attrs["units"]["body.block.velocity.x"] == "m/s"
    with pytest.raises(KeyError, match="did you mean"):
        other["body.block.velocity.xx"]
    again = pickle.loads(pickle.dumps(comparison))
    assert np.array_equal(again["gkf"].t, other.t)


@pytest.mark.filterwarnings("ignore::bristle.ScenarioWarning")
def test_a_channel_is_drawn_under_every_law() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    scenario = br.Scenario.from_file(EXAMPLES / "pulse-lugre.toml").set("simulation.end_time", 0.1)
    axes = scenario.compare("gkf").plot("contact.base.friction.magnitude")
    assert [line.get_label() for line in axes.get_lines()] == ["lugre", "gkf"]
    assert axes.get_ylabel() == "contact.base.friction.magnitude (N)"


def test_one_law_is_compared_with_that_of_the_scenario() -> None:
    scenario = br.Scenario.from_file(EXAMPLES / "pulse-lugre.toml")
    assert list(scenario.set("simulation.end_time", 0.1).compare("dahl")) == ["lugre", "dahl"]
    with pytest.raises(br.ScenarioError, match='there is no law "dall"'):
        scenario.compare("dall")


def test_a_mass_is_found_in_a_record(tmp_path: Path) -> None:
    t = np.linspace(0.0, 1.0, 101)
    # from rest, under 1 N
    record = {"t [s]": t, "x [mm]": 1e3 * 0.5 * t**2 / 2.5}
    found = br.calibrate(
        br.Scenario.from_dict(cart()),
        record,
        free=["body.cart.mass"],
        outputs={"body.cart.position.x": "x"},
        bounds={"body.cart.mass": (0.5, "10 kg")},
    )
    mass = found.parameters["body.cart.mass"]
    # the record has no noise, and a parabola is integrated without error
    assert mass.value == pytest.approx(2.5, rel=1e-6)
    assert mass.unit == "kg"
    assert found.scenario.parameters["body.cart.mass"] == mass.value
    # x(1 s) of the machine that was found
    assert found.scenario.run()["body.cart.position.x"][-1] == pytest.approx(0.2, rel=1e-6)
    assert set(found.series[0]) == {"t", "body.cart.position.x.measured", "body.cart.position.x.model"}
    assert not list(tmp_path.iterdir()) and not list(Path().glob(".scenario-*"))


def test_columns_of_a_record_have_one_length() -> None:
    with pytest.raises(br.IdentifyError, match="unlike shapes"):
        br.calibrate(
            br.Scenario.from_dict(cart()),
            {"t": [0.0, 1.0], "x": [0.0]},
            free=["body.cart.mass"],
            outputs={"body.cart.position.x": "x"},
        )


def test_ctrl_c_stops_a_comparison() -> None:
    long = br.Scenario.from_file(EXAMPLES / "pulse-lugre.toml").set("simulation.end_time", "1e5 s")
    timer = threading.Timer(2.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(br.Stopped, match="compare was stopped"):
        long.compare(["lugre", "gkf"])
    timer.join()
