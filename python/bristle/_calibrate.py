"""Unknown fields of a scenario from records of the whole machine."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristle import _invoke
from bristle._errors import IdentifyError
from bristle._fit import Estimate
from bristle._scenario import Scenario

#: Measured columns by name, with the time among them, or a file of them.
Measured = str | os.PathLike[str] | Mapping[str, Any]


@dataclass(frozen=True)
class Calibration:
    """What the records say of the fields that were free."""

    #: By the paths of the fields.
    parameters: dict[str, Estimate]
    #: ``"identified"``, ``"partly identified"`` or ``"not identifiable"``.
    status: str
    #: Correlations of the estimates, in the order of ``parameters``.
    correlations: NDArray[np.float64] = field(repr=False)
    #: What is left of every measured channel: ``rms`` in its unit, ``relative`` to its spread.
    outputs: list[dict[str, Any]]
    #: The scenario with the values that were found.
    scenario: Scenario = field(repr=False)
    #: Measured and simulated outputs of every record, by column.
    series: list[dict[str, NDArray[np.float64]]] = field(repr=False)


def calibrate(
    scenario: Scenario,
    records: Measured | Iterable[Measured],
    *,
    free: Iterable[str],
    outputs: Mapping[str, str],
    inputs: Mapping[str, str] | None = None,
    start: Mapping[str, Any] | None = None,
    bounds: Mapping[str, tuple[Any, Any]] | None = None,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    gains: Mapping[str, float] | None = None,
    rate: str | None = None,
) -> Calibration:
    """Finds the fields ``free`` for which the scenario moves as the records say.

    ``outputs`` gives the measured column of a channel of the results; ``inputs`` the column that
    becomes the function of time of a field. A record is a file, a DataFrame or a dict of columns,
    whose names may have units as in ``"x [mm]"``. ``columns``, ``units`` and ``gains`` are by
    quantity, as in :meth:`Record.from_file`. Several records are runs of the same machine.
    """
    if isinstance(records, str | os.PathLike | Mapping) or hasattr(records, "columns"):
        records = [records]  # type: ignore[list-item]
    sought = {path: f"{low}:{high}" for path, (low, high) in (bounds or {}).items()}
    words = [
        *_invoke.options("--free", free),
        *_invoke.options("--output", outputs),
        *_invoke.options("--input", inputs),
        *_invoke.options("--start", start),
        *_invoke.options("--bound", sought),
        *_invoke.options("--column", columns),
        *_invoke.options("--unit", units),
        *_invoke.options("--gain", gains),
        *_invoke.options("--rate", rate),
    ]
    with _invoke.written(scenario) as named, _invoke.folder() as out:
        Path(out).parent.mkdir(exist_ok=True)
        files = [_file(record, k, Path(out).parent) for k, record in enumerate(records)]
        answer = _invoke.ask(
            "calibrate", [named[0], *files, *named[1:], *words, "--no-plots", "--out", out]
        )
        series = [_series(path) for path in sorted(Path(out).glob("outputs*.csv"))]
    return Calibration(
        parameters={e["name"]: _estimate(e) for e in answer["parameters"]},
        status=answer["status"],
        correlations=np.array(answer["correlations"]["matrix"], dtype=float),
        outputs=answer["outputs"],
        scenario=scenario.changed(answer["set"]),
        series=series,
    )


def _estimate(e: Mapping[str, Any]) -> Estimate:
    return Estimate(
        name=e["name"],
        symbol=e["symbol"],
        unit=e["unit"],
        value=e["value"],
        standard_error=e["standard_error"],
        interval=e["interval95"] and tuple(e["interval95"]),
        verdict=e["verdict"],
        reason=e["reason"],
        experiment=e["experiment"],
    )


def _file(record: Any, number: int, folder: Path) -> str:
    """The file of a record; columns are written with all their digits."""
    if isinstance(record, str | os.PathLike):
        return os.fspath(record)
    names = list(record)
    columns = [np.asarray(record[name], dtype=float) for name in names]
    lengths = {name: column.shape for name, column in zip(names, columns, strict=True)}
    if len(set(lengths.values())) > 1 or any(len(shape) != 1 for shape in lengths.values()):
        raise IdentifyError(f"record {number + 1}: columns of unlike shapes: {lengths}")
    path = folder / f"record-{number + 1}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(names)
        table.writerows(zip(*(map(repr, column.tolist()) for column in columns), strict=True))
    return os.fspath(path)


def _series(path: Path) -> dict[str, NDArray[np.float64]]:
    with path.open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    numbers = np.array([[float(cell or "nan") for cell in row] for row in rows])
    return {name: numbers[:, i] for i, name in enumerate(names)}
