"""The order of Java's hash collections, as a ``HashSet<Integer>`` prints it under Java 17."""

import pytest

from explorer.flink.java_order import hash_order
from tests.flink.golden_programs import heads, printed_and_made


@pytest.mark.parametrize(
    ("added", "walked"),
    [
        ([3, 1, 2], [1, 2, 3]),
        ([5, 17, -3, 1], [17, 1, -3, 5]),
        ([1, -1, 3, -3, 5, -5], [-1, 1, -3, 3, -5, 5]),
        ([65_537, 1, 2, 131_072, 16], [65_537, 16, 1, 2, 131_072]),
        ([23, 7, 23], [23, 7]),
    ],
    ids=["small", "one bucket", "negative", "upper half", "twice"],
)
def test_numbers_come_by_bucket_and_within_one_as_they_were_added(
    added: list[int], walked: list[int]
) -> None:
    assert hash_order(added) == walked


def test_the_thirteenth_number_doubles_the_buckets() -> None:
    falling = [37, 34, 31, 28, 25, 22, 19, 16, 13, 10, 7, 4, 1]

    assert hash_order(falling[:-1]) == [16, 34, 19, 4, 37, 22, 7, 25, 10, 28, 13, 31]
    assert hash_order(falling) == [1, 34, 4, 37, 7, 10, 13, 16, 19, 22, 25, 28, 31]


@pytest.mark.parametrize(
    ("step", "walked"),
    [
        (16, [1, 33, 65, 97, 129, 17, 49, 81, 113]),
        (32, [1, 65, 129, 193, 257, 33, 97, 161, 225, 289]),
    ],
)
def test_the_ninth_number_of_one_bucket_doubles_them_too(step: int, walked: list[int]) -> None:
    added = [1 + step * n for n in range(len(walked))]

    assert hash_order(added[:8]) == added[:8]
    assert hash_order(added) == walked


@pytest.mark.parametrize(("version", "order"), [("1.11", [1, -3]), ("1.12", [-3, 1])])
def test_flink_visited_its_sources_so_before_it_sorted_them(version: str, order: list[int]) -> None:
    for members in printed_and_made("iterate-wait", version):
        assert heads(members)[:2] == order
