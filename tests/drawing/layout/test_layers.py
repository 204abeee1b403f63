"""Boxes by rank: what holds of every drawing."""

from collections.abc import Sequence
from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.drawing.layout.crossings import crossings, order_layers
from explorer.drawing.layout.layers import Link, Placed, narrow_ranks, place_layers, ranks_of
from explorer.drawing.layout.separate_parts import components, place_parts
from explorer.drawing.layout.x_positions import fit_rising

SIZES = st.tuples(st.sampled_from((120.0, 250.0)), st.sampled_from((40.0, 90.0)))


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[tuple[float, float]], list[Link]]:
    """Boxes and links that run from lower numbers to higher."""
    sizes = draw(st.lists(SIZES, min_size=1, max_size=14))
    links = []
    if len(sizes) > 1:
        ends = st.tuples(st.integers(0, len(sizes) - 1), st.integers(0, len(sizes) - 1))
        for a, b in draw(st.lists(ends, max_size=24)):
            if a != b:
                links.append(Link(source=min(a, b), target=max(a, b)))
    return sizes, links


def apart(sizes: list[tuple[float, float]], drawing: Placed) -> bool:
    """Whether no two boxes overlap."""
    for (a, (x, y)), (b, (u, v)) in combinations(enumerate(drawing.centres), 2):
        wide = (sizes[a][0] + sizes[b][0]) / 2 - 0.001
        high = (sizes[a][1] + sizes[b][1]) / 2 - 0.001
        if abs(x - u) < wide and abs(y - v) < high:
            return False
    return True


def _check_links(sizes: Sequence[tuple[float, float]], links: list[Link], drawing: Placed) -> None:
    """Every link runs down, from rim to rim."""
    for link, route in zip(links, drawing.routes, strict=True):
        (_, top), (_, foot) = route[0], route[-1]
        (x, y), (u, v) = drawing.centres[link.source], drawing.centres[link.target]
        assert top == pytest.approx(y + sizes[link.source][1] / 2)
        assert foot == pytest.approx(v - sizes[link.target][1] / 2)
        assert abs(route[0][0] - x) <= sizes[link.source][0] / 2
        assert abs(route[-1][0] - u) <= sizes[link.target][0] / 2
        assert [y for _, y in route] == sorted(y for _, y in route)


def _check_bounds(sizes: Sequence[tuple[float, float]], drawing: Placed) -> None:
    """Everything lies within the drawing."""
    for (x, y), (width, height) in zip(drawing.centres, sizes, strict=True):
        assert abs(x) + width / 2 <= drawing.width / 2 + 0.001
        assert height / 2 - 0.001 <= y <= drawing.height - height / 2 + 0.001


@given(graphs())
def test_boxes_are_apart_within_the_drawing_links_run_down_and_all_is_drawn_alike_again(
    graph: tuple[list[tuple[float, float]], list[Link]],
) -> None:
    sizes, links = graph
    drawing, again = (place_parts(sizes, links, (20.0, 30.0), [0.0] * len(links)) for _ in range(2))

    assert again == drawing
    assert apart(sizes, drawing)
    _check_links(sizes, links, drawing)
    _check_bounds(sizes, drawing)


@given(graphs(), st.sampled_from((130.0, 300.0, 600.0)))
def test_narrowed_ranks_are_no_wider_than_asked_and_still_run_down(
    graph: tuple[list[tuple[float, float]], list[Link]], widest: float
) -> None:
    sizes, links = graph
    ranks = narrow_ranks(ranks_of(len(sizes), links), sizes, links, widest)

    assert all(ranks[link.source] < ranks[link.target] for link in links)
    for rank in set(ranks):
        widths = [sizes[box][0] for box in range(len(sizes)) if ranks[box] == rank]
        assert len(widths) == 1 or sum(widths) <= widest


def test_a_straight_line_is_drawn_straight() -> None:
    links = [Link(source=turn, target=turn + 1) for turn in range(9)]
    drawing = place_layers([(100.0, 40.0)] * 10, links, (20.0, 30.0), range(10))

    assert {x for x, _ in drawing.centres} == {0.0}
    assert drawing.height == 10 * 40 + 9 * 30


def test_a_tree_has_no_crossings() -> None:
    """Sources are declared so that the given order would cross."""
    segments = [(0, 5), (0, 3), (1, 4), (1, 2)]
    layers = order_layers([0, 0, 1, 1, 1, 1], segments, 6)
    below = [[5, 3], [4, 2], [], [], [], []]

    assert crossings(layers, below) == 0


def test_a_source_stands_right_above_its_only_reader() -> None:
    links = [Link(source=0, target=1), Link(source=1, target=2), Link(source=3, target=2)]

    assert ranks_of(4, links) == [0, 1, 2, 1]


@given(st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=20))
def test_the_nearest_rising_sequence_rises_and_has_the_same_mean(values: list[float]) -> None:
    fitted = fit_rising(values, [1.0] * len(values))

    assert fitted == sorted(fitted)
    assert sum(fitted) == pytest.approx(sum(values), abs=1e-6)


@given(graphs())
def test_components_agree_with_networkx(
    graph: tuple[list[tuple[float, float]], list[Link]],
) -> None:

    sizes, links = graph
    other: nx.Graph[int] = nx.Graph()
    other.add_nodes_from(range(len(sizes)))
    other.add_edges_from((link.source, link.target) for link in links)

    found = {frozenset(part) for part in components(len(sizes), links)}

    assert found == {frozenset(part) for part in nx.connected_components(other)}
