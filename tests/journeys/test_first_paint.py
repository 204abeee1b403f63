"""What a visitor sees before the page's scripts run, in a browser."""

from typing import Any

from playwright.sync_api import Browser, Page, Route, expect

from components.session import link
from components.session.work import opened
from explorer.documents import as_document
from tests.engine.on_spark import wait_until
from tests.journeys.screen import Screen

COVER = "#first-paint"


def finish_reason(screen: Screen) -> str:
    """Wait until the cover has gone; return the reason, ``late`` where there was none."""
    expect(screen.page.locator(COVER)).to_have_count(0)
    return str(screen.page.evaluate("document.documentElement.dataset.firstPaint"))


BOARD = f"{COVER} .board"


def open_covered(page: Page, address: str) -> None:
    """Open the page with a cover that has graphs; a server that has just started sends none."""
    url = f"{address}/?sample=01-word-count"
    wait_until(lambda: "first-board" in page.request.get(url).text())
    page.goto(url, wait_until="commit")


def select_source(page: Page) -> None:
    """Select the first operator of the graph in the cover."""
    page.locator(f"{BOARD} [data-side=stream] .canvas").press("ArrowDown")
    expect(page.locator(f"{BOARD} .announcement")).to_have_text("Selected: Source: licence")


def test_the_graphs_can_be_worked_with_until_the_page_has_its_own(
    address: str, browser: Browser
) -> None:
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        page = context.new_page()
        page.route("**/static/js/**", lambda route: route.abort())
        page.clock.install()
        open_covered(page, address)

        for _ in range(2):
            expect(page.locator(COVER)).to_be_visible()
            expect(page.locator(f"{BOARD} .pane:visible")).to_have_count(2)
            select_source(page)
            page.keyboard.press("Escape")
            page.clock.fast_forward(60_000)


def test_a_selection_in_the_cover_is_the_pages(visitor: Screen) -> None:
    page = visitor.page
    scripts: list[Route] = []

    def hold(route: Route) -> None:
        scripts.append(route)

    page.route("**/static/js/index.*.js", hold)
    open_covered(page, visitor.address)
    select_source(page)
    for route in scripts:
        route.continue_()

    # The server that has just started may still import the page's modules.
    expect(page.locator(COVER)).to_have_count(0, timeout=30_000)
    expect(page.locator(".st-key-right .x-name")).to_have_text("Source: licence")


def test_the_cover_goes_where_the_page_has_something_to_read(visitor: Screen) -> None:
    twice: list[dict[str, Any]] = [{"id": "a", "type": "source", "uid": "u"}]
    twice += [{"id": name, "type": "sink", "inputs": ["a"], "uid": "u"} for name in ("b", "c")]
    text = link.to_link(opened(as_document({"transformations": twice}), ""))
    visitor.page.goto(f"{visitor.address}/?{link.PARAMETER}={text}")
    visitor.page.get_by_role("alert").first.wait_for()

    assert finish_reason(visitor) in {"undrawn", "read"}
