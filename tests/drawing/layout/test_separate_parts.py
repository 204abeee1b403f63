"""Unconnected parts of a graph in one drawing."""

from explorer.drawing.layout.layers import Link
from explorer.drawing.layout.orientation import DOWN
from explorer.drawing.layout.separate_parts import place_parts


def test_parts_that_do_not_belong_together_stand_side_by_side() -> None:
    """Three columns, as high as three cards each, and a single box."""
    links = [Link(source=turn, target=turn + 1) for turn in range(8) if turn % 3 != 2]
    placed = place_parts([(238.0, 76.0)] * 10, links, (32.0, 54.0), [0.0] * len(links))

    tops = [placed.centres[box][1] for box in (0, 3, 6, 9)]
    assert tops == [38.0] * 4
    assert placed.width <= DOWN.abreast
    assert placed.height == 3 * 76 + 2 * 54


def test_a_lower_shelf_is_further_away_than_a_successor() -> None:
    links = [Link(source=turn, target=turn + 1) for turn in range(0, 60, 2)]
    placed = place_parts([(238.0, 76.0)] * 60, links, (32.0, 54.0), [0.0] * len(links))
    rows = sorted({y for _, y in placed.centres})

    assert len(rows) > 2
    assert rows[1] - rows[0] == 76 + 54
    assert rows[2] - rows[1] > 76 + 2 * 54


def test_a_fan_is_no_wider_than_two_cards_and_what_passes_between_them() -> None:
    links = [Link(source=0, target=turn) for turn in range(1, 5)]
    placed = place_parts([(238.0, 76.0)] * 5, links, (32.0, 54.0), [0.0] * len(links))

    assert placed.width <= 2 * 238 + 80
