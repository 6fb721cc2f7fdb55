"""The notebooks run from top to bottom, and show what is committed in them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "python" / "notebooks").glob("*.ipynb"))


def shown(notebook: Any) -> list[list[str]]:
    """What each cell shows: kinds of outputs, without warnings."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [
        [
            "picture" if "image/png" in output.get("data", {}) else output.output_type
            for output in cell.outputs
            if output.get("name") != "stderr"
        ]
        for cell in cells
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = Path(sys.executable).parent
    monkeypatch.setenv("PATH", os.pathsep.join([str(scripts), os.environ["PATH"]]))
    monkeypatch.delenv("MPLBACKEND", raising=False)
    notebook = nbformat.read(path, 4)
    committed = shown(notebook)
    folder = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=600, resources=folder).execute()
    assert shown(notebook) == committed
    assert any("picture" in cell for cell in committed)


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 3
