"""Dry friction in machines: laws on arrays, contacts, multibody simulation, identification.

All numbers are in SI units; a text with a unit such as ``"1 mm/s"`` is taken wherever a number is.
"""

from bristle._core import __version__
from bristle._bench import Characterisation, Drive, Feature
from bristle._calibrate import Calibration, calibrate
from bristle._card import Card, Catalogue, Parameter, laws
from bristle._compare import Comparison, LawResult
from bristle._derivatives import Derivatives, Gradient, Jacobian
from bristle._errors import (
    BristleError,
    Diagnostic,
    IdentifyError,
    ParameterError,
    RunFailed,
    ScenarioError,
    ScenarioWarning,
    SessionError,
    Stopped,
    SweepError,
    UnknownName,
)
from bristle._fit import Estimate, Fit, Record, identify
from bristle._law import Law, law
from bristle._modes import Modes
from bristle._response import Curve, Response
from bristle._run import Run
from bristle._scenario import Scenario
from bristle._session import Session
from bristle._state import State
from bristle._sweep import Sweep, sweep

__all__ = [
    "BristleError",
    "Calibration",
    "Card",
    "Catalogue",
    "Characterisation",
    "Comparison",
    "Curve",
    "Derivatives",
    "Diagnostic",
    "Drive",
    "Estimate",
    "Feature",
    "Fit",
    "Gradient",
    "IdentifyError",
    "Jacobian",
    "Law",
    "LawResult",
    "Modes",
    "Parameter",
    "ParameterError",
    "Record",
    "Response",
    "Run",
    "RunFailed",
    "Scenario",
    "ScenarioError",
    "ScenarioWarning",
    "Session",
    "SessionError",
    "State",
    "Stopped",
    "Sweep",
    "SweepError",
    "UnknownName",
    "__version__",
    "calibrate",
    "identify",
    "law",
    "laws",
    "sweep",
]
