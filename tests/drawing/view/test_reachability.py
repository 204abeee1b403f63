"""What lies upstream and downstream, and the view of a part: asked of networkx."""

from collections.abc import Iterable

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import compile_graph
from explorer.drawing.layout.blocks import job_pane, stream_pane
from explorer.drawing.view.elements import GraphView, card_of
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.reachability import (
    ALL,
    Direction,
    isolate_operators,
    operators_of,
    reached,
)
from explorer.model.pipeline import Pipeline
from tests.examples import examples
from tests.strategies import pipelines

LINE = {
    "transformations": [
        {"id": "a", "type": "source"},
        {"id": "b", "type": "map", "inputs": ["a"]},
        {"id": "r", "type": "rebalance", "inputs": ["b"]},
        {"id": "c", "type": "map", "inputs": ["r"]},
        {"id": "d", "type": "sink", "inputs": ["c"]},
        {"id": "e", "type": "sink", "inputs": ["b"]},
    ]
}


@pytest.fixture(scope="module")
def view() -> GraphView:
    return graph_view(compile_graph(LINE))


def names(view: GraphView, keys: Iterable[str]) -> set[str]:
    return {view.node_of[key].transformation or "" for key in keys if key in view.node_of}


def key(view: GraphView, id: str) -> str:
    return next(node.key for node in view.nodes if node.transformation == id)


@pytest.mark.parametrize(
    ("start", "direction", "steps", "wanted"),
    [
        ("b", "downstream", 1, {"c", "e"}),
        ("b", "downstream", ALL, {"c", "d", "e"}),
        ("d", "upstream", 1, {"c"}),
        ("d", "upstream", 2, {"c", "b"}),
        ("d", "upstream", ALL, {"a", "b", "c"}),
        ("d", "downstream", ALL, set()),
        ("b", "upstream", 0, set()),
    ],
)
def test_steps_are_counted_in_edges(
    view: GraphView, start: str, direction: Direction, steps: int, wanted: set[str]
) -> None:
    assert names(view, reached(view, key(view, start), direction, steps)) == wanted


def test_an_edges_first_step_is_to_its_end(view: GraphView) -> None:
    edge = next(edge.key for edge in view.edges if edge.target == key(view, "c"))

    assert reached(view, edge, "upstream", 1) == {key(view, "b")}
    assert names(view, reached(view, edge, "upstream")) == {"a", "b"}
    assert names(view, reached(view, edge, "downstream", 1)) == {"c"}


def test_vertices_reachable_from_a_task_are_those_of_the_job_graph(view: GraphView) -> None:
    head, tail = view.vertices
    (job_edge,) = view.job_edges

    assert reached(view, head.key, "downstream") == {job_edge.key, tail.key}
    assert reached(view, job_edge.key, "upstream") == {head.key}
    assert reached(view, "v99", "upstream") == frozenset()


@examples(40)
@given(pipelines())
def test_all_steps_reach_the_nodes_that_networkx_finds(pipeline: Pipeline) -> None:
    view = graph_view(compile_graph(pipeline))
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_nodes_from(view.node_of)
    graph.add_edges_from((edge.source, edge.target) for edge in view.edges)
    for node in view.node_of:
        down, up = reached(view, node, "downstream"), reached(view, node, "upstream")
        assert {each for each in down if each in view.node_of} - {node} == nx.descendants(
            graph, node
        )
        assert {each for each in up if each in view.node_of} - {node} == nx.ancestors(graph, node)


@examples(40)
@given(pipelines(), st.data())
def test_any_part_of_a_graph_can_be_drawn_alone(pipeline: Pipeline, data: st.DataObject) -> None:
    whole = graph_view(compile_graph(pipeline))
    chosen = data.draw(st.sets(st.sampled_from(sorted(whole.node_of)), min_size=1))
    part = isolate_operators(whole, chosen)
    folded = data.draw(st.sets(st.sampled_from(sorted(part.vertex_of))))
    pane = stream_pane(part, {}, folded)

    assert {node.key for node in part.nodes} == chosen
    assert all({edge.source, edge.target} <= chosen for edge in part.edges)
    assert operators_of(part, part.vertex_of) == chosen
    assert {shape.key for shape in job_pane(part, {}).shapes} == set(part.vertex_of)
    assert {shape.key for shape in pane.shapes} == {card_of(part, key, folded) for key in chosen}
    assert {box.key for box in pane.boxes} == set(part.vertex_of) - folded
    within = {key for chain in folded for key in part.vertex_of[chain].edges}
    assert {line.key for line in pane.lines} == set(part.edge_of) - within


def test_a_part_preserves_numbers_and_the_edges_between(view: GraphView) -> None:
    part = isolate_operators(view, {key(view, "c"), key(view, "d")})

    assert [vertex.key for vertex in part.vertices] == ["v2"]
    assert part.job_edges == ()
    assert len(part.edges) == 1
