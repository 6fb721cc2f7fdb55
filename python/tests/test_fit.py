"""Records and fits."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import bristle as br
import numpy as np
import pytest
from bristle import _core


def arrays(n: int = 2000) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
    """A slow sine under 10 N with a friction that is known."""
    t = np.arange(n) * 1e-3
    v = 0.1 * np.sin(6.0 * t)
    return {"t": t, "velocity": v, "force": 10.0 * 0.3 * np.tanh(v / 1e-3)}


def record(**more: object) -> br.Record:
    return br.Record(**arrays(), load=10.0, name="bench", **more)  # type: ignore[arg-type]


def test_a_known_law_is_found() -> None:
    fit = br.identify([record()], law="coulomb_tanh")
    mu = fit.parameters["kinetic_coefficient"]
    assert mu.value == pytest.approx(0.3, abs=1e-6)
    assert mu.verdict == "identified"
    low, high = fit.intervals["kinetic_coefficient"]
    assert low <= 0.3 + 1e-6 and high >= 0.3 - 1e-6
    assert fit.law.parameters["kinetic_coefficient"] == mu.value
    assert "coulomb_tanh" in str(fit)
    again = pickle.loads(pickle.dumps(fit))
    assert again.parameters == fit.parameters
    assert float(mu) == mu.value


def test_a_fit_has_the_numbers_of_the_command(tmp_path: Path) -> None:
    own = arrays()
    path = tmp_path / "bench.csv"
    table = np.column_stack([own["t"], own["velocity"], own["force"]])
    lines = ["t [s],velocity [m/s],force [N]"]
    lines += [",".join(repr(float(x)) for x in row) for row in table]
    path.write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-m", "bristle._command", "identify", str(path)]
    command += ["--law", "coulomb_tanh", "--normal-force", "10", "--json"]
    told = json.loads(subprocess.check_output(command))
    expected = told["law_values"]
    for same in (record(), br.Record.from_file(path, load=10.0)):
        fit = br.identify(same, "coulomb_tanh")
        assert {name: p.value for name, p in fit.parameters.items()} == expected


def test_jobs_move_no_bit() -> None:
    first = br.identify(record(), "coulomb_tanh", jobs=1)
    second = br.identify(record(), "coulomb_tanh", jobs=3)
    assert first.parameters == second.parameters


def noisy() -> br.Record:
    """A motion whose noise biases what is fitted: draws of it are fitted too."""
    random = np.random.default_rng(5)
    own = arrays(1500)
    own["force"] += 0.02 * random.standard_normal(1500)
    own["velocity"] = own["velocity"] + 2e-4 * random.standard_normal(1500)
    return br.Record(**own, load=10.0, name="noisy", lowpass="off")


def bits(x: object) -> object:
    """Everything in it, with arrays as bytes."""
    if isinstance(x, br.Fit):
        return bits([x.name, x.parameters, x.details])
    if isinstance(x, dict):
        return {key: bits(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [bits(value) for value in x]
    if isinstance(x, np.ndarray):
        return x.tobytes()
    return repr(x)


LAWS = ["coulomb_tanh", "dahl"]


def test_executors_move_no_bit() -> None:
    expected = bits(br.identify(noisy(), LAWS, draws=40))
    alone = br.identify(noisy(), LAWS[0], draws=40)
    assert bits(alone) == expected[0]  # type: ignore[index]
    # the noise has to matter for it to be drawn
    assert any("noise of the motion" in text for text in alone.warnings)
    seen: list[float] = []
    with ThreadPoolExecutor(3) as executor:
        fits = br.identify(
            noisy(), LAWS, draws=40, executor=executor, progress=lambda done, _: seen.append(done)
        )
        assert bits(br.identify(noisy(), LAWS[0], draws=40, executor=executor)) == expected[0]  # type: ignore[index]
    assert [fit.name for fit in fits] == LAWS
    assert bits(fits) == expected
    assert seen == sorted(seen)
    for workers in (1, 3):
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as executor:
            fits = br.identify(noisy(), LAWS, draws=40, executor=executor)
        assert bits(fits) == expected, workers


@pytest.mark.filterwarnings("ignore")
def test_dask_moves_no_bit() -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        fits = br.identify(noisy(), LAWS, draws=40, executor=client)
    assert bits(fits) == bits(br.identify(noisy(), LAWS, draws=40))


class Alone(Executor):
    """Computes at once, and counts."""

    def __init__(self) -> None:
        self.tasks = 0

    def submit(self, work, /, *arguments, **more):  # type: ignore[no-untyped-def]
        self.tasks += 1
        future: Future[object] = Future()
        future.set_result(work(*arguments, **more))
        return future


def test_starts_and_draws_of_noise_are_work_of_their_own() -> None:
    executor = Alone()
    br.identify(noisy(), "coulomb_tanh", draws=40, starts=4, executor=executor)
    # starting values, at least two different starts, their best with fine steps, 8 draws with both signs
    assert executor.tasks >= 1 + 2 + 1 + 16


def test_what_goes_wrong_with_an_executor_is_said() -> None:
    with pytest.raises(TypeError, match="executor is int"):
        br.identify(record(), "coulomb_tanh", executor=3)
    with ThreadPoolExecutor(2) as executor, pytest.raises(br.BristleError, match="dahll"):
        br.identify(record(), ["coulomb_tanh", "dahll"], draws=40, executor=executor)
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor,
        pytest.raises(br.IdentifyError, match="worker of the executor died"),
    ):
        executor.submit(_die)
        br.identify(noisy(), "dahl", executor=executor)
    with pytest.raises(br.IdentifyError, match="another version"):
        _core.fit_part(None, [record()._core(False)], _options(), b"\x05" + bytes(7) + b"9.9.9")


def _options() -> dict[str, object]:
    """What the extension takes, as identify gives it."""
    empty: list[object] = []
    named = dict.fromkeys(("terms", "fix", "free", "start", "bounds"), empty)
    numbers = {"elements": 0, "draws": 40, "starts": 2, "iterations": 10, "jobs": 1}
    words = {"law": "dahl", "loss": "squares", "global_search": False, "profile": False}
    return {**named, **numbers, **words}


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_ctrl_c_stops_a_fit_on_an_executor() -> None:
    t = np.arange(20_000) * 1e-3
    v = 0.1 * np.sin(6.0 * t)
    long = br.Record(t, velocity=v, force=3.0 * np.tanh(v / 1e-3), load=10.0)
    sent: list[float] = []

    def interrupt() -> None:
        time.sleep(0.5)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    with ThreadPoolExecutor(1) as executor:
        threading.Thread(target=interrupt).start()
        with pytest.raises(br.Stopped):
            br.identify(long, ["lugre", "dahl"], executor=executor)
        assert sent


def test_records_of_frames_units_and_axes() -> None:
    pandas = pytest.importorskip("pandas")
    own = arrays()
    frame = pandas.DataFrame({"Zeit": own["t"], "v": own["velocity"] * 1e3, "F": own["force"]})
    frame.attrs["units"] = {"v": "mm/s"}
    columns = {"t": "Zeit", "velocity": "v", "force": "F"}
    made = br.Record.from_frame(frame, columns, load=10.0)
    assert np.allclose(made.columns["velocity"], own["velocity"], atol=1e-15)
    with pytest.raises(br.IdentifyError, match="no column 'w'"):
        br.Record.from_frame(frame, {"velocity": "w"})
    turned = br.Record(own["t"], velocity=own["velocity"], force=own["force"], angular=True)
    fit = br.identify(turned, "coulomb_tanh")
    assert fit.details["unit"] == "N m"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"force": np.zeros(10)}, "unequal lengths: time has 2000, velocity has 2000, force has 10"),
        ({"force": np.zeros((2000, 2))}, "shape"),
        ({"force": ["a"] * 2000}, "no array of numbers"),
        ({"load": -1.0}, "must be above 0"),
        ({"units": {"position": "mm"}}, "no columns"),
        ({"units": {"velocity": "furlong"}}, "furlong"),
        ({"velocity": None, "force": None}, "velocity|position|force"),
    ],
)
def test_bad_records_are_refused(change: dict, words: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(br.IdentifyError, match=words):
        br.identify(br.Record(**{**arrays(), "load": 10.0, **change}), "coulomb_tanh", draws=20)


def test_bad_requests_are_refused() -> None:
    with pytest.raises(br.IdentifyError, match="no records"):
        br.identify([], "dahl")
    with pytest.raises(br.BristleError, match="dahll"):
        br.identify(record(), "dahll")
    with pytest.raises(br.IdentifyError, match="term"):
        br.identify(record(), "dahl", terms=["masss"])
    with pytest.raises(br.IdentifyError, match="no parameter"):
        br.identify(record(), "dahl", fix={"sigma": 1.0})
    with pytest.raises(br.IdentifyError, match="expected a bristle.Record"):
        br.identify([3], "dahl")  # type: ignore[list-item]


def test_float32_and_strided_columns_are_converted() -> None:
    own = arrays()
    wide = np.zeros((2000, 3), dtype=np.float32)
    wide[:, 1] = own["velocity"]
    made = br.Record(own["t"], velocity=wide[:, 1], force=own["force"], load=10.0)
    assert len(made) == 2000


def test_ctrl_c_stops_a_fit_soon() -> None:
    t = np.arange(40_000) * 1e-3
    v = 0.1 * np.sin(6.0 * t)
    long = br.Record(t, velocity=v, force=3.0 * np.tanh(v / 1e-3), load=10.0)
    sent: list[float] = []

    def interrupt() -> None:
        time.sleep(0.5)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(br.Stopped):
        br.identify(long, "lugre", profile=True)
    # 0.2 s on an idle machine; the tests may have a busy one
    assert time.monotonic() - sent[0] < 2.0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_after_a_fit_fits_too() -> None:
    br.identify(record(), "coulomb_tanh", draws=20)
    child = os.fork()
    if child == 0:
        fit = br.identify(record(), "coulomb_tanh", draws=20)
        os._exit(0 if abs(fit.parameters["kinetic_coefficient"].value - 0.3) < 1e-3 else 1)
    deadline = time.monotonic() + 120.0
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child hangs")


def test_a_stopped_fit_of_laws_keeps_those_that_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    from bristle import _fit as module

    t = np.arange(20_000) * 1e-3
    v = 0.1 * np.sin(6.0 * t)
    long = br.Record(t, velocity=v, force=3.0 * np.tanh(v / 1e-3), load=10.0)
    one = module._fit

    def interrupted(train: Any, tests: Any, law: Any, *rest: Any) -> Any:
        if law == "lugre":
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        return one(train, tests, law, *rest)

    monkeypatch.setattr(module, "_fit", interrupted)
    with pytest.raises(br.Stopped) as caught:
        br.identify(long, ["coulomb_tanh", "lugre"], profile=True)
    assert [fit.law.name for fit in caught.value.fits] == ["coulomb_tanh"]
