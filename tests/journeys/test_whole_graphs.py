"""Both graphs of every sample are whole and legible, at the sizes of three screens."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

from components import graph
from components.graph.drawing import drawing
from explorer import compile_graph
from explorer.documents import load_document, samples
from explorer.drawing.view.annotations import BARE
from tests.journeys.screen import Screen

SIZES: Final = ((1280, 720), (1440, 900), (1920, 1080))
LEGIBLE: Final = 10.95
"""Pixels of a name's height; the screen rounds 11."""
PRESENTED: Final = 17.95
"""The same from the last row of a class."""
LOW_ALONE: Final = {
    "04-cut-by-strategy": 16.5,
    "06-cut-by-partitioner": 16.5,
    "17-late-flights-captured": 16.5,
    "22-flights-in-storms": 16,
    "23-rules-and-late-orders": 15.5,
}
"""Samples with five tasks in a row or side by side, and the height that their names have."""
LOW: Final = {
    **dict.fromkeys(LOW_ALONE, LEGIBLE),
    "10-flights-and-weather": 16,
    "12-legacy-source-and-async": 13.5,
    "15-hourly-delays": 15,
    "16-airport-report": 16,
    "24-weather-of-the-hour": 16.5,
}
"""The same above a lesson."""
MEASURE: Final = Path(__file__).with_name("whole_graphs.js").read_text(encoding="utf-8")


def boards() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what the page draws of each sample."""
    for sample in samples():
        view = compile_graph(load_document(sample.path)).view
        drawn = drawing(view, added=BARE, folded=())
        yield sample.key, graph.board(drawn, routes=[], pictures=[])


def test_both_graphs_of_every_sample_are_whole_with_legible_names(page: Page, address: str) -> None:
    screen = Screen(page, address)
    screen.open()
    drawn = json.loads(json.dumps(dict(boards())))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        screen.idle()
        sizes = page.evaluate(MEASURE, drawn)
        assert len(sizes) >= 24
        assert {key: size for key, size in sizes.items() if size[0] or size[1] < LEGIBLE} == {}

    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_role("button", name="Present", exact=True).click()
    page.locator(".x-leave").wait_for()
    screen.idle()
    assert_are_high(page.evaluate(MEASURE, drawn), LOW)
    page.get_by_role("button", name="Hide panel", exact=True).click()
    screen.idle()
    assert_are_high(page.evaluate(MEASURE, drawn), LOW_ALONE)


def assert_are_high(sizes: Mapping[str, tuple[list[str], float]], low: Mapping[str, float]) -> None:
    """No card is cut, and a presenter's names are high, but for those of ``low``."""
    least = {key: low.get(key, PRESENTED) for key in sizes}
    assert {key: size for key, size in sizes.items() if size[0] or size[1] < least[key]} == {}
