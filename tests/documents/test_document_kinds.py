"""Every kind of document is supported by every package: translated, checked, written, shown."""

import pytest
from hypothesis import given
from msgspec.structs import replace

from components.explore.pipeline import PANELS
from explorer import compile_graph
from explorer.documents import (
    Document,
    check_edit,
    document_texts,
    document_values,
    load_document,
    parse_document,
)
from explorer.documents.document_kinds import DOCUMENT_KINDS
from explorer.edits import set_operator_field
from explorer.errors import DocumentError, EditError
from explorer.flink.compiler import STREAM_GRAPHS
from explorer.model.document import DataSetDocument, JobGraphDocument, StreamGraphDocument
from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph import NodeId
from tests.strategies import pipelines


def both(pipeline: Pipeline) -> tuple[Document, Document]:
    """A program as its pipeline and as its StreamGraph alone."""
    done = compile_graph(pipeline, "1.20")
    graph = StreamGraphDocument(
        flink="1.20", stream_graph=done.stream_graph, settings=done.settings
    )
    return pipeline.under("1.20"), load_document(document_values(graph))


def test_each_kind_has_a_row_in_every_room() -> None:
    captured = {StreamGraphDocument.kind, JobGraphDocument.kind, DataSetDocument.kind}
    kinds = {Pipeline.kind, *captured}

    assert set(STREAM_GRAPHS) == set(DOCUMENT_KINDS) == set(PANELS) == kinds


@given(pipelines())
def test_whatever_the_kind_a_program_becomes_the_same_job(pipeline: Pipeline) -> None:
    one, other = (compile_graph(document).job_graph for document in both(pipeline))

    assert one.vertices == other.vertices
    assert [replace(edge, stream_edge=0) for edge in one.edges] == [
        replace(edge, stream_edge=0) for edge in other.edges
    ]


@given(pipelines())
def test_any_document_can_be_written_and_read_again(pipeline: Pipeline) -> None:
    for document in both(pipeline):
        for ending, text in document_texts(document).items():
            assert parse_document(text(), name=f"a.{ending}") == document


@given(pipelines())
def test_chaining_and_release_are_those_that_were_asked_for(pipeline: Pipeline) -> None:
    for document in both(pipeline):
        off = document.with_chaining(on=False).under("1.18")

        assert not off.chaining
        assert off.flink == "1.18"
        assert not any(compile_graph(off).chained)
        assert off.with_chaining(on=document.chaining).under("1.20") == document


@given(pipelines())
def test_an_operators_field_is_set_whatever_the_kind(pipeline: Pipeline) -> None:
    for document in both(pipeline):
        node = compile_graph(document).stream_graph.nodes[0]
        named = set_operator_field(document, node.id, node.transformation, "name", "mine")
        check_edit(named, document)

        assert compile_graph(named).stream_graph.node(node.id).name.endswith("mine")


def test_an_operators_field_must_have_a_place_and_a_value_that_fits() -> None:
    items = [{"id": "a", "type": "source"}, {"id": "b", "type": "sink", "inputs": ["a"]}]
    pipeline = load_document({"transformations": items})
    assert isinstance(pipeline, Pipeline)
    _, graph = both(pipeline)
    wrong = set_operator_field(graph, NodeId(1), None, "parallelism", 0)

    with pytest.raises(DocumentError):
        check_edit(wrong, graph)
    with pytest.raises(EditError, match="no transformation"):
        set_operator_field(pipeline, NodeId(1), None, "name", "mine")
