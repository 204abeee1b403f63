"""Which key groups a subtask owns: figures of Flink 1.20, and what must hold for any."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.flink.key_groups import default_max_parallelism, key_group_range, most_subtasks
from tests.engine.task.facts import facts
from tests.many_cases import for_each


def test_flinks_keys_lie_in_the_range_of_the_subtask_that_owns_them() -> None:
    for fact in facts("key_groups"):
        most, parallelism = fact["max_parallelism"], fact["parallelism"]
        first, last = key_group_range(fact["operator_index"], most, parallelism)

        assert first <= fact["key_group"] <= last, fact


@pytest.mark.parametrize(
    ("parallelism", "ranges"),
    [
        (1, [(0, 127)]),
        (3, [(0, 42), (43, 85), (86, 127)]),
        (5, [(0, 25), (26, 51), (52, 76), (77, 102), (103, 127)]),
    ],
)
def test_ranges_differ_by_one_group_at_most(
    parallelism: int, ranges: list[tuple[int, int]]
) -> None:
    """``computeKeyGroupRangeForOperatorIndex`` of 128 groups."""
    assert [key_group_range(n, 128, parallelism) for n in range(parallelism)] == ranges


@given(st.integers(1, 2**12).flatmap(lambda p: st.tuples(st.just(p), st.integers(p, 2**15))))
def test_every_key_group_is_owned_once_and_every_subtask_owns_one(ends: tuple[int, int]) -> None:
    parallelism, most = ends
    ranges = [key_group_range(n, most, parallelism) for n in range(parallelism)]

    assert ranges[0][0] == 0
    assert ranges[-1][1] == most - 1
    assert all(first <= last for first, last in ranges)
    assert all(b[0] == a[1] + 1 for a, b in pairwise(ranges))


@for_each(
    ("parallelism", "most"),
    [(1, 128), (85, 128), (86, 256), (171, 256), (172, 512), (21_845, 32_768), (32_768, 32_768)],
)
def test_the_maximum_is_one_and_a_half_times_up_to_a_power_of_two(
    parallelism: int, most: int
) -> None:
    """``computeDefaultMaxParallelism``: 128 at least, 32,768 at most."""
    assert default_max_parallelism(parallelism) == most


@for_each("derived", [128 << shift for shift in range(8)])
def test_one_subtask_more_than_the_most_has_another_derived_maximum(derived: int) -> None:
    most = most_subtasks(derived)

    assert default_max_parallelism(most) == derived < default_max_parallelism(most + 1)


def test_flinks_derived_maxima_are_ours() -> None:
    for fact in facts("default_max_parallelism"):
        assert default_max_parallelism(fact["parallelism"]) == fact["max_parallelism"], fact
