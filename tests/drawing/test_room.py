"""Is what a drawing says legible: names whole, labels free, parts side by side?"""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from explorer import compile_graph
from explorer.documents import load_document, samples
from explorer.drawing.captions import job_labels, stream_labels
from explorer.drawing.cards import LINES, NAME, SIDES, TASK, operator_card, task_card, task_lines
from explorer.drawing.elements import GraphView
from explorer.drawing.graph_view import graph_view
from explorer.drawing.labels import LETTERS, Label, on_curve
from explorer.drawing.layers import Link
from explorer.drawing.layout import Pane, job_pane, stream_pane
from explorer.drawing.one_line import ELLIPSIS, extent
from explorer.drawing.separate_parts import ABREAST, shelved

SAMPLES = [pytest.param(sample.path, id=sample.key) for sample in samples()]
TEXT = 12.0
"""How high the letters of a label are, without the space between lines."""


def view_of(path: object) -> GraphView:
    return graph_view(compile_graph(load_document(path)))  # type: ignore[arg-type]


def panes(view: GraphView) -> Iterator[tuple[Pane, dict[str, Label]]]:
    stream, job = stream_labels(view), job_labels(view)
    yield stream_pane(view, stream), stream
    yield job_pane(view, job), job


@pytest.mark.parametrize("path", SAMPLES)
def test_no_line_and_no_box_runs_through_a_label(path: object) -> None:
    for pane, labels in panes(view_of(path)):
        turns = [step / 60 for step in range(61)]
        ways = [pair for line in pane.lines for pair in pairwise(line.points)]
        points = [point for start, end in ways for point in on_curve(start, end, turns)]
        for line in pane.lines:
            if line.key not in labels:
                continue
            assert line.label is not None, line.key
            (x, y), label = line.label, labels[line.key]
            right, half = x + extent(label.lines[0], LETTERS), TEXT * len(label.lines) / 2
            assert not [
                (u, v) for u, v in points if x <= u <= right and y - half <= v <= y + half
            ], line.key
            for box in (*pane.boxes, *pane.shapes):
                beside = box.x + box.width / 2 <= x or box.x - box.width / 2 >= right
                assert beside or abs(box.y - y) >= box.height / 2 + half, (line.key, box.key)


@pytest.mark.parametrize("path", SAMPLES)
def test_names_of_the_samples_are_whole(path: object) -> None:
    view = view_of(path)
    for node in view.nodes:
        assert extent(node.name, NAME) + SIDES <= operator_card(node.name)[0] + 0.001
    for vertex in view.vertices:
        lines = task_lines(vertex.name)
        assert " ".join(lines) == vertex.name
        assert task_card(lines, figures=False)[1] == TASK[1] + 17 * (len(lines) - 1)


def test_a_long_name_is_cut_where_its_card_ends() -> None:
    assert task_lines("map " * 60)[-1].endswith(ELLIPSIS)
    assert len(task_lines("map " * 60)) == LINES
    assert task_lines("m" * 300) == (task_lines("m" * 300)[0],)
    assert operator_card("m" * 300)[0] < 300
    assert task_lines("") == ("",)


def test_parts_that_do_not_belong_together_stand_side_by_side() -> None:
    """Three columns, as high as three cards each, and a single box."""
    links = [Link(source=turn, target=turn + 1) for turn in range(8) if turn % 3 != 2]
    placed = shelved([(238.0, 76.0)] * 10, links, (32.0, 54.0), [0.0] * len(links))

    tops = [placed.centres[box][1] for box in (0, 3, 6, 9)]
    assert tops == [38.0] * 4
    assert placed.width <= ABREAST
    assert placed.height == 3 * 76 + 2 * 54


def test_a_lower_shelf_is_further_away_than_a_successor() -> None:
    links = [Link(source=turn, target=turn + 1) for turn in range(0, 60, 2)]
    placed = shelved([(238.0, 76.0)] * 60, links, (32.0, 54.0), [0.0] * len(links))
    rows = sorted({y for _, y in placed.centres})

    assert len(rows) > 2
    assert rows[1] - rows[0] == 76 + 54
    assert rows[2] - rows[1] > 76 + 2 * 54


def test_a_fan_is_no_wider_than_two_cards_and_what_passes_between_them() -> None:
    links = [Link(source=0, target=turn) for turn in range(1, 5)]
    placed = shelved([(238.0, 76.0)] * 5, links, (32.0, 54.0), [0.0] * len(links))

    assert placed.width <= 2 * 238 + 80
