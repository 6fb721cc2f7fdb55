"""The parts of fits on executors: starts, descents, fits to draws of noise.

The fit itself goes its way in a thread here, by the code that fits in one process. What it gives out
and gets back are bytes, so that the result is the same bits wherever the parts are computed.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any

from bristle import _core, _engine, _progress
from bristle._errors import IdentifyError, Stopped

#: The thread that fits is asked how far it is, and signals are looked at, this often, s.
_PERIOD = 0.05
#: Fits whose records a worker keeps.
_KEPT = 8

_STOPPED = "the fit was stopped"
_DEAD = "a part of the fit ended its worker every time (a signal, or too little memory)"

_fits: dict[bytes, tuple[Any, list[_core.Record], dict[str, Any]]] = {}


def compute(shared: bytes, part: tuple[int, bytes]) -> bytes:
    """Computes a part of a fit; what workers do."""
    known = _fits.get(shared)
    if known is None:
        law, records, options = pickle.loads(shared)
        accelerates = "mass" in options["terms"]
        known = (law, [record._core(accelerates) for record in records], options)
        while len(_fits) >= _KEPT:
            _fits.pop(next(iter(_fits)), None)
        _fits[shared] = known
    law, cores, options = known
    return _core.fit_part(None if law is None else law._core, cores, options, part[1])


class Parts:
    """Has the parts of a fit computed by an executor."""

    def __init__(self, executor: Any, shared: bytes, stop: threading.Event) -> None:
        self._engine = _engine.engine(executor, compute, shared)
        self._stop = stop

    def compute(self, parts: Sequence[bytes]) -> list[bytes]:
        """The outcomes of parts, in their order."""
        outcomes: dict[int, bytes] = {}
        try:
            for part in enumerate(parts):
                self._engine.submit(part)
            while self._engine.busy:
                if self._stop.is_set():
                    raise Stopped(_STOPPED)
                for (index, _), outcome, dead in self._engine.finished():
                    if dead:
                        raise IdentifyError(_DEAD)
                    outcomes[index] = outcome
        except _engine.Broken as error:
            raise IdentifyError(str(error)) from error
        except BaseException:
            self._engine.cancel()
            raise
        return [outcomes[index] for index in range(len(parts))]


#: A fit that reports how far it is to the one, and has its parts computed by the other.
Begun = Callable[[_progress.Progress, Parts], Any]


def fits(
    executor: Any,
    shared: Sequence[bytes],
    begun: Sequence[Begun],
    watch: _progress.Progress | None,
) -> list[Any]:
    """The results of fits that go their way at the same time; ``shared`` is what workers need of each."""
    stop = threading.Event()
    stages = [0.0] * len(begun)

    def look(law: int) -> _progress.Progress:
        def watched(done: float, total: float) -> None:
            if stop.is_set():
                raise Stopped(_STOPPED)
            stages[law] = done

        return watched

    parts = [Parts(executor, own, stop) for own in shared]
    with ThreadPoolExecutor(max(1, len(begun))) as threads:
        running = [
            threads.submit(fit, look(law), own)
            for law, (fit, own) in enumerate(zip(begun, parts, strict=True))
        ]
        try:
            pending = set(running)
            while pending:
                done, pending = wait(pending, _PERIOD, FIRST_EXCEPTION)
                if any(future.exception() for future in done):
                    break
                if watch is not None:
                    watch(sum(stages), float("nan"))
        except KeyboardInterrupt:
            stopped = Stopped(_STOPPED)
            over = [future for future in running if future.done() and not future.exception()]
            stopped.fits = [future.result() for future in over]
            raise stopped from None
        finally:
            # of fits that are done nothing is left to stop
            stop.set()
    failed = [future.exception() for future in running if future.exception()]
    # those that failed by themselves before those that were stopped because of them
    failed.sort(key=lambda error: isinstance(error, Stopped))
    if failed and failed[0] is not None:
        if isinstance(failed[0], Stopped):
            failed[0].fits = [future.result() for future in running if not future.exception()]
        raise failed[0]
    return [future.result() for future in running]
