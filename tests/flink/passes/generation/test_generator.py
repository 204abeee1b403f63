"""What the generator makes of whole programs: numbers, strategies, and what it refuses."""

import pytest

from explorer.errors import FlinkRefusalError
from tests.flink.passes.programs import LOOP, SINK, SOURCE, compiled
from tests.many_cases import for_each


def test_a_keyed_multiple_input_sorts_in_batch_mode() -> None:
    """Its strategy becomes HEAD, so its source keeps a task of its own."""
    transformations = (
        {"id": "s", "type": "source"},
        {"id": "k", "type": "key_by", "inputs": ["s"]},
        {"id": "m", "type": "multiple_input", "inputs": ["k"], "keyed": True},
    )

    node = compiled(*transformations, runtime_mode="BATCH").stream_graph.nodes[-1]
    assert node.chaining_strategy == "HEAD"
    assert node.operator_memory_weight == 128


@for_each(("version", "number"), [("1.15", 8), ("1.18", 8), ("1.19", 11), ("2.3", 11)])
def test_a_global_committer_runs_alone_behind_the_committer(version: str, number: int) -> None:
    """As Flink 1.15.4, 1.18.1, 1.19.3 and 2.3.0 print it: number, name, uid, parallelism."""
    done = compiled(
        SOURCE,
        {"id": "o", "type": "sink_v2", "inputs": ["s"], "uid": "out", "global_committer": True},
        parallelism=2,
        version=version,
    )

    node = done.stream_graph.nodes[-1]
    edge = done.stream_graph.edges[-1]
    assert (node.id, node.name, node.uid) == (
        number,
        "Sink: Global Committer",
        "Sink out Global Committer",
    )
    assert (node.parallelism, node.max_parallelism) == (1, 1)
    assert (edge.source, edge.partitioner, edge.exchange_mode) == (5, "GLOBAL", "UNDEFINED")


def test_a_keyed_sink_sorts_in_batch_mode() -> None:
    """As Flink 1.20.5 prints it: the writer gets number 5."""
    done = compiled(
        {"id": "s", "type": "source"},
        {"id": "k", "type": "key_by", "inputs": ["s"]},
        {"id": "o", "type": "sink_v2", "inputs": ["k"]},
        runtime_mode="BATCH",
    )

    writer = done.stream_graph.nodes[-1]
    assert (writer.id, writer.chaining_strategy, writer.operator_memory_weight) == (5, "HEAD", 128)


def test_a_window_over_all_keys_runs_alone() -> None:
    done = compiled(
        SOURCE,
        {
            "id": "w",
            "type": "window_all",
            "inputs": ["s"],
            "window": {"assigner": "tumbling", "size": 5000},
        },
        parallelism=2,
        max_parallelism=720,
    )

    window = done.stream_graph.nodes[-1]
    assert (window.id, window.name) == (3, "TumblingEventTimeWindows")
    assert (window.parallelism, window.max_parallelism) == (1, 1)
    assert done.stream_graph.edges[0].partitioner == "HASH"


def test_an_unbounded_source_is_refused_in_batch_mode() -> None:
    with pytest.raises(FlinkRefusalError, match="Detected an UNBOUNDED source"):
        compiled(SOURCE, SINK, runtime_mode="BATCH")


def test_a_feedback_of_other_parallelism_is_refused() -> None:
    source, iterate, body, close = LOOP

    with pytest.raises(FlinkRefusalError, match="Parallelism of the feedback stream must match"):
        compiled(source, iterate, body | {"parallelism": 3}, close)
