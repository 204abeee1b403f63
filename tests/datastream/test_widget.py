"""The widget's side in Python: its traits, what it refuses, and what it sends to a browser."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import explorer
from explorer.datastream.widget import GraphWidget
from explorer.documents import samples
from explorer.drawing.html.notebook import MOST_EDGES
from explorer.drawing.view.elements import EdgeView, NodeView, VertexView
from explorer.errors import ExplorerError
from explorer.extras import install_line
from tests.drawn_graphs import HOSTILE, hostile_graph
from tests.many_cases import for_each

PATHS = {sample.key: sample.path for sample in samples()}
SAMPLE, CAPTURED = PATHS["09-delays-by-carrier"], PATHS["16-airport-report"]


@pytest.fixture
def graph() -> GraphWidget:
    return explorer.widget(SAMPLE)


def click(graph: GraphWidget, **message: Any) -> None:
    """What a browser sends."""
    graph._handle_custom_msg(message, [])


def test_a_selection_is_named_as_people_name_things(graph: GraphWidget) -> None:
    graph.selection = "late-only"
    node = graph.selection
    assert isinstance(node, NodeView)
    for name in ("late only", node.id, node.hash, node.key, node):
        graph.selection = None
        graph.selection = name
        assert graph.selection == node
    task = graph.compilation.view.vertices[1]
    for meant in (task, task.key):
        graph.selection = meant
        assert isinstance(graph.selection, VertexView)
    for edge in ("flights->late-only", ("Source: flights", 2), (1, "late only")):
        graph.selection = edge
        assert isinstance(graph.selection, EdgeView)
        assert (graph.selection.source, graph.selection.target) == ("n1", "n2")


def test_a_selection_is_sent_in_both_directions(graph: GraphWidget) -> None:
    changes: list[str | None] = []
    graph.observe(lambda change: changes.append(change["new"] and change["new"].name), "selection")

    graph.selection = "late-only"
    assert graph._picked == "n2"
    graph.set_state({"_picked": "v1"})
    assert graph.selection.name == "Source: flights"
    graph.set_state({"_picked": "n99"})

    assert changes == ["late only", "Source: flights", None]


def test_a_change_compiles_retains_the_selection_and_is_undone(graph: GraphWidget) -> None:
    before = graph.document
    graph.selection = "late-only"

    graph.change("parallelism", 1)
    assert (graph.selection.name, graph.selection.parallelism) == ("late only", 1)
    graph.selection = ("flights", "late-only")
    graph.change("partitioner", "REBALANCE")
    assert graph.selection.partitioner == "REBALANCE"
    graph.release, graph.chaining = "1.13", False
    assert graph.compilation.release.version == "1.13"
    assert len(graph.compilation.job_graph.vertices) == 5
    assert graph.selection.source_name == "Source: flights"
    for _ in range(4):
        graph.undo()

    assert graph.document == before
    assert (graph.release, graph.chaining) == ("2.3", True)
    assert graph.compilation.to_dict() == explorer.compile_graph(SAMPLE).to_dict()
    for _ in range(5):
        graph.redo()

    assert (graph.release, graph.chaining) == ("1.13", False)
    assert graph.selection.source_name == "Source: flights"


@pytest.mark.parametrize(
    ("trait", "value", "said"),
    [
        ("release", "9.9", "no Flink release '9.9'"),
        ("selection", "nothing", "there is no operator 'nothing'"),
        ("selection", ("flights", "out"), "no edge goes from 'flights' to 'out'"),
        ("document", {"transformations": [{"id": "a", "type": "mop"}]}, "mop"),
    ],
)
def test_a_refused_call_changes_nothing(
    graph: GraphWidget, trait: str, value: object, said: str
) -> None:
    graph.selection = "late-only"
    before = {name: getattr(graph, name) for name in ("release", "selection", "document", "_scene")}

    with pytest.raises(ExplorerError, match=said):
        setattr(graph, trait, value)

    assert {name: getattr(graph, name) for name in before} == before


def test_a_browser_receives_why_a_change_cannot_be(graph: GraphWidget) -> None:
    for message, said in (
        ({"do": "set", "key": "n2", "field": "parallelism", "value": 0}, "must be 1 to 32768"),
        ({"do": "set", "key": "n2", "field": "colour", "value": "red"}, "colour"),
        ({"do": "set", "key": "v1", "field": "parallelism", "value": 2}, "a task has nothing"),
        ({"do": "set", "key": "e0", "field": "partitioner", "value": "FORWARD"}, "Forward"),
        ({"do": "set", "key": "e0", "field": "name", "value": "x"}, "an edge has no field"),
        ({"do": "release", "value": "0.1"}, "no Flink release"),
        ({"do": "dance"}, "run the cell again"),
    ):
        click(graph, **message)
        assert said in graph._scene["refused"]
    click(graph, do="set", key="n2", field="chaining_strategy", value="NEVER")
    assert graph._scene["refused"] == ""
    assert len(graph.compilation.job_graph.vertices) == 4
    click(graph, do="undo")
    assert not graph._scene["undo"]


def test_a_captured_edge_retains_the_partitioner_that_flink_chose() -> None:
    graph = explorer.widget(CAPTURED)
    before = graph.document
    hashed = next(edge for edge in graph.compilation.view.edges if edge.partitioner != "FORWARD")
    graph.selection = hashed

    graph.change("partitioner", None)

    assert graph.selection.partitioner == "HASH[origin]"
    assert graph.document == before


def test_the_steps_follow_the_graph_while_they_are_played(graph: GraphWidget) -> None:
    assert graph._steps is None
    graph.playing = True
    first: Any = graph._steps
    graph.chaining = False
    second: Any = graph._steps
    graph.playing = False

    assert {step["part"] for step in first["steps"]} == {"hashing", "chaining"}
    assert len(second["steps"]) > 0
    assert second != first
    assert graph._steps is None


def test_a_lesson_is_the_samples_and_changes_the_graph_and_restores_it(graph: GraphWidget) -> None:
    graph.playing = True
    graph.learning = True
    lesson: Any = graph._lesson

    assert graph._steps is None
    assert not graph.playing
    asked = [step for step in lesson["steps"] if step["ask"]]
    assert asked
    assert all(any(choice["right"] for choice in step["ask"]["choices"]) for step in asked)
    assert not lesson["apart"]
    before = graph.document
    changes = [at for at, step in enumerate(lesson["steps"]) if step["change"]]
    for at in changes:
        click(graph, do="try", step=at)
        assert graph.document != before
        assert graph._lesson["apart"]
        click(graph, do="restore")
        assert graph.document == before
    click(graph, do="try", step=999)
    assert "run the cell again" in graph._scene["refused"]


def test_a_graph_without_a_lesson_shows_none() -> None:
    graph = explorer.widget(hostile_graph("plain"))
    graph.learning = True

    assert graph._lesson is None
    assert not graph._scene["taught"]
    click(graph, do="try", step=0)
    assert "run the cell again" in graph._scene["refused"]


def test_a_lesson_of_ones_own_is_read_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine.lesson.yaml").write_text(
        "lesson: Mine\ngroup: chains\nsteps:\n  - {say: Look here., look: [late-only]}\n"
    )
    graph = explorer.widget(SAMPLE, lesson=tmp_path / "mine.lesson.yaml")
    graph.learning = True
    lesson: Any = graph._lesson

    assert lesson["title"] == "Mine"
    assert lesson["steps"][0]["look"] == ["n2"]


@pytest.mark.slow
@for_each("name", HOSTILE)
def test_names_reach_the_browser_as_text(name: str) -> None:
    graph = explorer.widget(hostile_graph(name))

    assert json.loads(json.dumps(graph._scene)) is not None
    assert all("<b>" not in drawn and "<script" not in drawn for drawn in graph._scene["graphs"])
    assert all("<img" not in drawn for drawn in graph._scene["graphs"])


@pytest.mark.slow
@pytest.mark.parametrize("path", [sample.path for sample in samples()], ids=lambda path: path.stem)
def test_every_sample_has_a_widget_whose_forms_name_what_is(path: Path) -> None:
    graph = explorer.widget(path)
    view = graph.compilation.view

    assert set(graph._scene["facts"]["parts"]) >= {node.key for node in view.nodes}
    for key, fields in graph._scene["forms"].items():
        for field in fields:
            if key in view.node_of and field["field"] == "chaining_strategy":
                assert field["value"] in field["choices"]


def test_a_stream_graph_of_a_compilation_is_edited_by_itself() -> None:
    path = next(sample.path for sample in samples() if sample.path.suffix == ".json")
    done = explorer.compile_graph(path)
    graph = explorer.widget(done)

    assert graph.compilation.to_dict()["job_graph"] == done.to_dict()["job_graph"]
    graph.selection = done.view.nodes[0].id
    graph.change("uid", "first")
    assert graph.selection.uid == "first"


@pytest.mark.slow
def test_a_graph_of_too_many_edges_is_refused_in_one_sentence() -> None:
    env = explorer.environment("wide")
    source = env.source("one")
    for _ in range(MOST_EDGES + 1):
        source.map().sink()
    with pytest.raises(ExplorerError, match="a widget draws at most 2,000 edges"):
        explorer.widget(env.compile())


@pytest.mark.process
def test_without_anywidget_one_sentence_names_the_package_to_install() -> None:
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "import explorer\n"
        "try:\n    explorer.widget({'transformations': []})\n"
        "except explorer.ExplorerError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "a widget needs the package anywidget, which is not installed: "
        f"{install_line('notebook')}\n"
    )
