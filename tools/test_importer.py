#!/usr/bin/env python3
"""Loads FMUs with a second importer, the `fmi` crate, in an environment without any variable.

    tools/test_importer.py BRISTLE

BRISTLE is the command, with libbristle_fmu beside it or in the folder deps there. For FMI 2.0 and 3.0: a Dahl law by model
exchange against its closed form, and the cube by co-simulation, bit by bit against `bristle run`. The importer (tools/importer) is built with
cargo; its bindings to FMI need libclang, of the package libclang of Python (pip install libclang) or of the system
(apt-get install libclang1 libclang-common-14-dev). Without it the test says so and passes.
"""

import csv
import importlib.util
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def libclang():
    """Where the package of Python has libclang; it comes without the headers of a compiler, which `cc` has."""
    found = importlib.util.find_spec("clang")
    if found is None or found.origin is None:
        return {}
    headers = subprocess.run(["cc", "-print-file-name=include"], capture_output=True, text=True, check=True).stdout.strip()
    native = pathlib.Path(found.origin).parent / "native"
    return {"LIBCLANG_PATH": str(native), "BINDGEN_EXTRA_CLANG_ARGS": f"-I{headers}"}


def importer():
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "importer"
    words = ["cargo", "build", "--quiet", "--locked", "--manifest-path", str(ROOT / "tools/importer/Cargo.toml")]
    environment = {**os.environ, "CARGO_PROFILE_DEV_DEBUG": "0", **libclang()}
    built = subprocess.run([*words, "--target-dir", str(target)], capture_output=True, text=True, env=environment)
    if built.returncode != 0 and "libclang" in built.stderr:
        print("skipped: there is no libclang (pip install libclang)")
        sys.exit(0)
    if built.returncode != 0:
        sys.exit(built.stderr)
    return str(target / "debug/bristle-importer")


def without_units(path):
    """fmi-schema 0.8 does not know unit, nominal and range of variables, which FMI 3.0 has: they are taken out for it."""
    with zipfile.ZipFile(path) as fmu:
        files = {entry: fmu.read(entry) for entry in fmu.infolist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as fmu:
        for entry, content in files.items():
            if entry.filename == "modelDescription.xml":
                content = re.sub(rb'(?<=") (?:unit|nominal|min|max)="[^"]*"', b"", content)
            fmu.writestr(entry, content)


def rows(words, folder):
    # as in a fresh container: no PATH, no HOME, no Rust
    ran = subprocess.run(["/usr/bin/env", "-i", *words], cwd=folder, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{ran.stdout[-500:]}{ran.stderr}")
    return [tuple(map(float, line.split(","))) for line in ran.stdout.splitlines()]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    command = str(pathlib.Path(sys.argv[1]).resolve())
    program = importer()
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)

        def bristle(*words):
            ran = subprocess.run([command, *words], cwd=folder, capture_output=True, text=True)
            # 3: expectations of the example speak of its end, which comes earlier here
            if ran.returncode not in (0, 3):
                sys.exit(f"bristle {' '.join(words)}\n{ran.stderr}")

        (folder / "dahl.toml").write_text('law = "dahl"\nsigma_0 = 1e4\nmu_k = 0.2\n')
        end = ["--set", "simulation.end_time=0.4"]
        bristle("examples", "cube-30deg", "--out", ".")
        bristle("run", "cube-30deg.toml", *end, "--out", "run", "--quiet")
        with open(folder / "run/results.csv", newline="") as table:
            expected = [(float(r["t"]), float(r["body.cube.position.x"])) for r in csv.DictReader(table)]
        step = expected[1][0] - expected[0][0]
        for version in "2", "3":
            bristle("fmu", "dahl.toml", "--fmi", version, "-o", "law.fmu", "--quiet")
            if version == "3":
                without_units(folder / "law.fmu")
            law = rows([program, "law.fmu", "law", "F", "1e-4", "0.05", "v=1e-3", "N=10"], folder)
            # Runge and Kutta with 1e-4 s at a rate of 50 1/s: some 1e-12
            worst = max(abs(f - 2 * (1 - math.exp(-50 * t))) for t, f in law)
            assert len(law) == 501 and worst < 1e-10, worst
            print(f"  ok  FMI {version}.0, model exchange: within {worst:.1e} N of the closed form")
            bristle("fmu", "cube-30deg.toml", *end, "--fmi", version, "-o", "cube.fmu", "--quiet")
            if version == "3":
                without_units(folder / "cube.fmu")
            words = [program, "cube.fmu", "scenario", "body.cube.position.x", repr(step), "0.4"]
            own = rows(words, folder)
            assert [x for _, x in own] == [x for _, x in expected], "other bits than bristle run"
            print(f"  ok  FMI {version}.0, co-simulation: the bits of bristle run at {len(own)} points")
    print("all well")


if __name__ == "__main__":
    main()
