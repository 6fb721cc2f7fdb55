"""Sweeps: threads, processes, a cluster."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import bristle as br
import numpy as np
import pytest
from bristle._sweep import Study
from scenarios import EXAMPLES, cart, cube

VARY = {"contact.base.friction.static_coefficient": [0.15, 0.2, 0.25], "body.cube.mass": [1, 2]}
PATH = "body.cube.mass"


def table(folder: Path) -> bytes:
    """The table of a sweep without the time on the clock."""
    lines = (folder / "sweep.csv").read_text().splitlines()
    names = lines[0].split(",")
    clock = [k for k, name in enumerate(names) if name.startswith("wall")]
    kept = []
    for line in lines:
        cells = line.split(",")
        kept.append(",".join(c for k, c in enumerate(cells) if k not in clock))
    return "\n".join(kept).encode()


def test_a_sweep_has_the_bits_of_the_command(tmp_path: Path) -> None:
    own = br.sweep(cube(0.4), VARY, out=tmp_path / "own", jobs=2)
    command = [sys.executable, "-m", "bristle._command", "sweep"]
    command += [str(EXAMPLES / "cube-30deg.toml"), "--set", "simulation.end_time=0.4"]
    command += ["--vary", "contact.base.friction.static_coefficient=0.15,0.2,0.25"]
    command += ["--vary", "body.cube.mass=1,2", "--out", str(tmp_path / "command"), "--quiet"]
    subprocess.run(command, check=True)
    assert table(tmp_path / "own") == table(tmp_path / "command")
    assert own.status == ["complete"] * 6
    assert own.parameters == list(VARY)
    assert own[PATH].tolist() == [1.0, 2.0] * 3
    assert own.computed == 6
    again = br.sweep(cube(0.4), VARY, out=tmp_path / "own", resume=True)
    assert again.computed == 0
    other = pickle.loads(pickle.dumps(own))
    assert np.array_equal(other["steps"], own["steps"])
    assert "6 of 6 runs" in repr(own)


def test_a_sweep_as_frames() -> None:
    own = br.sweep(cube(0.2), VARY)
    pytest.importorskip("pandas")
    frame = own.to_pandas()
    assert len(frame) == 6
    assert frame.attrs["units"]["energy.dissipated"] == "J"
    pytest.importorskip("xarray")
    data = own.to_xarray()
    assert data["energy.dissipated"].shape == (3, 2)
    assert data["energy.dissipated"].attrs["units"] == "J"
    assert float(data["energy.dissipated"][1, 1]) == own["energy.dissipated"][3]


def test_samples_tables_and_measures(tmp_path: Path) -> None:
    ranges = {PATH: ("1 kg", "2 kg"), "contact.base.friction.static_coefficient": (0.15, 0.3)}
    drawn = br.sweep(cube(0.1), sample="lhs:5", ranges=ranges, seed=3)
    assert len(drawn.status) == 5
    assert not drawn.is_grid
    rows = tmp_path / "cases.csv"
    rows.write_text(f"{PATH}\n1 kg\n2 kg\n")
    measured = br.sweep(cube(0.1), cases=rows, measure=["body.cube.position.x:max"])
    assert any("position.x" in name and "max" in name for name in measured)


def test_a_run_that_is_refused_is_a_row() -> None:
    swept = br.sweep(br.Scenario.from_dict(cart()), {"body.cart.mass": [2, -1, 3]})
    assert swept.status == ["complete", "refused", "complete"]
    assert swept.reason[1]
    assert np.isnan(swept["steps"][1])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "none of them"),
        ({"vary": {"body.cube.maas": [1]}}, "maas"),
        ({"vary": {PATH: []}}, "no values"),
        ({"vary": {PATH: [object()]}}, "object"),
        ({"vary": {PATH: [1]}, "sample": "lhs:3"}, "vary and sample"),
        ({"vary": {PATH: [1]}, "measure": ["nothing:max"]}, "nothing"),
    ],
)
def test_bad_sweeps_are_refused(arguments: dict, words: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(br.BristleError, match=words):
        br.sweep(cube(0.1), **arguments)


def test_executors_compute_the_same_bits(tmp_path: Path) -> None:
    br.sweep(cube(0.3), VARY, out=tmp_path / "threads", jobs=1)
    with ThreadPoolExecutor(2) as executor:
        br.sweep(cube(0.3), VARY, out=tmp_path / "executor", executor=executor)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        seen: list[tuple[float, float]] = []
        br.sweep(
            cube(0.3),
            VARY,
            out=tmp_path / "processes",
            executor=executor,
            progress=lambda done, total: seen.append((done, total)),
        )
    assert seen[-1] == (6, 6)
    assert table(tmp_path / "threads") == table(tmp_path / "executor")
    assert table(tmp_path / "threads") == table(tmp_path / "processes")
    with pytest.raises(TypeError, match="executor"):
        br.sweep(cube(0.3), VARY, executor=3)


def test_a_broken_executor_keeps_what_is_done(tmp_path: Path) -> None:
    with (
        pytest.raises(br.SweepError, match="resume=True"),
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor,
    ):
        executor.submit(_die)
        br.sweep(cube(0.2), VARY, out=tmp_path / "out", executor=executor)
    done = br.sweep(cube(0.2), VARY, out=tmp_path / "out", resume=True)
    assert done.status == ["complete"] * 6


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def client():  # type: ignore[no-untyped-def]
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.filterwarnings("ignore")
def test_dask_computes_the_same_bits_though_a_worker_is_killed(client, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    vary = {PATH: list(np.linspace(0.5, 2.0, 24))}
    br.sweep(cube(0.5), vary, out=tmp_path / "one", jobs=1)
    workers = client.run(os.getpid)
    killed: list[int] = []

    def kill(done: float, total: float) -> None:
        if done >= 4 and not killed:
            killed.append(next(iter(workers.values())))
            os.kill(killed[0], signal.SIGKILL)

    br.sweep(cube(0.5), vary, out=tmp_path / "dask", executor=client, progress=kill)
    assert killed
    assert table(tmp_path / "one") == table(tmp_path / "dask")


class Poisoned(Study):
    """A study with a case that ends whatever process runs it."""

    __slots__ = ()
    #: A mass in the middle of them.
    POISON = 3

    def __reduce__(self) -> tuple[object, ...]:
        return (Poisoned, super().__reduce__()[1])

    def files_of(self, cases):  # type: ignore[no-untyped-def]
        if self.POISON in cases:
            _die()
        return super().files_of(cases)


@pytest.mark.filterwarnings("ignore")
def test_dask_names_the_case_that_kills_its_workers_and_computes_the_rest(
    client,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    masses = list(np.linspace(0.5, 2.0, 8))
    br.sweep(cube(0.2), {PATH: masses}, out=tmp_path / "one", jobs=1)
    monkeypatch.setattr("bristle._sweep.Study", Poisoned)
    swept = br.sweep(cube(0.2), {PATH: masses}, out=tmp_path / "dask", executor=client)
    expected = ["complete"] * 8
    expected[Poisoned.POISON] = "failed"
    # what waited for a worker that died is not to blame
    assert swept.status == expected
    assert "worker that ran it died" in str(swept.reason[Poisoned.POISON])
    ours, theirs = (table(tmp_path / name).splitlines() for name in ("one", "dask"))
    del ours[1 + Poisoned.POISON], theirs[1 + Poisoned.POISON]
    assert ours == theirs


class Machines:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._all: list[subprocess.Popen[bytes]] = []
        self.start()

    def start(self) -> None:
        place = ["--host", "127.0.0.1", "--port", str(self._port)]
        self.scheduler = self._begun("dask_scheduler", *place)
        self._begun("dask_worker", self.address, "--nworkers", "2", "--nthreads", "1")

    def _begun(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{program}", *words, "--no-dashboard"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        # a group of its own: a worker has a process beside it that would start it again
        process = subprocess.Popen(command, start_new_session=True, **quiet)  # type: ignore[call-overload]
        self._all.append(process)
        return process  # type: ignore[no-any-return]

    def kill_scheduler(self) -> None:
        self.scheduler.kill()
        self.scheduler.wait()

    def end(self) -> None:
        for process in self._all:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def machines() -> Iterator[Machines]:
    pytest.importorskip("distributed")
    own = Machines()
    yield own
    own.end()


@pytest.mark.filterwarnings("ignore")
def test_a_sweep_survives_its_scheduler(machines: Machines, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    vary = {PATH: list(np.linspace(0.5, 2.0, 24))}
    br.sweep(cube(0.5), vary, out=tmp_path / "one", jobs=1)
    killed: list[float] = []

    def kill(done: float, total: float) -> None:
        if done >= 4 and not killed:
            killed.append(done)
            machines.kill_scheduler()
            machines.start()

    with distributed.Client(machines.address, timeout="60s") as client:
        br.sweep(cube(0.5), vary, out=tmp_path / "dask", executor=client, progress=kill)
    assert killed[0] < 24
    assert table(tmp_path / "one") == table(tmp_path / "dask")


@pytest.mark.filterwarnings("ignore")
def test_what_a_lost_scheduler_leaves_is_resumed(machines: Machines, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    vary = {PATH: list(np.linspace(0.5, 2.0, 24))}
    br.sweep(cube(0.5), vary, out=tmp_path / "one", jobs=1)

    def kill(done: float, total: float) -> None:
        if done >= 4:
            machines.kill_scheduler()

    out = tmp_path / "dask"
    client = distributed.Client(machines.address, timeout="60s")
    client.wait_for_workers(2)
    # how long it looks for a scheduler that is gone
    client._timeout = 1
    with pytest.raises(br.SweepError, match="scheduler cannot be reached.*resume=True"):
        br.sweep(cube(0.5), vary, out=out, executor=client, progress=kill)
    client.close(timeout=1)
    machines.start()
    with distributed.Client(machines.address, timeout="60s") as client:
        again = br.sweep(cube(0.5), vary, out=out, executor=client, resume=True)
    assert again.status == ["complete"] * 24
    assert table(tmp_path / "one") == table(out)
