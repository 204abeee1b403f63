"""What a visitor sees before the page's scripts run, in a browser."""

from time import monotonic
from typing import Any

from playwright.sync_api import Browser, expect

from components import link
from components.work import opened
from explorer.documents import as_document
from tests.journeys.screen import Screen
from tests.patience import PATIENCE

COVER = "#first-paint"


def finish_reason(screen: Screen) -> str:
    """Wait until the cover has gone; return the reason, ``late`` where there was none."""
    expect(screen.page.locator(COVER)).to_have_count(0)
    return str(screen.page.evaluate("document.documentElement.dataset.firstPaint"))


def test_the_graphs_are_shown_before_the_scripts_run(address: str, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        page = context.new_page()
        page.route("**/static/js/**", lambda route: route.abort())
        end = monotonic() + PATIENCE
        # A server that has just started shows the frame alone.
        while monotonic() < end and page.locator(f"{COVER} img").count() == 0:
            page.goto(f"{address}/?sample=01-word-count", wait_until="domcontentloaded")

        expect(page.locator(f"{COVER} img")).to_have_count(2)
        expect(page.locator(COVER)).to_be_visible()


def test_the_cover_goes_when_the_graphs_are_drawn(screen: Screen) -> None:
    screen.open()

    assert finish_reason(screen) == "drawn"


def test_the_cover_goes_where_the_page_has_something_to_read(screen: Screen) -> None:
    twice: list[dict[str, Any]] = [{"id": "a", "type": "source", "uid": "u"}]
    twice += [{"id": name, "type": "sink", "inputs": ["a"], "uid": "u"} for name in ("b", "c")]
    text = link.to_link(opened(as_document({"transformations": twice}), ""))
    screen.page.goto(f"{screen.address}/?{link.PARAMETER}={text}")
    screen.page.get_by_role("alert").first.wait_for()

    assert finish_reason(screen) in {"undrawn", "read"}
