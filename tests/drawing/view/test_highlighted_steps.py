"""The steps as they are sent to a browser: replayed, they are the narrated ones."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import Compilation, compile_graph
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.highlighted_steps import (
    LONGEST_NAME,
    LONGEST_SENTENCE,
    change,
    highlighted_steps,
)
from explorer.errors import ExplorerError
from explorer.narration.chaining import narrate
from tests.golden_files import NAMED_AND_RANDOM, cases

NUMBERS = st.lists(st.integers(0, 9), max_size=8)


def replayed(old: list[int], changed: tuple[list[int], int, int, list[int]]) -> list[int]:
    front, start, kept, behind = changed
    return [*front, *old[start : start + kept], *behind]


def traced(name: str) -> Iterator[Compilation]:
    for case in cases(name):
        try:
            yield compile_graph(case["pipeline"], "1.20", trace=True, iterations_before=0)
        except ExplorerError:
            continue


@given(NUMBERS, NUMBERS)
def test_a_change_leads_from_any_list_to_any_other(old: list[int], new: list[int]) -> None:
    assert replayed(old, change(old, new)) == new


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED_AND_RANDOM)
def test_replayed_steps_are_the_narrated_ones(name: str) -> None:
    for done in traced(name):
        narrated = narrate(done)
        sent = highlighted_steps(graph_view(done), narrated)
        lists: dict[str, list[int]] = {"waiting": [], "chain": [], "edges": []}

        assert len(sent["steps"]) == len(narrated)
        for step, reported in zip(narrated, json.loads(json.dumps(sent["steps"])), strict=True):
            lists |= {
                name: replayed(lists[name], reported[name]) for name in lists if name in reported
            }
            assert lists == {which: list(getattr(step.highlighted, which)) for which in lists}
            assert (reported["part"], reported["number"], reported["node"]) == (
                step.part,
                step.number,
                step.highlighted.node,
            )


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED_AND_RANDOM)
def test_every_operator_is_hashed_and_every_part_of_the_job_graph_made_once(name: str) -> None:
    for done in traced(name):
        view = graph_view(done)
        steps = highlighted_steps(view, narrate(done))["steps"]

        assert sorted(f"n{step['node']}" for step in steps if step.get("hashed")) == sorted(
            view.node_of
        )
        assert sorted(f"v{step['vertex']}" for step in steps if "vertex" in step) == sorted(
            view.vertex_of
        )
        connected = [f"j{number}" for step in steps for number in step.get("connected", ())]
        assert sorted(connected) == sorted(view.job_edge_of)


def test_a_queue_that_removes_a_node_is_shown_without_it() -> None:
    document = {
        "transformations": [
            {"id": "near", "type": "legacy_source"},
            {"id": "far", "type": "legacy_source"},
            {"id": "map", "type": "map", "inputs": ["far"]},
            {"id": "join", "name": "Join", "type": "co_map", "inputs": ["near", "map"]},
            {"id": "out", "type": "sink", "inputs": ["join"]},
        ]
    }
    steps = narrate(compile_graph(document, "1.20", trace=True))
    turn = next(turn for turn, step in enumerate(steps) if step.title == "put Join back")

    assert steps[turn - 1].highlighted.waiting[0] == steps[turn].highlighted.node
    assert steps[turn].highlighted.waiting == steps[turn - 1].highlighted.waiting[1:]


def test_where_a_chain_ends_the_step_names_the_failed_condition_and_the_edge() -> None:
    for done in traced("classics"):
        view = graph_view(done)
        steps = highlighted_steps(view, narrate(done))["steps"]
        reported = dict(pair for step in steps for pair in step.get("cut", ()))
        crossing = {int(edge.edge[1:]) for edge in view.job_edges}

        assert crossing <= reported.keys()
        for edge in crossing:
            for code in view.edge_of[f"e{edge}"].failed:
                assert code in reported[edge] or len(reported[edge]) == LONGEST_NAME


def test_long_names_are_cut_before_they_are_sent() -> None:
    transformations: list[dict[str, Any]] = [{"id": "a", "type": "source", "name": "x" * 5000}]
    transformations.append({"id": "b", "type": "sink", "inputs": ["a"]})
    done = compile_graph({"transformations": transformations}, "1.20", trace=True)
    sent = highlighted_steps(graph_view(done), narrate(done))

    assert max(len(step["sentence"]) for step in sent["steps"]) <= LONGEST_SENTENCE
    assert len(json.dumps(sent)) < 20_000
