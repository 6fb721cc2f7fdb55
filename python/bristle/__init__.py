"""Dry friction in machines: laws on arrays, contacts, multibody simulation, identification.

All numbers are in SI units; a text with a unit such as ``"1 mm/s"`` is taken wherever a number is.
"""

from bristle._core import __version__
from bristle._errors import (
    BristleError,
    Diagnostic,
    IdentifyError,
    ParameterError,
    RunFailed,
    ScenarioError,
    ScenarioWarning,
    Stopped,
    SweepError,
)
from bristle._bench import Characterisation, Drive, Feature
from bristle._card import Card, Catalogue, Parameter, laws
from bristle._derivatives import Derivatives, Gradient, Jacobian
from bristle._law import Law, law
from bristle._state import State

__all__ = [
    "BristleError",
    "Card",
    "Catalogue",
    "Characterisation",
    "Derivatives",
    "Diagnostic",
    "Drive",
    "Feature",
    "Gradient",
    "IdentifyError",
    "Jacobian",
    "Law",
    "Parameter",
    "ParameterError",
    "RunFailed",
    "ScenarioError",
    "ScenarioWarning",
    "State",
    "Stopped",
    "SweepError",
    "__version__",
    "law",
    "laws",
]
