"""Views of both graphs: what the page, the notebook and the renderers read."""

from collections import Counter

import pytest

from explorer import compile_graph
from explorer.drawing.view.elements import through
from explorer.drawing.view.graph_view import graph_view
from explorer.flink.kinds import KINDS
from explorer.flink.subtask_wiring import channels
from tests.drawing.drawn import golden_views, view_of
from tests.golden_files import NAMED_AND_RANDOM


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


def test_whatever_needs_keys_has_keyed_state() -> None:
    for kind in KINDS.values():
        assert kind.state == "keyed state" or not kind.keyed
