"""A law on a joint of MuJoCo, in place of its ``frictionloss``.

>>> friction = JointFriction(model, "hinge", law, normal_force=10.0)   # doctest: +SKIP
>>> mujoco.set_mjcb_control(friction.control)                         # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bristle._law import Law
from bristle.interop._stepper import Stepper


class JointFriction:
    """Friction on a slide or hinge joint with a constant normal force, as an applied force.

    ``radius`` is the lever of the friction on a hinge, m: the slip velocity is radius times the
    angular velocity. The force is that at the end of the coming step, linearised about its start:
    the joint gets the damping that the law has over one step, so that stiff bristles do not limit
    the time step of MuJoCo.
    """

    def __init__(
        self, model: Any, joint: str, law: Law, normal_force: float, radius: float = 1.0
    ) -> None:
        import mujoco

        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint)
        if number < 0:
            raise ValueError(f"the model has no joint {joint!r}")
        kind = mujoco.mjtJoint(int(model.jnt_type[number]))
        if kind not in (mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE):
            raise ValueError(f"joint {joint!r} is neither a slide nor a hinge")
        self._position = int(model.jnt_qposadr[number])
        self._speed = int(model.jnt_dofadr[number])
        self.stepper = Stepper(law)
        self.normal_force = float(normal_force)
        self.radius = float(radius)
        self._last: tuple[float, float] | None = None

    def before_step(self, model: Any, data: Any) -> None:
        """Call it before every ``mj_step``: moves the law by the step before, and puts the force."""
        time, slip = float(data.time), self.radius * float(data.qpos[self._position])
        velocity = self.radius * float(data.qvel[self._speed])
        if self._last is not None and time > self._last[0]:
            dt = time - self._last[0]
            mean = (slip - self._last[1]) / dt
            self.stepper.commit(velocity, self.normal_force, dt, mean_velocity=mean)
        self._last = (time, slip)
        force, jacobian = self.stepper.law.update(
            self.stepper.state.copy(),
            velocity,
            self.normal_force,
            float(model.opt.timestep),
            jacobian=True,
        )
        # implicit in the velocity: f(v + dv) = f(v) + f'(v) dv, the second part as damping
        slope = max(float(np.asarray(jacobian.force.velocity)), 0.0)
        model.dof_damping[self._speed] = slope * self.radius**2
        data.qfrc_applied[self._speed] = self.radius * (slope * velocity - float(force))
