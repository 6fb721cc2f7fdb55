"""Builds the Python package with maturin, and puts the library of FMUs into it.

A wheel holds one product of Cargo; the library that ``bristle fmu`` packs into FMUs is a second one. It is built
with the profile of the extension, so that nothing is compiled twice, and goes into ``bristle/lib``.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import maturin
from maturin import (  # noqa: F401  hooks that need nothing more
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = ROOT / "python" / "bristle" / "lib"


def _profile() -> str:
    words = shlex.split(os.environ.get("MATURIN_PEP517_ARGS", ""))
    if "--profile" in words[:-1]:
        return words[words.index("--profile") + 1]
    return "release"


def _library() -> None:
    command = ["cargo", "build", "--profile", _profile(), "-p", "bristle-fmu"]
    command += ["--message-format=json-render-diagnostics"]
    built = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    LIBRARIES.mkdir(exist_ok=True)
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message.get("target", {}).get("name") == "bristle_fmu":
            for name in message.get("filenames", []):
                if name.endswith((".so", ".dll", ".dylib")):
                    shutil.copy(name, LIBRARIES)


def build_wheel(directory: str, settings: Any = None, metadata: str | None = None) -> str:
    """A wheel with the library."""
    _library()
    return maturin.build_wheel(directory, settings, metadata)


def build_editable(directory: str, settings: Any = None, metadata: str | None = None) -> str:
    """A package that is used where it lies, with the library."""
    _library()
    return maturin.build_editable(directory, settings, metadata)
