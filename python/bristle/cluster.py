"""Sweeps on other processes and machines: executors of ``concurrent.futures`` and Dask clients.

Nothing is lost with a worker: what it finished is in the folder of the sweep, in the files that
``bristle sweep`` writes, and what it was at is computed again. A case that ends its worker every
time is reported as failed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bristle import _engine, _progress
from bristle._errors import Stopped, SweepError
from bristle._sweep import Study

#: A task has about so much work, s: long beside the way to a worker and back.
_TASK = 2.0
#: Tasks that wait for every worker, so that none is idle.
_WAITING = 2

_studies: dict[bytes, Study] = {}


def work(packed: bytes, cases: Sequence[int]) -> tuple[float, dict[str, bytes]]:
    """Runs cases of a study; what workers do. Gives the time it took, and files."""
    import pickle

    study = _studies.get(packed)
    if study is None:
        _studies.clear()
        study = _studies.setdefault(packed, pickle.loads(packed))
    begin = time.perf_counter()
    files = study.files_of(cases)
    return time.perf_counter() - begin, files


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
    engine = _engine.engine(executor, work, pickle.dumps(study))
    total = study._core.count
    done = total - len(missing)
    todo = _Todo(missing)
    try:
        while todo or engine.busy:
            while engine.is_ready and todo.ready(engine.busy, engine.workers):
                engine.submit(todo.take(engine.workers))
            for cases, outcome, dead in engine.finished():
                if dead and todo.suspect(cases):
                    continue
                if dead:
                    study._core.fail_case(cases[0], DEAD, folder["out"])
                else:
                    spent, files = outcome
                    _keep(runs, files)
                    todo.note(len(cases), spent)
                done += len(cases)
            if watch is not None:
                watch(done, total)
    except KeyboardInterrupt:
        engine.cancel()
        raise Stopped("the sweep was stopped; what is done is kept, resume=True goes on") from None
    except _engine.Broken as error:
        raise SweepError(f"{error}; what is done is kept, resume=True goes on with another one") from error
    except BaseException:
        engine.cancel()
        raise


#: Why a case failed whose worker died every time.
DEAD = "the worker that ran it died (a signal, or too little memory)"


class _Todo:
    """Cases to be given out in tasks of about the same time.

    A worker that dies takes all with it that waits for it. Which case ended it is found by giving out
    those of a task one by one, and in the end each of these with nothing beside it.
    """

    def __init__(self, cases: Sequence[int]) -> None:
        self._cases = list(reversed(cases))
        self._single: list[int] = []
        self._alone: list[int] = []
        self._tried: set[int] = set()
        self._runs = 0
        self._spent = 0.0

    def __len__(self) -> int:
        return len(self._cases) + len(self._single) + len(self._alone)

    def note(self, runs: int, spent: float) -> None:
        """Learns how long a run takes."""
        self._runs += runs
        self._spent += spent

    def suspect(self, cases: Sequence[int]) -> bool:
        """Cases whose worker died every time are to be tried again; false if that was done."""
        if len(cases) > 1:
            self._single.extend(cases)
        elif cases[0] in self._tried:
            return False
        else:
            self._tried.add(cases[0])
            self._alone.append(cases[0])
        return True

    def ready(self, busy: int, workers: int) -> bool:
        """Whether a task is to be given out while others are."""
        if self._cases or self._single:
            return busy < _WAITING * workers
        return bool(self._alone) and busy == 0

    def take(self, workers: int) -> list[int]:
        """The cases of the next task."""
        if self._single:
            return [self._single.pop()]
        if not self._cases:
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
