"""The notebook runs from its first cell to its last, and draws its plots."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("matplotlib")


def test_the_notebook_runs_and_draws():
    notebook = nbformat.read(Path(__file__).parent.parent / "examples" / "clearance.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "it is committed without what it prints"
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    plots = [output for output in outputs if "image/png" in output.get("data", {})]
    texts = [output["text"] for output in outputs if output.output_type == "stream"]
    assert len(plots) == 2 and len(texts) == 3
    assert texts[1].split(" to ")[0] > "0.0"
