"""Scenarios step by step."""

from __future__ import annotations

import pickle
import threading

import bristle as br
import numpy as np
import pytest
from scenarios import EXAMPLES, cart, cube


def test_held_forces_move_a_mass_as_the_closed_form_says() -> None:
    session = br.Scenario.from_dict(cart()).start()
    x = v = 0.0
    for k in range(100):
        force = (7 * k) % 11 - 4.0
        session.force["motor"] = force
        session.step_to(0.01 * (k + 1))
        x += 0.01 * (v + 0.005 * force / 2)
        v += 0.01 * force / 2
        assert session["body.cart.position.x"] == pytest.approx(x, abs=1e-13)
        assert session.force["motor"] == force
    assert session.is_at_end
    assert session.t == 1.0
    assert dict(session.values())["t"] == 1.0
    assert session.array().shape == (len(session.channels),)


def test_a_restored_session_goes_on_with_the_same_bits() -> None:
    scenario = cube(1.0)
    session = scenario.start()
    session.step(0.4)
    state = session.save()
    session.step_to(1.0)
    values = session.array()
    session.restore(state)
    assert session.t == 0.4
    session.step_to(1.0)
    assert np.array_equal(session.array(), values)
    other = pickle.loads(pickle.dumps(scenario.start()))
    other.restore(state)
    other.step_to(1.0)
    assert np.array_equal(other.array(), values)
    with pytest.raises(br.SessionError, match="damaged"):
        session.restore(state[:-1])
    with pytest.raises(br.SessionError, match="another scenario"):
        br.Scenario.from_dict(cart()).start().restore(state)


def test_rows_of_a_recorded_session_follow_a_restore() -> None:
    scenario = cube(0.6)
    session = scenario.start(record=True)
    session.step_to(0.3)
    state = session.save()
    session.step_to(0.6)
    session.restore(state)
    session.step_to(0.6)
    run = session.result()
    whole = scenario.run()
    assert run.status == "complete"
    assert np.array_equal(run.t, whole.t)
    assert np.allclose(run["body.cube.position.x"], whole["body.cube.position.x"], atol=1e-9)


def test_a_motion_takes_a_speed() -> None:
    scenario = br.Scenario.from_file(EXAMPLES / "stick-slip.toml").set("simulation.end_time", 3)
    session = scenario.start()
    assert session.motion["cart"] == pytest.approx(0.1)
    session.step_to(1.0)
    session.motion["cart"] = 0.3
    session.step_to(2.0)
    assert session["joint.cart.displacement"] == pytest.approx(0.4, abs=1e-12)
    assert set(session.motion) >= {"cart"}


def test_a_controller_in_the_loop_holds_a_mass() -> None:
    """A spring and a damper made by a controller: x'' + 2 ζ ω x' + ω² (x − 1) = 0."""
    fields = cart()
    fields["simulation"]["end_time"] = 2.0
    scenario = br.Scenario.from_dict(fields)

    def control(t: float, now: br.Session) -> float:
        x, v = now["body.cart.position.x"], now["body.cart.velocity.x"]
        return 2.0 * (25.0 * (1.0 - x) - 7.0 * v)

    run = scenario.run(loads={"motor": control}, hold=1e-3)
    assert run.status == "complete"
    wn, zeta = 5.0, 0.7
    wd = wn * np.sqrt(1 - zeta**2)
    t = run.t
    exact = 1 - np.exp(-zeta * wn * t) * (np.cos(wd * t) + zeta * wn / wd * np.sin(wd * t))
    # a held force is half an interval late: an error of the order ω h / 2
    assert np.max(np.abs(run["body.cart.position.x"] - exact)) < 2 * 5.0 * 1e-3 / 2
    assert scenario.run(loads={"force.motor.magnitude": control}, hold=0.01).status == "complete"
    with pytest.raises(ValueError, match="hold"):
        scenario.run(loads={"motor": control})
    with pytest.raises(br.UnknownName, match="motr"):
        scenario.run(loads={"motr": control}, hold=0.1)
    with pytest.raises(ZeroDivisionError):
        scenario.run(loads={"motor": lambda t, now: 1 / 0}, hold=0.1)


def test_bad_requests() -> None:
    session = br.Scenario.from_dict(cart()).start()
    with pytest.raises(br.UnknownName, match='did you mean "force.motor.magnitude"'):
        session.inputs["force.motr.magnitude"] = 1.0
    with pytest.raises(KeyError, match="no channel"):
        session["body.cart.position"]
    with pytest.raises(br.SessionError, match="finite"):
        session.force["motor"] = float("nan")
    with pytest.raises(ValueError, match="could not convert"):
        session.force["motor"] = "much"  # type: ignore[assignment]
    session.step(0.5)
    with pytest.raises(br.SessionError, match="later time"):
        session.step(-0.1)
    with pytest.raises(br.SessionError, match="ends at t = 1 s"):
        session.step(1.0)
    with pytest.raises(br.SessionError):
        session.restore(b"")
    assert session.t == 0.5


def test_a_session_in_two_threads_is_refused_and_does_not_hang() -> None:
    scenario = br.Scenario.from_file(EXAMPLES / "blades-sim1.toml")
    session = scenario.start()
    errors: list[BaseException] = []

    def step() -> None:
        try:
            session.step(1e-3)
        except br.SessionError as error:
            errors.append(error)

    threads = [threading.Thread(target=step) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert not any(thread.is_alive() for thread in threads)
    assert session.t > 0.0
    assert all("another thread" in str(error) for error in errors)
