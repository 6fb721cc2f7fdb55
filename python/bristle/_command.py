"""The ``bristle`` command of the wheel."""

from __future__ import annotations

import sys

from bristle import _core


def main() -> int:
    """Runs the command with the arguments of the process."""
    return _core.command(["bristle", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
