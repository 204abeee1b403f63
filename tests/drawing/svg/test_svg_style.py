"""Style rules of drawings."""

import re

import pytest

from explorer.drawing.svg.palette import HUES, PARTS
from explorer.drawing.svg.svg_style import Theme, adaptive_rules, standalone_svg, style_sheet


def colours(rules: str) -> set[str]:
    return set(re.findall(r"#[0-9a-f]{6}", rules))


@pytest.mark.parametrize(("theme", "ground"), [("light", 0), ("dark", 1)])
def test_a_theme_has_the_colours_of_one_ground(theme: Theme, ground: int) -> None:
    found = colours(style_sheet("sg", theme))

    assert PARTS["ink"][ground] in found
    assert PARTS["ink"][1 - ground] not in found
    assert {pair[ground] for pair in HUES} <= found


def test_without_a_theme_a_drawing_follows_its_reader() -> None:
    light, _, dark = style_sheet("sg", "auto").partition("@media (prefers-color-scheme:dark)")

    assert PARTS["ink"][0] in colours(light)
    assert PARTS["ink"][1] in colours(dark)


def test_rules_of_lights_and_marks_are_there_where_they_are_needed() -> None:
    plain = style_sheet("sg", "light")

    assert "is-picked" not in plain
    assert ".mark" not in plain
    assert "is-picked" in style_sheet("sg", "light", highlighted=True)
    assert ".mark" in style_sheet("sg", "light", annotated=True)


def test_every_rule_holds_for_one_drawing_alone() -> None:
    rules = style_sheet("sg7", "light", highlighted=True, annotated=True)
    selectors = [one for rule in re.findall(r"([^{}]+)\{", rules) for one in rule.split(",")]

    assert all(one.strip().startswith(".sg7") for one in selectors)


def test_a_drawing_that_stands_alone_follows_its_ground() -> None:
    rules = adaptive_rules((("text", "fill", "ink"),))
    svg = standalone_svg("<g/>", (10.4, 20.6), "Title", rules)

    ink, bright = PARTS["ink"]
    assert f"text{{fill:light-dark({ink},{bright})}}" in rules
    assert 'width="10" height="21" viewBox="0 0 10 21"><title>Title</title>' in svg
