"""Both graphs for networkx: the same parts, and attributes that any format can hold."""

from io import BytesIO

import networkx as nx
import pytest
from hypothesis import given

import explorer
from explorer.model.pipeline import Pipeline
from tests.drawn_graphs import hostile_graph
from tests.strategies import pipelines


@given(pipelines(max_size=8))
def test_nodes_and_edges_are_those_of_both_graphs(pipeline: Pipeline) -> None:
    done = explorer.compile_graph(pipeline)
    stream, job = done.to_networkx(), done.to_networkx("job")

    assert set(stream) == {node.id for node in done.stream_graph.nodes}
    assert {(source, target, key) for source, target, key in stream.edges(keys=True)} == {
        (edge.source, edge.target, position)
        for position, edge in enumerate(done.stream_graph.edges)
    }
    assert set(job) == {vertex.id for vertex in done.job_graph.vertices}
    assert job.number_of_edges() == len(done.job_graph.edges)
    for _, _, attributes in job.edges(data=True):
        assert 0 <= attributes["stream_edge"] < len(done.stream_graph.edges)
    for _, attributes in stream.nodes(data=True):
        assert attributes["vertex"] in job


def test_attributes_are_those_of_the_graphs() -> None:
    done = hostile_graph("yes")
    graph = done.to_networkx()

    assert graph.nodes[1]["hash"] == done.hashes[done.stream_graph.nodes[0].id]
    assert graph.nodes[1]["name"] == "Source: yes"
    assert graph.edges[1, 2, 0] == {
        "source_name": "Source: yes",
        "target_name": "yes",
        "input": 0,
        "partitioner": "FORWARD",
        "exchange_mode": "UNDEFINED",
        "via": "",
        "selected_names": "",
        "chained": False,
        "failed": "CH02",
        "against": "slot sharing group yes / yes too",
        "cause": "slot sharing group yes / yes too",
    }
    assert nx.is_directed_acyclic_graph(graph)


@pytest.mark.parametrize("graph", ["stream", "job"])
def test_networkx_writes_and_reads_them_as_graphml(graph: str) -> None:
    made = (hostile_graph("<b> &amp; 流")).to_networkx("stream" if graph == "stream" else "job")
    file = BytesIO()

    nx.write_graphml(made, file)
    file.seek(0)
    read = nx.read_graphml(file, node_type=type(next(iter(made))), force_multigraph=True)

    assert dict(read.nodes(data=True)) == dict(made.nodes(data=True))
