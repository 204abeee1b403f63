"""The ExecutionGraph as an SVG."""

from xml.etree import ElementTree as ET

import pytest

from explorer import compile_graph
from explorer.drawing.svg.execution_pane import execution_pane
from explorer.drawing.svg.execution_svg import draw_execution, execution_svg
from explorer.drawing.view.graph_view import graph_view
from explorer.flink.compiler import Compilation
from tests.drawing.drawn import LINE

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def done() -> Compilation:
    return compile_graph({"environment": {"parallelism": 2}, "transformations": LINE}, "1.20")


def test_every_task_and_every_subtask_has_a_part(done: Compilation) -> None:
    view = graph_view(done)
    root = ET.fromstring(execution_svg(done, view, "job"))  # noqa: S314 - our own text
    keys = {group.get("data-key") for group in root.iter(SVG + "g")}
    cards = execution_pane(done, view).cards

    assert {vertex.key for vertex in view.vertices} <= keys
    assert set(cards) <= keys
    assert {edge.key for edge in view.job_edges} <= keys


def test_a_card_names_its_subtasks(done: Compilation) -> None:
    view = graph_view(done)
    drawn = draw_execution(view, execution_pane(done, view))

    assert drawn.title == "ExecutionGraph"
    titles = " ".join(part.svg for part in drawn.parts)
    assert "Source: Custom Source: subtasks " in titles


def test_the_names_of_tasks_lie_above_the_channels(done: Compilation) -> None:
    view = graph_view(done)
    kinds = [
        part.id.partition(":")[0] for part in draw_execution(view, execution_pane(done, view)).parts
    ]

    assert kinds.count("task-name") == len(view.vertices)
    assert max(at for at, kind in enumerate(kinds) if kind == "edge") < kinds.index("task-name")


def test_a_picked_task_is_marked(done: Compilation) -> None:
    view = graph_view(done)
    drawn = execution_svg(done, view, "job", lights={"v1": ["picked"]})

    assert 'class="box solid k0 is-picked" data-key="v1"' in drawn
    assert "is-picked" not in execution_svg(done, view, "job").partition("</style>")[2]
