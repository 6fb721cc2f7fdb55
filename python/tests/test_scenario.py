"""Scenarios and runs."""

from __future__ import annotations

import csv
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import bristle as br
import numpy as np
import pytest
from scenarios import EXAMPLES, cart, cube


def test_a_run_has_the_numbers_of_the_command(tmp_path: Path) -> None:
    run = cube().run()
    out = tmp_path / "run"
    command = [sys.executable, "-m", "bristle._command", "run", str(EXAMPLES / "cube-30deg.toml")]
    command += ["--set", "simulation.end_time=3.6", "--out", str(out), "--quiet"]
    subprocess.run(command, check=True)
    with (out / "results.csv").open() as file:
        rows = list(csv.reader(file))
    names = [name.split(" ")[0] for name in rows[0]]
    table = np.array(rows[1:], dtype=float)
    assert list(run) == names
    for k, name in enumerate(names):
        # the file has every bit of a number
        assert np.array_equal(run[name], table[:, k]), name
    summary = json.loads((out / "summary.json").read_text())
    own = dict(run.summary)
    for text in (own, summary):
        for field in ("wall_s", "scenario"):
            text.pop(field)
    own.pop("scenario_hash"), summary.pop("scenario_hash")
    assert own == summary
    assert run.expectations_met


def test_columns_are_read_only_and_named() -> None:
    run = cube(0.2).run()
    assert run.units["body.cube.position.x"] == "m"
    assert run["t"] is run.t
    with pytest.raises(ValueError, match="read-only"):
        run.t[0] = 1.0
    with pytest.raises(KeyError, match="did you mean 'body.cube.position.x'"):
        run["body.cube.position.xx"]
    assert "complete" in repr(run)


def test_text_and_dict_and_file_are_the_same_scenario() -> None:
    text = (EXAMPLES / "stick-slip.toml").read_text()
    of_text = br.Scenario.from_toml(text).set("simulation.end_time", 8)
    of_file = br.Scenario.from_file(EXAMPLES / "stick-slip.toml").set("simulation.end_time", 8)
    import tomllib

    fields = tomllib.loads(text)
    of_dict = br.Scenario.from_dict(fields).set("simulation.end_time", 8)
    first = of_file.run()
    for other in (of_text, of_dict):
        run = other.run()
        assert all(np.array_equal(run[name], first[name]) for name in first)


def test_arrays_and_numbers_of_numpy_are_values() -> None:
    fields = cart()
    fields["body"]["cart"]["mass"] = np.float64(2.0)
    fields["body"]["cart"]["axis"] = np.array([1, 0, 0])
    fields["simulation"]["end_time"] = np.int64(1)
    run = br.Scenario.from_dict(fields).run()
    # x = F t^2 / 2 m, exact for a constant force
    assert run["body.cart.position.x"][-1] == pytest.approx(0.25, abs=1e-13)


def test_errors_of_a_dict_name_its_keys() -> None:
    fields = cart()
    fields["body"]["cart"]["maas"] = 3
    del fields["body"]["cart"]["mass"]
    with pytest.raises(br.ScenarioError) as caught:
        br.Scenario.from_dict(fields).check()
    places = [d.file for d in caught.value.diagnostics]
    assert "scenario['body']['cart']['maas']" in places
    assert "scenario['body']['cart']" in str(caught.value)
    fields = cart()
    fields["body"]["cart"]["mass"] = "3 N"
    with pytest.raises(br.ScenarioError, match=r"scenario\['body'\]\['cart'\]\['mass'\]: .*N"):
        br.Scenario.from_dict(fields).check()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"body": {3: {}}}, "has the key 3; keys are texts"),
        ({"title": object()}, "scenario\\['title'\\]"),
        ({"title": None}, "NoneType"),
        ({}, "empty"),
        ({"body": {"cart": {"mass": [1, {"a": object()}]}}}, "\\[1\\]"),
    ],
)
def test_what_is_no_value_is_refused_with_its_place(fields: dict, words: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(br.BristleError, match=words):
        br.Scenario.from_dict(fields).check()


def test_errors_of_a_file_have_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('title = "x"\n[simulation]\nend_tim = 3\n')
    with pytest.raises(br.ScenarioError) as caught:
        br.Scenario.from_file(path).check()
    wrong = [d for d in caught.value.diagnostics if d.line == 3]
    assert (wrong[0].file, wrong[0].severity) == (str(path), "error")
    assert "end_tim" in wrong[0].message
    assert wrong[0].text == "end_tim = 3"
    with pytest.raises(br.ScenarioError, match="cannot read"):
        br.Scenario.from_file(tmp_path / "missing.toml")


def test_a_change_of_an_unknown_field_is_refused() -> None:
    with pytest.raises(br.ScenarioError, match="frictn"):
        cube().set("contact.base.frictn.law", "lugre").check()


def test_warnings_of_a_scenario_are_warnings_of_python() -> None:
    text = (EXAMPLES / "stick-slip.toml").read_text()
    text = text.replace('accepted_warnings = ["passivity"]', "")
    scenario = br.Scenario.from_toml(text).set("simulation.end_time", 0.1)
    assert any("passiv" in d.message for d in scenario.check())
    with pytest.warns(br.ScenarioWarning):
        run = scenario.run()
    assert run.warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert scenario.run().diagnostics


def test_everything_pickles() -> None:
    scenario = cube(0.1)
    again = pickle.loads(pickle.dumps(scenario))
    assert again.hash == scenario.hash
    run = scenario.run()
    other = pickle.loads(pickle.dumps(run))
    assert all(np.array_equal(run[name], other[name]) for name in run)
    assert other.summary == run.summary
    assert other.report()[:15].lower() == run.report()[:15].lower()
    fields = cart()
    fields["body"]["cart"]["maas"] = 3
    with pytest.raises(br.ScenarioError) as caught:
        br.Scenario.from_dict(fields).check()
    error = pickle.loads(pickle.dumps(caught.value))
    assert error.diagnostics == caught.value.diagnostics


def test_progress_is_called_and_may_end_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[tuple[float, float]] = []
    cube(0.5).run(lambda done, total: seen.append((done, total)))
    assert seen[-1] == (0.5, 0.5)
    cube(0.1).run(progress=True)
    assert "100%" in capsys.readouterr().err

    def end(done: float, total: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        cube(0.5).run(end)
    with pytest.raises(TypeError, match="progress"):
        cube(0.5).run(progress=3)  # type: ignore[arg-type]


def test_ctrl_c_stops_a_run_soon_and_keeps_its_rows() -> None:
    long = br.Scenario.from_file(EXAMPLES / "blades-sim1.toml").set("simulation.end_time", 100)
    sent: list[float] = []

    def interrupt() -> None:
        time.sleep(1.0)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(br.Stopped) as caught:
        long.run()
    # 0.2 s on an idle machine; the tests may have a busy one
    assert time.monotonic() - sent[0] < 2.0
    run = caught.value.run
    assert run.status == "interrupted"
    assert run.end_time > 0.0


def test_threads_run_at_the_same_time() -> None:
    first = cube(0.5).run()
    runs: list[br.Run] = []
    scenario = cube(0.5)
    threads = [threading.Thread(target=lambda: runs.append(scenario.run())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(runs) == 4
    assert all(np.array_equal(run["t"], first["t"]) for run in runs)


FORKED = """
import os
from scenarios import cube
cube(0.1).run()
child = os.fork()
if child == 0:
    os._exit(0 if cube(0.1).run().status == "complete" else 1)
_, status = os.waitpid(child, 0)
raise SystemExit(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_after_use_runs_too() -> None:
    # an interpreter of its own: libraries of other tests have threads that survive no fork
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKED]
    subprocess.run(command, cwd=Path(__file__).parent, timeout=60.0, check=True)


def test_pages_and_folders(tmp_path: Path) -> None:
    run = cube(0.2).run()
    page = run.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page
    frame = run.show()._repr_html_()
    assert frame.startswith("<iframe srcdoc=")
    own = run._repr_html_()
    assert own.count("<svg") == 2
    assert len(own) < 400_000
    run.save(tmp_path / "out")
    assert (tmp_path / "out" / "summary.json").is_file()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "note.txt").write_text("mine")
    with pytest.raises(br.BristleError):
        run.save(tmp_path / "mine")


def test_modes_of_a_machine_under_harmonic_loads_of_open_frequency() -> None:
    """They are made for a forced response; modes and checks ask for no frequency, a run does."""
    fields = cart()
    fields["spring"] = {
        "k": {
            "from": {"body": "ground", "point": [-1, 0, 0]},
            "to": {"body": "cart"},
            "stiffness": 200,
        }
    }
    shaker = {"body": "cart", "direction": [1, 0, 0]}
    fields["force"] = {"shaker": shaker | {"magnitude": {"harmonic": {"amplitude": "1 N"}}}}
    scenario = br.Scenario.from_dict(fields)
    scenario.check()
    # sqrt(k/m) of 200 N/m and 2 kg
    assert scenario.modes().frequency[0] == pytest.approx(10.0 / (2 * np.pi), rel=1e-9)
    with pytest.raises(br.ScenarioError, match="harmonic without frequency"):
        scenario.run()


def test_modes_of_a_mass_on_a_spring() -> None:
    fields = cart()
    del fields["force"]
    fields["spring"] = {
        "k": {
            "from": {"body": "ground", "point": [-1, 0, 0]},
            "to": {"body": "cart"},
            "stiffness": 200,
            "damping": 4,
        }
    }
    modes = br.Scenario.from_dict(fields).modes()
    # ω = sqrt(k/m), ζ = c / (2 sqrt(k m))
    assert modes.frequency[0] == pytest.approx(10.0 / (2 * np.pi), rel=1e-9)
    assert modes.damping_ratio[0] == pytest.approx(0.1, rel=1e-9)
    assert modes.M[0, 0] == pytest.approx(2.0)
    assert modes.shapes[0]["cart"].shape == (2, 3)
    with pytest.raises(ValueError, match="contacts"):
        br.Scenario.from_dict(fields).modes(contacts="glued")


def test_units_survive_pandas_xarray_and_a_parquet_file(tmp_path: Path) -> None:
    run = cube(0.1).run()
    name = "body.cube.position.x"
    pandas = pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert frame.attrs["units"][name] == "m"
    assert np.array_equal(frame[name].to_numpy(), run[name])
    arrow = pytest.importorskip("pyarrow.parquet")
    arrow.write_table(run.to_arrow(), tmp_path / "run.parquet")
    again = arrow.read_table(tmp_path / "run.parquet")
    assert again.schema.field(name).metadata[b"unit"] == b"m"
    assert np.array_equal(again.column(name).to_numpy(), run[name])
    frame.to_parquet(tmp_path / "frame.parquet")
    assert pandas.read_parquet(tmp_path / "frame.parquet").attrs["units"][name] == "m"


def test_xarray_and_polars() -> None:
    pytest.importorskip("xarray")
    run = cube(0.1).run()
    data = run.to_xarray()
    assert data["body.cube.position.x"].attrs["units"] == "m"
    pytest.importorskip("polars")
    assert run.to_polars()["t"].to_numpy()[-1] == pytest.approx(0.1)


def test_a_missing_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match=r"pip install 'bristle\[polars\]'"):
        cube(0.05).run().to_polars()


def test_import_is_quick() -> None:
    code = "import time; t = time.perf_counter(); import bristle; print(time.perf_counter() - t)"
    spent = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3)]
    # 0.15 s on an idle machine, NumPy included
    assert min(spent) < 1.0


def test_moments_of_inertia_are_a_matrix() -> None:
    arm = br.Scenario.from_file(EXAMPLES / "arm.toml")
    path = "body.upper.inertia"
    assert np.array_equal(arm.parameters[path], np.diag([0.03, 0.03, 0.001]))
    tensor = np.array([[0.03, 0.002, 0.0], [0.002, 0.02, -0.001], [0.0, -0.001, 0.04]])
    turned = arm.set(path, tensor)
    assert np.array_equal(turned.parameters[path], tensor)
    # one entry, and units
    assert turned.set(f"{path}.0.0", "31 g m^2").parameters[path][0] == [0.031, 0.002, 0.0]
    with pytest.raises(br.ScenarioError, match="symmetric"):
        arm.set(path, tensor + np.eye(3, k=1) * 1e-3).check()
    with pytest.raises(br.ScenarioError, match="principal moments"):
        arm.set(path, [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]).check()


_AT_WORK = {
    "run": "br.Scenario.from_file('cube-30deg').set('simulation.end_time', 1e5).run()",
    "sweep": "br.sweep('cube-30deg', {'body.cube.mass': list(range(1, 2000))})",
    "fit": "br.identify(br.Record(t, velocity=v, force=np.tanh(v / 1e-3), load=1.0), 'lugre')",
    "update": "[law.update(state, v, 1.0, 1e-3, jobs=2) for _ in range(100_000)]",
}


@pytest.mark.parametrize("work", _AT_WORK.values(), ids=_AT_WORK)
def test_an_interpreter_may_end_while_a_thread_is_at_work(work: str) -> None:
    program = f"""
import threading, time, warnings
import numpy as np
import bristle as br
warnings.simplefilter("ignore")
t = np.arange(40_000) * 1e-3
v = 0.1 * np.sin(6.0 * t)
law = br.law("dahl", bristle_stiffness=1e4, kinetic_coefficient=0.1)
state = law.state(len(v))
thread = threading.Thread(target=lambda: {work}, daemon=True)
thread.start()
time.sleep(0.3)
assert thread.is_alive()
print("end")
"""
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "end\n"), ended.stderr
