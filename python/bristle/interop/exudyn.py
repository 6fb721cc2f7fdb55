"""A law in Exudyn: the force of a spring-damper object, with its history kept between steps.

Exudyn calls the force function of an object many times a step, to iterate and to take differences;
a law with memory must not move then. :class:`SpringFriction` gives the force of a trial and moves
the law once after every step::

    friction = SpringFriction(mbs, law, normal_force=10.0)
    mbs.AddObject(exu.MarkerBasedSpringDamper(..., springForceUserFunction=friction.force))
    ...
    mbs.SetPostStepUserFunction(friction.post_step)
"""

from __future__ import annotations

from typing import Any

from bristle._law import Law
from bristle.interop._stepper import Stepper


class SpringFriction:
    """Friction along the coordinate of a spring-damper object, such as
    ``CoordinateSpringDamperExt`` or ``CoordinateSpringDamper``, with a constant normal force.

    The slip is the displacement of the object, whose rate is its velocity. Its own stiffness and
    damping come on top if they are not 0.
    """

    def __init__(self, mbs: Any, law: Law, normal_force: float) -> None:
        self.mbs = mbs
        self.stepper = Stepper(law)
        self.normal_force = float(normal_force)
        self._time = 0.0
        self._slip: float | None = None
        self._last = (0.0, 0.0, 0.0)

    def force(
        self, mbs: Any, t: float, item: int, slip: float, velocity: float, *parameters: float
    ) -> float:
        """The user function of the object: the force at a trial of the step."""
        if self._slip is None:
            # the first call is at the initial configuration
            self._time, self._slip = t, slip
        self._last = (t, slip, velocity)
        dt = t - self._time
        if dt <= 0.0:
            force = self.stepper.trial(velocity, self.normal_force, 0.0)
        else:
            mean = (slip - self._slip) / dt
            force = self.stepper.trial(velocity, self.normal_force, dt, mean_velocity=mean)
        return float(force)

    def post_step(self, mbs: Any, t: float) -> bool:
        """The user function after every step: moves the law. Call it from yours if you have one."""
        if self._slip is not None and t > self._time:
            slip, velocity = self.at_end(mbs)
            dt = t - self._time
            mean = (slip - self._slip) / dt
            self.stepper.commit(velocity, self.normal_force, dt, mean_velocity=mean)
            self._time, self._slip = t, slip
        return True

    def at_end(self, mbs: Any) -> tuple[float, float]:
        """Slip and velocity at the end of the step: those of the last call of :meth:`force`.

        The last iteration is within the tolerance of the solver. Put a function in its place that
        reads a sensor or a node where that is not enough.
        """
        _, slip, velocity = self._last
        return slip, velocity
