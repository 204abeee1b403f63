"""In which order vertices are listed, their inputs numbered and their data sets counted.

Programs of the golden files; vertices are called by the number of their head.
"""

from collections import defaultdict
from typing import Any

import pytest

from tests.flink.golden_programs import heads, node_of, printed_and_made
from tests.many_cases import for_each

EVERY_AGE = ["1.9", "1.12", "1.20", "2.3"]


def job_edges(members: dict[str, Any]) -> list[tuple[int, int, int, int]]:
    """Source, target, number of the target's input, number of the source's data set."""
    ids = node_of(members)
    return [
        (ids[edge["source"]], ids[edge["target"]], edge["input"], edge["dataset_index"])
        for edge in members["job_graph"]["edges"]
    ]


def inputs(members: dict[str, Any]) -> dict[int, list[int]]:
    """By vertex with several inputs, whom it reads, input by input."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for source, target, number, _ in job_edges(members):
        assert number == len(found[target])
        found[target].append(source)
    return {target: sources for target, sources in found.items() if len(sources) > 1}


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("two-inputs", [1, 2, 3]),
        ("slot-group-inherited-by-union", [1, 2, 4]),
        ("random-67", [1, 7, 5]),
        ("random-203", [1, 5, 4]),
    ],
)
def test_sources_come_first_then_each_vertex_behind_all_that_it_reads(
    name: str, order: list[int]
) -> None:
    """Along data sets, not by number: in the last two the sink with the higher number is what the
    source's first data set leads to."""
    for members in printed_and_made(name, "1.20"):
        assert heads(members) == order


@for_each("version", EVERY_AGE)
def test_a_branch_is_followed_to_its_end_before_the_next(version: str) -> None:
    """Eight branches of one source, each a map and a sink in tasks of their own."""
    for members in printed_and_made("wide-fan-out", version):
        branches = [(2, 14), (4, 16), (5, 17), (7, 19), (8, 20), (10, 22), (11, 23), (13, 25)]
        assert heads(members) == [1, *(node for branch in branches for node in branch)]


@for_each(
    ("name", "read"),
    [
        ("two-inputs", {3: [1, 2]}),
        ("diamond", {5: [1, 1]}),
        ("self-union", {4: [1, 1]}),
        ("random-20", {3: [1, 2], 5: [3, 2]}),
    ],
)
@for_each("version", ["1.12", "1.20"])
def test_inputs_are_numbered_as_vertices_were_connected(
    name: str, read: dict[int, list[int]], version: str
) -> None:
    """Each vertex connects what leaves it, in the order in which they were made: the ``co_map`` 3
    of the last program names 2 as its first input, but reads it as its second."""
    for members in printed_and_made(name, version):
        assert inputs(members) == read


@for_each("version", EVERY_AGE)
def test_every_pipelined_edge_has_a_data_set_of_its_own(version: str) -> None:
    for members in printed_and_made("self-union", version):
        assert job_edges(members) == [(1, 4, 0, 0), (1, 4, 1, 1)]


@for_each(
    ("version", "sets"), [("1.12", [0, 1]), ("1.15", [0, 1]), ("1.16", [0, 0]), ("2.3", [0, 0])]
)
def test_two_edges_that_read_one_data_set_have_its_number(version: str, sets: list[int]) -> None:
    """Two rebalances of one map in a batch job."""
    for members in printed_and_made("batch-shared-dataset", version):
        assert job_edges(members) == [(1, 5, 0, sets[0]), (1, 6, 0, sets[1])]
