"""The one table of colours."""

import re
from colorsys import rgb_to_hls
from itertools import combinations, product

import pytest

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


@pytest.mark.parametrize("turn", [0, 1], ids=["light", "dark"])
def test_places_selection_findings_steps_and_chains_share_no_hue(turn: int) -> None:
    meanings = {
        "places": [PARTS["accent"]],
        "selection": [PARTS["pick"]],
        "findings": [PARTS["bad"], PARTS["warn"]],
        "steps": [PARTS["now"]],
        "chains": HUES,
    }
    hues = {name: [_angle(pair[turn]) for pair in pairs] for name, pairs in meanings.items()}

    for (name, angles), (other_name, others) in combinations(hues.items(), 2):
        for pair in product(angles, others):
            apart = abs(pair[0] - pair[1])
            assert min(apart, 360 - apart) > 18, (name, other_name, pair)


def _angle(colour: str) -> float:
    """The hue of a colour in degrees."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return 360 * rgb_to_hls(red, green, blue)[0]


def test_every_row_is_a_property() -> None:
    written = properties("--x-").split(";")

    assert [one.partition(":")[0] for one in written] == [f"--x-{part}" for part in PARTS]
    assert written[0] == f"--x-ink:{light_dark(PARTS['ink'])}"
