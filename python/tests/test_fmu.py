"""FMUs in FMPy: validated, simulated, and driven by a master of our own that gives v at every evaluation."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bristle as br

fmpy = pytest.importorskip("fmpy")
# FMPy has deprecations of its own
pytestmark = pytest.mark.filterwarnings("ignore")

#: The law of the stick-slip example.
PARAMETERS = {
    "bristle_stiffness": 1e5,
    "bristle_damping": 316.22776601683796,
    "viscous_coefficient": 0.4,
    "stribeck_velocity": 1e-3,
    "kinetic_coefficient": 0.1,
    "static_coefficient": 0.15,
}
VERSIONS = ["2", "3"]


def command(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "bristle._command", *arguments]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def make(folder: Path, *arguments: str) -> str:
    ran = command("fmu", *arguments, "-o", "model.fmu", "--quiet", folder=folder)
    assert ran.returncode == 0, ran.stderr
    return str(folder / "model.fmu")


def law_file(folder: Path, law: str, **values: float) -> str:
    lines = [f'law = "{law}"'] + [f"{name} = {value!r}" for name, value in values.items()]
    (folder / "law.toml").write_text("\n".join(lines) + "\n")
    return "law.toml"


class Model:
    """An FMU for model exchange as a function of v, N and the states."""

    def __init__(self, path: str, folder: Path) -> None:
        from fmpy import extract, read_model_description
        from fmpy.fmi2 import FMU2Model
        from fmpy.fmi3 import FMU3Model

        description = read_model_description(path)
        self.references = {v.name: v.valueReference for v in description.modelVariables}
        self.states = description.numberOfContinuousStates
        self.is_three = description.fmiVersion.startswith("3")
        unpacked = extract(path, str(folder / "unpacked"))
        identifier = description.modelExchange.modelIdentifier
        kind: Any = FMU3Model if self.is_three else FMU2Model
        guid = description.instantiationToken if self.is_three else description.guid
        self.fmu = kind(guid=guid, unzipDirectory=unpacked, modelIdentifier=identifier, instanceName="law")
        self.fmu.instantiate()
        if not self.is_three:
            self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        self.event()

    def event(self) -> bool:
        if self.is_three:
            changed = self.fmu.updateDiscreteStates()[3]
        else:
            changed = self.fmu.newDiscreteStates()[3]
        self.fmu.enterContinuousTimeMode()
        return bool(changed)

    def set(self, name: str, value: float) -> None:
        setter = self.fmu.setFloat64 if self.is_three else self.fmu.setReal
        setter([self.references[name]], [value])

    def get(self, name: str) -> float:
        getter = self.fmu.getFloat64 if self.is_three else self.fmu.getReal
        return float(getter([self.references[name]])[0])

    def rates(self, v: float, n: float, z: np.ndarray) -> tuple[float, np.ndarray]:
        """The force and the rates of the states."""
        self.set("v", v)
        self.set("N", n)
        states = (ctypes.c_double * self.states)(*z)
        self.fmu.setContinuousStates(states, self.states)
        out = (ctypes.c_double * self.states)()
        if self.is_three:
            self.fmu.getContinuousStateDerivatives(out, self.states)
        else:
            self.fmu.getDerivatives(out, self.states)
        return self.get("F"), np.array(out)

    def free(self) -> None:
        self.fmu.terminate()
        self.fmu.freeInstance()


def runge_kutta(f: Callable[[float, np.ndarray], np.ndarray], y: np.ndarray, t: float, end: float) -> np.ndarray:
    """Dormand and Prince's pair of orders 5 and 4 with step control, every stage by the FMU."""
    a = [
        [],
        [1 / 5],
        [3 / 40, 9 / 40],
        [44 / 45, -56 / 15, 32 / 9],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
    fourth = [5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40]
    c = [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]
    scale = np.array([1e-8, 1e-8, 1e-7])
    h = 1e-5
    first = f(t, y)
    while t < end - 1e-12:
        h = min(h, end - t)
        k = [first]
        for i in range(1, 7):
            k.append(f(t + c[i] * h, y + h * sum(w * kj for w, kj in zip(a[i], k, strict=False))))
        new = y + h * sum(w * kj for w, kj in zip(a[6], k, strict=False))
        low = y + h * sum(w * kj for w, kj in zip(fourth, k, strict=False))
        error = float(np.max(np.abs(new - low) / scale))
        if error <= 1.0:
            t, y, first = t + h, new, k[6]
        h *= min(5.0, max(0.2, 0.9 * (error + 1e-12) ** -0.2))
    return y


@pytest.mark.parametrize("version", VERSIONS)
def test_laws_are_valid_and_simulate(tmp_path: Path, version: str) -> None:
    from fmpy.validation import validate_fmu

    for name, card in br.laws().items():
        arguments = [f"--param={field}={_text(value)}" for field, value in card.typical.items()]
        words = ["fmu", name, "-o", "model.fmu", "--fmi", version, "--dim", "3", *arguments]
        ran = command(*words, folder=tmp_path)
        if ran.returncode == 2 and "no rate" in ran.stderr:
            continue
        assert ran.returncode == 0, ran.stderr
        path = str(tmp_path / "model.fmu")
        assert validate_fmu(path) == [], name
        values = {"N": 10.0, "vx": 1e-4}
        result = fmpy.simulate_fmu(path, stop_time=0.01, output_interval=1e-3, start_values=values)
        assert np.all(np.isfinite(result["Fx"])), name


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(repr(x) for x in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("version", VERSIONS)
def test_stick_slip_through_a_law_is_that_of_the_command(tmp_path: Path, version: str) -> None:
    """A block of 1 kg on a spring of 2 N/m whose end moves at 0.1 m/s (Canudas de Wit et al. 1995)."""
    run = br.Scenario.from_file("stick-slip").set("simulation.end_time", 8.0).run()
    model = Model(make(tmp_path, law_file(tmp_path, "lugre_classical", **PARAMETERS), "--fmi", version), tmp_path)

    def f(t: float, y: np.ndarray) -> np.ndarray:
        x, v, z = y
        force, rate = model.rates(v, 10.0, np.array([z]))
        return np.array([v, 2.0 * (0.1 * t - x) - force, rate[0]])

    y, t = np.zeros(3), 0.0
    times, x = run["t"], run["body.block.position.x"]
    # in stick, where it breaks away at 7.458 s, and in the slip
    for target in (7.0, 7.6, 7.8):
        y, t = runge_kutta(f, y, t, target), target
        row = int(np.argmin(np.abs(times - target)))
        assert abs(times[row] - target) < 1e-9
        assert abs(y[0] - x[row]) <= 1e-5, target
    model.free()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_scenario_has_the_bits_of_the_command(tmp_path: Path, version: str) -> None:
    from fmpy.validation import validate_fmu

    path = make(tmp_path, "cube-30deg", "--fmi", version, "--set", "simulation.end_time=0.5")
    assert validate_fmu(path) == []
    run = br.Scenario.from_file("cube-30deg").set("simulation.end_time", 0.5).run()
    result = fmpy.simulate_fmu(path, stop_time=0.5, output_interval=1e-3)
    for name in result.dtype.names[1:]:
        np.testing.assert_array_equal(result[name], run[name], err_msg=name)


def test_inputs_outputs_and_parameters_have_their_names(tmp_path: Path) -> None:
    mu = "contact.base.friction.static_coefficient"
    path = make(
        tmp_path,
        "cube-30deg",
        "--input=force.pull.magnitude=F",
        "--output=body.cube.position.x=x",
        f"--parameter={mu}=mu_s",
    )
    assert fmpy.validation.validate_fmu(path) == []
    description = fmpy.read_model_description(path)
    names = {v.name: v.causality for v in description.modelVariables}
    assert names == {"F": "input", "x": "output", "mu_s": "parameter"}
    still = fmpy.simulate_fmu(path, stop_time=0.3, output_interval=0.01, start_values={"F": 0.5})
    moved = fmpy.simulate_fmu(path, stop_time=0.3, output_interval=0.01, start_values={"F": 5.0})
    slips = fmpy.simulate_fmu(path, stop_time=0.3, output_interval=0.01, start_values={"F": 1.2, "mu_s": 0.1})
    assert still["x"][-1] < 1e-4 < slips["x"][-1] < moved["x"][-1]


def test_the_library_needs_no_more_than_the_system(tmp_path: Path) -> None:
    path = make(tmp_path, law_file(tmp_path, "lugre_classical", **PARAMETERS))
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.startswith("binaries/"))
        archive.extract(name, tmp_path)
    if sys.platform == "linux":
        listed = subprocess.run(["ldd", str(tmp_path / name)], capture_output=True, text=True, check=True)
        needed = {line.split()[0].rsplit("/", 1)[-1].split(".so")[0] for line in listed.stdout.splitlines()}
        assert needed <= {"linux-vdso", "libc", "libm", "libgcc_s", "ld-linux-x86-64", "ld-linux-aarch64"}
    # in an empty environment, by a process that has loaded nothing of Bristle
    script = f"import ctypes; l = ctypes.CDLL({str(tmp_path / name)!r}); l.fmi2GetVersion.restype = ctypes.c_char_p; print(l.fmi2GetVersion())"
    ran = subprocess.run(["/usr/bin/env", "-i", sys.executable, "-I", "-c", script], capture_output=True, text=True)
    assert ran.stdout.strip() == "b'2.0'", ran.stderr


def test_the_same_call_gives_the_same_bytes(tmp_path: Path) -> None:
    law = law_file(tmp_path, "lugre_classical", **PARAMETERS)
    first = Path(make(tmp_path, law)).read_bytes()
    assert Path(make(tmp_path, law)).read_bytes() == first
