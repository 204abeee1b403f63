"""Figures of a run and findings of ``check`` as SVG."""

import re
from operator import itemgetter

import pytest

from explorer.drawing.layout.looks import SIZES
from explorer.drawing.svg.annotated_svg import (
    SHORTEST,
    annotation_rules,
    badge,
    bar,
    figure,
    halfway,
    load,
)
from explorer.drawing.view.annotations import Mark
from explorer.drawing.view.one_line import extent


def widths(svg: str, looks: str) -> list[float]:
    return [float(one) for one in re.findall(rf'class="{looks}"[^>]* width="([\d.]+)"', svg)]


@pytest.mark.parametrize(("severity", "sign"), [("error", "×"), ("warning", "!"), ("note", "i")])
def test_a_finding_is_a_disc_with_a_sign(severity: str, sign: str) -> None:
    svg = badge("n1", Mark(severity=severity, line="x"), (10.0, 20.0))

    assert svg.startswith(f'<g class="mark {severity}" data-key="n1" data-badge="n1">')
    assert '<title>x</title><circle cx="10" cy="20"' in svg
    assert f">{sign}</text>" in svg


def test_a_bar_is_filled_by_its_share_and_cut_at_its_subtasks() -> None:
    svg = bar((0.5, "5 ms", (0.25, 0.75)), (0.0, 10.0), 300.0)
    (track,), (filled,) = widths(svg, "track"), widths(svg, "load")

    assert filled == pytest.approx(track / 2, abs=0.1)
    assert svg.count('class="part"') == 1
    assert ">5 ms</text>" in svg


def test_a_bar_of_nothing_is_a_track_and_many_subtasks_are_not_cut() -> None:
    empty = bar((0.0, "", ()), (0.0, 10.0), 100.0)
    many = bar((1.0, "", (0.001,) * 1000), (0.0, 10.0), 100.0)

    assert (widths(empty, "load"), 'class="part"' in many) == ([], False)
    cut = bar((1.0, "x" * 200, ()), (0.0, 0.0), 100.0)
    (track,) = widths(cut, "track")
    assert track >= SHORTEST
    assert track + extent(cut.partition("</text>")[0].rpartition(">")[2], SIZES["small"]) < 100


def test_a_narrow_card_shows_whole_figures_alone() -> None:
    assert ">1,589 in · 5.1 ms</text>" in bar(
        (1.0, "1,589 in · 5.1 ms · skew 1.4", ()), (0.0, 0.0), 144.0
    )


def test_a_strip_shows_how_long_an_operator_was_busy() -> None:
    assert load(None, (0.0, 0.0), 100.0) == ""
    assert widths(load((0.25, "1 ms"), (0.0, 0.0), 100.0), "busy") == [25.0]
    assert widths(load((0.0, "0 ms"), (0.0, 0.0), 100.0), "busy") == []


def test_rows_are_cut_where_the_id_begins() -> None:
    assert ">1 → 2</text>" in figure("1 → 2", (200.0, 0.0), 200.0)
    assert "…</text>" in figure("1,000,000 → 2,000,000", (100.0, 0.0), 100.0)


def test_the_middle_of_a_line_is_halfway_along_it() -> None:
    assert halfway([(0.0, 0.0), (0.0, 10.0), (0.0, 40.0)]) == (0.0, 20.0)
    x, y = halfway([(0.0, 0.0), (100.0, 40.0)])
    assert (round(x), round(y)) == (50, 20)
    assert halfway([(5.0, 5.0), (5.0, 5.0)]) == (5.0, 5.0)


def test_rules_hold_for_one_drawing_alone() -> None:
    light, dark = (list(annotation_rules("sg", itemgetter(dark))) for dark in (False, True))

    assert all(rule.startswith(".sg ") for rule in (*light, *dark))
    assert light != dark
