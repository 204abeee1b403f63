"""Task managers with their slots, subtasks and channels."""

import re
from xml.etree import ElementTree as ET

import pytest

from explorer import compile_graph
from explorer.deployment import ClusterResources, resources
from explorer.drawing.svg.placement_svg import (
    MOST_MANAGERS,
    MOST_SLOTS,
    MOST_SUBTASKS,
    placement_svg,
)
from tests.drawing.drawn import LINE


def drawn(parallelism: int, slots: int, edge: int | None = None) -> tuple[str, ClusterResources]:
    document = {"environment": {"parallelism": parallelism}, "transformations": LINE}
    done = compile_graph(document, "1.20")
    found = resources(document, {"taskmanager.numberOfTaskSlots": slots}, flink_version="1.20")
    numbers = range(1, len(done.job_graph.vertices) + 1)
    return placement_svg(found, done.execution_graph, [*numbers], edge), found


def test_every_slot_and_every_subtask_is_drawn() -> None:
    svg, found = drawn(4, 2)
    ET.fromstring(svg)  # noqa: S314 - our own text

    assert svg.count('class="manager"') == found.task_managers == 2
    assert svg.count('class="slot"') == 4
    assert svg.count('class="task"') == 1 + 4 + 4
    assert "task manager 1: 2 of 2 slots occupied" in svg


@pytest.mark.parametrize(("slots", "local", "remote"), [(4, 16, 0), (1, 4, 12)])
def test_a_channel_within_a_task_manager_is_local(slots: int, local: int, remote: int) -> None:
    svg, _ = drawn(4, slots, edge=1)

    assert (svg.count("channel local"), svg.count("channel remote")) == (local, remote)


def test_task_managers_beyond_the_limit_are_counted() -> None:
    svg, found = drawn(MOST_MANAGERS + 5, 1)

    assert svg.count('class="manager"') == MOST_MANAGERS
    assert f"and {found.task_managers - MOST_MANAGERS} task managers more" in svg
    assert max(int(one) for one in re.findall(r"(\d+) subtasks?</title>", svg)) <= MOST_SUBTASKS


RECTANGLE = re.compile(
    r'<rect (class="\w+" )?x="(\d+)" y="(\d+)" rx="\d" width="(\d+)" height="(\d+)"'
)


def test_subtasks_are_drawn_within_slots_and_slots_within_task_managers() -> None:
    svg, _ = drawn(4, 2)
    boxes: dict[str, list[tuple[int, int, int, int]]] = {}
    for kind, left, top, width, height in RECTANGLE.findall(svg):
        x, y = int(left), int(top)
        boxes.setdefault(kind, []).append((x, y, x + int(width), y + int(height)))
    managers, slots, tasks = boxes['class="manager" '], boxes['class="slot" '], boxes[""]

    for inner, outer in ((tasks, slots), (slots, managers)):
        for left, top, right, foot in inner:
            around = [
                one
                for one in outer
                if one[0] < left and one[1] < top and right < one[2] and foot < one[3]
            ]
            assert len(around) == 1


def test_slots_that_are_not_drawn_are_counted() -> None:
    svg, _ = drawn(MOST_SLOTS + 4, MOST_SLOTS + 4)

    assert svg.count('class="slot"') == MOST_SLOTS
    assert ">+4</text>" in svg
    assert ">+" not in drawn(MOST_SLOTS, MOST_SLOTS)[0]


def test_a_channel_leaves_and_enters_at_the_sides_of_subtasks() -> None:
    svg, _ = drawn(2, 2, edge=1)
    tasks = [
        (int(left), int(top), int(width), int(height))
        for kind, left, top, width, height in RECTANGLE.findall(svg)
        if not kind
    ]
    sides = {
        (x, top + height // 2) for left, top, width, height in tasks for x in (left, left + width)
    }
    ends = [
        ((int(x), int(y)), (int(to_x), int(to_y)))
        for x, y, to_x, to_y in re.findall(r'd="M(\d+) (\d+)C[^"]* (\d+) (\d+)"', svg)
    ]

    assert len(ends) == 4
    assert all(
        any(abs(x - a) <= 1 and abs(y - b) <= 1 for a, b in sides) for pair in ends for x, y in pair
    )
