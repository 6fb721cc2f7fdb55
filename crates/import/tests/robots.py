"""Reference values of robots: what is in the package example-robot-data, and what MuJoCo makes of some of them.

Prints JSON: for every URDF its path, and for those that MuJoCo reads the mass, centre and mass matrix at seeded
coordinates, and for some where they fall to. Geometry is stripped (its meshes are not needed), and MuJoCo keeps fixed
links apart.
"""

import json
import pathlib
import random
import sys
import xml.etree.ElementTree as ET

import mujoco
import numpy

# MuJoCo refuses some, and the test counts how many there are
WANTED = 24

# Robots that fall from seeded coordinates, for how long (s), and MuJoCo's step (s): coarse, so that its error is
# larger than that of what is compared with it
MOTIONS = 5
DURATION = 0.4
STEP = 5e-3


def plain(path):
    """The URDF without geometry, as text; None where it is no XML by itself."""
    try:
        robot = ET.parse(path).getroot()
    except ET.ParseError:
        return None
    for link in robot.findall("link"):
        for tag in ("visual", "collision"):
            for child in link.findall(tag):
                link.remove(child)
    for old in robot.findall("mujoco"):
        robot.remove(old)
    settings = ET.SubElement(robot, "mujoco")
    ET.SubElement(settings, "compiler", fusestatic="false", balanceinertia="false")
    return ET.tostring(robot, encoding="unicode")


def reference(text, seed):
    """Mass matrix and gravity of the joints with one coordinate, masses and centres of the bodies.

    MuJoCo may let the base float; it stays where it is, and its own rows are left out.
    """
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    draw = random.Random(seed)
    single = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
    joints = [i for i in range(model.njnt) if int(model.jnt_type[i]) in single]
    if not joints:
        return None
    for i in joints:
        data.qpos[model.jnt_qposadr[i]] = draw.uniform(-1.0, 1.0)
    mujoco.mj_forward(model, data)
    full = numpy.zeros((model.nv, model.nv))
    try:
        mujoco.mj_fullM(model, data, full)
    except TypeError:
        mujoco.mj_fullM(model, full, data.qM)
    rows = [int(model.jnt_dofadr[i]) for i in joints]
    bodies = {
        model.body(i).name: {"mass": float(model.body_mass[i]), "centre": model.body_ipos[i].tolist()}
        for i in range(1, model.nbody)
    }
    return {
        "children": [model.body(model.jnt_bodyid[i]).name for i in joints],
        "q": [float(data.qpos[model.jnt_qposadr[i]]) for i in joints],
        "mass_matrix": full[numpy.ix_(rows, rows)].tolist(),
        "gravity": data.qfrc_bias[rows].tolist(),
        "bodies": bodies,
    }


def fall(model, start, step):
    """Coordinates after a fall from rest without friction, damping and limits, by Runge-Kutta of fourth order."""
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    model.opt.timestep = step
    model.dof_damping[:] = 0
    model.jnt_stiffness[:] = 0
    data = mujoco.MjData(model)
    data.qpos[:] = start
    for _ in range(round(DURATION / step)):
        mujoco.mj_step(model, data)
    return data.qpos.copy()


def motion(text, known):
    """Where a robot falls to, at a step and at half of it; None where its base floats or joints are tied."""
    model = mujoco.MjModel.from_xml_string(text)
    start = numpy.array(known["q"])
    if "<mimic" in text or not 3 <= model.nq == model.nv == len(start) <= 12:
        return None
    coarse, fine = fall(model, start, STEP), fall(model, start, STEP / 2)
    if abs(fine - start).max() < 0.1:
        return None  # it balances
    return {"duration": DURATION, "coarse": coarse.tolist(), "fine": fine.tolist()}


def main():
    share = pathlib.Path(sys.prefix).rglob("share/example-robot-data/robots")
    found = sorted(path for root in share for path in root.rglob("*.urdf"))
    robots, references, motions = [], 0, 0
    for seed, path in enumerate(found):
        robot = {"path": str(path), "reference": None}
        text = plain(path)
        if text is not None and references < WANTED:
            try:
                robot["reference"] = reference(text, seed)
                references += robot["reference"] is not None
                if robot["reference"] and motions < MOTIONS:
                    robot["motion"] = motion(text, robot["reference"])
                    motions += robot["motion"] is not None
            except ValueError:
                pass  # MuJoCo refuses it
        robots.append(robot)
    json.dump(robots, sys.stdout)


main()
