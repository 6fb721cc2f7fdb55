"""Laws in the loops of other programs, which are tested where they are installed."""

from __future__ import annotations

import numpy as np
import pytest

import bristle as br
from bristle.interop import Stepper
from laws import LUGRE

#: The stick-slip of Canudas de Wit et al. 1995, fig. 4: 1 kg on a spring of 2 N/m that is drawn at 0.1 m/s.
STICK_SLIP = br.law(
    "lugre",
    bristle_stiffness=1e5,
    bristle_damping=np.sqrt(1e5),
    viscous_coefficient=0.4,
    stribeck_velocity=1e-3,
    kinetic_coefficient=1.0,
    static_coefficient=1.5,
)
#: Its position after 10 s, by Radau of SciPy with a tolerance of 1e-8.
AFTER_10_S = 0.627583129


def test_a_trial_moves_nothing_and_a_commit_is_an_update() -> None:
    contact, state = Stepper(LUGRE, 3, 2), LUGRE.state(3, 2)
    v = np.full((3, 2), 1e-3)
    first = contact.trial(v, 10.0, 1e-3)
    assert np.array_equal(contact.trial(v, 10.0, 1e-3), first) and contact.state == state
    assert np.array_equal(contact.commit(v, 10.0, 1e-3), LUGRE.update(state, v, 10.0, 1e-3))
    assert contact.state == state
    assert np.array_equal(contact.trial(v, 10.0, 0.0), LUGRE.rates(state, v, 10.0)[0])


def exudyn_stick_slip(step: float) -> float:
    """The position after 10 s in Exudyn."""
    exu = pytest.importorskip("exudyn")
    items = pytest.importorskip("exudyn.itemInterface")
    from bristle.interop.exudyn import SpringFriction

    system = exu.SystemContainer()
    mbs = system.AddSystem()
    ground = mbs.AddNode(items.NodePointGround())
    node = mbs.AddNode(items.Node1D(referenceCoordinates=[0.0]))
    mbs.AddObject(items.Mass1D(mass=1.0, nodeNumber=node))
    fixed = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    moving = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    markers = [fixed, moving]
    # the drawn spring: 2 N/m (0.1 m/s t - x)
    mbs.AddObject(items.CoordinateSpringDamper(markerNumbers=markers, stiffness=2.0))

    def draw(mbs: object, t: float, load: float) -> float:
        return 2.0 * 0.1 * t

    mbs.AddLoad(items.LoadCoordinate(markerNumber=moving, load=0.0, loadUserFunction=draw))
    friction = SpringFriction(mbs, STICK_SLIP, normal_force=1.0)
    mbs.AddObject(
        items.CoordinateSpringDamper(markerNumbers=markers, springForceUserFunction=friction.force)
    )
    mbs.Assemble()
    mbs.SetPostStepUserFunction(friction.post_step)
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(10.0 / step)
    settings.timeIntegration.endTime = 10.0
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0
    settings.timeIntegration.newton.useModifiedNewton = True
    mbs.SolveDynamic(settings)
    return float(mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates))


def test_exudyn_sticks_and_slips() -> None:
    # second order: the error is some 100 times that at a step of 0.1 ms, which is below 1e-6
    assert exudyn_stick_slip(1e-3) == pytest.approx(AFTER_10_S, abs=2e-5)


MODEL = """
<mujoco>
  <option timestep="1e-3" gravity="0 0 0" integrator="implicitfast"/>
  <worldbody>
    <body>
      <joint name="slide" type="slide" axis="1 0 0" stiffness="2"/>
      <geom type="box" size=".1 .1 .1" mass="1"/>
    </body>
  </worldbody>
</mujoco>
"""


def test_mujoco_sticks_and_slips() -> None:
    mujoco = pytest.importorskip("mujoco")
    from bristle.interop.mujoco import JointFriction

    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    friction = JointFriction(model, "slide", STICK_SLIP, normal_force=1.0)
    while data.time < 10.0 - 1e-9:
        friction.before_step(model, data)
        data.qfrc_applied[0] += 2.0 * 0.1 * data.time
        mujoco.mj_step(model, data)
    # MuJoCo's Euler step is of first order: 1 ms times the spread of its velocity, less what cancels
    assert data.qpos[0] == pytest.approx(AFTER_10_S, abs=1e-4)


def test_mujoco_has_no_such_joint() -> None:
    mujoco = pytest.importorskip("mujoco")
    from bristle.interop.mujoco import JointFriction

    model = mujoco.MjModel.from_xml_string(MODEL)
    with pytest.raises(ValueError, match="no joint 'hinge'"):
        JointFriction(model, "hinge", STICK_SLIP, 1.0)
