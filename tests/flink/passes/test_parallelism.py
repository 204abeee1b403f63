"""How many subtasks a vertex gets where the scheduler decides: as released Flinks print it."""

from typing import Any

import pytest

from tests.flink.golden_programs import heads, node_of, printed_and_made


def sizes(members: dict[str, Any]) -> dict[int, int]:
    """By the head of a vertex, its parallelism; -1: the scheduler decides it."""
    numbers = [vertex["parallelism"] for vertex in members["job_graph"]["vertices"]]
    return dict(zip(heads(members), numbers, strict=True))


def ships(members: dict[str, Any]) -> dict[tuple[int, int], str]:
    """By the heads of two vertices, the ship strategy between them."""
    ids = node_of(members)
    return {
        (ids[edge["source"]], ids[edge["target"]]): edge["ship_strategy"]
        for edge in members["job_graph"]["edges"]
    }


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("1.16", {1: 4, 3: 1, 5: 4}), ("1.17", {1: -1, 3: 1, 5: -1}), ("2.3", {1: -1, 3: 1, 5: -1})],
)
def test_since_1_17_a_batch_job_leaves_open_what_the_program_does_not_set(
    version: str, numbers: dict[int, int]
) -> None:
    """Only the filter 3 has a parallelism of its own; 4 is the environment's."""
    for members in printed_and_made("random-198", version):
        assert sizes(members) == numbers


@pytest.mark.parametrize("version", ["1.12", "2.3"])
def test_a_streaming_job_leaves_nothing_open(version: str) -> None:
    for members in printed_and_made("multi-input-parallelism", version):
        assert sizes(members) == {1: 1, 3: 2}


@pytest.mark.parametrize(("version", "ship"), [("1.16", "FORWARD"), ("1.17", "RESCALE")])
def test_an_implicit_forward_rescales_where_the_parallelism_is_open(
    version: str, ship: str
) -> None:
    """``ForwardForUnspecifiedPartitioner``: the sink 5 refuses to chain to the source 1."""
    for members in printed_and_made("random-32", version):
        assert ships(members) == {(1, 5): ship, (3, 7): "REBALANCE"}


@pytest.mark.parametrize("version", ["1.17", "2.3"])
def test_vertices_that_forward_to_each_other_get_one_parallelism(version: str) -> None:
    """15 reads 1 and 3 through a ``forward()`` and takes part in what is decided for them; 5, which
    only happened to be as wide as 3, does not."""
    for members in printed_and_made("random-159", version):
        assert ships(members) == {(1, 15): "FORWARD", (3, 15): "FORWARD", (3, 5): "RESCALE"}
        assert sizes(members) == {1: 2, 2: -1, 3: 2, 15: 2, 5: -1}
