"""One table of widths, dashes, radii and font sizes for the drawings and the legend."""

import re
from pathlib import Path

from explorer.drawing.layout.looks import DASHES, SIZES, WIDTHS
from explorer.drawing.svg.svg_style import style_sheet

ROOT = Path(__file__).parents[3]
GRAPH = ROOT / "components" / "graph" / "assets"


def test_every_row_that_the_browser_reads_is_in_the_table() -> None:
    text = (GRAPH / "legend.js").read_text("utf-8")

    assert {*re.findall(r'width: "([^"]+)"', text)} <= WIDTHS.keys()
    assert {*re.findall(r'dash: "([^"]+)"', text)} <= DASHES.keys()


def test_style_sheets_have_no_shapes_of_their_own() -> None:
    sheets = [
        ROOT / "explorer" / "drawing" / "svg" / f"{name}.py" for name in ("svg_style", "highlights")
    ]

    for sheet in sheets:
        text = sheet.read_text("utf-8")
        assert re.findall(r"stroke-dasharray:\d|stroke-width:[\d.]+(?!px)\b", text) == []


def test_the_style_sheet_has_the_rows_of_the_table() -> None:
    rules = style_sheet("one", "light", highlighted=True, annotated=True)

    assert f".one .is-picked rect{{stroke:#2563eb;stroke-width:{WIDTHS['card-picked']}}}" in rules
    assert f".one .name{{font-size:{SIZES['name']}px}}" in rules
