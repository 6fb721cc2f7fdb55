"""The extension: private; its arguments are arrays of float64 in one piece."""

from typing import Any, TypeAlias, final

from bristle._points import Array as _Array, Step as _Step

__all__ = [
    "Law",
    "__version__",
    "card",
    "cards",
    "characterise",
    "command",
    "differentiated_parameters",
    "drive",
    "jacobian",
    "names_of_states",
    "pull_back",
    "rates",
    "start",
    "steady",
    "stored_energy",
    "update",
]

_Numbers: TypeAlias = float | _Array

__version__: str

def command(arguments: list[str]) -> int: ...
@final
class Law:
    def __new__(cls, place: str, text: str, changes: list[str]) -> Law: ...
    @property
    def name(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    def values(self) -> dict[str, Any]: ...
    def same(self, other: Law) -> bool: ...

def cards(normal: bool) -> list[dict[str, Any]]: ...
def card(law: Law) -> dict[str, Any]: ...
def names_of_states(law: Law, dimension: int) -> list[str]: ...
def differentiated_parameters(law: Law) -> list[tuple[str, int]]: ...
def start(law: Law, velocity: _Array, normal_force: _Numbers, states: _Array) -> None: ...
def steady(law: Law, speed: _Array, normal_force: _Array) -> _Array: ...
def stored_energy(
    law: Law, states: _Array, dimension: int, normal_force: _Numbers
) -> _Array: ...
def rates(
    law: Law, states: _Array, step: _Step, force: _Array, rates: _Array, jobs: int
) -> None: ...
def update(law: Law, states: _Array, step: _Step, force: _Array, jobs: int) -> None: ...
def jacobian(law: Law, states: _Array, step: _Step, out: _Array, jobs: int) -> None: ...
def pull_back(
    law: Law,
    states: _Array,
    step: _Step,
    weights: _Array,
    points: _Array,
    parameters: _Array,
    jobs: int,
) -> None: ...
def drive(
    law: Law,
    motion: tuple[_Array, _Array, _Array, _Array],
    rtol: float,
    force: _Array,
    states: _Array,
) -> None: ...
def characterise(
    law: Law, normal_force: float, mass: float, stiffness: float, drawing_speed: float
) -> dict[str, Any]: ...
