"""Values as TOML, the language in which the crates read them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from bristle._errors import ParameterError

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def key(name: str) -> str:
    """A key; quoted if it needs to be."""
    return name if _BARE.fullmatch(name) else _text(name)


def value(x: Any, place: str) -> str:
    """A value on one line; ``place`` is what an error calls it."""
    if isinstance(x, (bool, np.bool_)):
        return "true" if x else "false"
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    if isinstance(x, (float, np.floating)):
        return repr(float(x))
    if isinstance(x, str):
        return _text(x)
    if isinstance(x, np.ndarray):
        return value(x.tolist(), place)
    if isinstance(x, Mapping):
        for name in x:
            if not isinstance(name, str):
                raise ParameterError(f"{place} has the key {name!r}; keys are texts")
        entries = (f"{key(name)} = {value(entry, f'{place}.{name}')}" for name, entry in x.items())
        return "{ " + ", ".join(entries) + " }"
    if isinstance(x, (list, tuple)):
        return "[" + ", ".join(value(entry, f"{place}[{i}]") for i, entry in enumerate(x)) + "]"
    raise ParameterError(
        f"{place} = {x!r} is {type(x).__name__}; give a number, a text with a unit such as "
        '"1 mm/s", true or false, a list or a dict of these'
    )


def _text(x: str) -> str:
    # JSON and TOML escape alike, the one character that JSON leaves apart
    return json.dumps(x, ensure_ascii=False).replace("\x7f", "\\u007f")
