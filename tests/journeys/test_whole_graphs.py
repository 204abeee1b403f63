"""Both graphs of every sample are whole and legible, at the sizes of three screens."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

from components import graph
from components.graph.drawing import drawing
from explorer import compile_graph
from explorer.documents import load_document, samples
from explorer.drawing.layout.looks import SIZES as SIZES_OF_TEXT
from explorer.drawing.view.annotations import BARE
from tests.journeys.screen import Screen

SIZES: Final = ((1280, 720), (1440, 900), (1920, 1080))
LEGIBLE: Final = 10.95
"""Pixels of a name's height; the screen rounds 11."""
PRESENTED: Final = 17.95
"""The same from the last row of a class."""
MEASURE: Final = Path(__file__).with_name("whole_graphs.js").read_text(encoding="utf-8")


def boards() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what the page draws of each sample."""
    for sample in samples():
        view = compile_graph(load_document(sample.path)).view
        drawn = drawing(view, added=BARE, folded=())
        yield sample.key, graph.board(drawn, routes=[], pictures=[])


def test_both_graphs_of_every_sample_are_whole_with_legible_names(visitor: Screen) -> None:
    screen, page = visitor, visitor.page
    screen.open()
    drawn = json.loads(json.dumps(dict(boards())))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        screen.idle()
        assert_are_whole(page, drawn, LEGIBLE)

    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_role("button", name="Present", exact=True).click()
    page.locator(".x-leave").wait_for()
    screen.idle()
    assert_are_whole(page, drawn, PRESENTED)
    page.get_by_role("button", name="Hide panel", exact=True).click()
    screen.idle()
    assert_are_whole(page, drawn, PRESENTED)

    page.get_by_role("button", name="Show panel", exact=True).click()
    page.locator(".x-leave").click()
    screen.idle()
    assert_a_presented_question_is_whole(screen)


def assert_are_whole(page: Page, drawn: dict[str, Any], least: float) -> None:
    """Of no sample a card is cut or a name smaller than ``least``."""
    sizes = page.evaluate(MEASURE, drawn)
    assert len(sizes) >= 24
    assert {key: size for key, size in sizes.items() if size[0] or size[1] < least} == {}


def assert_a_presented_question_is_whole(screen: Screen) -> None:
    """Its names are legible from the last row of a class."""
    page = screen.page
    screen.sample("Broadcast rules, asynchronous lookups and late orders")
    screen.tab("Lesson")
    page.get_by_role("button", name="Present", exact=True).click()
    page.locator(".x-leave").wait_for()
    page.locator(".board.veiled").wait_for()
    screen.idle()

    stage = page.locator("[data-graph=stream]").bounding_box()
    assert stage is not None
    cards = [card.bounding_box() for card in page.locator("[data-graph=stream] [data-card]").all()]
    assert len(cards) == 9
    for card in cards:
        assert card is not None
        assert stage["x"] <= card["x"]
        assert card["x"] + card["width"] <= stage["x"] + stage["width"]
        assert stage["y"] <= card["y"]
        assert card["y"] + card["height"] <= stage["y"] + stage["height"]
    assert screen.graph("stream", "scale()") * SIZES_OF_TEXT["name"] >= PRESENTED
