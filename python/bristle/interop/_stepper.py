"""A law in the loop of another program."""

from __future__ import annotations

from numpy.typing import ArrayLike

from bristle._law import Force, Law
from bristle._state import State


class Stepper:
    """A law with its state: forces for trial steps as often as asked, one commit for each step.

    An implicit solver evaluates the force several times before it accepts a step, or rejects it:
    :meth:`trial` leaves the state as it is, :meth:`commit` moves it.

    >>> import bristle as br
    >>> from bristle.interop import Stepper
    >>> contact = Stepper(br.law("dahl", bristle_stiffness=1e4, kinetic_coefficient=0.2))
    >>> contact.trial(0.01, 10.0, 1e-3) == contact.trial(0.01, 10.0, 1e-3)
    True
    """

    def __init__(self, law: Law, n: int | None = None, dim: int = 1) -> None:
        self.law = law
        #: The state after the last commit.
        self.state: State = law.state(n, dim)

    def trial(
        self,
        velocity: ArrayLike,
        normal_force: ArrayLike,
        dt: float,
        *,
        mean_velocity: ArrayLike | None = None,
    ) -> Force:
        """The force at the end of a step from the last commit; that of this instant for ``dt`` 0."""
        return self._step(self.state.copy(), velocity, normal_force, dt, mean_velocity)

    def commit(
        self,
        velocity: ArrayLike,
        normal_force: ArrayLike,
        dt: float,
        *,
        mean_velocity: ArrayLike | None = None,
    ) -> Force:
        """The same, and the state is that at the end of the step from now on."""
        return self._step(self.state, velocity, normal_force, dt, mean_velocity)

    def _step(
        self,
        state: State,
        velocity: ArrayLike,
        normal_force: ArrayLike,
        dt: float,
        mean_velocity: ArrayLike | None,
    ) -> Force:
        if dt == 0.0:
            return self.law.rates(state, velocity, normal_force)[0]
        return self.law.update(state, velocity, normal_force, dt, mean_velocity=mean_velocity)
