"""What a visitor sees before the page's scripts run, in a browser."""

from time import monotonic

from playwright.sync_api import Browser, expect

from tests.journeys.screen import Screen
from tests.patience import PATIENCE

COVER = "#first-paint"


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

    # No waiting: the script removes the cover after a while, whatever is drawn.
    assert screen.page.locator(COVER).count() == 0


def test_the_cover_goes_where_there_is_nothing_to_draw(screen: Screen) -> None:
    refused = b"name: refused\ntransformations: [{id: out, type: sink}]"
    screen.open()
    screen.upload("refused.yaml", refused)
    screen.page.reload()
    screen.page.locator(".st-key-middle").wait_for()
    screen.idle()

    assert screen.page.locator(COVER).count() == 0


def test_the_cover_goes_where_the_page_has_something_to_read(screen: Screen) -> None:
    screen.page.goto(f"{screen.address}/?s=nonsense")
    expect(screen.page.get_by_text("this link is damaged").first).to_be_visible()

    expect(screen.page.locator(COVER)).to_have_count(0)
