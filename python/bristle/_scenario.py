"""Scenarios: read, changed, checked, run."""

from __future__ import annotations

import dataclasses
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bristle import _core, _progress, _toml
from bristle._errors import Diagnostic, RunFailed, ScenarioError, ScenarioWarning, Stopped

if TYPE_CHECKING:
    from bristle._compare import Comparison
    from bristle._modes import Modes
    from bristle._response import Response
    from bristle._run import Run
    from bristle._session import Session

#: What errors call a scenario that is no file.
_NAME = "scenario"
#: A load that is computed while a run goes on: of the time, s, and the session.
Control = Callable[[float, "Session"], float]


class Scenario:
    """Bodies, contacts and loads, and how they are simulated; never changes.

    Made by :meth:`from_file`, :meth:`from_toml` or :meth:`from_dict`; :meth:`set` gives another
    scenario.
    """

    __slots__ = ("_changes", "_core", "_facts", "_folder", "_name", "_paths", "_text")

    def __init__(
        self,
        name: str,
        text: str | None,
        folder: str,
        changes: tuple[str, ...] = (),
        paths: tuple[str, ...] = (),
    ) -> None:
        self._name = name
        self._text = text
        self._folder = folder
        self._changes = changes
        self._paths = paths
        self._facts: dict[str, Any] | None = None
        with _located(paths):
            self._core = _core.Scenario(name, text, folder, list(changes))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Scenario:
        """Reads a scenario file, or a shipped example by its name."""
        return cls(os.fspath(path), None, "")

    @classmethod
    def from_toml(cls, text: str, *, folder: str | os.PathLike[str] = "") -> Scenario:
        """Reads a text as a scenario file has it; files that it names are found from ``folder``."""
        if not isinstance(text, str):
            raise TypeError(f"expected a text, found {type(text).__name__}")
        return cls(_NAME, text, os.fspath(folder))

    @classmethod
    def from_dict(
        cls, fields: Mapping[str, Any], *, folder: str | os.PathLike[str] = ""
    ) -> Scenario:
        """Builds a scenario of nested dicts; errors name the keys that lead to what is wrong."""
        if not isinstance(fields, Mapping):
            raise TypeError(f"expected a dict, found {type(fields).__name__}")
        lines, paths = _lines(fields)
        return cls(_NAME, "\n".join(lines) + "\n", os.fspath(folder), (), tuple(paths))

    def set(self, path: str | Mapping[str, Any], value: Any = None) -> Scenario:
        """The same scenario with another value at a path such as ``"body.cube.mass"``.

        Several values at once: ``set({"body.cube.mass": 2.0, "simulation.end_time": "5 s"})``.
        ``*`` stands for all names at its level.
        """
        values = path if isinstance(path, Mapping) else {path: value}
        return self.changed(f"{key}={_toml.value(x, key)}" for key, x in values.items())

    def changed(self, texts: Iterable[str]) -> Scenario:
        """The same scenario with changes as ``--set`` of the command takes them, ``path=value``."""
        changes = (*self._changes, *texts)
        return Scenario(self._name, self._text, self._folder, changes, self._paths)

    def parts(self) -> tuple[str, str | None, str, tuple[str, ...]]:
        """File or name, text if it is no file, folder of what the text names, changes."""
        return self._name, self._text, self._folder, self._changes

    def check(self) -> tuple[Diagnostic, ...]:
        """Builds the scenario and gives its warnings; raises :class:`ScenarioError` for errors."""
        return tuple(self._known()["warnings"])

    def _known(self) -> dict[str, Any]:
        if self._facts is None:
            with _located(self._paths):
                self._facts = self._core.check()
        return self._facts

    @property
    def title(self) -> str:
        """What it is about, in one line."""
        return str(self._known()["title"])

    @property
    def model(self) -> str:
        """Bodies, contacts, laws and method in one phrase."""
        return str(self._known()["model"])

    @property
    def hash(self) -> str:
        """Identifies every text and data file that was read."""
        return str(self._known()["hash"])

    @property
    def end_time(self) -> float:
        """The end of a run, s."""
        return float(self._known()["end_time"])

    @property
    def channels(self) -> dict[str, str]:
        """Names and units of all that a run records."""
        return {name: unit for name, unit, _ in self._known()["channels"]}

    @property
    def inputs(self) -> dict[str, str]:
        """Names and units of all that a session takes from outside."""
        return {name: unit for name, unit, _ in self._known()["inputs"]}

    @property
    def parameters(self) -> dict[str, Any]:
        """Every field with the value that is used, in SI, defaults filled in."""
        return dict(self._known()["parameters"])

    def run(
        self,
        progress: bool | _progress.Progress | None = None,
        *,
        loads: Mapping[str, Control] | None = None,
        hold: float | None = None,
    ) -> Run:
        """Simulates; Ctrl-C ends it, and the exception has what there is as ``run``.

        ``loads`` are functions of the time (s) and the session, by the names of inputs; each value
        is held for ``hold`` seconds.
        """
        from bristle._run import Run

        self._warn()
        if loads is not None or hold is not None:
            return self._run_controlled(loads or {}, hold, progress)
        watch = _progress.watcher(progress, self.title)
        try:
            core, raised = _core.run(self._core, watch)
        finally:
            _progress.close(watch)
        return _ended(Run(core, self), raised)

    def _run_controlled(
        self,
        loads: Mapping[str, Control],
        hold: float | None,
        progress: bool | _progress.Progress | None,
    ) -> Run:
        if hold is None or not hold > 0.0:
            raise ValueError(f"hold = {hold}; give the time in seconds for which a load is held")
        watch = _progress.watcher(progress, self.title)
        session = self.start(record=True, warn=False)
        names = {name: session.input_name(name) for name in loads}
        count, raised = 0, None
        try:
            while not session.is_at_end:
                for name, load in loads.items():
                    session.inputs[names[name]] = load(session.t, session)
                count += 1
                session.step_to(min(count * hold, session.end_time))
                if watch is not None:
                    watch(session.t, session.end_time)
        except (KeyboardInterrupt, RunFailed) as error:
            raised = error
        finally:
            _progress.close(watch)
        if isinstance(raised, RunFailed):
            return _ended(session.result(), None)
        return _ended(session.result(), raised)

    def start(self, *, record: bool = False, warn: bool = True) -> Session:
        """A session at the start, to be taken step by step; ``record`` keeps the rows of a run."""
        from bristle._session import Session

        if warn:
            self._warn()
        return Session(self, record)

    def modes(
        self, *, contacts: str = "as_they_stand", count: int = 10, as_given: bool = False
    ) -> Modes:
        """Natural frequencies, damping ratios and shapes about the equilibrium.

        ``contacts``: ``"as_they_stand"``, ``"stuck"`` or ``"free"``. ``as_given`` takes the positions
        of the scenario in the place of the equilibrium.
        """
        from bristle._modes import Modes

        if contacts not in ("as_they_stand", "stuck", "free"):
            raise ValueError(
                f"contacts = {contacts!r}; expected 'as_they_stand', 'stuck' or 'free'"
            )
        return Modes(**self._core.modes(contacts, count, as_given))

    def compare(
        self,
        laws: str | Iterable[str],
        *,
        parameters: Mapping[str, Mapping[str, Any]] | None = None,
        contacts: str | Iterable[str] = (),
        joints: str | Iterable[str] = (),
    ) -> Comparison:
        """The scenario under several friction laws, as ``bristle compare`` does it.

        A law is a name or a file; one alone is compared with that of the scenario. Parameters are
        translated, and ``parameters`` are those that are given: ``{"gkf": {"v_r": "0.1 mm/s"}}``.
        ``contacts`` and ``joints`` name the only ones that change; all of them if there are none.
        """
        from bristle._compare import compare

        self.check()
        given = [laws] if isinstance(laws, str) else list(laws)
        return compare(self, given, parameters or {}, contacts, joints)

    def response(
        self,
        start: float | str | None = None,
        stop: float | str | None = None,
        *,
        at: Iterable[float | str] = (),
        channels: str | Iterable[str] = (),
        vary: Mapping[str, Any] | None = None,
        optimise: Mapping[str, tuple[Any, Any]] | None = None,
        method: str = "hb",
        tolerance: float = 1e-4,
        harmonics: int | None = None,
        samples: int | None = None,
        max_amplitude: float | str | None = None,
        points: int | None = None,
        stability: bool = True,
        jobs: int | None = None,
    ) -> Response:
        """The steady motion under harmonic loads over their frequency, as ``bristle response`` does it.

        Frequencies from ``start`` to ``stop`` in Hz, or texts such as ``"95 rad/s"``; ``at`` are solved
        for exactly. ``vary`` gives a curve for each value of a field, ``optimise`` finds the value of a
        field between two for which the highest amplitude is least. ``method="time"`` integrates until
        the motion repeats, at ``points`` frequencies.
        """
        from bristle._response import respond, words

        more = {
            "tolerance": tolerance,
            "harmonics": harmonics,
            "samples": samples,
            "max_amplitude": max_amplitude,
            "points": points,
            "no_stability": not stability,
            "jobs": jobs,
        }
        asked = words(start, stop, at, channels, vary or {}, optimise or {}, method, more)
        return respond(self, asked)

    def _warn(self) -> None:
        for warning in self.check():
            warnings.warn(str(warning), ScenarioWarning, stacklevel=3)

    def __repr__(self) -> str:
        place = repr(self._name) if self._text is None else f"a text of {len(self._text)} characters"
        changes = "".join(f", {change}" for change in self._changes)
        return f"<bristle.Scenario {place}{changes}>"

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self._name, self._text, self._folder, self._changes, self._paths)
        return (Scenario, arguments)


def _ended(run: Run, raised: BaseException | None) -> Run:
    """The run, or the exception of one that did not reach its end."""
    if isinstance(raised, KeyboardInterrupt):
        stopped = Stopped(f"stopped at t = {run.end_time:g} s")
        stopped.run = run
        raise stopped from None
    if raised is not None:
        raise raised
    if run.status == "failed":
        failure = run.summary["error"]
        advice = failure.get("help")
        failed = RunFailed(failure["message"] + (f"\nhelp: {advice}" if advice else ""))
        failed.run = run
        raise failed
    return run


def _lines(fields: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """A scenario as lines of TOML, one for each value, and the keys that lead to each."""
    lines: list[str] = []
    paths: list[str] = []

    def walk(keys: tuple[str, ...], x: Any) -> None:
        place = _NAME + "".join(f"[{key!r}]" for key in keys)
        if isinstance(x, Mapping) and (x or not keys):
            for key, entry in x.items():
                if not isinstance(key, str):
                    raise ScenarioError(f"{place} has the key {key!r}; keys are texts")
                walk((*keys, key), entry)
            return
        if isinstance(x, os.PathLike):
            x = os.fspath(Path(x))
        lines.append(f"{'.'.join(_toml.key(key) for key in keys)} = {_toml.value(x, place)}")
        paths.append(place)

    walk((), fields)
    return lines, paths


class _located:
    """Names the keys of a dict where an error names a line of the text that was made of it."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = tuple(paths)

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if not self._paths or not isinstance(error, ScenarioError) or not error.diagnostics:
            return
        located = tuple(self._of(diagnostic) for diagnostic in error.diagnostics)
        texts = [str(d) for d in located if d.severity == "error"]
        raise type(error)("\n".join(texts), located) from None

    def _of(self, diagnostic: Diagnostic) -> Diagnostic:
        line = diagnostic.line
        if diagnostic.file != _NAME or line is None or line > len(self._paths):
            return diagnostic
        path = self._paths[line - 1]
        if diagnostic.text is not None and diagnostic.column is not None:
            path = _cut(path, diagnostic.text, diagnostic.column)
        return dataclasses.replace(diagnostic, file=path, line=None, column=None)


def _cut(path: str, text: str, column: int) -> str:
    """The keys up to the one that a column points to."""
    before = text[: column - 1]
    if " = " in before:
        return path
    depth = before.count(".") + 1
    parts = path.split("['")
    return "['".join(parts[: depth + 1])
