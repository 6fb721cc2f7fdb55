"""What MuJoCo makes of an MJCF file: coordinates, mass matrix, forces at rest, and the model as it writes it.

Called with the path of the file; prints JSON.
"""

import json
import pathlib
import random
import sys
import tempfile

import mujoco
import numpy


def main():
    model = mujoco.MjModel.from_xml_path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        compiled = pathlib.Path(folder) / "compiled.xml"
        mujoco.mj_saveLastXML(str(compiled), model)
        text = compiled.read_text()
    data = mujoco.MjData(model)
    draw = random.Random(3)
    data.qpos[:] = [draw.uniform(-1.0, 1.0) for _ in range(model.nq)]
    mujoco.mj_forward(model, data)
    full = numpy.zeros((model.nv, model.nv))
    try:
        mujoco.mj_fullM(model, data, full)
    except TypeError:
        mujoco.mj_fullM(model, full, data.qM)
    json.dump(
        {
            "q": data.qpos.tolist(),
            "mass_matrix": full.tolist(),
            "forces": (data.qfrc_bias - data.qfrc_passive).tolist(),
            "compiled": text,
        },
        sys.stdout,
    )


main()
