"""The order of the items of a rank."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.drawing.layout.crossings import crossings, order_layers


def links(segments: list[tuple[int, int]], count: int) -> list[list[int]]:
    below: list[list[int]] = [[] for _ in range(count)]
    for upper, lower in segments:
        below[upper].append(lower)
    return below


def counted(layers: list[list[int]], segments: list[tuple[int, int]]) -> int:
    """Every pair of links that cross."""
    place = {item: at for layer in layers for at, item in enumerate(layer)}
    rank = {item: number for number, layer in enumerate(layers) for item in layer}
    return sum(
        (place[a] - place[c]) * (place[b] - place[d]) < 0
        for turn, (a, b) in enumerate(segments)
        for c, d in segments[:turn]
        if rank[a] == rank[c]
    )


def test_links_that_cross_are_untangled() -> None:
    segments = [(0, 5), (1, 4), (2, 3)]
    layers = order_layers([0, 0, 0, 1, 1, 1], segments, 6)

    assert counted(layers, segments) == 0


def test_a_chain_is_drawn_in_its_only_order() -> None:
    assert order_layers([0, 1, 2], [(0, 1), (1, 2)], 3) == [[0], [1], [2]]


def test_a_tree_gets_no_crossing() -> None:
    segments = [(0, 1), (0, 2), (1, 5), (1, 3), (2, 6), (2, 4)]
    layers = order_layers([0, 1, 1, 2, 2, 2, 2], segments, 7)

    assert crossings(layers, links(segments, 7)) == 0


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(6, 11)), max_size=20, unique=True))
def test_crossings_are_counted_as_by_hand(segments: list[tuple[int, int]]) -> None:
    ranks = [0] * 6 + [1] * 6
    layers = order_layers(ranks, segments, 12)

    assert sorted(item for layer in layers for item in layer) == list(range(12))
    assert crossings(layers, links(segments, 12)) == counted(layers, segments)
    given = [list(range(6)), list(range(6, 12))]
    assert counted(layers, segments) <= counted(given, segments)


def test_the_longest_link_of_a_fan_starts_in_the_middle() -> None:
    segments = [(0, 1), (0, 4), (4, 2), (0, 5), (5, 6), (6, 3)]
    layers = order_layers([0, 1, 2, 3, 1, 1, 2], segments, 4)

    assert layers[1] == [1, 5, 4]


def test_an_item_stands_between_its_two_neighbours() -> None:
    segments = [(0, 3), (1, 4), (2, 3), (0, 5)]
    layers = order_layers([0, 0, 0, 1, 1, 1], segments, 6)

    assert counted(layers, segments) == 0
