"""The C library through ctypes, against the laws of the package."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bristle as br

# a build of the workspace leaves the library beside the environment of these tests
_TARGET = Path(sys.prefix).parent
_PLACES = [_TARGET / profile / "libbristle.so" for profile in ("debug", "release", "debug/deps")]
_ROOT = Path(__file__).resolve().parents[2]


def _library() -> Path:
    """The library; built where it is not there."""
    found = next((place for place in _PLACES if place.is_file()), None)
    if found is None:
        if shutil.which("cargo") is None or not (_ROOT / "crates/capi").is_dir():
            pytest.skip("libbristle.so is not built, and there is no cargo to build it")
        words = ["cargo", "build", "--quiet", "--locked", "-p", "bristle-capi", "--target-dir", str(_TARGET)]
        subprocess.run(words, cwd=_ROOT, check=True)
        found = _PLACES[0]
    return found


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(_library()))
    loaded.bristle_last_error.restype = ctypes.c_char_p
    return loaded


def law_of(library: ctypes.CDLL, text: str) -> ctypes.c_void_p:
    law = ctypes.c_void_p()
    encoded = text.encode()
    status = library.bristle_law_from_toml(encoded, ctypes.c_size_t(len(encoded)), ctypes.byref(law))
    assert status == 0, library.bristle_last_error()
    return law


def test_an_update_has_the_bits_of_the_package(library: ctypes.CDLL) -> None:
    values = {"bristle_stiffness": 1e4, "kinetic_coefficient": 0.2}
    text = 'law = "dahl"\n' + "".join(f"{name} = {value!r}\n" for name, value in values.items())
    law = law_of(library, text)
    own = br.law("dahl", **values)
    state = own.state(n=1, dim=1)
    z, force = (ctypes.c_double * 1)(0.0), (ctypes.c_double * 1)(0.0)
    double = ctypes.c_double
    for i in range(100):
        v, n = 1e-3 * np.sin(0.1 * i), 10.0 + 0.1 * i
        speed = (ctypes.c_double * 1)(v)
        status = library.bristle_update(
            law, 1, double(1e-3), speed, double(n), speed, double(n), z, z, force, None, None, None, None
        )
        assert status == 0, library.bristle_last_error()
        expected = own.update(state, np.array([v]), n, 1e-3)
        # lanes and a single call differ by a few roundings
        assert abs(force[0] - float(np.ravel(expected)[0])) <= 1e-13 * 2.0
    library.bristle_law_free(law)


def test_errors_are_texts(library: ctypes.CDLL) -> None:
    law = ctypes.c_void_p()
    assert library.bristle_law_from_toml(b'law = "dall"', ctypes.c_size_t(12), ctypes.byref(law)) == 2
    assert b"dall" in library.bristle_last_error()
    assert law.value is None
