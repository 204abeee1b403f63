"""Changes of a lesson: applied to the document, and described in words."""

import pytest

from explorer.documents import load_document
from explorer.errors import DocumentError
from explorer.flink.compiler import compile_program
from explorer.lessons.changing import change_words, changed
from explorer.model.document import Document, StreamGraphDocument
from explorer.model.lesson import Insertion, PipelineChange
from explorer.model.pipeline import Pipeline, Transformation
from tests.lessons.asked import A_TO_E, HOURLY
from tests.many_cases import for_each

INSERTION = Insertion(
    between=("B", "C"), transformation=Transformation(id="x", type="map", inputs=("B",))
)


def made(change: PipelineChange) -> Pipeline:
    document = load_document(A_TO_E)
    found = changed(document, compile_program(document).stream_graph, change, "after")
    assert isinstance(found, Pipeline)
    return found


def captured() -> Document:
    graph = compile_program(load_document(A_TO_E), "1.20").to_dict()["stream_graph"]
    for node in graph["nodes"]:
        node.pop("transformation")
    return load_document({"flink": "1.20", "stream_graph": graph})


def test_every_kind_of_change_is_applied() -> None:
    found = made(
        PipelineChange(
            flink="1.9",
            environment={"parallelism": 5, "chaining": False},
            options={"pipeline.max-parallelism": 64},
            set={"D": {"uid": "d", "chaining_strategy": None}},
            insert=INSERTION,
            delete="E",
        )
    )

    ids = [one.id for one in found.transformations]
    assert ids == ["A", "B", "x", "C", "D"]
    assert found.transformation("C").inputs == ("x",)
    assert (found.transformation("D").uid, found.transformation("D").chaining_strategy) == (
        "d",
        None,
    )
    assert (found.flink, found.environment.parallelism, found.environment.chaining) == (
        "1.9",
        5,
        False,
    )
    assert found.environment.configuration == {"pipeline.max-parallelism": 64}


@pytest.mark.parametrize("operator", ["out", "Sink: flights an hour"])
def test_an_operator_is_called_by_its_id_or_its_name(operator: str) -> None:
    document = load_document(HOURLY)
    graph = compile_program(document).stream_graph

    found = changed(document, graph, PipelineChange(set={operator: {"parallelism": 3}}), "after")

    assert isinstance(found, Pipeline)
    assert found.transformation("out").parallelism == 3


def test_operators_of_a_stream_graph_are_called_by_their_names() -> None:
    document = captured()
    graph = compile_program(document).stream_graph

    found = changed(document, graph, PipelineChange(set={"D": {"parallelism": 3}}), "after")

    assert isinstance(found, StreamGraphDocument)
    assert {node.name: node.parallelism for node in found.stream_graph.nodes}["D"] == 3


@for_each(
    ("change", "words"),
    [
        (PipelineChange(delete="B"), "after.delete: only a pipeline can be changed so"),
        (PipelineChange(insert=INSERTION), "after.insert: only a pipeline can be changed so"),
        (PipelineChange(options={"a": 1}), "after.options.a: only a pipeline can be changed so"),
        (PipelineChange(flink="1.21"), "after.flink: there is no Flink release '1.21'"),
        (PipelineChange(environment={"chaining": True}), "after: changes nothing"),
    ],
)
def test_a_change_that_cannot_be_made_is_refused_at_its_place(
    change: PipelineChange, words: str
) -> None:
    document = captured()

    with pytest.raises(DocumentError) as refused:
        changed(document, compile_program(document).stream_graph, change, "after")

    assert str(refused.value).startswith(words)


@for_each(
    ("change", "words"),
    [
        (
            PipelineChange(set={"B": {"slot_sharing_group": None, "parallelism": 3}}),
            "Remove the slot sharing group of B and set the parallelism of B to 3",
        ),
        (PipelineChange(environment={"chaining": False}), "Turn chaining off"),
        (PipelineChange(options={"a.b": "1mb"}), "Set the option a.b to 1mb"),
        (
            PipelineChange(insert=INSERTION, delete="E"),
            "Put the map x between B and C, and delete E",
        ),
    ],
)
def test_a_change_is_the_beginning_of_a_question(change: PipelineChange, words: str) -> None:
    assert change_words(change) == words
