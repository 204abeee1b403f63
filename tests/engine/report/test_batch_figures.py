"""In BATCH mode a task's partition is a file, divided for a number of consumers that is still open.

The figures were printed by a Flink 1.20 cluster with its scheduler for BATCH jobs.
"""

from typing import Any

import pytest

from tests.engine.in_process import trial, unchained
from tests.many_cases import for_each

FIGURES: list[tuple[str, int, int, int, int, list[int]]] = [
    ("forward", 1, 1, 0, 48, [1]),
    ("rebalance", 2, 4, 0, 230, [1, 0, 0, 0]),
    ("global", 1, 4, 0, 126, [1, 0, 0, 0]),
    ("global", 4, 2, 0, 230, [1, 0]),
    ("broadcast", 1, 1, 0, 44, [1]),
    ("broadcast", 1, 4, 0, 44, [1, 1, 1, 1]),
    ("broadcast", 4, 2, 0, 110, [1, 1]),
    ("rescale", 1, 4, 0, 126, [1, 0, 0, 0]),
    ("rescale", 4, 2, 0, 126, [1, 0]),
    ("rescale", 2, 5, 29, 816, [5, 5, 5, 10, 5]),
    ("rescale", 3, 5, 29, 816, [5, 5, 5, 5, 10]),
    ("rescale", 5, 3, 29, 790, [6, 12, 12]),
    ("rescale", 4, 7, 29, 868, [4, 4, 4, 4, 4, 3, 7]),
]
"""Partitioner, producers, consumers, last number; bytes out, records in of each consumer."""


def _document(*steps: dict[str, Any], last: int = 29, producers: int = 1) -> dict[str, Any]:
    rows = {"sequence": {"from": 0, "to": last}}
    source = {"id": "s", "type": "source", "parallelism": producers, "rows": rows}
    environment = {"parallelism": 1, "runtime_mode": "BATCH"}
    return {"environment": environment, "transformations": [source, *steps]}


@for_each(("kind", "producers", "consumers", "last", "bytes_out", "records_in"), FIGURES)
def test_a_partition_for_an_open_number_of_consumers_has_flinks_figures(
    kind: str,
    producers: int,
    consumers: int,
    last: int,
    bytes_out: int,
    records_in: list[int],
) -> None:
    document = _document(
        {"id": "p", "type": kind, "inputs": ["s"]},
        {"id": "o", "type": "sink", "inputs": ["p"], "parallelism": consumers},
        last=last,
        producers=producers,
    )
    source, sink = trial(unchained(document)).vertices

    assert source.bytes_out == bytes_out
    assert [subtask.records_in for subtask in sink.subtasks] == records_in


@pytest.mark.parametrize("aggregate", [{}, {"aggregate": {"n": "sum(n)"}}])
def test_a_reduce_emits_one_row_a_key(aggregate: dict[str, Any]) -> None:
    document = _document(
        {"id": "m", "type": "map", "inputs": ["s"], "select": {"n": "n", "k": "n % 4"}},
        {"id": "k", "type": "key_by", "inputs": ["m"], "keys": ["k"]},
        {"id": "r", "type": "reduce", "inputs": ["k"], **aggregate},
        {"id": "o", "type": "sink", "inputs": ["r"]},
    )

    assert trial(document).sinks["o"].rows == 4


def test_a_window_of_the_clock_ends_with_its_key() -> None:
    window = {"time": "processing", "assigner": "tumbling", "size": 3_600_000}
    document = _document(
        {"id": "k", "type": "key_by", "inputs": ["s"], "keys": ["n"]},
        {
            "id": "w",
            "type": "window",
            "inputs": ["k"],
            "window": window,
            "aggregate": {"c": "count(*)"},
            "parallelism": 1,
        },
        {"id": "o", "type": "sink", "inputs": ["w"]},
    )
    report = trial(document)

    assert report.sinks["o"].data is not None
    assert sorted(report.sinks["o"].data)[:2] == [(0, 0, 3_600_000, 1), (1, 0, 3_600_000, 1)]
    assert report.sinks["o"].rows == 30
    assert report.warnings == (
        "transformation 'w': a processing-time window ends by the clock, and a trial has none; "
        "all its records fall into the windows of time 0",
    )


Pair = tuple[int, list[int]]
"""Bytes out, and records in of each subtask, of one vertex."""

DECIDED: list[tuple[dict[str, Any], list[Pair]]] = [
    ({"parallelism": 2, "max_parallelism": 7}, [(1264, [0, 0]), (302, [30]), (0, [4])]),
    ({"parallelism": 3}, [(1134, [0, 0, 0]), (198, [30]), (0, [4])]),
]


@pytest.mark.parametrize(("environment", "figures"), DECIDED)
def test_a_vertex_without_a_parallelism_gets_that_of_flinks_scheduler(
    environment: dict[str, Any], figures: list[Pair]
) -> None:
    document = _document(
        {"id": "m", "type": "map", "inputs": ["s"], "select": {"n": "n", "k": "n % 4"}},
        {"id": "k", "type": "key_by", "inputs": ["m"], "keys": ["k"]},
        {"id": "r", "type": "reduce", "inputs": ["k"], "aggregate": {"n": "sum(n)"}},
        {"id": "b", "type": "rebalance", "inputs": ["r"]},
        {"id": "o", "type": "sink", "inputs": ["b"]},
    )
    document["transformations"][0].pop("parallelism")
    document["environment"] |= environment
    report = trial(document)

    found = [(one.bytes_out, [s.records_in for s in one.subtasks]) for one in report.vertices]
    assert found == figures
    assert report.warnings == (
        "Flink decides the parallelism of 'Keyed Reduce', 'Sink: Print to Std. Out' from the "
        "input; as of less than 16 MB, each runs with one subtask",
    )


def test_a_forward_consumer_gets_as_many_subtasks_as_its_producer() -> None:
    document = _document(
        {"id": "f", "type": "forward", "inputs": ["s"]},
        {"id": "m", "type": "map", "inputs": ["f"]},
        {"id": "o", "type": "sink", "inputs": ["m"]},
    )
    document["transformations"][0].pop("parallelism")
    document["environment"] |= {"parallelism": 2, "max_parallelism": 7}
    vertices = trial(unchained(document)).vertices

    assert [one.bytes_out for one in vertices] == [712, 868, 0]
    assert [[s.records_in for s in one.subtasks] for one in vertices] == [
        [0, 0],
        [15, 15],
        [30],
    ]
