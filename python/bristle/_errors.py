"""What can go wrong, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error or warning with its place."""

    #: ``"error"`` or ``"warning"``.
    severity: str
    #: What is wrong: field, value with unit, and what is allowed.
    message: str
    #: What the underlined place deserves, such as the name that was meant.
    remark: str | None = None
    #: What to do about it.
    help: str | None = None
    #: Name of the file or text.
    file: str | None = None
    #: Line, from 1.
    line: int | None = None
    #: Column, from 1.
    column: int | None = None
    #: The line itself.
    text: str | None = None

    def __str__(self) -> str:
        place = ""
        if self.file is not None:
            place = self.file + (f":{self.line}" if self.line else "") + ": "
        advice = f"; {self.help}" if self.help else ""
        return f"{place}{self.message}{advice}"


class BristleError(Exception):
    """The root of all errors of this package."""

    def __init__(self, message: str = "", diagnostics: Iterable[Diagnostic] = ()) -> None:
        super().__init__(message)
        #: Everything that is wrong, one by one; empty where there is one message only.
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)

    def __reduce__(self) -> tuple[type[BristleError], tuple[str, tuple[Diagnostic, ...]]]:
        return (type(self), (str(self), self.diagnostics))


class ScenarioError(BristleError):
    """A scenario is wrong; ``diagnostics`` says where."""


class ParameterError(ScenarioError, ValueError):
    """A parameter of a law is unknown, missing, or out of range."""


class RunFailed(BristleError):
    """A run ended before its time; ``run`` has what there is."""

    #: What was computed, if it was a run.
    run: Any = None


class SessionError(BristleError):
    """A session cannot do what it is asked."""


class UnknownName(BristleError, KeyError):
    """There is no channel or input of this name."""

    def __str__(self) -> str:
        # that of a KeyError would be in quotes
        return str(self.args[0]) if self.args else ""


class IdentifyError(BristleError):
    """Records, laws or options of a fit do not fit together."""


class SweepError(BristleError):
    """A sweep cannot be made or finished."""


class Stopped(KeyboardInterrupt):
    """Ctrl-C stopped a computation; what was done is kept here."""

    #: What was computed, if it was a run.
    run: Any = None
    #: What was computed, if it was a sweep.
    sweep: Any = None
    #: The fits that were done, if they were of several laws.
    fits: Any = None


class ScenarioWarning(UserWarning):
    """A scenario can run, but physics or numerics deserve a second look."""
