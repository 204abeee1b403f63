"""Subtasks and channels as a drawing: what is drawn against what counting gives."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import compile_graph
from explorer.drawing.svg.wiring_svg import (
    MOST_ALONE,
    MOST_BOXES,
    blocks,
    connected_boxes,
    edge_wiring_svg,
    task_wiring_svg,
)
from explorer.flink.compiler import Compilation
from tests.examples import examples


def program(producers: int, consumers: int, between: str, **more: Any) -> Mapping[str, Any]:
    return {
        "transformations": [
            {"id": "a", "type": "source", "parallelism": producers},
            {"id": "k", "type": between, "inputs": ["a"]},
            {"id": "b", "type": "reduce", "inputs": ["k"], "parallelism": consumers, **more}
            if between == "key_by"
            else {"id": "b", "type": "map", "inputs": ["k"], "parallelism": consumers, **more},
            {"id": "s", "type": "rescale", "inputs": ["b"]},
            {"id": "c", "type": "sink", "inputs": ["s"], "parallelism": 2},
        ]
    }


def counted(svg: str, looks: str) -> int:
    return sum(looks in names.split() for names in re.findall(r'class="([^"]*)"', svg))


def drawn(done: Compilation, edge: int = 0) -> str:
    return edge_wiring_svg(done, edge)


@examples(60)
@given(st.integers(1, 300), st.integers(1, 300), st.sampled_from(["rescale", "rebalance"]))
def test_boxes_are_wired_where_a_channel_lies_between_them(a: int, b: int, between: str) -> None:
    for release in ("1.20", "2.3"):
        edge = compile_graph(program(a, b, between), release).execution_graph.edges[0]
        above, below = blocks(a), blocks(b)
        of_producer = {each: at for at, block in enumerate(above) for each in block}
        of_consumer = {each: at for at, block in enumerate(below) for each in block}
        plain = {(of_producer[source], of_consumer[target]) for source, target in edge.pairs()}

        found = list(connected_boxes(edge, above, below))
        assert set(found) == plain
        assert len(found) == len(plain)


@given(st.integers(0, 40_000))
def test_every_subtask_is_in_one_box_and_boxes_are_few(parallelism: int) -> None:
    shared = blocks(parallelism)

    assert [each for block in shared for each in block] == list(range(parallelism))
    assert len(shared) <= (MOST_ALONE if parallelism <= MOST_ALONE else MOST_BOXES)


def test_pointwise_channels_are_drawn_one_by_one() -> None:
    svg = drawn(compile_graph(program(5, 17, "rescale")))

    assert counted(svg, "task") == 5 + 17
    assert counted(svg, "channel") == 17
    assert counted(svg, "groups") == 0


def test_key_groups_stand_below_the_subtasks_that_own_them() -> None:
    svg = drawn(compile_graph(program(2, 3, "key_by", max_parallelism=10)))
    ranges = re.findall(r"key groups ([\d to]+)<", svg)

    assert ranges == ["0 to 3", "4 to 6", "7 to 9"]
    widths = [float(each) for each in re.findall(r'class="groups[^>]*width="([\d.]+)"', svg)]
    assert widths[0] / widths[1] == pytest.approx(4 / 3, rel=0.01)
    assert "10 key groups" in svg
    assert counted(svg, "channel") == 6


def test_a_task_stands_between_what_it_reads_and_what_reads_it() -> None:
    done = compile_graph(program(3, 4, "rebalance"))
    position = next(at for at, one in enumerate(done.execution_graph.vertices) if one.inputs)
    svg = task_wiring_svg(done, position)

    assert counted(svg, "task") == 3 + 4 + 2
    assert counted(svg, "channel") == 12 + 4


def test_many_subtasks_share_boxes_and_many_channels_a_band() -> None:
    svg = drawn(compile_graph(program(1000, 10_000, "rebalance")))

    assert counted(svg, "task") == counted(svg, "many") == 2 * MOST_BOXES
    assert counted(svg, "channel") == 0
    assert counted(svg, "band") == 1
    assert "every one with every one: 10,000,000 channels" in svg


def test_a_name_is_text_whatever_it_holds() -> None:
    values = program(1, 1, "rebalance", name="<script>&\x00")

    assert "<script>" not in drawn(compile_graph(values))


def test_later_decisions_are_called_undecided() -> None:
    batch = {
        "flink": "1.20",
        "environment": {"runtime_mode": "BATCH"},
        "transformations": [
            {"id": "a", "type": "source", "parallelism": 2},
            {"id": "k", "type": "rebalance", "inputs": ["a"]},
            {"id": "b", "type": "sink", "inputs": ["k"]},
        ],
    }
    done = compile_graph(batch)
    svg = drawn(done)

    assert not done.execution_graph.vertices[-1].decided
    assert counted(svg, "later") == 1
    assert counted(svg, "band") == 1
