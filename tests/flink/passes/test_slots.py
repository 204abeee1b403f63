"""Which vertices share slots, and which must: as released Flinks print it.

Slot sharing groups are numbered in the order of the vertices: equal numbers, one group.
"""

from typing import Any

import pytest

from explorer import compile_graph
from explorer.errors import FlinkRefusalError
from tests.flink.golden_programs import heads, printed_and_made, refused
from tests.many_cases import for_each


def groups(members: dict[str, Any]) -> dict[int, int]:
    """By the head of a vertex, the number of its slot sharing group."""
    numbers = [vertex["slot_sharing_group"] for vertex in members["job_graph"]["vertices"]]
    return dict(zip(heads(members), numbers, strict=True))


def co_located(members: dict[str, Any]) -> list[int]:
    vertices = members["job_graph"]["vertices"]
    return [
        head for head, vertex in zip(heads(members), vertices, strict=True) if vertex["co_located"]
    ]


@for_each(
    ("name", "numbers"),
    [
        ("two-pipelines", {1: 0, 4: 0}),
        ("slot-sharing-group", {1: 0, 2: 1, 4: 0}),
        ("slot-group-inherited-by-union", {1: 0, 2: 1, 4: 2}),
    ],
)
@for_each("version", ["1.9", "1.20", "2.3"])
def test_a_streaming_job_has_a_group_a_name(
    name: str, numbers: dict[int, int], version: str
) -> None:
    """What reads two groups is in the default one, and pipelines that never meet share it."""
    for members in printed_and_made(name, version):
        assert groups(members) == numbers


@for_each(("version", "number"), [("1.12", 0), ("1.13", 0), ("1.14", 1), ("2.3", 1)])
def test_a_batch_job_has_a_default_group_for_each_pipelined_region(
    version: str, number: int
) -> None:
    """Since 1.14; two vertices with a blocking result between them."""
    for members in printed_and_made("batch-mode", version):
        assert groups(members) == {1: 0, 4: number}


@pytest.mark.parametrize("version", ["1.14", "2.3"])
def test_pipelined_results_join_regions(version: str) -> None:
    for members in printed_and_made("batch-pipelined-shuffle", version):
        assert groups(members) == {1: 0, 4: 0, 6: 0}


@pytest.mark.slow
def test_a_hybrid_result_joins_none() -> None:
    """It can be read while it is written, but need not be."""
    for members in printed_and_made("batch-hybrid-shuffle", "1.17"):
        assert groups(members) == {1: 0, 4: 1, 6: 2}


@pytest.mark.parametrize("version", ["1.14", "2.3"])
def test_a_group_with_a_name_of_its_own_is_not_cut_by_regions(version: str) -> None:
    """1 is in the default group, the others, each a region, are all green."""
    for members in printed_and_made("random-167", version):
        assert groups(members) == {1: 0, 2: 1, 3: 1, 5: 1}


@pytest.mark.parametrize("version", ["1.9", "2.3"])
def test_a_co_location_group_marks_its_vertices(version: str) -> None:
    for members in printed_and_made("co-location", version):
        assert co_located(members) == [1, 3]


@pytest.mark.parametrize("version", ["1.9", "1.20"])
def test_the_ends_of_an_iteration_are_co_located(version: str) -> None:
    for members in printed_and_made("iterate", version):
        assert co_located(members) == [-1, -2]


@pytest.mark.parametrize("version", ["1.9", "2.3"])
def test_co_located_vertices_need_one_slot_sharing_group(version: str) -> None:
    said, ours = refused("co-location-across-slot-groups", version)

    assert said == ours
    assert said.endswith(": Cannot co-locate operators from different slot sharing groups")


def test_both_ends_of_a_refused_co_location_are_named() -> None:
    """A StreamGraph has no transformations: its operators are called by their names."""
    nodes = [
        {"id": id, "name": name, "parallelism": 1, "slot_sharing_group": name}
        | {"co_location_group": "c", "vertex_class": "SourceStreamTask", "legacy_source": True}
        for id, name in enumerate(("one", "other"), start=1)
    ]
    with pytest.raises(FlinkRefusalError) as refusal:
        compile_graph({"stream_graph": {"nodes": nodes, "edges": []}}, "1.20")

    assert set(refusal.value.transformations) == {"one", "other"}


@pytest.mark.parametrize("version", ["1.9", "2.3"])
def test_only_the_head_of_a_chain_is_asked_for_its_co_location_group(version: str) -> None:
    """6 has one, too, but is chained to 2, which has none."""
    for members in printed_and_made("construct-1037", version):
        groups = {
            node["id"]: node["co_location_group"] for node in members["stream_graph"]["nodes"]
        }
        assert (groups[2], groups[6]) == (None, "h")
        assert co_located(members) == [1, 3]
