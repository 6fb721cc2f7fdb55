"""How far a computation is: a callable, or a bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

#: Called with what is done and all there is to do (NaN where that is not known).
Progress = Callable[[float, float], Any]


class Bar:
    """A bar on standard error, or what tqdm makes of it in a notebook."""

    def __init__(self, label: str, stream: TextIO | None = None) -> None:
        self._label = label
        self._stream = stream if stream is not None else sys.stderr
        self._begin = time.monotonic()
        self._width = 0

    def __call__(self, done: float, total: float) -> None:
        spent = time.monotonic() - self._begin
        if total == total and total > 0:  # not NaN
            share = min(max(done / total, 0.0), 1.0)
            filled = round(30 * share)
            text = f"{self._label} [{'#' * filled}{'.' * (30 - filled)}] {share:4.0%} {spent:.1f} s"
        else:
            text = f"{self._label} {spent:.1f} s"
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)

    def close(self) -> None:
        """Clears the bar."""
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()


def watcher(progress: bool | Progress | None, label: str) -> Progress | None:
    """The callable for what the user gave."""
    if progress is True:
        return Bar(label)
    if progress is None or progress is False:
        return None
    if not callable(progress):
        raise TypeError(f"progress = {progress!r}; give True, or a callable of done and total")
    return progress


def close(watch: Progress | None) -> None:
    """Ends a bar."""
    if isinstance(watch, Bar):
        watch.close()
