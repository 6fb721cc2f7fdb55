"""Tasks on executors of ``concurrent.futures`` and Dask clients."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

#: Finished tasks are looked for this often, s; so Ctrl-C seems immediate.
_PERIOD = 0.1

#: What workers do: from what all tasks share, as bytes, and a task to its outcome.
Work = Callable[[bytes, Any], Any]
#: A task, its outcome, and whether it ended its worker every time.
Finished = tuple[Any, Any, bool]


class Broken(Exception):
    """An executor cannot go on; the message says why."""


_POOL = "a worker of the executor died, and the executor with it"
_LOST = "the scheduler cannot be reached any more"


def engine(executor: Any, work: Work, shared: bytes) -> Futures | Dask:
    """What gives tasks to an executor."""
    if isinstance(executor, Executor):
        return Futures(executor, work, shared)
    if type(executor).__module__.partition(".")[0] == "distributed":
        return Dask(executor, work, shared)
    if hasattr(executor, "submit"):
        return Futures(executor, work, shared)
    raise TypeError(
        f"executor is {type(executor).__name__}; give an executor of concurrent.futures or a Dask "
        "client"
    )


def _same(shared: bytes) -> bytes:
    """What all tasks share, on a worker."""
    return shared


class Futures:
    """An executor of ``concurrent.futures``, or whatever has its ``submit``."""

    def __init__(self, executor: Any, work: Work, shared: bytes) -> None:
        self._executor = executor
        self._work = work
        self._shared = shared
        self._waiting: dict[Future[Any], Any] = {}
        self.workers = int(getattr(executor, "_max_workers", None) or os.cpu_count() or 1)

    @property
    def busy(self) -> int:
        """Tasks that are given out."""
        return len(self._waiting)

    @property
    def is_ready(self) -> bool:
        """Whether tasks can be given out."""
        return True

    def submit(self, task: Any) -> None:
        """Gives out a task."""
        try:
            future = self._executor.submit(self._work, self._shared, task)
        except BrokenProcessPool as error:
            raise Broken(_POOL) from error
        self._waiting[future] = task

    def finished(self) -> Iterator[Finished]:
        """Waits a little, and gives what is done."""
        done, _ = wait(self._waiting, timeout=_PERIOD, return_when=FIRST_COMPLETED)
        for future in done:
            task = self._waiting.pop(future)
            try:
                outcome = future.result()
            except BrokenProcessPool as error:
                raise Broken(_POOL) from error
            yield task, outcome, False

    def cancel(self) -> None:
        """Takes back what is not begun."""
        for future in self._waiting:
            future.cancel()


class Dask:
    """A client of Dask distributed; what all tasks share goes to its workers once."""

    def __init__(self, client: Any, work: Work, shared: bytes) -> None:
        self._client = client
        self._work = work
        self._bytes = shared
        self._shared = self._sent()
        self._waiting: dict[Any, Any] = {}
        self._threads = 1

    def _sent(self) -> Any:
        # a result, which comes again where the workers that hold it die; what is scattered does not
        return self._client.submit(_same, self._bytes, pure=False)

    @property
    def workers(self) -> int:
        """Threads of all workers."""
        # a scheduler that goes meanwhile leaves the number as it was
        with contextlib.suppress(OSError, TimeoutError):
            if self.is_ready:
                threads: dict[str, int] = self._client.nthreads()
                self._threads = max(1, sum(threads.values()))
        return self._threads

    @property
    def busy(self) -> int:
        """Tasks that are given out."""
        return len(self._waiting)

    @property
    def is_ready(self) -> bool:
        """Whether the scheduler is there."""
        return bool(self._client.status == "running")

    def submit(self, task: Any) -> None:
        """Gives out a task."""
        if self._shared.status in ("lost", "cancelled", "error"):
            self._shared = self._sent()
        # retries are for workers that die, which the scheduler counts itself
        future = self._client.submit(self._work, self._shared, task, pure=False, retries=0)
        self._waiting[future] = task

    def finished(self) -> Iterator[Finished]:
        """Waits a little, and gives what is done."""
        from distributed.scheduler import KilledWorker

        time.sleep(_PERIOD / 10)
        if self._client.status in ("closing", "closed"):
            raise Broken(_LOST)
        done = [future for future in self._waiting if future.done()] if self.is_ready else []
        if not done:
            time.sleep(_PERIOD)
        for future in done:
            task = self._waiting.pop(future)
            if future.status in ("lost", "cancelled"):
                # another scheduler does not know it
                self.submit(task)
                continue
            try:
                error = future.exception()
                outcome = None if error is not None else future.result()
            except (CancelledError, OSError, TimeoutError):
                # the scheduler went meanwhile
                self._waiting[future] = task
                continue
            if isinstance(error, KilledWorker):
                yield task, None, True
                continue
            if error is not None:
                raise error
            yield task, outcome, False

    def cancel(self) -> None:
        """Takes back what is not begun."""
        if self.is_ready:
            self._client.cancel(list(self._waiting))
