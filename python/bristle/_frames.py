"""Columns with units as frames of other libraries, which are imported when they are asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Column:
    """A column: values in SI, unit, meaning."""

    values: NDArray[Any]
    unit: str
    meaning: str = ""


def library(name: str, extra: str) -> Any:
    """A library that is an extra of this package."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ImportError(
            f"{package} is not installed; pip install 'bristle[{extra}]'", name=name
        ) from error


def to_pandas(columns: Mapping[str, Column], index: str | None) -> Any:
    """A DataFrame; units and meanings are in its attributes."""
    pandas = library("pandas", "pandas")
    frame = pandas.DataFrame({name: column.values for name, column in columns.items()})
    if index is not None:
        frame = frame.set_index(index)
    frame.attrs["units"] = {name: column.unit for name, column in columns.items()}
    frame.attrs["meanings"] = {name: column.meaning for name, column in columns.items()}
    return frame


def to_polars(columns: Mapping[str, Column]) -> Any:
    """A polars DataFrame, which has no place for units."""
    polars = library("polars", "polars")
    return polars.DataFrame({name: np.asarray(column.values) for name, column in columns.items()})


def to_arrow(columns: Mapping[str, Column]) -> Any:
    """An Arrow table; unit and meaning are metadata of the fields."""
    arrow = library("pyarrow", "arrow")
    fields, arrays = [], []
    for name, column in columns.items():
        array = arrow.array(column.values)
        metadata = {"unit": column.unit, "meaning": column.meaning}
        fields.append(arrow.field(name, array.type, metadata=metadata))
        arrays.append(array)
    return arrow.Table.from_arrays(arrays, schema=arrow.schema(fields))


def to_xarray(columns: Mapping[str, Column], index: str, attributes: Mapping[str, Any]) -> Any:
    """A Dataset over one dimension; ``units`` and ``long_name`` label axes by themselves."""
    xarray = library("xarray", "xarray")
    variables = {}
    for name, column in columns.items():
        attrs = {"units": column.unit, "long_name": column.meaning or name}
        variables[name] = (index, column.values, attrs)
    along = variables.pop(index)
    return xarray.Dataset(variables, coords={index: along}, attrs=dict(attributes))
