"""From a found ID to the operator that is drawn."""

import pytest

from explorer import compile_graph
from explorer.documents import load_document
from explorer.drawing.view.elements import node_key
from explorer.drawing.view.graph_view import graph_view
from explorer.lookup.whatis import other_sentences, whatis
from explorer.model.pipeline import Pipeline
from tests.golden_files import cases


@pytest.fixture
def pipeline() -> Pipeline:
    case = next(case for case in cases("classics") if case["name"] == "word-count")
    document = load_document(case["pipeline"])
    assert isinstance(document, Pipeline)
    return document


def test_every_operator_id_and_vertex_id_leads_to_its_operator(pipeline: Pipeline) -> None:
    view = graph_view(compile_graph(pipeline, "1.20"))

    for node in view.nodes:
        findings = whatis(node.hash, pipeline).findings
        assert {node_key(finding, view) for finding in findings} == {node.key}
    for vertex in view.vertices:
        (finding,) = whatis(vertex.id, pipeline).findings
        assert node_key(finding, view) in vertex.nodes


def test_an_id_of_the_unchained_job_leads_to_the_chained_operator(pipeline: Pipeline) -> None:
    unchained = graph_view(
        compile_graph({**_members(pipeline), "environment": {"chaining": False}}, "1.20")
    )
    view = graph_view(compile_graph(pipeline, "1.20"))

    for node in unchained.nodes:
        keys = {node_key(finding, view) for finding in whatis(node.hash, pipeline).findings}
        assert keys == {node.key}


def _members(pipeline: Pipeline) -> dict[str, object]:
    case = next(case for case in cases("classics") if case["name"] == "word-count")
    return dict(case["pipeline"])


def test_an_unknown_id_and_a_published_one_are_distinguished(pipeline: Pipeline) -> None:
    said = list(other_sentences(whatis(f"{'0' * 32} 90bea66de1c231edf33913ecd54406c1", pipeline)))

    assert "operator 3 of a straight pipeline" in " ".join(said)
    assert any(sentence.startswith("0" * 32) for sentence in said)


def test_a_flood_of_ids_is_cut_and_the_rest_counted(pipeline: Pipeline) -> None:
    text = " ".join(f"{number:06x}" for number in range(0xABC000, 0xABC000 + 130))
    said = list(other_sentences(whatis(text, pipeline)))

    assert said[-1] == "30 more IDs of this text were not looked up."
