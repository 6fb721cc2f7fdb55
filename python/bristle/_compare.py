"""A scenario under several friction laws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bristle import _frames, _invoke
from bristle._run import _near

if TYPE_CHECKING:
    from bristle._scenario import Scenario

#: Numbers of a contact or joint that go into the table, with their units; ``None`` is one of its own.
_MEASURED = {
    "first_slip_time": "s",
    "stuck_time": "s",
    "max_slip_speed": None,
    "peak_force": None,
    "peak_time": "s",
    "peak_ratio": "1",
    "drift": None,
    "creep": None,
    "dissipated": "J",
}
#: What has the unit of the slip speed, the force and the slip.
_OWN_UNITS = {"max_slip_speed": "speed", "peak_force": "force", "drift": "slip", "creep": "slip"}


@dataclass(frozen=True, eq=False)
class LawResult(Mapping[str, NDArray[np.float64]]):
    """What a scenario did under a law: columns by the names of channels, in SI, and numbers."""

    #: As the law was given, a name or a file.
    law: str
    #: ``"complete"``, or how the run ended.
    status: str | None
    #: Why it is not complete.
    reason: str | None
    #: What was changed in the scenario, as texts ``path=value``.
    changes: tuple[str, ...]
    #: How parameters were translated.
    notes: tuple[str, ...]
    #: Numbers and remarks of every contact, in SI.
    contacts: dict[str, dict[str, Any]]
    #: Numbers and remarks of every joint with friction, in SI.
    joints: dict[str, dict[str, Any]]
    #: Balance of energy, J.
    energy: dict[str, Any] | None
    #: Steps that were taken.
    steps: int | None
    _columns: dict[str, _frames.Column] = field(repr=False)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        column = self._columns.get(name)
        if column is None:
            raise KeyError(f"there is no channel {name!r}{_near(name, self._columns)}")
        return column.values

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    # it is itself, whatever its numbers
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def t(self) -> NDArray[np.float64]:
        """Output times, s."""
        return self["t"]

    @property
    def units(self) -> dict[str, str]:
        """Units of the channels."""
        return {name: column.unit for name, column in self._columns.items()}

    @property
    def meanings(self) -> dict[str, str]:
        """What the channels are."""
        return {name: column.meaning for name, column in self._columns.items()}

    def to_pandas(self) -> Any:
        """A DataFrame over the time; ``attrs`` has units and meanings."""
        return _frames.to_pandas(self._columns, "t")

    def to_polars(self) -> Any:
        """A polars DataFrame."""
        return _frames.to_polars(self._columns)

    def to_arrow(self) -> Any:
        """An Arrow table; unit and meaning are metadata of its fields."""
        return _frames.to_arrow(self._columns)

    def to_xarray(self) -> Any:
        """An xarray Dataset over the time, with ``units`` and ``long_name``."""
        return _frames.to_xarray(self._columns, "t", {"law": self.law})


class Comparison(Mapping[str, LawResult]):
    """Results by law, in the order in which the laws were given."""

    def __init__(self, answer: Mapping[str, Any], folder: Path) -> None:
        self.title: str = answer["title"]
        self._results = {law["law"]: _result(law, folder) for law in answer["laws"]}

    def __getitem__(self, law: str) -> LawResult:
        return self._results[law]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for every law and every contact or joint, in SI."""
        pandas = _frames.library("pandas", "pandas")
        rows = []
        for result in self._results.values():
            for kind, pairs in (("contact", result.contacts), ("joint", result.joints)):
                for name, measured in pairs.items():
                    row: dict[str, Any] = {"law": result.law, "kind": kind, "name": name}
                    row["status"] = result.status
                    row["stick_count"] = len(measured["stick_intervals"])
                    for key in _MEASURED:
                        value = measured.get(key)
                        row[key] = np.nan if value is None else value
                    units = measured["units"]
                    row |= {f"{what}_unit": units[what] for what in ("force", "slip", "speed")}
                    rows.append(row)
        return pandas.DataFrame(rows)

    def plot(self, channel: str, ax: Any = None) -> Any:
        """Draws a channel over the time, a line for every law that has it, with matplotlib."""
        pyplot = _frames.library("matplotlib.pyplot", "plot")
        having = [result for result in self._results.values() if channel in result]
        if not having:
            known = {name: None for result in self._results.values() for name in result}
            raise KeyError(f"there is no channel {channel!r}{_near(channel, known)}")
        if ax is None:
            _, ax = pyplot.subplots(layout="constrained")
        for result in having:
            ax.plot(result.t, result[channel], label=result.law)
        ax.set_xlabel("time (s)")
        ax.set_ylabel(f"{channel} ({having[0].units[channel]})")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        lines = [f"<bristle.Comparison {self.title!r}"]
        for result in self._results.values():
            for name, measured in (result.contacts | result.joints).items():
                numbers = ", ".join(
                    f"{key} {measured[key]:.4g} {unit or measured['units'][_OWN_UNITS[key]]}"
                    for key, unit in _MEASURED.items()
                    if measured.get(key) is not None
                )
                lines.append(f"  {result.law}, {name}: {numbers}")
            if result.reason:
                lines.append(f"  {result.law}: {result.reason}")
        return "\n".join(lines) + ">"


def _columns(results: Mapping[str, Any] | None, folder: Path) -> dict[str, _frames.Column]:
    """The channels of a law's run; none where the scenario is not sound with the law."""
    if results is None:
        return {}
    rows = np.loadtxt(folder / results["file"], delimiter=",", skiprows=1, ndmin=2)
    rows.flags.writeable = False
    described = results["channels"]
    # a run that fails at once has no rows
    values = rows.T if rows.size else np.empty((len(described), 0))
    return {
        name: _frames.Column(column, unit, meaning)
        for (name, unit, meaning), column in zip(described, values, strict=True)
    }


def _result(law: Mapping[str, Any], folder: Path) -> LawResult:
    return LawResult(
        law=law["law"],
        status=law["status"],
        reason=law["reason"],
        changes=tuple(law["changes"]),
        notes=tuple(law["notes"]),
        contacts=law["contacts"],
        joints=law["joints"],
        energy=law["energy"],
        steps=law["steps"],
        _columns=_columns(law["results"], folder),
    )


def compare(
    scenario: Scenario,
    laws: Iterable[str],
    parameters: Mapping[str, Mapping[str, Any]],
    contacts: Iterable[str],
    joints: Iterable[str],
) -> Comparison:
    """The command's comparison of a scenario."""
    given = [
        f"{law}:{name}={value}" for law, own in parameters.items() for name, value in own.items()
    ]
    words = [
        *_invoke.options("--law", laws),
        *_invoke.options("--param", given),
        *_invoke.options("--contact", contacts),
        *_invoke.options("--joint", joints),
    ]
    with _invoke.written(scenario) as named, _invoke.folder() as out:
        answer = _invoke.ask(
            "compare", [*named, *words, "--channels", "--no-plots", "--out", out]
        )
        return Comparison(answer, Path(out))
