"""The one table of colours."""

import re

from explorer.drawing.svg.palette import (
    HUES,
    PARTS,
    SERIES,
    hue,
    hue_number,
    light_dark,
    properties,
)

_COLOUR = re.compile(r"#[0-9a-f]{6}([0-9a-f]{2})?")


def test_every_row_is_a_colour_for_either_ground() -> None:
    for pair in (*HUES, *SERIES, *PARTS.values()):
        assert all(_COLOUR.fullmatch(one) for one in pair), pair


def test_chains_get_the_colours_in_turn() -> None:
    assert [hue_number(number) for number in (1, len(HUES), len(HUES) + 1)] == [0, len(HUES) - 1, 0]
    assert hue(2) == HUES[1]
    assert len(set(HUES)) == len(HUES)


def test_a_series_of_a_chart_has_no_chains_colour() -> None:
    assert set(SERIES).isdisjoint(HUES)


def test_every_row_is_a_property() -> None:
    written = properties("--x-").split(";")

    assert [one.partition(":")[0] for one in written] == [f"--x-{part}" for part in PARTS]
    assert written[0] == f"--x-ink:{light_dark(PARTS['ink'])}"
