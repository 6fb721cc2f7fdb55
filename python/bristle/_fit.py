"""Records of measurements, and laws fitted to them."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bristle import _core, _frames, _progress
from bristle._errors import IdentifyError, Stopped
from bristle._law import Law, law

if TYPE_CHECKING:
    from bristle import _core as core_types
    from bristle._fit_parts import Parts

#: SI units of the quantities, along a line and about an axis.
_UNITS = {
    "time": ("s", "s"),
    "position": ("m", "rad"),
    "velocity": ("m/s", "rad/s"),
    "acceleration": ("m/s^2", "rad/s^2"),
    "force": ("N", "N m"),
    "load": ("N", "N"),
    "applied": ("N", "N m"),
    "goal": ("m", "rad"),
    "supply": ("V", "V"),
    "enabled": ("1", "1"),
}
_TERMS = (
    "mass",
    "offset",
    "gravity",
    "drag",
    "asymmetric",
    "preload",
    "transmitted",
    "start",
    "backlash",
)


class Record:
    """What was measured: columns in SI units, or a file.

    ``load`` is the normal force: an array, one number, or nothing where it was not measured;
    ``mean_load`` takes the mean of the array. Without ``t`` the samples are points of a steady curve. ``units`` gives columns
    in other units: ``{"velocity": "mm/s"}``. ``angular`` takes rad, rad/s and N m.
    """

    __slots__ = ("_columns", "_file", "_options", "_prepared", "name")

    def __init__(
        self,
        t: ArrayLike | None = None,
        *,
        velocity: ArrayLike | None = None,
        force: ArrayLike | None = None,
        position: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        load: ArrayLike | None = None,
        applied: ArrayLike | None = None,
        goal: ArrayLike | None = None,
        supply: ArrayLike | None = None,
        enabled: ArrayLike | None = None,
        name: str = "record",
        units: Mapping[str, str] | None = None,
        angular: bool = False,
        mean_load: bool = False,
        lowpass: float | str | None = "auto",
        delay: float = 0.0,
        trim: tuple[float, float] | None = None,
        rate: float | None = None,
        free: bool = False,
        servo: float | None = None,
    ) -> None:
        self.name = name
        self._file: dict[str, Any] | None = None
        self._prepared: dict[bool, core_types.Record] = {}
        number = None
        if load is not None and np.ndim(load) == 0:
            number, load = float(np.asarray(load, dtype=float)), None
        self._options = _options(number, mean_load, lowpass, delay, trim, rate, free, servo)
        given = {
            "time": t,
            "position": position,
            "velocity": velocity,
            "acceleration": acceleration,
            "force": force,
            "load": load,
            "applied": applied,
            "goal": goal,
            "supply": supply,
            "enabled": enabled,
        }
        own = dict(units or {})
        self._columns: list[tuple[str, str, NDArray[np.float64]]] = []
        for quantity, values in given.items():
            if values is not None:
                unit = own.pop(quantity, _UNITS[quantity][angular])
                self._columns.append((quantity, unit, _column(name, quantity, values)))
        if own:
            raise IdentifyError(f"{name}: units of {', '.join(own)}, which are no columns of it")
        lengths = {quantity: len(values) for quantity, _, values in self._columns}
        if len(set(lengths.values())) > 1:
            counts = ", ".join(f"{quantity} has {n}" for quantity, n in lengths.items())
            raise IdentifyError(f"{name}: columns of unequal lengths: {counts} samples")
        if not self._columns:
            raise IdentifyError(f"{name}: there are no columns; give t, velocity, force, …")

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        columns: Mapping[str, str] | None = None,
        units: Mapping[str, str] | None = None,
        gains: Mapping[str, float] | None = None,
        sampling_rate: float | None = None,
        load: float | str | None = None,
        lowpass: float | str | None = "auto",
        delay: float = 0.0,
        trim: tuple[float, float] | None = None,
        rate: float | None = None,
        free: bool = False,
        servo: float | None = None,
    ) -> Record:
        """Reads a file as ``bristle identify`` does: CSV, npz, MAT; columns are recognised.

        ``columns`` names those that are not: ``{"force": "Torque"}``.
        """
        record = cls.__new__(cls)
        record.name = os.path.basename(os.fspath(path))
        record._columns = []
        record._prepared = {}
        record._options = _options(
            None if isinstance(load, str) else load,
            load == "mean",
            lowpass,
            delay,
            trim,
            rate,
            free,
            servo,
        )
        names, own, factors = dict(columns or {}), dict(units or {}), dict(gains or {})
        record._file = {
            "path": os.fspath(path),
            "columns": [
                {
                    "quantity": quantity,
                    "name": names.get(quantity),
                    "unit": own.get(quantity),
                    "gain": factors.get(quantity),
                }
                for quantity in sorted({*names, *own, *factors})
            ],
            "sampling_rate": sampling_rate,
        }
        record._core(False)
        return record

    @classmethod
    def from_frame(cls, frame: Any, columns: Mapping[str, str], **options: Any) -> Record:
        """A record from a DataFrame: ``columns`` says which column is which argument of a record.

        ``{"t": "Zeit", "velocity": "v"}``; units in ``frame.attrs["units"]`` are used.
        """
        units = dict(getattr(frame, "attrs", {}).get("units", {}))
        own = dict(options.pop("units", {}) or {})
        arrays: dict[str, Any] = {}
        for argument, name in columns.items():
            if name not in frame.columns:
                known = ", ".join(map(str, frame.columns))
                raise IdentifyError(f"{argument}: there is no column {name!r}; there are {known}")
            arrays[argument] = np.asarray(frame[name], float)
            quantity = "time" if argument == "t" else argument
            if name in units:
                own.setdefault(quantity, units[name])
        return cls(**arrays, units=own, **options)

    def _core(self, accelerates: bool) -> core_types.Record:
        prepared = self._prepared.get(accelerates)
        if prepared is not None:
            return prepared
        options = {**self._options, "accelerates": accelerates}
        if self._file is not None:
            prepared = _core.Record.of_file(
                self._file["path"], self._file["columns"], self._file["sampling_rate"], options
            )
        else:
            columns = [
                {"quantity": quantity, "name": None, "unit": unit, "gain": None}
                for quantity, unit, _ in self._columns
            ]
            arrays = [values for _, _, values in self._columns]
            prepared = _core.Record.of_arrays(self.name, columns, arrays, options)
        self._prepared[accelerates] = prepared
        return prepared

    @property
    def columns(self) -> dict[str, NDArray[np.float64]]:
        """What is fitted, in SI: prepared, filtered, with a weight for each sample."""
        return dict(self._core(False).facts()["columns"])

    @property
    def notes(self) -> tuple[str, ...]:
        """What was noticed while the record was prepared."""
        return tuple(self._core(False).facts()["notes"])

    def __len__(self) -> int:
        return int(self._core(False).facts()["samples"])

    def __repr__(self) -> str:
        return f"<bristle.Record {self.name!r}: {len(self)} samples>"

    def __getstate__(self) -> dict[str, Any]:
        slots = ("_columns", "_file", "_options", "name")
        return {slot: getattr(self, slot) for slot in slots}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        for slot, value in state.items():
            setattr(self, slot, value)
        self._prepared = {}


def _column(record: str, quantity: str, values: ArrayLike) -> NDArray[np.float64]:
    try:
        column = np.ascontiguousarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise IdentifyError(f"{record}: {quantity} is no array of numbers: {error}") from None
    if column.ndim != 1:
        raise IdentifyError(f"{record}: {quantity} has the shape {column.shape}; expected (n,)")
    return column


def _options(
    load: float | None,
    mean_load: bool,
    lowpass: float | str | None,
    delay: float,
    trim: tuple[float, float] | None,
    rate: float | None,
    free: bool,
    servo: float | None,
) -> dict[str, Any]:
    if isinstance(lowpass, str) and lowpass not in ("auto", "off"):
        raise ValueError(f"lowpass = {lowpass!r}; give a frequency in Hz, 'auto' or 'off'")
    if load is not None and not load > 0.0:
        raise IdentifyError(f"load = {load} N, must be above 0")
    return {
        "load": load,
        "mean_load": mean_load,
        "lowpass": None if isinstance(lowpass, str) else lowpass,
        "automatic_lowpass": lowpass == "auto",
        "delay": float(delay),
        "trim": trim,
        "rate": rate,
        "free": free or servo is not None,
        "servo": servo,
    }


@dataclass(frozen=True)
class Estimate:
    """One parameter as the data show it."""

    name: str
    symbol: str
    unit: str
    #: In SI.
    value: float
    standard_error: float | None
    #: 95 % confidence.
    interval: tuple[float, float] | None
    #: ``"identified"``, ``"weakly identified"``, ``"not identifiable"`` or ``"fixed"``.
    verdict: str
    #: Why.
    reason: str
    #: Which experiment would show it better.
    experiment: str | None

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True)
class Fit:
    """A fitted law, and what it is worth."""

    #: Name of the law.
    name: str
    #: By the names of the parameters.
    parameters: dict[str, Estimate]
    #: Everything else that the fit gave.
    details: dict[str, Any] = field(repr=False)

    @property
    def law(self) -> Law:
        """The law with the values that were found."""
        if self.name == "none":
            raise IdentifyError("the fit has no law")
        base: Law | None = self.details["base"]
        values = self.details["values"]
        return law(self.name, **values) if base is None else base.with_(**values)

    @property
    def intervals(self) -> dict[str, tuple[float, float] | None]:
        """95 % confidence intervals."""
        return {name: estimate.interval for name, estimate in self.parameters.items()}

    @property
    def verdicts(self) -> dict[str, str]:
        """Which parameters the data identify."""
        return {name: estimate.verdict for name, estimate in self.parameters.items()}

    @property
    def rms(self) -> float:
        """Root mean square error over all fitted records."""
        return float(self.details["rms"])

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know."""
        return tuple(text for _, text in self.details["warnings"])

    @property
    def train(self) -> list[dict[str, Any]]:
        """Measured and fitted, of every record that was fitted."""
        return list(self.details["train"])

    @property
    def test(self) -> list[dict[str, Any]]:
        """The same of every record that was not."""
        return list(self.details["test"])

    def to_pandas(self) -> Any:
        """A DataFrame with one row for each parameter."""
        pandas = _frames.library("pandas", "pandas")
        rows = []
        for e in self.parameters.values():
            low, high = e.interval or (np.nan, np.nan)
            rows.append(
                {
                    "parameter": e.name,
                    "value": e.value,
                    "low": low,
                    "high": high,
                    "unit": e.unit,
                    "verdict": e.verdict,
                    "reason": e.reason,
                }
            )
        return pandas.DataFrame(rows).set_index("parameter")

    def plot(self, ax: Any = None) -> Any:
        """Draws measured and fitted force of the first record over the time."""
        pyplot = _frames.library("matplotlib.pyplot", "plot")
        if ax is None:
            _, ax = pyplot.subplots(layout="constrained")
        record = self.train[0]
        ax.plot(record["time"], record["measured"], label="measured", lw=1)
        ax.plot(record["time"], record["fitted"], label=f"{self.name}, fitted", lw=1)
        ax.set_xlabel("time (s)")
        ax.set_ylabel(f"force ({self.details['unit']})")
        ax.set_title(record["record"])
        ax.legend()
        return ax

    def __str__(self) -> str:
        lines = [f"{self.name}: error {self.rms:.4g} {self.details['unit']}"]
        for e in self.parameters.values():
            interval = "" if e.interval is None else f" [{e.interval[0]:.4g}, {e.interval[1]:.4g}]"
            lines.append(f"  {e.name} = {e.value:.6g} {e.unit}{interval}, {e.verdict}")
        return "\n".join(lines)


def identify(
    records: Record | Iterable[Record],
    law: str | Law | Sequence[str | Law],
    *,
    test: Record | Iterable[Record] = (),
    terms: Iterable[str] = (),
    elements: int = 0,
    fix: Mapping[str, float] | None = None,
    free: Iterable[str] = (),
    start: Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    loss: str = "squares",
    draws: int = 240,
    starts: int = 6,
    iterations: int = 80,
    global_search: bool = False,
    profile: bool = False,
    jobs: int | None = None,
    executor: Any = None,
    progress: bool | _progress.Progress | None = None,
) -> Any:
    """Fits a law to records, and judges every parameter; of several laws a list, in their order.

    ``terms`` are what a machine adds: mass, offset, gravity, drag, asymmetric, preload, transmitted,
    start, backlash.

    An ``executor`` of ``concurrent.futures`` or a Dask client computes the parts of all fits at the
    same time: starts, descents from them, fits to draws of noise; ``jobs`` is then the number of
    threads of each part, 1 by default. The result is the same bits, whatever the executor, its
    workers and ``jobs``.

    Ctrl-C raises :class:`Stopped`, whose ``fits`` are those of the laws that were done.
    """
    train, tests = _records(records), _records(test)
    if not train:
        raise IdentifyError("there are no records to fit")
    named = tuple(terms)
    for term in named:
        if term not in _TERMS:
            raise IdentifyError(f"there is no term {term!r}; there are {', '.join(_TERMS)}")
    if loss not in ("squares", "huber", "cauchy"):
        raise IdentifyError(f"loss = {loss!r}; expected 'squares', 'huber' or 'cauchy'")
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs = {jobs}; expected 1 or more")
    options = {
        "terms": list(named),
        "elements": elements,
        "fix": list((fix or {}).items()),
        "free": list(free),
        "start": list((start or {}).items()),
        "bounds": [(name, low, high) for name, (low, high) in (bounds or {}).items()],
        "loss": loss,
        "draws": draws,
        "starts": starts,
        "iterations": iterations,
        "global_search": global_search,
        "profile": profile,
        "jobs": jobs,
    }
    laws = [law] if isinstance(law, (str, Law)) else list(law)
    watch = _progress.watcher(progress, "fitting")
    fits: list[Fit] = []
    try:
        if executor is not None:
            fits = _spread(executor, train, tests, laws, options, watch)
        else:
            for each in laws:
                fits.append(_fit(train, tests, each, options, watch))
    except Stopped as stopped:
        if stopped.fits is None:
            stopped.fits = fits
        raise
    finally:
        _progress.close(watch)
    return fits[0] if isinstance(law, (str, Law)) else fits


def _records(records: Record | Iterable[Record]) -> list[Record]:
    all_ = [records] if isinstance(records, Record) else list(records)
    for record in all_:
        if not isinstance(record, Record):
            raise IdentifyError(f"expected a bristle.Record, found {type(record).__name__}")
    return all_


def _spread(
    executor: Any,
    train: list[Record],
    tests: list[Record],
    laws: Sequence[str | Law],
    options: dict[str, Any],
    watch: _progress.Progress | None,
) -> list[Fit]:
    """Fits laws at the same time, and has an executor compute the parts of each."""
    from bristle import _fit_parts

    # an executor has a worker for each processor as a rule
    own = {**options, "jobs": options["jobs"] or 1}
    shared, begun = [], []
    for each in laws:
        named = None if isinstance(each, str) else each
        shared.append(pickle.dumps((named, train, {**own, "law": _name(each)})))
        begun.append(partial(_fit, train, tests, each, own))
    return _fit_parts.fits(executor, shared, begun, watch)


def _name(law: str | Law) -> str | None:
    """The name of the catalogue, where a law is given by it."""
    return law.replace("-", "_") if isinstance(law, str) else None


def _fit(
    train: list[Record],
    tests: list[Record],
    law: str | Law,
    options: dict[str, Any],
    watch: _progress.Progress | None,
    parts: Parts | None = None,
) -> Fit:
    accelerates = "mass" in options["terms"]
    own = None if isinstance(law, str) else law._core
    try:
        details = _core.identify(
            own,
            [record._core(accelerates) for record in train],
            [record._core(accelerates) for record in tests],
            {**options, "law": _name(law)},
            watch,
            parts,
        )
    except Stopped:
        raise
    except KeyboardInterrupt:
        raise Stopped("the fit was stopped") from None
    estimates = {e["name"]: Estimate(**e) for e in details.pop("parameters")}
    details["base"] = law if isinstance(law, Law) else None
    return Fit(details.pop("law"), estimates, details)
