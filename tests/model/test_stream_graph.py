"""StreamGraphs: edges by node, and what nodes are called."""

import pytest
from msgspec.structs import replace

from explorer import compile_graph
from explorer.model.stream_graph import (
    ITERATION_HEAD,
    NodeId,
    StreamEdge,
    StreamGraph,
    StreamNode,
    bare_name,
)
from tests.comparison.small_jobs import COUNT, program
from tests.many_cases import for_each


def node(id: int, **fields: object) -> StreamNode:
    return StreamNode(id=NodeId(id), name=f"n{id}", parallelism=1, **fields)  # type: ignore[arg-type]


def edge(source: int, target: int) -> StreamEdge:
    return StreamEdge(
        source=NodeId(source),
        target=NodeId(target),
        partitioner="FORWARD",
        partitioner_class="ForwardPartitioner",
    )


def diamond() -> StreamGraph:
    edges = tuple(edge(*ends) for ends in ((1, 2), (1, 3), (2, 4), (3, 4), (1, 4)))
    return StreamGraph.of(tuple(map(node, (1, 2, 3, 4))), edges, (NodeId(1),))


def test_positions_of_edges_are_indexed_by_both_ends_in_flinks_order() -> None:
    graph = diamond()

    assert dict(graph.out_edges) == {1: (0, 1, 4), 2: (2,), 3: (3,), 4: ()}
    assert dict(graph.in_edges) == {1: (), 2: (0,), 3: (1,), 4: (2, 3, 4)}
    assert graph.chaining_enabled


def test_an_index_is_the_one_that_a_compilation_has() -> None:
    graph = compile_graph(program(COUNT)).stream_graph

    again = StreamGraph.of(graph.nodes, graph.edges, graph.sources)

    assert again == graph


def test_a_node_is_found_by_its_number() -> None:
    assert diamond().node(NodeId(3)).name == "n3"
    with pytest.raises(KeyError):
        diamond().node(NodeId(9))


def test_other_nodes_of_the_same_numbers_share_the_edges() -> None:
    graph = diamond()
    renamed = tuple(replace(one, name="x") for one in graph.nodes)

    found = graph.with_nodes(renamed)

    assert found.node(NodeId(2)).name == "x"
    assert (found.edges, found.in_edges) == (graph.edges, graph.in_edges)


@for_each(
    ("name", "bare"),
    [("Source: a", "a"), ("Sink: a", "a"), ("a: b", "a: b"), ("Source: Sink: a", "Sink: a")],
)
def test_a_bare_name_has_no_prefix_of_a_source_or_a_sink(name: str, bare: str) -> None:
    assert bare_name(name) == bare


def test_the_kind_of_a_node_follows_from_its_task() -> None:
    source = node(1, vertex_class="SourceOperatorStreamTask")
    split, head = node(2, output_selectors=("p",)), node(3, vertex_class=ITERATION_HEAD)

    assert (source.new_source, split.new_source) == (True, False)
    assert (split.directs_records, source.directs_records) == (True, False)
    assert not replace(head, output_selectors=("p",)).directs_records


def test_a_node_is_called_by_its_transformation_else_by_its_name() -> None:
    assert node(1, transformation="t").handle == "t"
    assert node(1).handle == "n1"
