"""StreamGraph documents: what a compilation prints can be compiled again, alone."""

import json
from typing import Any

import pytest
from hypothesis import given

from explorer import Compilation, compile_graph
from explorer.documents import StreamGraphDocument, dump_json, load_document, parse_document
from explorer.errors import DocumentError
from explorer.model.pipeline import Pipeline
from tests.examples import examples
from tests.golden_files import FILES, cases
from tests.many_cases import for_each
from tests.strategies import pipelines


def streaming_outcomes() -> list[tuple[str, dict[str, Any]]]:
    """What Flink 1.20 made of the golden pipelines that set no option and run as streams."""
    return [
        (case["name"], outcome)
        for name in FILES
        for case in cases(name)
        for outcome in case["flink"]
        if "1.20" in outcome["versions"]
        and "stream_graph" in outcome
        and outcome["job_graph"]["job_type"] == "STREAMING"
        and not case["pipeline"]["environment"].get("configuration")
    ]


@pytest.mark.slow
def test_the_stream_graph_that_flink_printed_gives_flinks_hashes_and_vertices() -> None:
    for name, outcome in streaming_outcomes():
        done = compile_graph({"stream_graph": outcome["stream_graph"]}, "1.20").to_dict()
        ours, wanted = done["job_graph"], outcome["job_graph"]

        assert done["hashes"] == outcome["hashes"], name
        for member in ("id", "name", "parallelism", "invokable", "operator_ids"):
            assert [list_of(one[member]) for one in ours["vertices"]] == [
                list_of(one[member]) for one in wanted["vertices"]
            ], (name, member)
        assert [subset(one, wanted["edges"][0]) for one in ours["edges"]] == wanted["edges"], name


def list_of(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def subset(values: dict[str, Any], like: dict[str, Any]) -> dict[str, Any]:
    return {key: values[key] for key in like}


def members(done: Compilation) -> dict[str, Any]:
    """A compilation's members without the positions of edges, which a document lists anew."""
    values: dict[str, Any] = json.loads(json.dumps(done.to_dict()))
    for edge in values["job_graph"]["edges"]:
        del edge["stream_edge"]
    return values


@examples(40)
@given(pipelines())
def test_a_compilation_can_be_read_back_and_compiled_to_the_same(pipeline: Pipeline) -> None:
    done = compile_graph(pipeline, "1.20")

    assert members(compile_graph(json.loads(json.dumps(done.to_dict())))) == members(done)


@examples(20)
@given(pipelines())
def test_a_stream_graph_document_survives_a_round_trip(pipeline: Pipeline) -> None:
    done = compile_graph(pipeline, "1.20")
    document = StreamGraphDocument(
        name="x",
        flink="1.20",
        stream_graph=done.stream_graph,
        settings=done.settings,
        warnings=done.warnings,
    )
    again = parse_document(dump_json(document), name="x.json")

    assert parse_document(dump_json(again), name="x.json") == again
    assert members(compile_graph(again)) == members(done)


def graph(**changed: Any) -> dict[str, Any]:
    nodes = [
        {"id": 1, "name": "Source: a", "parallelism": 2, "vertex_class": "SourceStreamTask"},
        {"id": 2, "name": "Map", "parallelism": 2},
    ]
    edges = [{"source": 1, "target": 2, "partitioner": "FORWARD"}]
    return {"stream_graph": {"nodes": nodes, "edges": edges, **changed}}


def test_a_short_graph_is_completed_and_lists_its_assumptions() -> None:
    document = load_document(graph())
    assert isinstance(document, StreamGraphDocument)
    (edge,) = document.stream_graph.edges

    assert (edge.partitioner_class, edge.buffer_timeout, edge.unique_id) == (
        "ForwardPartitioner",
        100,
        0,
    )
    assert document.stream_graph.sources == (1,)
    assert document.warnings == (
        "stream_graph.settings: is missing; the environment's options are assumed to be the "
        "defaults, the runtime mode STREAMING unless the edges or job_graph.job_type say otherwise",
    )


def test_a_field_that_is_not_read_is_a_warning() -> None:
    nodes = [{"id": 1, "name": "a", "parallelism": 1, "uuid": "x"}]
    document = load_document(graph(nodes=nodes, edges=[]))
    assert isinstance(document, StreamGraphDocument)

    assert "stream_graph.nodes[0]: the field 'uuid' is not read; did you mean 'uid'?" in (
        document.warnings
    )


NODE = {"id": 1, "name": "a", "parallelism": 1}
EDGE = {"source": 1, "target": 2, "partitioner": "FORWARD"}
TWO = [NODE, {**NODE, "id": 2}]


@for_each(
    ("changed", "path", "says"),
    [
        ({"nodes": 5}, "stream_graph.nodes", "must be a list"),
        ({"nodes": [NODE, NODE], "edges": []}, "stream_graph.nodes[1].id", "already"),
        ({"nodes": [{"id": 1}]}, "stream_graph.nodes[0].name", "is missing"),
        ({"nodes": [{**NODE, "parallelism": 0}]}, "stream_graph.nodes[0].parallelism", "32768"),
        ({"nodes": [{**NODE, "uid_hash": "x"}]}, "stream_graph.nodes[0].uid_hash", "32 char"),
        ({"nodes": [{**NODE, "name": "x" * 10_201}]}, "stream_graph.nodes[0].name", "10,201"),
        ({"edges": [{**EDGE, "target": 3}]}, "stream_graph.edges[0].target", "no node 3"),
        ({"edges": [{**EDGE, "partitioner": 5}]}, "stream_graph.edges[0].partitioner", "be text"),
        (
            {"edges": [{**EDGE, "partitioner": "x" * 10_201}]},
            "stream_graph.edges[0].partitioner",
            "10,201",
        ),
        ({"edges": [{**EDGE, "type_number": -1}]}, "stream_graph.edges[0].type_number", "least 0"),
        ({"sources": [2]}, "stream_graph.sources", "without an in-edge"),
        ({"sources": []}, "stream_graph.sources", "without an in-edge"),
        ({"sources": [64]}, "stream_graph.sources", "node 1 differs"),
        ({"nodes": [{**NODE, "in_order": [7]}], "edges": []}, "stream_graph.nodes[0].in_order", ""),
        (
            {"nodes": TWO, "edges": [EDGE, {**EDGE, "source": 2, "target": 1}]},
            "stream_graph.edges",
            "cycle",
        ),
    ],
)
def test_a_broken_graph_is_one_sentence_with_its_path(
    changed: dict[str, Any], path: str, says: str
) -> None:
    with pytest.raises(DocumentError) as caught:
        load_document(graph(**changed))

    assert caught.value.path == path
    assert says in caught.value.problem


def test_the_order_of_a_nodes_edges_is_that_of_in_order_and_out_order() -> None:
    nodes = [
        {"id": 1, "name": "a", "parallelism": 1, "out_order": [3, 2]},
        {"id": 2, "name": "b", "parallelism": 1},
        {"id": 3, "name": "c", "parallelism": 1},
    ]
    edges = [
        {"source": 1, "target": 2, "partitioner": "FORWARD"},
        {"source": 1, "target": 3, "partitioner": "FORWARD"},
    ]
    document = load_document(graph(nodes=nodes, edges=edges))
    assert isinstance(document, StreamGraphDocument)

    (first, *_), *_ = document.stream_graph.out_edges.values()
    assert document.stream_graph.edges[first].target == 3


def test_the_output_of_a_batch_job_is_read_as_a_batch_job() -> None:
    case = next(case for case in cases("classics") if case["name"] == "batch-mode")
    outcome = next(one for one in case["flink"] if "1.20" in one["versions"])
    done = compile_graph(outcome, "1.20")

    assert done.settings.batch
    assert [edge.result_type for edge in done.job_graph.edges] == [
        edge["result_type"] for edge in outcome["job_graph"]["edges"]
    ]


@for_each("job_type", [[], {}, 3, "STREAMING"])
def test_a_job_type_that_is_no_batch_jobs_has_no_effect(job_type: object) -> None:
    document = load_document(
        {"stream_graph": {"nodes": [NODE], "edges": []}, "job_graph": {"job_type": job_type}}
    )
    assert isinstance(document, StreamGraphDocument)

    assert not document.settings.batch
