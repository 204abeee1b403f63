"""Hybrid results: who may have one, who shares it, and how much of it is written."""

from typing import Any

import pytest

from explorer.errors import FlinkRefusalError
from tests.flink.passes.programs import NEW_SOURCE, compiled

READER = {"id": "a", "type": "map", "inputs": ["p"]}
OTHER = READER | {"id": "b"}


def hybrid(partitioner: str, mode: str) -> dict[str, Any]:
    return {
        "id": "p",
        "type": "partition",
        "inputs": ["s"],
        "partitioner": partitioner,
        "exchange_mode": mode,
    }


@pytest.mark.parametrize(
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
