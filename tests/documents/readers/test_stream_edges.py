"""An edge's partitioner is any text that Flink prints; what counts is its class."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import Compilation, compile_graph
from explorer.documents import StreamGraphDocument, dump_json, load_document, parse_document
from explorer.drawing.layout.captions import job_caption, stream_caption
from explorer.drawing.view.graph_view import graph_view
from explorer.explain.edges import explain_edge
from tests.engine.in_process import report_of
from tests.examples import examples
from tests.many_cases import for_each
from tests.strategies import NAUGHTY


def document(partitioner: str, class_name: str | None = None, **edge: Any) -> dict[str, Any]:
    """A source and a map, and how records come from the one to the other."""
    given = {} if class_name is None else {"partitioner_class": class_name}
    return {
        "flink": "1.20",
        "stream_graph": {
            "nodes": [
                {
                    "id": 1,
                    "name": "Source: a",
                    "parallelism": 2,
                    "vertex_class": "SourceOperatorStreamTask",
                },
                {"id": 2, "name": "Map", "parallelism": 2},
            ],
            "edges": [{"source": 1, "target": 2, "partitioner": partitioner, **given, **edge}],
        },
    }


def compiled(partitioner: str, class_name: str | None = None, **edge: Any) -> Compilation:
    return compile_graph(document(partitioner, class_name, **edge))


def test_the_printed_text_of_a_partitioner_is_stored_and_printed() -> None:
    done = compiled("HASH[seller, $f1]", "BinaryHashPartitioner")
    view = graph_view(done)
    printed = done.to_dict()

    assert printed["stream_graph"]["edges"][0]["partitioner"] == "HASH[seller, $f1]"
    assert printed["job_graph"]["edges"][0]["ship_strategy"] == "HASH[seller, $f1]"
    assert printed["job_graph"]["edges"][0]["distribution_pattern"] == "ALL_TO_ALL"
    (predecessor,) = printed["execution_plan"]["nodes"][1]["predecessors"]
    assert predecessor["ship_strategy"] == "HASH[seller, $f1]"
    assert stream_caption(view.edges[0]) == "HASH[seller, $f1]"
    assert job_caption(view.job_edges[0]) == "HASH[seller, $f1] · all-to-all"
    reason = next(one for one in explain_edge(done, 0).reasons if one.code == "CH06")
    assert (reason.holds, reason.values) == (False, "partitioner HASH[seller, $f1]")


def test_the_text_survives_a_round_trip() -> None:
    read = load_document(document("HASH[seller, $f1]", "BinaryHashPartitioner"))
    assert isinstance(read, StreamGraphDocument)

    assert parse_document(dump_json(read), name="x.json") == read


@examples(100)
@given(st.text(max_size=100) | st.sampled_from(NAUGHTY), st.text(max_size=20))
def test_any_text_and_class_are_accepted_stored_and_printed(text: str, class_name: str) -> None:
    read = load_document(document(text, class_name))
    assert isinstance(read, StreamGraphDocument)
    (edge,) = compile_graph(read).job_graph.edges

    assert parse_document(dump_json(read), name="x.json") == read
    assert (edge.ship_strategy, edge.partitioner_class) == (text, class_name)


@for_each(
    ("text", "class_name"),
    [
        ("FORWARD", "ForwardPartitioner"),
        ("HASH", "KeyGroupStreamPartitioner"),
        ("HASH[a]", "BinaryHashPartitioner"),
        ("CUSTOM", "CustomPartitionerWrapper"),
        ("com.example.ByRegion@4f2b", ""),
        ("HASHED", ""),
        ("", ""),
    ],
)
def test_where_only_the_text_is_given_the_name_it_begins_with_shows_the_class(
    text: str, class_name: str
) -> None:
    assert compiled(text).stream_graph.edges[0].partitioner_class == class_name


@for_each(
    ("text", "class_name", "chains", "pattern"),
    [
        ("straight on", "ForwardPartitioner", True, None),
        ("FORWARD", "ByRegion", False, "ALL_TO_ALL"),
        ("FORWARD", "RescalePartitioner", False, "POINTWISE"),
        ("RESCALE", "KeyGroupStreamPartitioner", False, "ALL_TO_ALL"),
        ("CUSTOM", "RowDataCustomStreamPartitioner", False, "ALL_TO_ALL"),
    ],
)
def test_the_class_decides_whatever_the_text_is(
    text: str, class_name: str, *, chains: bool, pattern: str | None
) -> None:
    done = compiled(text, class_name)

    assert done.chained == (chains,)
    assert [edge.distribution_pattern for edge in done.job_graph.edges] == (
        [] if pattern is None else [pattern]
    )


@pytest.mark.parametrize(
    ("class_name", "answer", "pattern"),
    [
        ("ByRegion", True, "POINTWISE"),
        ("ByRegion", False, "ALL_TO_ALL"),
        ("BinaryHashPartitioner", True, "ALL_TO_ALL"),
    ],
)
def test_a_class_of_the_programs_own_is_as_pointwise_as_the_document_states(
    class_name: str, *, answer: bool, pattern: str
) -> None:
    done = compiled("by region", class_name, pointwise=answer)

    assert [edge.distribution_pattern for edge in done.job_graph.edges] == [pattern]
    assert not any("treated as" in warning for warning in done.warnings)


def test_an_assumption_on_a_partitioner_is_reported() -> None:
    assert compiled("HASHED").warnings[0] == (
        "stream_graph.edges[0].partitioner: no partitioner of Flink's prints 'HASHED'; it is "
        "treated as the program's own, which reaches every consumer; did you mean 'HASH'?"
    )
    assert compiled("HASHED", "ByRegion").warnings[0] == (
        "stream_graph.edges[0].partitioner_class: Flink has no 'ByRegion'; it is treated as the "
        "program's own, which reaches every consumer, as pointwise does not say"
    )


def test_unaligned_checkpoints_are_refused_for_flinks_wrapper_of_custom_partitioners_only() -> None:
    """``hasCustomPartitioner`` asks for the class alone."""
    settings = {"checkpoint_interval": 1000, "checkpointing": {"unaligned": True}}
    own = document("CUSTOM", "RowDataCustomStreamPartitioner")
    own["stream_graph"]["settings"] = settings

    assert compile_graph(own, "2.2").job_graph.checkpointing.unaligned


@pytest.mark.parametrize("text", ["HASH[seller]", "by region"])
def test_any_partitioner_runs_in_a_trial(text: str) -> None:
    done = compiled(text)
    report = report_of(done)

    assert [vertex.records_in for vertex in report.vertices] == [0, 1000]
    assert json.loads(json.dumps(report.to_dict()))["vertices"][1]["records_in"] == 1000


def sql_line(mode: str, hashed: str | None) -> dict[str, Any]:
    """An aggregate, and a second one that hashes by the same keys; the graph is dynamic."""
    names = {1: "Source: bid", 2: "HashAggregate[2]", 3: "HashAggregate[3]"}
    held = {} if hashed is None else {"hash_partitioner": hashed}
    edges = [
        {"source": 1, "target": 2, "partitioner": "HASH[auction]", "exchange_mode": "BATCH"},
        {
            "source": 2,
            "target": 3,
            "partitioner": "FORWARD",
            "partitioner_class": "ForwardForConsecutiveHashPartitioner",
            "exchange_mode": mode,
            **held,
        },
    ]
    nodes = [
        {"id": id, "name": name, "parallelism": 4, "buffer_timeout": -1}
        for id, name in names.items()
    ]
    nodes[0]["vertex_class"] = "SourceOperatorStreamTask"
    return {"flink": "1.20", "stream_graph": {"nodes": nodes, "edges": edges}}


@pytest.mark.parametrize("mode", ["BATCH", "UNDEFINED"])
def test_operators_that_hash_by_the_same_keys_chain_whatever_their_exchange(mode: str) -> None:
    done = compile_graph(sql_line(mode, None))

    assert done.chained == (False, True)
    assert [one.name for one in done.job_graph.vertices][
        1
    ] == "HashAggregate[2] -> HashAggregate[3]"


@pytest.mark.parametrize(
    ("hashed", "printed"), [("HASH[auction0]", "HASH[auction0]"), (None, "HASH[auction]")]
)
def test_where_they_do_not_chain_the_edge_becomes_the_hash_that_it_holds(
    hashed: str | None, printed: str
) -> None:
    apart = sql_line("BATCH", hashed)
    apart["stream_graph"]["nodes"][2]["chaining_strategy"] = "NEVER"
    edges = compile_graph(apart).job_graph.edges

    assert [(edge.ship_strategy, edge.partitioner_class) for edge in edges] == [
        ("HASH[auction]", "BinaryHashPartitioner"),
        (printed, "BinaryHashPartitioner"),
    ]


def test_a_graph_with_partitioners_of_batch_jobs_is_read_as_one() -> None:
    done = compile_graph(sql_line("BATCH", None))

    assert (done.job_graph.job_type, done.settings.dynamic) == ("BATCH", True)
    assert [vertex.parallelism for vertex in done.job_graph.vertices] == [-1, -1]
    assert "parallelism_configured is missing" in done.warnings[-1]


def test_equal_partitioners_share_a_blocking_result_and_others_do_not() -> None:
    """Key selectors are not in the text; ``selector`` shows which are one object."""

    def indexes(*selectors: str | None) -> list[int]:
        graph = sql_line("BATCH", None)["stream_graph"]
        reported = [{} if one is None else {"selector": one} for one in selectors]
        graph["edges"] = [
            {"source": 1, "target": target, "partitioner": "HASH", "exchange_mode": "BATCH", **one}
            for target, one in zip((2, 3), reported, strict=True)
        ]
        graph["settings"] = {"batch": True}
        edges = compile_graph({"stream_graph": graph}, "1.20").job_graph.edges
        return sorted(edge.dataset_index for edge in edges)

    assert indexes("a", "b") == [0, 1]
    assert indexes("a", "a") == [0, 0]
    assert indexes(None, None) == [0, 1]
