"""Both drawings of every golden pipeline: complete, apart, and where they should be."""

from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer import compile_graph
from explorer.drawing.layout.blocks import (
    Pane,
    Shape,
    job_pane,
    label_chained_edges,
    outline,
    stream_pane,
)
from explorer.drawing.layout.captions import labels_for, partitioner_labels, stream_labels
from explorer.drawing.layout.labels import LINE, Label, Rectangle, label_area
from explorer.drawing.layout.orientation import ORIENTATIONS, RIGHT
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.graph_view import graph_view
from explorer.model.pipeline import Pipeline
from tests.drawing.drawn import folded_cards, golden_views
from tests.golden_files import NAMED_AND_RANDOM
from tests.strategies import pipelines


def labels(view: GraphView) -> dict[str, Label]:
    edges = {edge.key: Label(lines=(edge.partitioner,)) for edge in view.edges}
    return edges | {edge.key: Label(lines=(edge.ship_strategy,)) for edge in view.job_edges}


def overlap(a: Shape, b: Shape) -> bool:
    wide, high = (a.width + b.width) / 2 - 0.001, (a.height + b.height) / 2 - 0.001
    return abs(a.x - b.x) < wide and abs(a.y - b.y) < high


def holds(outer: Shape, inner: Shape) -> bool:
    wide, high = (outer.width - inner.width) / 2, (outer.height - inner.height) / 2
    return abs(outer.x - inner.x) <= wide + 0.001 and abs(outer.y - inner.y) <= high + 0.001


def check_stream(view: GraphView, pane: Pane) -> None:
    boxes = {box.key: box for box in pane.boxes}
    assert {shape.key for shape in pane.shapes} == set(view.node_of)
    assert set(boxes) == set(view.vertex_of)
    assert sorted(line.key for line in pane.lines) == sorted(view.edge_of)
    assert not any(overlap(a, b) for a, b in combinations(pane.boxes, 2))
    assert not any(overlap(a, b) for a, b in combinations(pane.shapes, 2))
    assert all(holds(boxes[view.node_of[each.key].vertex], each) for each in pane.shapes)
    check_ends(pane, {edge.key: (edge.source, edge.target) for edge in view.edges})


def check_ends(pane: Pane, ends: dict[str, tuple[str, str]]) -> None:
    """Every line leaves its source's lower rim and reaches its target's upper one.

    One that leads to the right leaves the right rim and reaches the left one.
    """
    shapes = {shape.key: exchanged(shape) if pane.across else shape for shape in pane.shapes}
    for line in pane.lines:
        source, target = (shapes[end] for end in ends[line.key])
        assert line.across == pane.across
        points = [point[::-1] for point in line.points] if pane.across else line.points
        (x, y), (u, v) = points[0], points[-1]
        assert y == pytest.approx(source.y + source.height / 2)
        assert v == pytest.approx(target.y - target.height / 2)
        assert abs(x - source.x) <= source.width / 2
        assert abs(u - target.x) <= target.width / 2


def exchanged(shape: Shape) -> Shape:
    """The box with x and y exchanged."""
    return replace(shape, x=shape.y, y=shape.x, width=shape.height, height=shape.width)


def check_labels(pane: Pane, texts: dict[str, Label]) -> None:
    """No label covers another, and all lie within the drawing."""
    placed = [(line.label, texts[line.key]) for line in pane.lines if line.label]
    for (x, _), label in placed:
        assert pane.left - 0.001 <= x
        assert x + label.width <= pane.right + 0.001
    for ((x, y), a), ((u, v), b) in combinations(placed, 2):
        beside = x + a.width <= u or u + b.width <= x
        assert beside or abs(y - v) >= LINE - 0.001


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED_AND_RANDOM)
def test_chains_and_operators_stand_apart_and_edges_meet_their_ends(name: str) -> None:
    count = 0
    for _, view in golden_views(name):
        check_stream(view, stream_pane(view, {}))
        count += 1

    assert count > 50


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED_AND_RANDOM)
def test_job_vertices_stand_apart_and_job_edges_meet_their_ends(name: str) -> None:
    for _, view in golden_views(name):
        pane = job_pane(view, labels(view))
        assert {shape.key for shape in pane.shapes} == set(view.vertex_of)
        assert [line.key for line in pane.lines] == [edge.key for edge in view.job_edges]
        assert not any(overlap(a, b) for a, b in combinations(pane.shapes, 2))
        check_ends(pane, {edge.key: (edge.source, edge.target) for edge in view.job_edges})
        check_labels(pane, labels(view))


@pytest.mark.law
def test_labels_of_cut_edges_cover_each_other_nowhere() -> None:
    for _, view in golden_views("random"):
        texts = {edge.key: labels(view)[edge.key] for edge in view.edges if not edge.chained}
        outer = stream_pane(view, texts)
        kept = [line for line in outer.lines if line.key in texts]
        check_labels(
            Pane(
                shapes=(),
                boxes=(),
                lines=tuple(kept),
                left=outer.left,
                right=outer.right,
                height=outer.height,
            ),
            texts,
        )


def test_a_long_label_leaves_its_neighbours_uncovered() -> None:
    """Branches that nothing connects stand side by side, each with a cut edge of long label."""
    branches: list[dict[str, Any]] = [
        {"id": f"s{n}", "type": "source", "chaining_strategy": "NEVER"} for n in range(12)
    ]
    branches += [{"id": f"o{n}", "type": "sink", "inputs": [f"s{n}"]} for n in range(12)]
    view = graph_view(compile_graph({"transformations": branches}))
    texts = stream_labels(view)
    pane = stream_pane(view, texts)
    placed = [(line.label, texts[line.key].width) for line in pane.lines if line.label]

    assert len(placed) == 12
    for (x, y), width in placed:
        for box in pane.boxes:
            beside = box.x - box.width / 2 >= x + width or box.x + box.width / 2 <= x
            assert beside or abs(box.y - y) >= box.height / 2


def test_most_edges_find_room_for_their_label() -> None:
    placed = [
        line.label is not None
        for _, view in golden_views("classics")
        for line in job_pane(view, labels(view)).lines
    ]

    assert sum(placed) > 0.9 * len(placed)


def test_graphs_that_lead_to_the_right_stand_apart_and_edges_meet_their_ends() -> None:
    for _, view in golden_views("classics"):
        check_stream(view, stream_pane(view, {}, orientation=RIGHT))
        pane = job_pane(view, labels(view), orientation=RIGHT)
        assert not any(overlap(a, b) for a, b in combinations(pane.shapes, 2))
        check_ends(pane, {edge.key: (edge.source, edge.target) for edge in view.job_edges})
        check_labels(pane, labels(view))


@given(pipelines(), st.sampled_from(("1.17", "1.20", "2.3")))
def test_any_legal_pipeline_can_be_drawn(pipeline: Pipeline, release: str) -> None:
    view = graph_view(compile_graph(pipeline, release))

    for orientation in ORIENTATIONS.values():
        check_stream(view, stream_pane(view, {}, orientation=orientation))


def test_folded_chains_are_one_card_each_that_of_a_single_operator_is_its_own() -> None:
    for _, view in golden_views("classics"):
        pane = stream_pane(view, {}, view.vertex_of)
        assert {shape.key for shape in pane.shapes} == folded_cards(view)
        assert {line.key for line in pane.lines} == {e.key for e in view.edges if not e.chained}


def test_labels_within_chains_cover_no_card_and_no_other_label() -> None:
    for (_, view), orientation in product(golden_views("classics"), ORIENTATIONS.values()):
        labels = labels_for(orientation, partitioner_labels(view) | stream_labels(view))
        cut = {key: labels[key] for key in stream_labels(view)}
        pane = label_chained_edges(view, stream_pane(view, cut, orientation=orientation), labels)
        shown = [label_area(labels[line.key], line.label) for line in pane.lines if line.label]
        boxes = [outline(shape) for shape in pane.shapes]
        assert not any(meets(*pair) for pair in combinations(shown, 2))
        assert not any(meets(*pair) for pair in product(shown, boxes))


def meets(a: Rectangle, b: Rectangle) -> bool:
    """Whether two rectangles share more than a rim."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def test_figures_make_the_cards_higher_and_nothing_else() -> None:
    _, view = golden_views("classics")[0]
    bare, full = job_pane(view, {}), job_pane(view, {}, figures=True)

    assert [shape.x for shape in bare.shapes] == [shape.x for shape in full.shapes]
    assert all(a.height < b.height for a, b in zip(bare.shapes, full.shapes, strict=True))
