"""The command in the wheel."""

import subprocess
import sys
from pathlib import Path

import bristle as br

#: beside the interpreter, as pip puts it
COMMAND = str(Path(sys.executable).with_name("bristle"))


def test_the_command_speaks_for_itself() -> None:
    done = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"bristle {br.__version__}\n"


def test_its_exit_status_is_that_of_the_process() -> None:
    done = subprocess.run([COMMAND, "check", "no.toml"], capture_output=True, text=True)
    assert done.returncode == 2 and "no.toml" in done.stderr
