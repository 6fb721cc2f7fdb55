"""Sweeps: a scenario over many values, on threads, processes or a cluster."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristle import _core, _frames, _progress
from bristle._errors import Stopped, SweepError
from bristle._scenario import Scenario


class Sweep(Mapping[str, NDArray[np.float64]]):
    """The table of a sweep: one row for each run; columns in SI by their names."""

    __slots__ = ("_table", "is_grid")

    def __init__(self, table: dict[str, Any], is_grid: bool) -> None:
        self._table = table
        #: Whether it has all combinations of the values.
        self.is_grid = is_grid

    def __getitem__(self, name: str) -> NDArray[Any]:
        for path, _, texts, numbers in self._table["parameters"]:
            if path == name:
                return np.asarray(texts) if numbers is None else np.asarray(numbers)
        found = self._table["columns"].get(name)
        if found is None:
            from bristle._run import _near

            raise KeyError(f"there is no column {name!r}{_near(name, self._table['columns'])}")
        return np.asarray(found[1])

    # a sweep is itself, whatever its numbers
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __iter__(self) -> Any:
        yield from self.parameters
        yield from self._table["columns"]

    def __len__(self) -> int:
        return len(self.parameters) + len(self._table["columns"])

    @property
    def parameters(self) -> list[str]:
        """Paths of the values that vary."""
        return [path for path, _, _, _ in self._table["parameters"]]

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns."""
        own = {path: unit for path, unit, _, _ in self._table["parameters"]}
        return {**own, **{name: unit for name, (unit, _) in self._table["columns"].items()}}

    @property
    def status(self) -> list[str | None]:
        """How each run ended: ``complete``, ``failed``, ``refused``, or nothing if it was not run."""
        return list(self._table["status"])

    @property
    def reason(self) -> list[str | None]:
        """Why runs did not complete."""
        return list(self._table["reason"])

    @property
    def computed(self) -> int:
        """Runs that were made now; the others were there already."""
        return int(self._table["computed"])

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped."""
        return bool(self._table["interrupted"])

    def _all(self) -> dict[str, _frames.Column]:
        units = self.units
        return {name: _frames.Column(self[name], units[name], name) for name in self}

    def to_pandas(self) -> Any:
        """A DataFrame with one row for each run."""
        frame = _frames.to_pandas(self._all(), None)
        frame.insert(len(self.parameters), "status", self.status)
        return frame

    def to_polars(self) -> Any:
        """A polars DataFrame with one row for each run."""
        return _frames.to_polars(self._all())

    def to_arrow(self) -> Any:
        """An Arrow table; units are metadata of its fields."""
        return _frames.to_arrow(self._all())

    def to_xarray(self) -> Any:
        """A Dataset: of a grid the parameters are its dimensions, else the runs."""
        xarray = _frames.library("xarray", "xarray")
        units = self.units
        if not self.is_grid:
            columns = self._all()
            columns["run"] = _frames.Column(np.arange(len(self.status)), "1", "run")
            return _frames.to_xarray(columns, "run", {})
        axes = {path: _distinct(self[path]) for path in self.parameters}
        shape = tuple(len(values) for values in axes.values())
        variables = {
            name: (tuple(axes), np.reshape(column, shape), {"units": unit, "long_name": name})
            for name, (unit, column) in self._table["columns"].items()
        }
        coords = {path: (path, values, {"units": units[path]}) for path, values in axes.items()}
        return xarray.Dataset(variables, coords=coords)

    def __repr__(self) -> str:
        done = sum(status is not None for status in self.status)
        failed = sum(status in ("failed", "refused") for status in self.status)
        what = ", ".join(self.parameters)
        return f"<bristle.Sweep over {what}: {done} of {len(self.status)} runs, {failed} failed>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Sweep, (self._table, self.is_grid))


def _distinct(values: NDArray[Any]) -> NDArray[Any]:
    """The values in the order in which they come."""
    _, first = np.unique(values, return_index=True)
    return np.asarray(values[np.sort(first)])


class Study:
    """What a sweep computes; any process can make it again from its arguments."""

    __slots__ = ("_arguments", "_core", "scenario")

    def __init__(
        self,
        scenario: Scenario,
        design: dict[str, Any],
        measures: list[str],
        channels: list[str],
    ) -> None:
        self.scenario = scenario
        self._arguments = (design, measures, channels)
        self._core = _core.Study(scenario._core, design, measures, channels)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Study, (self.scenario, *self._arguments))

    def files_of(self, cases: Sequence[int]) -> dict[str, bytes]:
        """Runs cases; gives the files that belong into ``runs/`` of the folder of the sweep."""
        with tempfile.TemporaryDirectory(prefix="bristle-") as folder:
            self._core.run_cases(list(cases), folder)
            files = sorted(Path(folder, "runs").iterdir())
            return {file.name: file.read_bytes() for file in files}


def sweep(
    scenario: Scenario | str | os.PathLike[str],
    vary: Mapping[str, Iterable[Any]] | None = None,
    *,
    cases: str | os.PathLike[str] | None = None,
    sample: str | None = None,
    ranges: Mapping[str, tuple[Any, Any]] | None = None,
    seed: int = 0,
    measure: Iterable[str] = (),
    channels: Iterable[str] = (),
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    force: bool = False,
    executor: Any = None,
    progress: bool | _progress.Progress | None = None,
) -> Sweep:
    """Runs a scenario over all combinations of values, the rows of a table, or a sample.

    ``vary={"body.cube.mass": [1, 2], "contact.base.friction.law": ["lugre", "dahl"]}``, or ``cases``,
    a CSV file whose columns are paths, or ``sample="lhs:100"`` with ``ranges={path: (low, high)}``.
    ``measure`` has texts such as ``"body.cube.position.x:drift:2.1:3"``.

    Runs on ``jobs`` threads of this process, or on an ``executor`` of ``concurrent.futures`` or a
    Dask client. With ``out`` the folder is that of ``bristle sweep``: every run that is done is kept,
    and ``resume=True`` goes on. The numbers are the same bits wherever they are computed.
    """
    if not isinstance(scenario, Scenario):
        scenario = Scenario.from_file(scenario)
    ways = [name for name, x in (("vary", vary), ("cases", cases), ("sample", sample)) if x]
    if len(ways) != 1:
        given = " and ".join(ways) or "none of them"
        raise SweepError(f"give vary, cases, or sample with ranges; there is {given}")
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs = {jobs}; expected 1 or more")
    design = {
        "vary": [f"{path}={','.join(_texts(path, x))}" for path, x in (vary or {}).items()],
        "cases": None if cases is None else os.fspath(cases),
        "sample": sample,
        "ranges": [f"{path}={_one(a)}:{_one(b)}" for path, (a, b) in (ranges or {}).items()],
        "seed": seed,
    }
    try:
        study = Study(scenario, design, list(measure), list(channels))
    except KeyboardInterrupt:
        raise Stopped("the sweep was stopped before its first run") from None
    with tempfile.TemporaryDirectory(prefix="bristle-") as temporary:
        folder = {
            "out": os.path.join(temporary, "sweep") if out is None else os.fspath(out),
            "force": force,
            "resume": resume,
            "jobs": jobs or os.cpu_count() or 1,
            "arrays": False,
        }
        watch = _progress.watcher(progress, "sweep")
        try:
            if executor is not None:
                from bristle import cluster

                cluster.compute(study, executor, folder, watch)
                folder["resume"] = True
            table, raised = study._core.run(folder, watch)
        finally:
            _progress.close(watch)
    done = Sweep(table, study._core.is_grid)
    if isinstance(raised, KeyboardInterrupt):
        stopped = Stopped("the sweep was stopped; resume=True goes on where out was given")
        stopped.sweep = done
        raise stopped from None
    if raised is not None:
        raise raised
    return done


def _texts(path: str, values: Iterable[Any]) -> list[str]:
    if isinstance(values, str):
        return [values]
    texts = [_one(value) for value in values]
    if not texts:
        raise SweepError(f"{path} has no values")
    return texts


def _one(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    raise SweepError(f"{value!r} is {type(value).__name__}; give numbers, or texts with a unit")
