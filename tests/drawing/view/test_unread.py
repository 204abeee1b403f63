"""Transformations that nothing reads, beside the graph."""

from itertools import combinations

from explorer import compile_graph
from explorer.documents import load_document
from explorer.drawing.layout.blocks import outline, stream_pane
from explorer.drawing.svg.svg_parts import unread_parts
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.unread import unread_transformations
from tests.drawing.drawn import LINE

UNREAD = [
    {"id": "keyed", "type": "key_by", "inputs": ["a"]},
    {"id": "both", "type": "union", "inputs": ["keyed", "spread"]},
    {"id": "<other>", "type": "source"},
]
"""Behind a chain, behind one of these and a partitioner, and alone."""


def test_what_nothing_reads_has_a_card_behind_what_it_reads() -> None:
    document = load_document({"transformations": [*LINE, *UNREAD]})
    view = graph_view(compile_graph(document))
    assert document.pipeline is not None
    unread = unread_transformations(view, document.pipeline)
    keys = {node.transformation: node.key for node in view.nodes}

    assert [(part.key, part.inputs) for part in unread] == [
        ("t:keyed", (keys["a"],)),
        ("t:both", ("t:keyed", keys["b"])),
        ("t:<other>", ()),
    ]
    for folded in ((), view.vertex_of):
        pane = stream_pane(view, {}, folded, unread)
        areas = {shape.key: outline(shape) for shape in pane.shapes}
        assert areas.keys() >= {part.key for part in unread}
        for a, b in combinations(areas.values(), 2):
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert areas["t:both"][1] > areas["t:keyed"][3]
        parts = {part.id: part for part in unread_parts(view, pane, unread)}
        assert {id for id in parts if id.startswith("edge")} == {
            "edge:t:keyed:0",
            "edge:t:both:0",
            "edge:t:both:1",
        }
        assert "not in the graph: nothing reads it" in parts["card:t:keyed"].svg
        assert 'data-card="t:&lt;other&gt;"' in parts["card:t:<other>"].svg


def test_all_that_is_read_is_in_the_graph() -> None:
    document = load_document({"transformations": LINE})
    assert document.pipeline is not None

    assert unread_transformations(graph_view(compile_graph(document)), document.pipeline) == ()
