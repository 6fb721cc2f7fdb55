"""The snippets of the pages run, as they stand."""

from __future__ import annotations

import ast
import doctest
import re
import runpy
from pathlib import Path

import pytest

import bristle
import bristle._card
import bristle._law
import bristle.interop._stepper

PAGES = sorted((Path(__file__).parents[2] / "docs" / "python").glob("*.md"))
MODULES = [bristle._card, bristle._law, bristle.interop._stepper]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_sessions_of_a_page(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0, capsys.readouterr().out
    # pages without sessions have programs, which test_scenario_docs runs, or notebooks, which test_notebooks runs
    text = page.read_text(encoding="utf-8")
    assert tried > 0 or "```py\n" in text or ".ipynb)" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_programs_of_a_page_parse(page: Path) -> None:
    """Those that need other programs; test_jax and test_other_simulators run the like of them."""
    for program in re.findall(r"```py\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
        ast.parse(program)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_sessions_in_the_texts_of_functions(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert failed == 0 and tried > 0


def test_the_reference_is_that_of_the_sources() -> None:
    tool = PAGES[0].parents[2] / "tools" / "python_reference.py"
    own = runpy.run_path(str(tool))
    written = (PAGES[0].parent / "reference.md").read_text(encoding="utf-8")
    assert written == own["page"](), f"run {tool}"
    assert own["shown"]() == set(bristle.__all__) - {"__version__"}
