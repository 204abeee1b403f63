"""Lights that fall on the parts of a drawing."""

from operator import itemgetter

import pytest

from explorer.drawing.svg.highlights import LIGHTS, highlighted_parts, light_rules

PARTS = (
    '<g class="card" data-key="n1"><rect/><text class="mono mute" x="1">abc</text></g>',
    '<g class="edge cut" data-key="e0"><path/></g>',
    "<text>no key</text>",
)


def test_a_light_is_a_class_of_the_part_with_its_key() -> None:
    first, second, third = highlighted_parts(PARTS, {"n1": ["picked"], "e9": ["picked"]})

    assert first.startswith('<g class="card is-picked" data-key="n1"><rect/>')
    assert (second, third) == PARTS[1:]


def test_of_several_lights_the_later_one_comes_last() -> None:
    (first, *_) = highlighted_parts(PARTS, {"n1": ["now", "highlighted"]})

    assert 'class="card is-highlighted is-now"' in first


def test_an_operator_that_is_not_hashed_has_no_id() -> None:
    (first, *_) = highlighted_parts(PARTS, {"n1": ["unhashed"]})

    assert ">no ID yet</text>" in first
    assert "abc" not in first


@pytest.mark.parametrize("dark", [False, True])
def test_every_light_but_a_missing_id_has_rules(*, dark: bool) -> None:
    rules = "\n".join(light_rules("sg", itemgetter(dark)))

    assert all(f".is-{light}" in rules for light in LIGHTS if light != "unhashed")
    assert "{" not in rules.replace("{", "", rules.count("}"))


def test_a_dark_ground_has_other_colours() -> None:
    assert [*light_rules("sg", itemgetter(0))] != [*light_rules("sg", itemgetter(1))]
