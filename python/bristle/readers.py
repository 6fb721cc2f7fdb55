"""Files of test benches: MDF4, TDMS, MAT 7.3, UFF58, Parquet, and what the command reads itself.

The libraries that read them are the extra ``data`` and imported when a file asks for one. Units come
with the channels where the file has them; a unit that is not known is an error, not a guess.

>>> from bristle import readers
>>> channels = readers.open("run.mf4")                          # doctest: +SKIP
>>> record = channels.record(velocity="v_slide", force="F_x")   # doctest: +SKIP
"""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristle import _frames
from bristle._errors import IdentifyError
from bristle._fit import Record

#: What an extra is called that has the libraries of this module.
_EXTRA = "data"


@dataclass(frozen=True, eq=False)
class Channel:
    """A measured channel: its samples, their times, and its unit as the file has it."""

    name: str
    values: NDArray[np.float64]
    #: Times, s; nothing where the file has none.
    t: NDArray[np.float64] | None = None
    unit: str = ""

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, eq=False)
class Channels(Mapping[str, Channel]):
    """The channels of a file."""

    #: The file.
    path: str
    channels: dict[str, Channel] = field(repr=False)

    def __getitem__(self, name: str) -> Channel:
        found = self.channels.get(name)
        if found is None:
            from bristle._run import _near

            raise KeyError(
                f"{self.path}: there is no channel {name!r}{_near(name, self.channels)}"
            )
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def __len__(self) -> int:
        return len(self.channels)

    def record(self, t: str | None = None, **arguments: Any) -> Record:
        """A record of some channels: ``record(velocity="v", force="F", load="N", lowpass="off")``.

        Names of channels are given for the quantities, everything else goes to
        :class:`bristle.Record`. Channels of different rates are brought to the times of the slowest
        one that has times of its own, by straight lines. ``t`` names a channel of times, where
        channels have none.
        """
        quantities = ("position", "velocity", "acceleration", "force", "load", "applied", "goal",
                      "supply", "enabled")  # fmt: skip
        named = {
            quantity: self[arguments.pop(quantity)]
            for quantity in quantities
            if isinstance(arguments.get(quantity), str) and arguments[quantity] in self.channels
        }
        for quantity in quantities:
            if isinstance(arguments.get(quantity), str) and arguments[quantity] != "mean":
                self[arguments[quantity]]  # refuses a name that is not there
        if not named:
            raise IdentifyError(f"{self.path}: name channels, as in record(velocity=…, force=…)")
        times = None if t is None else self[t].values
        columns, times = _common(self.path, named, times)
        units = {quantity: channel.unit for quantity, channel in named.items() if channel.unit}
        units.update(arguments.pop("units", None) or {})
        arguments.setdefault("name", Path(self.path).name)
        return Record(times, **columns, units=units, **arguments)

    def __repr__(self) -> str:
        lines = [f"<bristle channels of {self.path}"]
        for channel in self.channels.values():
            unit = f" ({channel.unit})" if channel.unit else ""
            lines.append(f"  {channel.name}{unit}: {len(channel)} samples")
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(c.name)}</td><td>{html.escape(c.unit)}</td><td>{len(c)}</td></tr>"
            for c in self.channels.values()
        )
        head = "<tr><th>channel</th><th>unit</th><th>samples</th></tr>"
        return f"<strong>{html.escape(self.path)}</strong><table>{head}{rows}</table>"


def _common(
    path: str, named: Mapping[str, Channel], t: NDArray[np.float64] | None
) -> tuple[dict[str, Any], NDArray[np.float64] | None]:
    """Columns at common times, and these."""
    timed = [channel for channel in named.values() if channel.t is not None]
    if t is not None or not timed:
        lengths = {channel.name: len(channel) for channel in named.values()}
        if len(set(lengths.values())) > 1:
            counts = ", ".join(f"{name} has {n}" for name, n in lengths.items())
            raise IdentifyError(f"{path}: channels without times of unequal lengths: {counts}")
        return {quantity: channel.values for quantity, channel in named.items()}, t
    slowest = min(timed, key=len).t
    assert slowest is not None
    begin = max(channel.t[0] for channel in timed if channel.t is not None)
    end = min(channel.t[-1] for channel in timed if channel.t is not None)
    times = slowest[(slowest >= begin) & (slowest <= end)]
    if len(times) < 2:
        raise IdentifyError(f"{path}: the channels have no time in common")
    columns = {}
    for quantity, channel in named.items():
        own = channel.t
        if own is None:
            raise IdentifyError(f"{path}: {channel.name} has no times, other channels have")
        same = len(own) == len(times) and np.array_equal(own, times)
        columns[quantity] = channel.values if same else np.interp(times, own, channel.values)
    return columns, times


def open(path: str | os.PathLike[str]) -> Channels:  # noqa: A001
    """Reads a file by its ending: mf4, mdf, dat, tdms, mat, uff, unv, parquet, csv, npz."""
    ending = Path(path).suffix.lower()
    reader = _READERS.get(ending)
    if reader is None:
        known = ", ".join(sorted(_READERS))
        raise IdentifyError(f"{os.fspath(path)}: no reader for {ending or 'no ending'}; {known}")
    return reader(path)


def mdf(path: str | os.PathLike[str]) -> Channels:
    """An MDF file of a measurement system in a vehicle (asammdf)."""
    asammdf = _frames.library("asammdf", _EXTRA)
    channels: dict[str, Channel] = {}
    with asammdf.MDF(os.fspath(path)) as file:
        for signal in file.iter_channels():
            values = np.asarray(signal.samples)
            if values.ndim != 1 or values.dtype.kind not in "iufb":
                continue
            name = _free(signal.name, channels)
            t = np.asarray(signal.timestamps, float)
            channels[name] = Channel(name, values.astype(float), t, str(signal.unit or ""))
    return Channels(os.fspath(path), channels)


def tdms(path: str | os.PathLike[str]) -> Channels:
    """A TDMS file of LabVIEW (npTDMS)."""
    nptdms = _frames.library("nptdms", _EXTRA)
    channels: dict[str, Channel] = {}
    for group in nptdms.TdmsFile.read(os.fspath(path)).groups():
        for channel in group.channels():
            values = np.asarray(channel[:])
            if values.dtype.kind not in "iufb":
                continue
            name = _free(channel.name, channels)
            unit = str(channel.properties.get("unit_string", ""))
            t = None
            if "wf_increment" in channel.properties:
                t = np.asarray(channel.time_track(), float)
            channels[name] = Channel(name, values.astype(float), t, unit)
    return Channels(os.fspath(path), channels)


def mat(path: str | os.PathLike[str]) -> Channels:
    """A MAT file: of version 7.3 through mat73, older ones as the command reads them."""
    with Path(path).open("rb") as file:
        head = file.read(128)
    if b"MATLAB 7.3" not in head:
        return _own(path)
    mat73 = _frames.library("mat73", _EXTRA)
    channels: dict[str, Channel] = {}

    def walk(prefix: str, x: Any) -> None:
        if isinstance(x, Mapping):
            for key, entry in x.items():
                walk(f"{prefix}{key}.", entry)
            return
        values = np.asarray(x)
        if values.dtype.kind in "iufb" and values.size > 1 and values.size == max(values.shape):
            name = prefix.rstrip(".")
            channels[name] = Channel(name, values.ravel().astype(float))

    walk("", mat73.loadmat(os.fspath(path)))
    return Channels(os.fspath(path), channels)


def uff(path: str | os.PathLike[str]) -> Channels:
    """Functions (data set 58) of a universal file, as modal tests have them (pyuff)."""
    pyuff = _frames.library("pyuff", _EXTRA)
    file = pyuff.UFF(os.fspath(path))
    channels: dict[str, Channel] = {}
    for index, kind in enumerate(file.get_set_types()):
        if int(kind) != 58:
            continue
        own = file.read_sets(index)
        values = np.asarray(own["data"])
        if np.iscomplexobj(values):
            continue
        name = _free(str(own.get("id4") or own.get("id1") or f"set_{index}").strip(), channels)
        unit = str(own.get("ordinate_axis_units_lab", "")).strip()
        unit = "" if unit in ("NONE", "none") else unit
        channels[name] = Channel(name, values.astype(float), np.asarray(own["x"], float), unit)
    return Channels(os.fspath(path), channels)


def parquet(path: str | os.PathLike[str]) -> Channels:
    """A Parquet file; units in the metadata of its fields, as bristle writes them."""
    pq = _frames.library("pyarrow.parquet", "arrow")
    table = pq.read_table(os.fspath(path))
    channels: dict[str, Channel] = {}
    for f in table.schema:
        values = table.column(f.name).to_numpy()
        if values.dtype.kind in "iufb":
            unit = (f.metadata or {}).get(b"unit", b"").decode()
            channels[f.name] = Channel(f.name, values.astype(float), None, unit)
    return Channels(os.fspath(path), channels)


def _own(path: str | os.PathLike[str]) -> Channels:
    """What the command reads itself."""
    from bristle import _core

    columns = _core.read_table(os.fspath(path))
    channels = {name: Channel(name, values, None, unit) for name, unit, values in columns}
    return Channels(os.fspath(path), channels)


def csv(path: str | os.PathLike[str]) -> Channels:
    """A text of columns."""
    return _own(path)


def _free(name: str, taken: Mapping[str, Any]) -> str:
    """The name, with a number if there is one like it."""
    if name not in taken:
        return name
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


_READERS = {
    ".mf4": mdf,
    ".mdf": mdf,
    ".tdms": tdms,
    ".mat": mat,
    ".uff": uff,
    ".unv": uff,
    ".parquet": parquet,
    ".csv": csv,
    ".txt": csv,
    ".dat": csv,
    ".npz": csv,
    ".npy": csv,
}


def main(arguments: list[str] | None = None) -> int:
    """``python -m bristle.readers RUN.mf4 RUN.npz`` converts a file for ``bristle identify``."""
    import sys

    own = sys.argv[1:] if arguments is None else arguments
    if len(own) not in (1, 2):
        print("usage: python -m bristle.readers FILE [OUT.npz]", file=sys.stderr)
        return 2
    channels = open(own[0])
    if len(own) == 1:
        print(channels)
        return 0
    arrays: dict[str, NDArray[np.float64]] = {}
    timed = [channel for channel in channels.values() if channel.t is not None]
    if timed:
        columns, times = _common(channels.path, {c.name: c for c in timed}, None)
        assert times is not None
        arrays["t [s]"] = times
    else:
        columns = {channel.name: channel.values for channel in channels.values()}
    for name, values in columns.items():
        unit = channels[name].unit
        arrays[f"{name} [{unit}]" if unit else name] = values
    np.savez(own[1], **arrays)  # type: ignore[arg-type]
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
