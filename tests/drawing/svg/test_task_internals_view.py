"""A task's internals as boxes and lines."""

from itertools import combinations

import pytest

from explorer import compile_graph
from explorer.drawing.svg.task_internals_view import Box, TaskInternalsView, task_internals_view
from explorer.explain.task_internals import task_called, task_internals

STEPS = [
    {"id": "s", "type": "legacy_source"},
    {"id": "a", "type": "map", "inputs": ["s"], "name": "a"},
    {"id": "b", "type": "map", "inputs": ["a"], "name": "b"},
    {"id": "c", "type": "map", "inputs": ["a"], "name": "c"},
    {"id": "far", "type": "rebalance", "inputs": ["a"]},
    {"id": "d", "type": "map", "inputs": ["far"], "name": "d"},
]


def view_of(name: str, *, reuse: bool = False) -> TaskInternalsView:
    options = {"pipeline.object-reuse": reuse}
    document = {"environment": {"configuration": options}, "transformations": STEPS}
    done = compile_graph(document, "1.20")
    return task_internals_view(task_internals(done, task_called(done, name).id).task)


def boxes(view: TaskInternalsView, kind: str) -> list[Box]:
    return [box for box in view.boxes if box.kind == kind]


@pytest.mark.parametrize("name", ["a", "d"])
def test_no_box_covers_another_and_all_are_within(name: str) -> None:
    view = view_of(name)
    for one, other in combinations(view.boxes, 2):
        aside = one.x + one.width <= other.x or other.x + other.width <= one.x
        above = one.y + one.height <= other.y or other.y + other.height <= one.y
        assert aside or above, (one.key, other.key)
    assert all(box.x + box.width <= view.width for box in view.boxes)
    assert all(box.y + box.height <= view.height for box in view.boxes)


def test_an_operator_that_calls_several_has_them_indented() -> None:
    places = {box.title: box.x for box in boxes(view_of("a"), "operator")}

    assert places["a"] == places["Source: Custom Source"]
    assert places["b"] == places["c"] > places["a"]


def test_a_network_output_names_its_readers() -> None:
    (output,) = boxes(view_of("a"), "network")

    assert output.title == "Network output 0"
    assert output.lines == ("REBALANCE", "1 reader")


def test_lines_join_boxes_and_copy_unless_objects_are_reused() -> None:
    for reuse in (False, True):
        view = view_of("a", reuse=reuse)
        keys = {box.key for box in view.boxes}
        assert all({line.source, line.target} <= keys for line in view.lines)
        assert any(line.copies for line in view.lines) == (not reuse)


def test_a_task_reads_from_its_gate_or_from_its_sources_thread() -> None:
    (source,), (gate,) = boxes(view_of("a"), "input"), boxes(view_of("d"), "input")

    assert source.title == "The source's own thread"
    assert source.lines == ("LegacySourceFunctionThread",)
    assert gate.title == "Input, 1 gate"


def test_a_line_is_straight_where_both_ends_are_level() -> None:
    view = view_of("a")
    place = {box.key: box for box in view.boxes}
    for line in view.lines:
        (_, start), (_, end) = line.points[0], line.points[-1]
        assert (len(line.points) == 2) == (start == end or line.points[0][0] == line.points[-1][0])
        assert place[line.source].y <= start <= place[line.source].y + place[line.source].height
