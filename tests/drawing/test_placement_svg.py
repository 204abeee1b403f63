"""Task managers with their slots, subtasks and channels."""

import re
from xml.etree import ElementTree as ET

import pytest

from explorer import compile_graph
from explorer.deployment import Deployment, deploy
from explorer.drawing.placement_svg import MOST_MANAGERS, MOST_SUBTASKS, placement_svg
from tests.drawing.drawn import LINE


def drawn(parallelism: int, slots: int, edge: int | None = None) -> tuple[str, Deployment]:
    document = {"environment": {"parallelism": parallelism}, "transformations": LINE}
    done = compile_graph(document, "1.20")
    found = deploy(document, {"taskmanager.numberOfTaskSlots": slots}, flink_version="1.20")
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


def test_what_is_too_much_is_counted() -> None:
    svg, found = drawn(MOST_MANAGERS + 5, 1)

    assert svg.count('class="manager"') == MOST_MANAGERS
    assert f"and {found.task_managers - MOST_MANAGERS} task managers more" in svg
    assert max(int(one) for one in re.findall(r"(\d+) subtasks?</title>", svg)) <= MOST_SUBTASKS
