"""Which share of a slot's managed memory each operator gets: as released Flinks print it."""

from typing import Any

import pytest

from explorer.flink.passes.slots import fraction_rounded_down
from tests.flink.golden_programs import printed_and_made
from tests.many_cases import for_each

SIXTH = 0.1666666666666666
"""16 places and no more: the nearest double to a sixth is a little larger."""


def fractions(members: dict[str, Any]) -> dict[int, float | None]:
    """By node, its fraction of the slot."""
    vertices = members["job_graph"]["vertices"]
    return {
        one["node"]: one["managed_memory_fraction"]
        for vertex in vertices
        for one in vertex["operators"]
    }


@for_each(
    ("version", "shares"),
    [
        ("1.9", [None, None, None, None]),
        ("1.10", [None, None, None, None]),
        ("1.11", [SIXTH, 0.5, SIXTH, SIXTH]),
        ("1.12", [0.0, 0.75, 0.25, 0.0]),
        ("2.3", [0.0, 0.75, 0.25, 0.0]),
    ],
)
def test_weights_share_a_slot_out(version: str, shares: list[float | None]) -> None:
    """The second of four operators has weight 3, the third 1: before 1.12 the others had 1, too."""
    for members in printed_and_made("managed-memory", version):
        assert fractions(members) == dict(enumerate(shares, 1))


@pytest.mark.parametrize("version", ["1.12", "1.14", "2.3"])
def test_each_slot_sharing_group_is_a_slot_of_its_own(version: str) -> None:
    """The sources 1 and 2 are in two groups; 5 shares with 1, and the others declare nothing."""
    shares = {1: 0.6666666666666666, 5: 0.3333333333333333, 2: 1.0, 7: 0.0, 8: 0.0, 9: 0.0}

    for members in printed_and_made("random-13", version):
        found = fractions(members)
        assert {node: found[node] for node in shares} == shares


@pytest.mark.parametrize("version", ["1.12", "1.14", "2.3"])
def test_an_operator_that_sorts_in_a_batch_job_has_a_weight(version: str) -> None:
    for members in printed_and_made("batch-mode", version):
        assert fractions(members) == {1: 0.0, 2: 0.0, 4: 1.0, 5: 0.0}


@pytest.mark.parametrize(
    ("name", "share"), [("resources", 0.0), ("resources-partly", 0.3333333333333333)]
)
def test_a_group_whose_resources_are_all_known_shares_nothing_out(name: str, share: float) -> None:
    """Under 1.11, which gave every operator without a weight the weight 1."""
    for members in printed_and_made(name, "1.11"):
        assert set(fractions(members).values()) == {share}


@for_each(
    ("part", "whole", "fraction"),
    [(1, 1, 1.0), (1, 6, SIXTH), (2, 3, 0.6666666666666666), (1, 10**17, 0.0)],
)
def test_a_fraction_is_cut_and_not_rounded(part: int, whole: int, fraction: float) -> None:
    """``getFractionRoundedDown``: all of a slot's fractions must never be more than 1."""
    assert fraction_rounded_down(part, whole) == fraction
