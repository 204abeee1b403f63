"""Labels of edges: free of boxes, lines and one another."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

import pytest

from explorer import compile_graph
from explorer.documents import load_document, samples
from explorer.drawing.layout.blocks import Pane, job_pane, stream_pane
from explorer.drawing.layout.captions import job_labels, labels_for, stream_labels
from explorer.drawing.layout.labels import (
    FONT_SIZE,
    WIDEST,
    Label,
    exchanged,
    fans,
    on_curve,
    place_labels,
    sample_points,
)
from explorer.drawing.layout.orientation import ORIENTATIONS
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.one_line import extent

SAMPLES = [pytest.param(sample.path, id=sample.key) for sample in samples()]
TEXT = 12.0
"""How high the letters of a label are, without the space between lines."""


def view_of(path: object) -> GraphView:
    return graph_view(compile_graph(load_document(path)))  # type: ignore[arg-type]


def panes(view: GraphView) -> Iterator[tuple[Pane, Mapping[str, Label]]]:
    for orientation in ORIENTATIONS.values():
        stream, job = (
            labels_for(orientation, stream_labels(view)),
            labels_for(orientation, job_labels(view)),
        )
        yield stream_pane(view, stream, orientation=orientation), stream
        yield job_pane(view, job, orientation=orientation), job


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLES)
def test_no_line_and_no_box_runs_through_a_label(path: object) -> None:
    for pane, labels in panes(view_of(path)):
        turns = [step / 60 for step in range(61)]
        ways = [pair for line in pane.lines for pair in pairwise(line.points)]
        points = [
            point
            for start, end in ways
            for point in (
                exchanged(on_curve(start[::-1], end[::-1], turns))
                if pane.across
                else on_curve(start, end, turns)
            )
        ]
        for line in pane.lines:
            if line.key not in labels:
                continue
            assert line.label is not None, line.key
            (x, y), label = line.label, labels[line.key]
            longest = max(extent(words, FONT_SIZE) for words in label.lines)
            right, half = x + longest, TEXT * len(label.lines) / 2
            assert not [
                (u, v) for u, v in points if x <= u <= right and y - half <= v <= y + half
            ], line.key
            for box in (*pane.boxes, *pane.shapes):
                aside = box.x + box.width / 2 <= x or box.x - box.width / 2 >= right
                assert aside or abs(box.y - y) >= box.height / 2 + half, (line.key, box.key)


def test_an_edge_that_finds_no_place_has_no_label() -> None:
    routes = {"edge": ((0.0, 0.0), (0.0, 54.0))}
    labels = {"edge": Label(lines=("REBALANCE",))}

    assert place_labels(routes, labels, []).keys() == {"edge"}
    assert place_labels(routes, labels, [(-500.0, 0.0, 500.0, 54.0)]) == {}


def test_a_label_near_its_target_stands_lower() -> None:
    routes = {"edge": ((0.0, 0.0), (50.0, 60.0), (50.0, 160.0), (0.0, 220.0))}
    high, low = (
        place_labels(routes, {"edge": Label(lines=("HASH",), near_target=near)}, [])["edge"]
        for near in (False, True)
    )

    assert high[1] < low[1]


def test_labels_stand_where_edges_fan_least() -> None:
    assert fans([("a", "b"), ("a", "c")]) == [True, True]
    assert fans([("a", "c"), ("b", "c")]) == [False, False]


def test_a_curve_leaves_and_arrives_upright() -> None:
    start, near, end = on_curve((0.0, 0.0), (100.0, 40.0), [0.0, 0.01, 1.0])

    assert (start, end) == ((0.0, 0.0), (100.0, 40.0))
    assert near[0] < near[1]


def test_a_very_wide_edge_has_as_many_points_as_a_wide_one() -> None:
    wide, wider = (sample_points((0.0, 0.0), (width, 40.0)) for width in (WIDEST, 100 * WIDEST))

    assert len(wide) == len(wider)
    assert wider[-1] == (100 * WIDEST, 40.0)
