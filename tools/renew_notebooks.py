#!/usr/bin/env python3
"""Runs the notebooks of docs/python/notebooks and keeps what they show, with one picture of each for the page about them.

    $(tools/python_env '.[test]') tools/renew_notebooks.py
"""

import base64
import os
import pathlib
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"


def pictures(notebook):
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    return [o["data"]["image/png"] for o in outputs if "image/png" in o.get("data", {})]


def main():
    os.environ["PATH"] = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
    for path in sorted((DOCS / "python/notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, 4)
        with tempfile.TemporaryDirectory() as folder:
            NotebookClient(notebook, timeout=600, resources={"metadata": {"path": folder}}).execute()
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
            # warnings name files of the machine that ran them
            if "outputs" in cell:
                cell.outputs = [o for o in cell.outputs if o.get("name") != "stderr"]
        notebook.metadata["language_info"] = {"name": "python"}
        nbformat.write(notebook, path)
        picture = base64.b64decode(pictures(notebook)[-1])
        (DOCS / f"images/notebook-{path.stem}.png").write_bytes(picture)
        print(path.name, len(pictures(notebook)), "pictures")


if __name__ == "__main__":
    main()
