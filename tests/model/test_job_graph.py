"""JobGraphs: heads of chains, and vertices by ID and by operator."""

import pytest

from explorer import compile_graph
from explorer.model.stream_graph import NodeId
from tests.comparison.small_jobs import COUNT, program


def test_the_head_of_a_vertex_gives_it_its_id() -> None:
    done = compile_graph(program(COUNT))

    assert [done.hashes[vertex.head] for vertex in done.job_graph.vertices] == [
        vertex.id for vertex in done.job_graph.vertices
    ]
    assert [done.stream_graph.node(vertex.head).name for vertex in done.job_graph.vertices] == [
        "Source: Custom Source",
        "count",
    ]


def test_a_vertex_is_found_by_its_id_and_by_each_of_its_operators() -> None:
    graph = compile_graph(program(COUNT)).job_graph

    for vertex in graph.vertices:
        assert graph.vertex(vertex.id) is vertex
        assert all(graph.task_of(one.node) is vertex for one in vertex.operators)


def test_an_unknown_vertex_or_node_is_a_key_error() -> None:
    graph = compile_graph(program(COUNT)).job_graph

    with pytest.raises(KeyError):
        graph.vertex("0" * 32)
    with pytest.raises(KeyError):
        graph.task_of(NodeId(99))
