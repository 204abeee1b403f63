"""Who reads which partition of a point-wise edge: Flink's own tables, and both of its rules."""

import gzip
import json

import pytest

from explorer.flink.subtask_wiring import consumed_partitions, consumed_subpartition, consumers_of
from tests.golden_files import GOLDEN
from tests.many_cases import for_each

FLINK_TABLES = {
    (3, 5): [[0], [0], [1], [1], [2]],
    (4, 6): [[0], [0], [1], [2], [2], [3]],
    (6, 10): [[0], [0], [1], [1], [2], [3], [3], [4], [4], [5]],
    (5, 3): [[0], [1, 2], [3, 4]],
    (10, 3): [[0, 1, 2], [3, 4, 5], [6, 7, 8, 9]],
    (6, 4): [[0], [1, 2], [3], [4, 5]],
    (10, 6): [[0], [1, 2], [3, 4], [5], [6, 7], [8, 9]],
}
"""Producers and consumers with what each consumer reads, as ``PointwisePatternTest`` has it."""


@for_each("ends", FLINK_TABLES)
@for_each("floats", [False, True])
def test_flinks_own_tables_hold_under_both_rules(ends: tuple[int, int], *, floats: bool) -> None:
    read = [list(consumed_partitions(*ends, one, floats=floats)) for one in range(ends[1])]

    assert read == FLINK_TABLES[ends]


@for_each("ends", FLINK_TABLES)
def test_a_producers_consumers_are_those_that_read_it(ends: tuple[int, int]) -> None:
    table = FLINK_TABLES[ends]

    for producer in range(ends[0]):
        readers = [one for one, read in enumerate(table) if producer in read]
        assert list(consumers_of(*ends, producer)) == readers


def test_consumers_of_one_partition_read_a_subpartition_each() -> None:
    """By their own number, so that they do not begin at the first."""
    assert [consumed_subpartition(2, 5, one) for one in range(5)] == [0, 1, 2, 1, 0]
    assert [consumed_subpartition(5, 2, one) for one in range(2)] == [0, 0]


@pytest.mark.parametrize(("floats", "partition"), [(True, 6), (False, 7)])
def test_up_to_1_12_sixteen_consumers_of_fourteen_partitions_meet_elsewhere(
    *, floats: bool, partition: int
) -> None:
    """8 / (16 / 14) is 7, and a little less in single precision."""
    assert list(consumed_partitions(14, 16, 8, floats=floats)) == [partition]


@pytest.mark.law
def test_releases_up_to_1_12_divide_in_single_precision() -> None:
    """Every pair up to 130 for which Flink 1.12.5's rule and the one since 1.13 differ.

    Of those for which they do not, each third number of consumers.
    """
    with gzip.open(GOLDEN / "pointwise_1.12.jsonl.gz", "rt", encoding="utf-8") as lines:
        different = {
            (fact["upstream"], fact["downstream"]): fact["consumed_partitions"]
            for fact in map(json.loads, lines)
        }
    assert len(different) == 314
    for producers in range(1, 131):
        for consumers in range(1, 131):
            ends = producers, consumers
            if ends not in different and consumers % 3:
                continue
            whole, floats = (
                [consumed_partitions(*ends, i, floats=floats) for i in range(consumers)]
                for floats in (False, True)
            )
            if ends in different:
                assert [[part[0], part[-1]] for part in floats] == different[ends]
                assert whole != floats
            else:
                assert whole == floats
