"""The bytes of a savepoint's state on both graphs."""

from pathlib import Path

import pytest

import explorer
from explorer.datastream.compiled import DrawingError
from explorer.drawing.view.state_figures import state_figures
from explorer.locations import sample_folder

UPGRADE = sample_folder() / "upgrade"
SAVEPOINT = explorer.load_savepoint(UPGRADE / "savepoint")


def test_an_operator_has_its_bytes_by_kind_and_a_task_their_sum() -> None:
    graph = explorer.compile_graph(UPGRADE / "orders-1.json")
    operators = explorer.check_restore(SAVEPOINT, graph).operators
    figures = state_figures(graph.view, SAVEPOINT, operators)
    sizes = {saved.operator_id: saved.state_bytes for saved in SAVEPOINT.operators}
    source, total = (graph.view.vertices[at].nodes[0] for at in (0, 1))

    assert figures.operators == {
        source: "546 bytes: 530 bytes operator, 16 bytes coordinator",
        total: "2.1 KiB keyed",
    }
    largest = max(sizes.values())
    assert figures.bars == {
        "v1": (
            round(sizes[graph.view.node_of[source].hash] / largest, 3),
            "546 bytes of state",
            (),
        ),
        "v2": (1.0, "2.1 KiB of state", ()),
    }


def test_state_that_no_operator_gets_is_at_none() -> None:
    graph = explorer.compile_graph(UPGRADE / "orders-2.json")
    operators = explorer.check_restore(SAVEPOINT, graph).operators

    assert [*state_figures(graph.view, SAVEPOINT, operators).bars] == ["v1"]


def test_every_form_of_drawing_shows_it(tmp_path: Path) -> None:
    graph = explorer.compile_graph(UPGRADE / "orders-1.json")
    saved = UPGRADE / "savepoint"

    assert "2.1 KiB keyed" in graph.to_svg("stream", savepoint=saved)
    assert "2.1 KiB of state" in graph.to_svg("job", savepoint=saved)
    assert "2.1 KiB of state" in graph.to_html(tmp_path / "graph.html", savepoint=SAVEPOINT)
    assert "2.1 KiB keyed" in graph.to_dot(savepoint=saved)
    assert "2#46;1 KiB of state" in graph.to_mermaid("job", savepoint=saved)
    with pytest.raises(DrawingError, match="StreamGraph and the JobGraph only"):
        graph.to_svg("execution", savepoint=saved)
