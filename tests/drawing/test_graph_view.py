"""Views of both graphs: what the page, the notebook and the renderers read."""

from collections import Counter
from typing import Any

import pytest

from explorer import check_restore, compile_graph
from explorer.drawing.elements import GraphView, through
from explorer.drawing.graph_view import graph_view
from explorer.drawing.id_changes import IdRow, id_rows
from explorer.flink.kinds import KINDS
from explorer.flink.subtask_wiring import channels
from tests.drawing.drawn import golden_views
from tests.golden_files import NAMED_AND_RANDOM

LINE: list[dict[str, Any]] = [
    {"id": "s", "type": "legacy_source", "parallelism": 1},
    {"id": "a", "type": "map", "inputs": ["s"]},
    {"id": "b", "type": "map", "inputs": ["a"]},
    {"id": "spread", "type": "rebalance", "inputs": ["b"]},
    {"id": "o", "type": "sink", "inputs": ["spread"]},
]


def view_of(*, parallelism: int = 2, **changed: object) -> GraphView:
    document = [{**each, **(changed if each["id"] == "b" else {})} for each in LINE]
    environment = {"parallelism": parallelism}
    return graph_view(
        compile_graph({"environment": environment, "transformations": document}, "1.20")
    )


@pytest.mark.parametrize("name", NAMED_AND_RANDOM)
def test_every_operator_stands_in_one_vertex_and_every_edge_in_one_graph(name: str) -> None:
    for _, view in golden_views(name):
        members = Counter(key for vertex in view.vertices for key in vertex.nodes)
        assert members == Counter(node.key for node in view.nodes)
        within = [key for vertex in view.vertices for key in vertex.edges]
        crossing = [edge.edge for edge in view.job_edges]
        assert sorted(within + crossing) == sorted(edge.key for edge in view.edges)
        assert all(edge.chained == (edge.job_edge is None) for edge in view.edges)


@pytest.mark.parametrize("name", NAMED_AND_RANDOM)
def test_counterparts_find_each_other(name: str) -> None:
    for _, view in golden_views(name):
        pairs = view.counterparts
        known = {*view.node_of, *view.edge_of, *view.vertex_of, *view.job_edge_of}
        assert set(pairs) == known
        for key, others in pairs.items():
            assert others
            assert all(key in pairs[other] for other in others)


def test_chains_are_numbered_as_the_program_declares_their_first_operator() -> None:
    view = view_of()

    assert [vertex.name for vertex in view.vertices] == [
        "Source: Custom Source",
        "Map -> Map",
        "Sink: Print to Std. Out",
    ]
    assert [vertex.number for vertex in view.vertices] == [1, 2, 3]


def test_an_edge_names_what_cuts_it_apart_from_its_partitioner() -> None:
    causes = {edge.partitioner: edge.cause for edge in view_of().edges if not edge.chained}

    assert set(causes) == {"REBALANCE"}
    assert [edge.cause for edge in view_of().edges] == ["parallelism 1 / 2", "", ""]


def test_a_source_within_a_multiple_input_task_counts_as_chained() -> None:
    view = graph_view(
        compile_graph(
            {
                "transformations": [
                    {"id": "a", "type": "source"},
                    {"id": "b", "type": "source"},
                    {"id": "both", "type": "multiple_input", "inputs": ["a", "b"]},
                    {"id": "o", "type": "sink", "inputs": ["both"]},
                ]
            },
            "1.20",
        )
    )

    assert len(view.vertices) == 1
    assert all(edge.chained for edge in view.edges)


def test_slots_are_the_widest_vertices_of_the_groups_together() -> None:
    assert view_of().slots == 2
    assert view_of(slot_sharing_group="other").slots == 4


def test_a_pointwise_exchange_opens_as_many_channels_as_its_wider_side() -> None:
    assert channels("POINTWISE", 4, 3) == 4
    assert channels("ALL_TO_ALL", 4, 3) == 12


def test_a_virtual_transformation_lights_the_edges_that_pass_it() -> None:
    view = view_of()

    assert [view.edge_of[key].target_name for key in through(view, "spread")] == [
        "Sink: Print to Std. Out"
    ]
    assert [view.node_of[key].name for key in through(view, "s")] == ["Source: Custom Source"]


def rows_since(before: dict[str, Any], after: dict[str, Any]) -> tuple[IdRow, ...]:
    """The rows of a program, measured from another one."""
    view = graph_view(compile_graph(after, "1.20"))
    return id_rows(view, check_restore(before, after, flink_version="1.20"))


def line(**changed: object) -> dict[str, Any]:
    return {
        "transformations": [{**each, **(changed if each["id"] == "b" else {})} for each in LINE]
    }


def test_ids_are_compared_by_transformation_and_say_what_is_lost() -> None:
    rows = rows_since(line(), line(chaining_strategy="NEVER"))
    changed = {row.node.name: row for row in rows if row.before}

    assert [row.node.id for row in rows] == [1, 2, 3, 5]
    assert all(row.before != row.node.hash for row in changed.values())
    sink = changed["Sink: Print to Std. Out"]
    assert (sink.consequence, sink.tone) == ("ID changed: it has no state to lose", "mute")
    assert not any(row.before for row in rows_since(line(), line()))
    assert not any(row.before or row.consequence for row in id_rows(view_of()))


def test_a_uid_keeps_its_id_and_an_added_operator_is_new() -> None:
    rows = rows_since(line(uid="kept"), line(uid="kept", chaining_strategy="NEVER"))
    kept = next(row for row in rows if row.node.uid)

    assert kept.before is None
    added = rows_since({"transformations": LINE[:2]}, line())
    assert [row.consequence == "new" for row in added] == [False, False, True, True]


def test_a_uid_hash_that_finds_the_state_is_green() -> None:
    moved = next(row for row in rows_since(line(), line(uid="other")) if row.node.uid)
    pinned = rows_since(line(), line(uid="other", uid_hash=moved.before))

    row = next(row for row in pinned if row.node.uid)
    assert (moved.tone, row.tone, row.rescued) == ("bad", "good", True)
    assert "is found by its uid hash" in row.consequence


def test_whatever_needs_keys_has_keyed_state() -> None:
    for kind in KINDS.values():
        assert kind.state == "keyed state" or not kind.keyed
