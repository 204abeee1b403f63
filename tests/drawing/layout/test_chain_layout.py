"""A chain's operators within its border, and the streams that cross it."""

import pytest

from explorer import compile_graph
from explorer.drawing.layout.cards import operator_card
from explorer.drawing.layout.chain_layout import LANE, ChainLayout, chain_layout
from explorer.drawing.layout.orientation import DOWN
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.graph_view import graph_view
from tests.drawing.drawn import view_of


def layout_of(view: GraphView, number: int) -> ChainLayout:
    vertex = view.vertices[number]
    cards = {key: operator_card(view.node_of[key].name) for key in vertex.nodes}
    crossing = [
        edge
        for edge in view.edges
        if not edge.chained and {edge.source, edge.target} & {*vertex.nodes}
    ]
    return chain_layout(vertex, cards, view.edge_of, crossing, DOWN)


def branching(*behind: str) -> GraphView:
    """Three maps in a chain, and sinks behind a rebalance of each of the named ones."""
    steps = [
        {"id": "s", "type": "legacy_source", "parallelism": 1},
        {"id": "a", "type": "map", "inputs": ["s"]},
        {"id": "b", "type": "map", "inputs": ["a"]},
        {"id": "c", "type": "map", "inputs": ["b"]},
    ]
    for name in behind:
        steps.append({"id": f"{name}r", "type": "rebalance", "inputs": [name]})
        steps.append({"id": f"{name}o", "type": "sink", "inputs": [f"{name}r"]})
    document = {"environment": {"parallelism": 2}, "transformations": steps}
    return graph_view(compile_graph(document, "1.20"))


def test_operators_of_a_chain_stand_below_one_another() -> None:
    layout = layout_of(view_of(), 1)
    (first, second) = layout.centres.values()

    assert (first[0], second[0]) == (0.0, 0.0)
    assert second[1] - first[1] == 42.0 + DOWN.gaps[1]
    assert first[1] == DOWN.ends[0] + 21.0
    assert layout.height == second[1] + 21.0 + DOWN.ends[1]
    assert len(layout.lines) == 1


def test_streams_enter_at_the_top_and_leave_at_the_foot() -> None:
    layout = layout_of(view_of(), 1)
    (head,), (tail,) = layout.heads.values(), layout.tails.values()

    assert head[0] == (0.0, 0.0)
    assert tail[-1] == (0.0, layout.height)


@pytest.mark.slow
def test_a_stream_that_leaves_in_the_middle_has_a_lane() -> None:
    plain, forked = layout_of(branching("c"), 1), layout_of(branching("c", "a"), 1)

    assert forked.width > plain.width
    assert len(forked.tails) == 2
    assert all(tail[-1][1] == forked.height for tail in forked.tails.values())
    away = [tail for tail in forked.tails.values() if len(tail) > 2]
    assert len(away) == 1
    assert abs(away[0][-1][0]) >= LANE
