"""A scenario under several friction laws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bristle import _frames, _invoke

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


@dataclass(frozen=True)
class LawResult:
    """What a scenario did under a law."""

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


class Comparison(Mapping[str, LawResult]):
    """Results by law, in the order in which the laws were given."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self.title: str = answer["title"]
        self._results = {law["law"]: _result(law) for law in answer["laws"]}

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


def _result(law: Mapping[str, Any]) -> LawResult:
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
        answer = _invoke.ask("compare", [*named, *words, "--no-plots", "--out", out])
    return Comparison(answer)
