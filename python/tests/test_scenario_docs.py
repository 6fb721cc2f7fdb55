"""Every snippet in Python of these pages runs, page by page, in the order of the page."""

from __future__ import annotations

import importlib.util
import itertools
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    "docs/python/scenarios.md",
    "docs/python/fitting.md",
    "docs/python/sweeps.md",
    "README.md",
]
#: Snippets, after a comment with the packages that they need if they need any.
BLOCK = re.compile(
    r"^(?:<!-- needs: ([\w ]+) -->\n)?```py\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.filterwarnings("ignore")
def test_the_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    text = (ROOT / page).read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "__main__"}
    blocks = BLOCK.findall(text)
    assert blocks
    for needs, code in blocks:
        if all(_is_there(package) for package in needs.split()):
            exec(compile(code, page, "exec"), names)


@pytest.mark.parametrize("page", ["docs/guide/results.md", "docs/guide/sweep.md"])
def test_python_that_reads_what_commands_wrote(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each program after the commands above it; without Bristle, and with pandas and NumPy."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", "examples")
    shutil.copytree(ROOT / "examples", ".", dirs_exist_ok=True)
    text = (ROOT / page).read_text(encoding="utf-8")
    command, ran = str(Path(sys.executable).with_name("bristle")), 0
    blocks = re.findall(r"^```(sh|python)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    for (language, commands), (follower, program) in itertools.pairwise(blocks):
        if language == "sh" and follower == "python":
            for line in commands.replace("\\\n", " ").splitlines():
                assert line.startswith("bristle "), line
                done = subprocess.run([command, *shlex.split(line)[1:]], capture_output=True)
                assert done.returncode in (0, 3), line
        if follower == "python":
            exec(compile(program, page, "exec"), {"__name__": "__main__"})
            ran += 1
    assert ran >= 1


def _is_there(package: str) -> bool:
    return importlib.util.find_spec(package) is not None
