"""A scenario step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bristle import _core
from bristle._errors import UnknownName

if TYPE_CHECKING:
    from bristle._run import Run
    from bristle._scenario import Scenario


class Inputs(MutableMapping[str, float]):
    """Inputs by name: setting one holds its value from the present time on."""

    __slots__ = ("_core", "_names")

    def __init__(self, core: _core.Session, names: Mapping[str, str]) -> None:
        self._core = core
        self._names = names

    def _full(self, name: str) -> str:
        # a name that is not known is refused, with a suggestion, by the session itself
        return self._names.get(name, name)

    def __getitem__(self, name: str) -> float:
        return self._core.input(self._full(name))

    def __setitem__(self, name: str, value: float) -> None:
        self._core.hold(self._full(name), float(value), 0.0)

    def ramp(self, name: str, value: float, slope: float) -> None:
        """A load, or a speed, that changes by ``slope`` per second from the present time on."""
        self._core.hold(self._full(name), float(value), float(slope))

    def __delitem__(self, name: str) -> None:
        raise TypeError("an input stays; give it another value")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr({name: self[name] for name in self})


class Session:
    """A run that is taken step by step: see :meth:`Scenario.start`.

    ``session.force["motor"] = 2.0`` holds a force from now on, ``session.motion["belt"] = 0.1`` the
    speed of a prescribed motion; ``session["body.cube.position.x"]`` is the value of a channel.
    """

    __slots__ = (
        "_core",
        "_record",
        "contact",
        "force",
        "inputs",
        "joint_friction",
        "motion",
        "scenario",
        "torque",
    )

    def __init__(self, scenario: Scenario, record: bool = False) -> None:
        #: What is run.
        self.scenario = scenario
        self._record = record
        self._core = _core.Session(scenario._core, record)
        names = [name for name, _, _ in self._core.inputs()]

        def kind(first: str, last: str) -> Inputs:
            own = [name for name in names if name.startswith(first + ".") and name.endswith(last)]
            short = {name[len(first) + 1 : len(name) - len(last)]: name for name in own}
            return Inputs(self._core, short)

        #: All inputs by their full names.
        self.inputs = Inputs(self._core, {name: name for name in names})
        #: Magnitudes of forces, N, by the names of the forces.
        self.force = kind("force", ".magnitude")
        #: Magnitudes of torques, N m.
        self.torque = kind("torque", ".magnitude")
        #: Prescribed normal forces of contacts, N.
        self.contact = kind("contact", ".normal.prescribed")
        #: Given loads on the friction of joints, N.
        self.joint_friction = kind("joint_friction", ".load")
        #: Speeds of prescribed motions, m/s or rad/s, by the names of the bodies.
        self.motion = Inputs(self._core, _motions(names))

    @property
    def t(self) -> float:
        """The present time, s."""
        return self._core.time

    @property
    def end_time(self) -> float:
        """The end of the scenario, s."""
        return self._core.end_time

    @property
    def is_at_end(self) -> bool:
        """Whether the end of the scenario is reached."""
        return self._core.is_at_end

    def step(self, duration: float) -> None:
        """Goes on by ``duration`` seconds, and lands there."""
        self._core.step_to(self._core.time + duration)

    def step_to(self, t: float) -> None:
        """Goes on to the time ``t``, and lands there."""
        self._core.step_to(t)

    def __getitem__(self, channel: str) -> float:
        return self._core.value(channel)

    def values(self) -> dict[str, float]:
        """The values of all channels at the present time."""
        names = (name for name, _, _ in self._core.channels())
        return dict(zip(names, self._core.values().tolist(), strict=True))

    def array(self) -> NDArray[np.float64]:
        """The values of all channels in their order."""
        return self._core.values()

    @property
    def channels(self) -> dict[str, str]:
        """Names and units of the channels."""
        return {name: unit for name, unit, _ in self._core.channels()}

    def input_name(self, name: str) -> str:
        """The full name of an input: of ``motor`` perhaps ``force.motor.magnitude``."""
        full = [
            inputs._names[name]
            for inputs in (self.force, self.torque, self.contact, self.joint_friction, self.motion)
            if name in inputs._names
        ]
        if len(full) > 1:
            raise UnknownName(f"{name!r} may be {' or '.join(full)}; give the full name")
        if full:
            return full[0]
        # refuses a name that is not known
        self._core.input(name)
        return name

    def save(self) -> bytes:
        """The present state: restored, it goes on with the same bits."""
        return self._core.save()

    def restore(self, state: bytes) -> None:
        """Goes to a saved state of the same scenario."""
        self._core.restore(state)

    def result(self) -> Run:
        """The run so far; it has rows if the session was started with ``record=True``."""
        from bristle._run import Run

        return Run(self._core.result(self.scenario._core), self.scenario)

    def __repr__(self) -> str:
        return f"<bristle.Session at t = {self.t:g} s of {self.end_time:g} s>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self.scenario, self.save()))


def _restored(scenario: Scenario, state: bytes) -> Session:
    session = Session(scenario)
    session.restore(state)
    return session


def _motions(names: list[str]) -> dict[str, str]:
    """Prescribed motions by the name of their body, where that has one motion only."""
    motions = [name for name in names if name.startswith("joint.")]
    short = {}
    for name in motions:
        own = name[len("joint.") :]
        short[own] = name
    for name in motions:
        body = name.split(".")[1]
        alike = [other for other in motions if other.split(".")[1] == body]
        if len(alike) == 1:
            short[body] = name
    return short
