"""The results of a run."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bristle import _core, _frames
from bristle._errors import Diagnostic

if TYPE_CHECKING:
    from bristle._scenario import Scenario


class Run(Mapping[str, NDArray[np.float64]]):
    """A run: columns by the names of channels, in SI, and a summary; never changes."""

    __slots__ = ("_channels", "_columns", "_core", "_summary", "scenario")

    def __init__(self, core: _core.Run, scenario: Scenario) -> None:
        self._core = core
        #: What was run.
        self.scenario = scenario
        self._channels = {name: (unit, meaning) for name, unit, meaning in core.channels()}
        self._columns: dict[str, NDArray[np.float64]] = {}
        self._summary: dict[str, Any] | None = None

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        column = self._columns.get(name)
        if column is None:
            column = self._core.column(name)
            if column is None:
                raise KeyError(f"there is no channel {name!r}{_near(name, self._channels)}")
            column.flags.writeable = False
            self._columns[name] = column
        return column

    # a run is itself, whatever its numbers
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __iter__(self) -> Iterator[str]:
        return iter(self._channels)

    def __len__(self) -> int:
        return len(self._channels)

    @property
    def t(self) -> NDArray[np.float64]:
        """Output times, s."""
        return self["t"]

    @property
    def units(self) -> dict[str, str]:
        """Units of the channels."""
        return {name: unit for name, (unit, _) in self._channels.items()}

    @property
    def meanings(self) -> dict[str, str]:
        """What the channels are."""
        return {name: meaning for name, (_, meaning) in self._channels.items()}

    @property
    def summary(self) -> dict[str, Any]:
        """The content of ``summary.json``: energies, stick and slip, extremes, expectations."""
        if self._summary is None:
            self._summary = json.loads(self._core.summary())
        return self._summary

    @property
    def status(self) -> str:
        """``"complete"``, ``"interrupted"`` or ``"failed"``."""
        return str(self.summary["status"])

    @property
    def end_time(self) -> float:
        """The time that was reached, s."""
        return float(self.summary["end_time"])

    @property
    def expectations_met(self) -> bool:
        """Whether no expectation of the scenario was missed."""
        return all(e["met"] or e.get("not_reached", False) for e in self.summary["expectations"])

    @property
    def warnings(self) -> tuple[str, ...]:
        """What deserves a second look, of the scenario and of the run."""
        return tuple(self.summary["warnings"])

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The warnings of the scenario with their places."""
        return tuple(self._core.warnings())

    def _all(self) -> dict[str, _frames.Column]:
        described = self._channels.items()
        return {
            name: _frames.Column(self[name], unit, meaning) for name, (unit, meaning) in described
        }

    def to_pandas(self) -> Any:
        """A DataFrame over the time; ``attrs`` has units and meanings."""
        return _frames.to_pandas(self._all(), "t")

    def to_polars(self) -> Any:
        """A polars DataFrame."""
        return _frames.to_polars(self._all())

    def to_arrow(self) -> Any:
        """An Arrow table; unit and meaning are metadata of its fields."""
        return _frames.to_arrow(self._all())

    def to_xarray(self) -> Any:
        """An xarray Dataset over the time, with ``units`` and ``long_name``."""
        attributes = {"title": self.summary["title"], "scenario_hash": self.summary["scenario_hash"]}
        return _frames.to_xarray(self._all(), "t", attributes)

    def plot(self, *channels: str, ax: Any = None) -> Any:
        """Draws channels over the time with matplotlib; without names the first friction there is."""
        pyplot = _frames.library("matplotlib.pyplot", "plot")
        names = channels or _interesting(self._channels)
        if ax is None:
            _, ax = pyplot.subplots(layout="constrained")
        for name in names:
            ax.plot(self.t, self[name], label=name)
        ax.set_xlabel("time (s)")
        units = {self._channels[name][0] for name in names}
        ax.set_ylabel(" or ".join(sorted(units)))
        ax.legend()
        return ax

    @property
    def plots(self) -> dict[str, str]:
        """Titles of the plots of the run by the names of their files; see :meth:`svg`."""
        return dict(self._core.plot_titles())

    def svg(self, name: str) -> str:
        """A plot of the run as SVG."""
        drawn = self._core.plot(name)
        if drawn is None:
            raise KeyError(f"there is no plot {name!r}{_near(name, self.plots)}")
        return drawn

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """The page of the run: plots, an animation, tables; written to ``path`` if there is one."""
        page = self._core.report()
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def show(self, height: int = 800) -> Page:
        """The page of the run inside of a notebook."""
        return Page(self.report(), height)

    def save(self, folder: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the folder that ``bristle run`` writes; ``force`` also into one of other files."""
        self._core.save(os.fspath(folder), force)

    def __repr__(self) -> str:
        rows = len(self.t)
        return (
            f"<bristle.Run {self.summary['title']!r}: {self.status}, t = {self.end_time:g} s, "
            f"{rows} rows of {len(self)} channels>"
        )

    def __str__(self) -> str:
        return self._core.text(100)

    def _repr_html_(self) -> str:
        summary = self.summary
        facts = {
            "status": self.status,
            "end": f"{self.end_time:g} s",
            "steps": f"{summary['steps']} ({summary['rejected_steps']} rejected)",
            "dissipated": f"{summary['energy']['dissipated']:.6g} J",
        }
        for name, contact in {**summary["contacts"], **summary.get("joints", {})}.items():
            first = contact.get("first_slip_time")
            slips = "never slips" if first is None else f"first slips at {first:.6g} s"
            facts[name] = f"{slips}, up to {contact['max_slip_speed']:.3g} m/s"
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(key)}</th>"
            f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
            for key, value in facts.items()
        )
        pictures = "".join(
            f"<div style='flex:1 1 320px;max-width:640px'>{self.svg(name)}</div>"
            for name in list(self.plots)[:2]
        )
        title = html.escape(summary["title"])
        return (
            f"<div><strong>{title}</strong><table>{rows}</table>"
            f"<div style='display:flex;flex-wrap:wrap;gap:8px'>{pictures}</div></div>"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        columns = [self[name] for name in self]
        return (_rebuilt, (self.scenario, columns, json.dumps(self.summary)))


def _rebuilt(scenario: Scenario, columns: list[NDArray[np.float64]], summary: str) -> Run:
    columns = [np.ascontiguousarray(column) for column in columns]
    run = Run(_core.Run.of(scenario._core, columns, summary), scenario)
    run._summary = json.loads(summary)
    return run


class Page:
    """A page that a notebook shows in a frame of its own."""

    def __init__(self, page: str, height: int) -> None:
        self.page = page
        self.height = height

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" style="width:100%;height:{self.height}px;'
            'border:0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<bristle page of {len(self.page)} characters; a notebook shows it>"


def _interesting(channels: Mapping[str, Any]) -> list[str]:
    for ending in (".friction.magnitude", ".friction", ".force", ".position.x"):
        named = [name for name in channels if name.endswith(ending) and ".point" not in name]
        if named:
            return named[:4]
    return [name for name in channels if name != "t"][:4]


def _near(name: str, names: Mapping[str, Any]) -> str:
    import difflib

    near = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {near[0]!r}?" if near else ""
