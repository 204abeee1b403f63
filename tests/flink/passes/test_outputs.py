"""How edges that leave a task travel: result types, patterns, and who shares a data set."""

from typing import Any

import pytest

from explorer.errors import FlinkRefusalError
from tests.flink.golden_programs import printed_and_made, refused
from tests.flink.passes.programs import NEW_SOURCE, compiled
from tests.many_cases import for_each

READER = {"id": "a", "type": "map", "inputs": ["p"]}
OTHER = READER | {"id": "b"}


def travels(members: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Ship strategy, distribution pattern and result type of every job edge."""
    return [
        (edge["ship_strategy"], edge["distribution_pattern"], edge["result_type"])
        for edge in members["job_graph"]["edges"]
    ]


@for_each(
    ("name", "edge"),
    [
        ("partitioner-rebalance", ("REBALANCE", "ALL_TO_ALL")),
        ("partitioner-rescale", ("RESCALE", "POINTWISE")),
        ("partitioner-broadcast", ("BROADCAST", "ALL_TO_ALL")),
        ("partitioner-global", ("GLOBAL", "ALL_TO_ALL")),
        ("partitioner-custom", ("CUSTOM", "ALL_TO_ALL")),
        ("partitioner-twice", ("SHUFFLE", "ALL_TO_ALL")),
        ("chaining-off", ("FORWARD", "POINTWISE")),
        ("key-by-map", ("HASH", "ALL_TO_ALL")),
    ],
)
@for_each("version", ["1.9", "2.3"])
def test_a_streaming_job_has_pipelined_results_and_the_partitioner_gives_the_pattern(
    name: str, edge: tuple[str, str], version: str
) -> None:
    for members in printed_and_made(name, version):
        assert travels(members)[0] == (*edge, "PIPELINED_BOUNDED")


@pytest.mark.parametrize(
    ("version", "result"), [("1.12", "BLOCKING"), ("1.14", "PIPELINED_BOUNDED")]
)
def test_an_option_pipelines_a_batch_job_since_1_14(version: str, result: str) -> None:
    """``execution.batch-shuffle-mode``; before, only FORWARD edges were pipelined."""
    for members in printed_and_made("batch-pipelined-shuffle", version):
        assert travels(members) == [
            ("HASH", "ALL_TO_ALL", result),
            ("REBALANCE", "ALL_TO_ALL", result),
        ]


@pytest.mark.parametrize(("version", "sets"), [("1.15", [0, 1]), ("1.16", [0, 0])])
def test_blocking_results_are_shared_since_1_16(version: str, sets: list[int]) -> None:
    for members in printed_and_made("batch-shared-dataset", version):
        assert [edge["dataset_index"] for edge in members["job_graph"]["edges"]] == sets


@pytest.mark.parametrize(
    ("version", "edges"),
    [
        ("1.10", [("FORWARD", "POINTWISE", "BLOCKING")]),
        ("1.14", [("FORWARD", "POINTWISE", "BLOCKING")]),
        ("1.15", []),
    ],
)
def test_a_batch_exchange_of_a_streaming_job_blocks_until_it_is_reset(
    version: str, edges: list[tuple[str, str, str]]
) -> None:
    """Since 1.15 it is UNDEFINED then, and the edge chains."""
    for members in printed_and_made("batch-exchange", version):
        assert travels(members) == edges


@for_each(
    ("version", "words"),
    [
        ("1.10", "selectedNames=[], outputPartitioner=RESCALE, bufferTimeout=5, outputTag=null). "),
        ("1.12", "typeNumber=0, outputPartitioner=RESCALE, bufferTimeout=5, outputTag=null). "),
        ("1.13", "bufferTimeout=5, outputTag=null, uniqueId=0). "),
        ("1.14", "exchangeMode=BATCH, bufferTimeout=5, outputTag=null, uniqueId=0). "),
    ],
)
def test_a_blocking_result_has_no_buffer_timeout(version: str, words: str) -> None:
    """From 1.10 on; the sentence holds what ``StreamEdge.toString`` prints."""
    said, ours = refused("batch-buffer-timeout", version)

    assert said == ours
    assert words in said


def hybrid(partitioner: str, mode: str) -> dict[str, Any]:
    return {
        "id": "p",
        "type": "partition",
        "inputs": ["s"],
        "partitioner": partitioner,
        "exchange_mode": mode,
    }


@for_each(
    ("version", "partitioner", "mode", "results"),
    [
        ("1.16", "REBALANCE", "HYBRID_FULL", [("HYBRID_FULL", 0), ("HYBRID_FULL", 1)]),
        ("1.17", "REBALANCE", "HYBRID_FULL", [("HYBRID_FULL", 0), ("HYBRID_FULL", 0)]),
        ("1.16", "REBALANCE", "HYBRID_SELECTIVE", [("HYBRID_SELECTIVE", n) for n in (0, 1)]),
        ("1.17", "REBALANCE", "HYBRID_SELECTIVE", [("HYBRID_FULL", 0), ("HYBRID_FULL", 0)]),
        ("2.3", "BROADCAST", "HYBRID_SELECTIVE", [("HYBRID_FULL", 0), ("HYBRID_FULL", 0)]),
    ],
)
def test_two_readers_share_a_hybrid_result(
    version: str, partitioner: str, mode: str, results: list[tuple[str, int]]
) -> None:
    """As Flink 1.16.3, 1.17.2 and 2.3.0 print it."""
    program = (NEW_SOURCE, hybrid(partitioner, mode), READER, OTHER)

    edges = compiled(*program, version=version, runtime_mode="BATCH").job_graph.edges
    assert [(edge.result_type, edge.dataset_index) for edge in edges] == results


@pytest.mark.parametrize(
    ("version", "partitioner", "result"),
    [
        ("1.16", "BROADCAST", "HYBRID_SELECTIVE"),
        ("1.17", "BROADCAST", "HYBRID_FULL"),
        ("1.17", "REBALANCE", "HYBRID_SELECTIVE"),
    ],
)
def test_a_broadcast_result_is_written_in_full(version: str, partitioner: str, result: str) -> None:
    """As Flink 1.16.3 and 1.17.2 print it."""
    program = (NEW_SOURCE, hybrid(partitioner, "HYBRID_SELECTIVE"), READER)

    (edge,) = compiled(*program, version=version, runtime_mode="BATCH").job_graph.edges
    assert edge.result_type == result


def test_full_and_selective_readers_share_one_full_result() -> None:
    """As Flink 1.17.2 prints it."""
    full = hybrid("GLOBAL", "HYBRID_FULL") | {"id": "q"}
    program = (
        NEW_SOURCE,
        hybrid("GLOBAL", "HYBRID_SELECTIVE"),
        full,
        READER,
        OTHER | {"inputs": ["q"]},
    )

    edges = compiled(*program, version="1.17", runtime_mode="BATCH").job_graph.edges
    assert [(edge.result_type, edge.dataset_index) for edge in edges] == [("HYBRID_FULL", 0)] * 2


@pytest.mark.parametrize("version", ["1.17", "2.3"])
def test_a_streaming_job_has_no_hybrid_result(version: str) -> None:
    """In the words of Flink 1.17.2 and 2.3.0."""
    message = "hybrid shuffle mode only supports batch job, please set execution.runtime-mode to B"

    with pytest.raises(FlinkRefusalError, match=message):
        compiled(NEW_SOURCE, hybrid("GLOBAL", "HYBRID_FULL"), READER, version=version)


def test_a_streaming_job_of_an_older_release_has() -> None:
    """As Flink 1.16.3 prints it."""
    done = compiled(NEW_SOURCE, hybrid("GLOBAL", "HYBRID_FULL"), READER, version="1.16")

    assert [edge.result_type for edge in done.job_graph.edges] == ["HYBRID_FULL"]


@pytest.mark.parametrize("version", ["1.16", "2.3"])
def test_slot_sharing_groups_and_hybrid_results_exclude_each_other(version: str) -> None:
    """In the words of Flink 1.16.3 and 2.3.0."""
    program = (NEW_SOURCE | {"slot_sharing_group": "a"}, hybrid("GLOBAL", "HYBRID_FULL"), READER)
    message = "hybrid shuffle mode currently does not support setting non-default slot sharing"

    with pytest.raises(FlinkRefusalError, match=message):
        compiled(*program, version=version, runtime_mode="BATCH")


@pytest.mark.parametrize("version", ["1.16", "2.3"])
def test_readers_share_a_data_set_where_they_read_one_partition(version: str) -> None:
    """As Flink 1.16.3 and 2.3.0 print it: every call brings a selector of its own, and only an
    interval join inherits those of its inputs."""
    window = {"type": "window_all", "window": {"assigner": "tumbling", "size": 1000}}
    key = {"type": "key_by", "inputs": ["s"], "keys": ["a"]}
    custom = {"type": "partition_custom", "inputs": ["s"]}
    done = compiled(
        {"id": "s", "type": "source"},
        {"id": "v", "inputs": ["s"]} | window,
        {"id": "w", "inputs": ["s"]} | window,
        {"id": "k"} | key,
        {"id": "l"} | key,
        {"id": "a", "type": "reduce", "inputs": ["k"]},
        {"id": "b", "type": "reduce", "inputs": ["k"]},
        {"id": "c", "type": "reduce", "inputs": ["l"]},
        {"id": "j", "type": "interval_join", "inputs": ["l", "k"]},
        {"id": "p"} | custom,
        {"id": "q"} | custom,
        {"id": "d", "type": "map", "inputs": ["p"]},
        {"id": "e", "type": "map", "inputs": ["q"]},
        {"id": "f", "type": "map", "inputs": ["q"]},
        version=version,
        runtime_mode="BATCH",
    )

    indexes = [edge.dataset_index for edge in done.client.job_graph.edges]
    assert indexes == [0, 1, 2, 2, 3, 2, 3, 4, 5, 5]
