"""The selection of a drawing, and its counterpart after an edit."""

import pytest

from explorer.drawing.view.selection import (
    exists,
    highlighted,
    job_edge_number,
    matching_selection,
    transformation_of,
)
from tests.drawing.drawn import view_of

BEFORE = view_of()
AFTER = view_of(chaining_strategy="NEVER")


def test_an_operator_remains_selected_when_chains_change() -> None:
    for node in BEFORE.nodes:
        found = matching_selection(node.key, BEFORE, AFTER)
        assert found is not None
        assert AFTER.node_of[found].identity == node.identity


def test_a_task_is_followed_by_its_first_operator() -> None:
    vertex = BEFORE.vertices[1]
    found = matching_selection(vertex.key, BEFORE, AFTER)

    assert found is not None
    head = AFTER.node_of[AFTER.vertex_of[found].nodes[0]]
    assert head.identity == BEFORE.node_of[vertex.nodes[0]].identity


def test_a_job_edge_that_is_chained_now_is_the_stream_edge() -> None:
    cut = next(edge for edge in AFTER.edges if edge.job_edge and edge.partitioner == "FORWARD")
    assert cut.job_edge is not None

    key = matching_selection(cut.job_edge, AFTER, BEFORE)
    assert key is not None
    edge = BEFORE.edge_of[key]
    assert edge.chained
    assert edge.identity == cut.identity


@pytest.mark.parametrize("selection", [None, "t:a", "n99"])
def test_a_selection_of_no_element_is_transferred_or_removed(selection: str | None) -> None:
    wanted = None if selection == "n99" else selection

    assert matching_selection(selection, BEFORE, AFTER) == wanted
    assert not exists(AFTER, "n99")
    assert exists(AFTER, "n1")


def test_a_selection_leads_to_the_transformation_to_edit() -> None:
    *_, rebalance = (edge for edge in BEFORE.edges if edge.partitioner == "REBALANCE")

    assert transformation_of("t:x", None) == "x"
    assert transformation_of(BEFORE.vertices[1].key, BEFORE) == "a"
    assert transformation_of(rebalance.key, BEFORE) == "o"
    assert transformation_of(rebalance.job_edge, BEFORE) == "o"
    assert transformation_of("n1", None) is None


def test_counterparts_are_highlighted_with_a_selection() -> None:
    pairs = BEFORE.counterparts

    assert highlighted(None, BEFORE, pairs) == frozenset()
    assert highlighted("n1", BEFORE, pairs) == {"n1", BEFORE.node_of["n1"].vertex}
    assert highlighted("t:a", BEFORE, pairs) >= {"n2"}


def test_an_edge_has_a_number_in_the_job_graph() -> None:
    cut = next(edge for edge in BEFORE.edges if edge.job_edge)
    chained = next(edge for edge in BEFORE.edges if edge.chained)

    assert job_edge_number(cut.key, BEFORE) == int(str(cut.job_edge)[1:])
    assert job_edge_number(cut.job_edge, BEFORE) == job_edge_number(cut.key, BEFORE)
    assert job_edge_number(chained.key, BEFORE) is None
    assert job_edge_number(None, BEFORE) is None
