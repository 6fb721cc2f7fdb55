"""The command in a process of its own, for questions that only it answers."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import uuid
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bristle._errors import Diagnostic, RunFailed, ScenarioError, ScenarioWarning, Stopped

if TYPE_CHECKING:
    from bristle._scenario import Scenario

#: Exit code of the command for bad input.
_BAD_INPUT = 2
#: The time limit of one wait for the command, s.
_PERIOD = 0.05
#: Where a message points to.
_PLACE = re.compile(r"[╭,]─\[(?P<file>.*):(?P<line>\d+):(?P<column>\d+)\]")
#: Marks of the terminal in front of a line of a message.
_MARKS = " ×⚠│|>"


def ask(command: str, arguments: Iterable[str]) -> Any:
    """What ``bristle COMMAND … --json`` prints; its warnings become warnings of Python.

    Ctrl-C stops the command as it does in a terminal, and :class:`Stopped` is raised.
    """
    words = [sys.executable, "-m", "bristle._command", command, *arguments, "--json", "--quiet"]
    # a group of its own: Ctrl-C in a terminal must not reach it twice
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"},
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        out, err = _output(process)
    except BaseException as error:
        process.send_signal(signal.SIGINT)
        process.communicate()
        if isinstance(error, KeyboardInterrupt):
            raise Stopped(f"{command} was stopped") from None
        raise
    said = list(_diagnostics(err))
    if not out.strip():
        problems = [d for d in said if d.severity == "error"]
        text = "\n".join(map(str, problems)) or err.strip()
        if process.returncode == _BAD_INPUT:
            raise ScenarioError(text, problems)
        raise RunFailed(text, problems)
    for diagnostic in said:
        warnings.warn(str(diagnostic), ScenarioWarning, stacklevel=4)
    return json.loads(out)


def _output(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What a process printed when it has ended.

    After Ctrl-C ``communicate`` gives the process a quarter of a second to end by itself, or what is left
    of its time limit; one in a group of its own has not heard of it.
    """
    while True:
        try:
            return process.communicate(timeout=_PERIOD)
        except subprocess.TimeoutExpired:
            continue


@contextlib.contextmanager
def written(scenario: Scenario) -> Iterator[list[str]]:
    """The arguments that name a scenario and its changes.

    A text becomes a file for the time of the command, in the folder from which the files that it
    names are found.
    """
    name, text, folder, changes = scenario.parts()
    options = [word for change in changes for word in ("--set", change)]
    if text is None:
        yield [name, *options]
        return
    with contextlib.ExitStack() as stack:
        place = Path(folder or ".") / f".scenario-{uuid.uuid4().hex}.toml"
        try:
            place.write_text(text, encoding="utf-8")
        except OSError:
            own = stack.enter_context(tempfile.TemporaryDirectory())
            place = Path(own) / f"{name}.toml"
            place.write_text(text, encoding="utf-8")
        stack.callback(place.unlink, missing_ok=True)
        yield [os.fspath(place), *options]


@contextlib.contextmanager
def folder() -> Iterator[str]:
    """A folder for the files of a command, for its time."""
    with tempfile.TemporaryDirectory() as own:
        yield os.path.join(own, "out")


def options(name: str, values: Mapping[str, Any] | Iterable[str] | str | None) -> list[str]:
    """An option as often as there are values; of a mapping ``KEY=VALUE`` each."""
    if values is None:
        return []
    if isinstance(values, str):
        values = [values]
    if isinstance(values, Mapping):
        values = [f"{key}={value}" for key, value in values.items()]
    return [word for value in values for word in (name, str(value))]


def _diagnostics(text: str) -> Iterator[Diagnostic]:
    """The messages that the command printed."""
    block: list[str] = []
    severity = ""
    for line in [*text.splitlines(), "error"]:
        if line.strip() in ("error", "warning"):
            if severity and block:
                yield _diagnostic(severity, block)
            severity, block = line.strip(), []
        else:
            block.append(line)


def _diagnostic(severity: str, block: list[str]) -> Diagnostic:
    message: list[str] = []
    advice: list[str] = []
    place = None
    into = message
    for line in block:
        found = _PLACE.search(line)
        if found:
            place = found
            into = []
        elif line.lstrip().startswith("help:"):
            into = advice
            into.append(line.lstrip().removeprefix("help:").strip())
        elif line.strip():
            into.append(line.strip(_MARKS))
    return Diagnostic(
        severity,
        " ".join(message),
        help=" ".join(advice) or None,
        file=place and place["file"],
        line=place and int(place["line"]),
        column=place and int(place["column"]),
    )
