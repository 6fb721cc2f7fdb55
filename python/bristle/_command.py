"""The ``bristle`` command of the wheel."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bristle import _core


def main() -> int:
    """Runs the command with the arguments of the process."""
    # where the wheel has the library of FMUs; the command itself is the interpreter
    os.environ.setdefault("BRISTLE_LIB", str(Path(__file__).parent / "lib"))
    return _core.command(["bristle", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
