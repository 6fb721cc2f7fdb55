"""The steady motion under harmonic loads."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bristle import _frames, _invoke

if TYPE_CHECKING:
    from bristle._scenario import Scenario

Frequency = float | str


@dataclass(frozen=True, eq=False)
class Curve(Mapping[str, NDArray[np.float64]]):
    """The motions along a curve; columns by name, in SI."""

    #: Values of what was varied, by path.
    varied: dict[str, Any]
    #: Whether the curve reached the end of its range.
    complete: bool
    #: Why it did not.
    ended: str | None
    #: Highest points of the first channel: frequency (Hz), amplitude, stable.
    peaks: list[dict[str, Any]]
    #: Points at which the curve turns back.
    folds: list[dict[str, Any]]
    #: Points at which the stability changes, with their kind.
    bifurcations: list[dict[str, Any]]
    #: Every point with its harmonics, Floquet multipliers, contacts and joints.
    points: list[dict[str, Any]] = field(repr=False)
    columns: dict[str, _frames.Column] = field(repr=False)

    @property
    def frequency(self) -> NDArray[np.float64]:
        """Of order 1 of the loads, Hz."""
        return self["frequency"]

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether the motion is stable, point by point."""
        return np.asarray(self["stable"] == 1.0)

    def harmonics(self, channel: str) -> NDArray[np.complex128]:
        """Coefficients of a channel, (points, harmonics + 1), the mean first; 0 beyond those used.

        The channel is Re Σ cₖ exp(i k ω t).
        """
        rows = [np.asarray(p["channels"][channel]["harmonics"]) for p in self.points]
        width = max((len(row) for row in rows), default=0)
        all_of_them = np.zeros((len(rows), width), dtype=complex)
        for i, row in enumerate(rows):
            all_of_them[i, : len(row)] = row[:, 0] + 1j * row[:, 1]
        return all_of_them

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        values: NDArray[np.float64] = self.columns[name].values
        return values

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each point; units and meanings are in its attributes."""
        return _frames.to_pandas(self.columns, None)


class Response(Sequence[Curve]):
    """Curves over the frequency, in the order of the values that were varied."""

    def __init__(self, title: str, curves: list[Curve], optimum: dict[str, Any] | None) -> None:
        self.title = title
        #: Value and highest point of the best of them, where a field was optimised.
        self.optimum = optimum
        self._curves = curves

    def __getitem__(self, index: Any) -> Any:
        return self._curves[index]

    def __len__(self) -> int:
        return len(self._curves)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each point of each curve, numbered in the column ``curve``."""
        pandas = _frames.library("pandas", "pandas")
        frames = [curve.to_pandas() for curve in self._curves]
        for number, (frame, curve) in enumerate(zip(frames, self._curves, strict=True)):
            frame.insert(0, "curve", number)
            for path, value in curve.varied.items():
                frame[path] = value
        attributes = frames[0].attrs if frames else {}
        for frame in frames:
            frame.attrs = {}
        whole = pandas.concat(frames, ignore_index=True)
        whole.attrs = attributes
        return whole

    def __repr__(self) -> str:
        lines = [f"<bristle.Response {self.title!r}"]
        for curve in self._curves:
            values = "".join(f"{path} = {value}, " for path, value in curve.varied.items())
            peaks = ", ".join(
                f"{p['amplitude']:.4g} at {p['frequency']:.6g} Hz" for p in curve.peaks
            )
            lines.append(f"  {values}{len(curve.points)} points, peaks: {peaks or 'none'}")
        return "\n".join(lines) + ">"


def respond(scenario: Scenario, words: list[str]) -> Response:
    """The command's curves of a scenario."""
    with _invoke.written(scenario) as named, _invoke.folder() as out:
        answer = _invoke.ask("response", [*named, *words, "--no-plots", "--out", out])
        rows, about = _table(Path(out))
    optimum = None
    if isinstance(answer, dict) and "curves" in answer:
        optimum, answer = answer["optimum"], answer["curves"]
    answers = answer if isinstance(answer, list) else [answer]
    curves, at = [], 0
    for one in answers:
        count = len(one["points"])
        curves.append(_curve(one, rows[at : at + count], about))
        at += count
    return Response(answers[0]["title"] if answers else "", curves, optimum)


def _table(folder: Path) -> tuple[list[dict[str, str]], dict[str, dict[str, str]]]:
    with (folder / "response.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    about = json.loads((folder / "columns.json").read_text(encoding="utf-8"))
    return rows, about


def _curve(
    answer: Mapping[str, Any], rows: list[dict[str, str]], about: Mapping[str, Mapping[str, str]]
) -> Curve:
    values = answer.get("values", {})
    columns = {}
    for name in rows[0] if rows else ():
        if name not in values and name in about:
            numbers = np.array([float(row[name] or "nan") for row in rows])
            columns[name] = _frames.Column(numbers, about[name]["unit"], about[name]["meaning"])
    return Curve(
        varied=dict(values),
        complete=answer["complete"],
        ended=answer["ended"],
        peaks=answer["peaks"],
        folds=answer["folds"],
        bifurcations=answer["bifurcations"],
        points=answer["points"],
        columns=columns,
    )


def words(
    start: Frequency | None,
    stop: Frequency | None,
    at: Iterable[Frequency],
    channels: Iterable[str],
    vary: Mapping[str, Any],
    optimise: Mapping[str, tuple[Any, Any]],
    method: str,
    more: Mapping[str, Any],
) -> list[str]:
    """The options of the command."""
    varied = {
        path: values if isinstance(values, str) else ",".join(map(str, values))
        for path, values in vary.items()
    }
    sought = {path: f"{low}:{high}" for path, (low, high) in optimise.items()}
    given = [
        *_invoke.options("--from", None if start is None else [str(start)]),
        *_invoke.options("--to", None if stop is None else [str(stop)]),
        *_invoke.options("--at", [str(frequency) for frequency in at]),
        *_invoke.options("--channel", channels),
        *_invoke.options("--vary", varied),
        *_invoke.options("--optimise", sought),
        "--method",
        method,
    ]
    for name, value in more.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            given.append(option)
        elif value is not None and value is not False:
            given += [option, str(value)]
    return given
