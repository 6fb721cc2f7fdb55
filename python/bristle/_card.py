"""The catalogue of laws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bristle import _core


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a law."""

    #: Name in words: the field of scenario files and the keyword of :func:`bristle.law`.
    name: str
    #: Symbol of the literature, which is taken as well.
    symbol: str
    #: SI unit; ``1`` for a pure number.
    unit: str
    #: What it is.
    meaning: str
    #: The admissible range.
    allowed: str
    #: ``number``, ``list``, ``flag`` or ``curve``.
    kind: str
    #: A typical value.
    typical: Any
    #: Its value where none is given; a text says of which other parameter it follows.
    default: Any
    #: Whether it must be given.
    required: bool
    #: Whether it may be left out for good, and then means nothing.
    optional: bool


@dataclass(frozen=True, slots=True)
class StateInfo:
    """One state of a law."""

    name: str
    unit: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Card:
    """What a law is: equations, parameters, states, limits and source."""

    name: str
    title: str
    summary: str
    equations: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    states: tuple[StateInfo, ...]
    #: What a fit, a solver or a warning must know, such as ``Jumps``.
    behaviour: tuple[str, ...]
    reproduces: tuple[str, ...]
    cannot: tuple[str, ...]
    source: str
    remarks: str

    @property
    def typical(self) -> dict[str, Any]:
        """A typical set of parameters: ``br.law(card.name, **card.typical)``."""
        return {p.name: p.typical for p in self.parameters if not p.optional}

    def __getitem__(self, name: str) -> Parameter:
        """The parameter of that name or symbol."""
        for parameter in self.parameters:
            if name in (parameter.name, parameter.symbol):
                return parameter
        known = ", ".join(parameter.name for parameter in self.parameters)
        raise KeyError(f"{self.name} has no parameter {name!r}; it has {known}")

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.title}", self.summary, ""]
        lines += (f"  {equation}" for equation in self.equations)
        lines += ["", "parameters"]
        for p in self.parameters:
            lines.append(f"  {p.name} ({p.symbol}) in {p.allowed} {p.unit}: {p.meaning}")
        lines += ["", f"source: {self.source}"]
        return "\n".join(lines)


def card_from(fields: Mapping[str, Any]) -> Card:
    """A card from what the extension says of it."""
    given = dict(fields)
    given["parameters"] = tuple(Parameter(**p) for p in given["parameters"])
    given["states"] = tuple(StateInfo(*state) for state in given["states"])
    for name in ("equations", "behaviour", "reproduces", "cannot"):
        given[name] = tuple(given[name])
    return Card(**given)


class Catalogue(Mapping[str, Card]):
    """The cards of all laws by name."""

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self._cards = {card.name: card for card in cards}

    def __getitem__(self, name: str) -> Card:
        return self._cards[name.replace("-", "_")]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cards)

    def __len__(self) -> int:
        return len(self._cards)

    def __repr__(self) -> str:
        width = max(map(len, self._cards))
        return "\n".join(f"{name:{width}}  {card.title}" for name, card in self._cards.items())


@cache
def laws(kind: str = "friction") -> Catalogue:
    """The catalogue: the ``friction`` laws, or the ``normal`` ones, by name.

    >>> import bristle as br
    >>> br.laws()["dahl"]["sigma_0"].unit
    '1/m'
    """
    if kind not in ("friction", "normal"):
        raise ValueError(f"kind = {kind!r}, must be 'friction' or 'normal'")
    return Catalogue(tuple(card_from(card) for card in _core.cards(kind == "normal")))
