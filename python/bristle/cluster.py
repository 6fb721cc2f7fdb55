"""Sweeps on other processes and machines: executors of ``concurrent.futures`` and Dask clients.

Nothing is lost with a worker: what it finished is in the folder of the sweep, in the files that
``bristle sweep`` writes, and what it was at is computed again. A case that ends its worker every
time is reported as failed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from bristle import _progress
from bristle._errors import Stopped, SweepError
from bristle._sweep import Study

#: A task has about so much work, s: long beside the way to a worker and back.
_TASK = 2.0
#: Tasks that wait for every worker, so that none is idle.
_WAITING = 2
#: Signals are looked at this often, s.
_PERIOD = 0.1

_studies: dict[bytes, Study] = {}


def work(packed: bytes, cases: Sequence[int]) -> tuple[list[int], float, dict[str, bytes]]:
    """Runs cases of a study; what workers do. Gives the cases, the time it took, and files."""
    import pickle

    study = _studies.get(packed)
    if study is None:
        _studies.clear()
        study = _studies.setdefault(packed, pickle.loads(packed))
    begin = time.perf_counter()
    files = study.files_of(cases)
    return list(cases), time.perf_counter() - begin, files


def compute(
    study: Study,
    executor: Any,
    folder: dict[str, Any],
    watch: _progress.Progress | None = None,
) -> None:
    """Computes the cases that are not in the folder of a sweep yet."""
    import pickle

    missing = study._core.missing(folder)
    runs = Path(folder["out"], "runs")
    engine = _engine(executor, pickle.dumps(study))
    total = study._core.count
    done = total - len(missing)
    todo = _Todo(missing)
    try:
        while todo or engine.busy:
            while todo and engine.busy < _WAITING * engine.workers:
                engine.submit(todo.take(engine.workers))
            for cases, spent, files, dead in engine.finished():
                if dead and len(cases) > 1:
                    todo.alone(cases)
                    continue
                if dead:
                    study._core.fail_case(cases[0], DEAD, folder["out"])
                else:
                    _keep(runs, files)
                    todo.note(len(cases), spent)
                done += len(cases)
            if watch is not None:
                watch(done, total)
    except KeyboardInterrupt:
        engine.cancel()
        raise Stopped("the sweep was stopped; what is done is kept, resume=True goes on") from None
    except BaseException:
        engine.cancel()
        raise


#: What the death of one worker means to an executor of processes.
BROKEN = (
    "a worker of the executor died, and the executor with it; what is done is kept, resume=True "
    "goes on with another one"
)
#: Why a case failed whose worker died every time.
DEAD = "the worker that ran it died (a signal, or too little memory)"


class _Todo:
    """Cases to be given out in tasks of about the same time."""

    def __init__(self, cases: Sequence[int]) -> None:
        self._cases = list(reversed(cases))
        self._alone: list[int] = []
        self._runs = 0
        self._spent = 0.0

    def __len__(self) -> int:
        return len(self._cases) + len(self._alone)

    def note(self, runs: int, spent: float) -> None:
        """Learns how long a run takes."""
        self._runs += runs
        self._spent += spent

    def alone(self, cases: Sequence[int]) -> None:
        """These are given out one by one: one of them ended its worker."""
        self._alone.extend(cases)

    def take(self, workers: int) -> list[int]:
        """The cases of the next task."""
        if self._alone:
            return [self._alone.pop()]
        count = 1
        if self._runs:
            count = max(1, round(_TASK * self._runs / max(self._spent, 1e-9)))
            # at the end every worker gets its part
            count = min(count, max(1, len(self._cases) // (2 * workers)))
        return [self._cases.pop() for _ in range(min(count, len(self._cases)))]


def _keep(runs: Path, files: dict[str, bytes]) -> None:
    """Puts files of runs into the folder; numbers before the lines that speak of them."""
    for name in sorted(files):  # .f64 comes before .jsonl
        partial = runs / f"{name}.partial"
        partial.write_bytes(files[name])
        os.replace(partial, runs / name)


def _engine(executor: Any, packed: bytes) -> Any:
    if isinstance(executor, Executor):
        return _Futures(executor, packed)
    if type(executor).__module__.partition(".")[0] == "distributed":
        return _Dask(executor, packed)
    if hasattr(executor, "submit"):
        return _Futures(executor, packed)
    raise TypeError(
        f"executor is {type(executor).__name__}; give an executor of concurrent.futures or a Dask "
        "client"
    )


class _Futures:
    """An executor of ``concurrent.futures``, or whatever has its ``submit``."""

    def __init__(self, executor: Any, packed: bytes) -> None:
        self._executor = executor
        self._packed = packed
        self._waiting: dict[Future[Any], list[int]] = {}
        self.workers = int(getattr(executor, "_max_workers", None) or os.cpu_count() or 1)

    @property
    def busy(self) -> int:
        return len(self._waiting)

    def submit(self, cases: list[int]) -> None:
        try:
            future = self._executor.submit(work, self._packed, cases)
        except BrokenProcessPool as error:
            raise SweepError(BROKEN) from error
        self._waiting[future] = cases

    def finished(self) -> Iterator[tuple[list[int], float, dict[str, bytes], bool]]:
        done, _ = wait(self._waiting, timeout=_PERIOD, return_when=FIRST_COMPLETED)
        for future in done:
            self._waiting.pop(future)
            try:
                cases, spent, files = future.result()
            except BrokenProcessPool as error:
                raise SweepError(BROKEN) from error
            yield cases, spent, files, False

    def cancel(self) -> None:
        for future in self._waiting:
            future.cancel()


class _Dask:
    """A client of Dask distributed."""

    def __init__(self, client: Any, packed: bytes) -> None:
        self._client = client
        self._packed = client.scatter(packed, broadcast=True, hash=False)
        self._waiting: dict[Any, list[int]] = {}

    @property
    def workers(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    @property
    def busy(self) -> int:
        return len(self._waiting)

    def submit(self, cases: list[int]) -> None:
        # retries are for workers that die, which the scheduler counts itself
        future = self._client.submit(work, self._packed, cases, pure=False, retries=0)
        self._waiting[future] = cases

    def finished(self) -> Iterator[tuple[list[int], float, dict[str, bytes], bool]]:
        from distributed.scheduler import KilledWorker

        time.sleep(_PERIOD / 10)
        done = [future for future in self._waiting if future.done()]
        if not done:
            time.sleep(_PERIOD)
        for future in done:
            cases = self._waiting.pop(future)
            if future.status in ("lost", "cancelled"):
                # the scheduler forgot it, as after a restart
                self.submit(cases)
                continue
            error = future.exception()
            if isinstance(error, KilledWorker):
                yield cases, 0.0, {}, True
                continue
            if error is not None:
                raise error
            _, spent, files = future.result()
            yield cases, spent, files, False

    def cancel(self) -> None:
        self._client.cancel(list(self._waiting))
