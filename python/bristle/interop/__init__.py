"""Laws inside other programs: their loops, their automatic differentiation.

:class:`Stepper` is for a loop of your own. The modules ``jax``, ``torch``, ``exudyn`` and ``mujoco``
are imported by name and need the program that they are called after.
"""

from bristle.interop._stepper import Stepper

__all__ = ["Stepper"]
