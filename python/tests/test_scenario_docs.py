"""Every snippet in Python of these pages runs, page by page, in the order of the page."""

from __future__ import annotations

import importlib.util
import re
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


def _is_there(package: str) -> bool:
    return importlib.util.find_spec(package) is not None
