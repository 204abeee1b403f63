"""Identities of operators and edges across two documents."""

from typing import Any

from hypothesis import given
from msgspec.structs import replace

from explorer import compile_graph
from explorer.comparison.compare import compare
from explorer.documents import document_values, load_document
from explorer.drawing.view.elements import node_key
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.id_changes import change_rows
from explorer.lookup.identity import edge_identities, operator_identities
from explorer.lookup.whatis import whatis
from explorer.model.document import StreamGraphDocument
from explorer.model.pipeline import Pipeline, Transformation
from tests.strategies import pipelines

NUMBERED: dict[str, Any] = {
    "transformations": [
        {"id": "2", "type": "source"},
        {"id": "1", "type": "sink", "inputs": ["2"]},
    ]
}
"""A pipeline with numbers as ids, but not its operators' own."""


def plan(pipeline: Pipeline) -> StreamGraphDocument:
    """The program of its plan alone: its operators have no transformations."""
    graph = compile_graph(pipeline, "1.20").stream_graph
    document = StreamGraphDocument(stream_graph=graph, flink="1.20")
    values = document_values(document)
    for node in values["stream_graph"]["nodes"]:
        del node["transformation"]
    found = load_document(values)
    assert isinstance(found, StreamGraphDocument)
    return found


@given(pipelines(iterations=True))
def test_no_two_operators_and_no_two_edges_are_the_same(pipeline: Pipeline) -> None:
    graph = compile_graph(pipeline).stream_graph
    nodes = operator_identities(graph)
    edges = edge_identities(graph)

    assert list(nodes) == [node.id for node in graph.nodes]
    assert len({*nodes.values()}) == len(graph.nodes)
    assert len({*edges}) == len(graph.edges)


@given(pipelines())
def test_operators_and_edges_stay_the_same_behind_a_new_source(pipeline: Pipeline) -> None:
    before = compile_graph(pipeline, "1.20").stream_graph
    new = (
        Transformation(id="new source", type="source", uid="new source", parallelism=1),
        Transformation(id="new sink", type="sink", inputs=("new source",), uid="new sink"),
    )
    added = replace(pipeline, transformations=(*new, *pipeline.transformations))
    after = compile_graph(added, "1.20").stream_graph

    assert {*operator_identities(before).values()} < {*operator_identities(after).values()}
    assert {*edge_identities(before)} < {*edge_identities(after)}


def test_an_operator_without_a_transformation_is_the_one_that_has_its_id() -> None:
    pipeline = load_document(NUMBERED)
    assert isinstance(pipeline, Pipeline)
    before, after = compile_graph(pipeline, "1.20"), compile_graph(plan(pipeline), "1.20")
    change = compare(before, after)

    assert [each.verdict for each in change.operators] == ["kept", "kept"]
    rows = list(change_rows(change, graph_view(after)))
    assert [row.key for row in rows] == ["n1", "n2"]


def test_an_id_leads_to_its_own_operator_among_those_of_one_name() -> None:
    items = [{"id": "s", "type": "source"}]
    items += [{"id": id, "type": "map", "inputs": ["s"], "name": "map"} for id in ("a", "b", "c")]  # type: ignore[dict-item]
    pipeline = load_document({"transformations": items})
    assert isinstance(pipeline, Pipeline)
    document = plan(pipeline)
    view = graph_view(compile_graph(document, "1.20"))

    for node in view.nodes:
        findings = whatis(node.hash, document).findings
        assert {node_key(finding, view) for finding in findings} == {node.key}
