"""Scenarios that several tests share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bristle as br

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def cart() -> dict[str, Any]:
    """A mass on a rail, pulled by a motor."""
    return {
        "title": "A mass on a rail",
        "simulation": {"end_time": 1, "output_step": "10 ms", "gravity": [0, 0, 0]},
        "body": {"cart": {"joint": "prismatic", "axis": [1, 0, 0], "mass": "2 kg"}},
        "force": {
            "motor": {"body": "cart", "direction": [1, 0, 0], "magnitude": "1 N"},
        },
    }


def cube(end_time: float = 3.6) -> br.Scenario:
    """The cube of the examples."""
    cube = br.Scenario.from_file(EXAMPLES / "cube-30deg.toml")
    return cube.set("simulation.end_time", end_time)
