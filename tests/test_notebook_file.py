"""The notebook of the repository: it runs as it stands, and shows what it says it shows."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOK = ROOT / "sample_graphs" / "explorer.ipynb"


@pytest.fixture(scope="module")
def found() -> list[list[dict[str, Any]]]:
    """What every code cell prints and shows now."""
    command = (sys.executable, "-W", "error", "-m", "tests.notebooks", NOTEBOOK)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


@pytest.fixture(scope="module")
def stored() -> list[dict[str, Any]]:
    """The code cells as they are in the file."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def text(output: dict[str, Any]) -> str:
    kept = output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
    return "".join(kept)


def words(svg: str) -> list[str]:
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    return sorted(each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text"))


@pytest.mark.process
def test_every_cell_runs_and_prints_the_output_of_the_file(
    found: list[list[dict[str, Any]]], stored: list[dict[str, Any]]
) -> None:
    now = [[text(output) for output in shown] for shown in found]

    assert now == [[text(output) for output in cell["outputs"]] for cell in stored]
    assert all(now), "a cell shows nothing"
    assert [cell["execution_count"] for cell in stored] == list(range(1, len(stored) + 1))


@pytest.mark.process
def test_the_graph_is_drawn_with_the_same_words(
    found: list[list[dict[str, Any]]], stored: list[dict[str, Any]]
) -> None:
    now, widget = found[0]
    before, hint = stored[0]["outputs"]

    drawn = "".join(before["data"]["image/svg+xml"])
    assert words(now["data"]["image/svg+xml"]) == words(drawn)
    assert now["data"]["text/html"].startswith("<div data-still-of=")
    assert "application/vnd.jupyter.widget-view+json" in widget["data"]
    assert set(hint["data"]) == {"text/plain"}
    assert "Source: flights" in words(drawn)


def test_the_cells_are_a_notebook_of_the_present_format() -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))

    ids = [cell["id"] for cell in notebook["cells"]]
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        wanted = {"cell_type", "id", "metadata", "source"}
        code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == wanted | code
