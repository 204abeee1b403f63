"""A graph by touch: fingers move and enlarge it, a tap selects, a long press shows the commands."""

from typing import Any, Final

from playwright.sync_api import Browser, ViewportSize, expect

from tests.journeys.conftest import watched_page
from tests.journeys.screen import Screen

TABLET: Final = ViewportSize(width=820, height=1180)
REST: Final = 700
"""Milliseconds for which a finger rests in a long press."""


def test_fingers_move_enlarge_select_and_open_the_menu(address: str, browser: Browser) -> None:
    with watched_page(browser, viewport=TABLET, has_touch=True) as page:
        screen = Screen(page, address)
        screen.open()
        devtools = page.context.new_cdp_session(page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            fingers = [{"x": x, "y": y, "id": turn} for turn, (x, y) in enumerate(points)]
            devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

        def at(key: str) -> tuple[float, float]:
            place: dict[str, Any] = screen.graph("stream", f"at({key!r})")
            return place["x"], place["y"]

        first, second = screen.graph("stream", "keys()")[:2]
        x, y = at(first)
        touch("touchStart", (x, y))
        for step in range(1, 5):
            touch("touchMove", (x + 10 * step, y + 6 * step))
        touch("touchEnd")
        assert at(first) == (x + 40, y + 24)
        assert screen.graph("stream", "picked()") is None

        scale = screen.graph("stream", "scale()")
        touch("touchStart", (x, y), (x + 80, y))
        for step in range(1, 5):
            touch("touchMove", (x - 5 * step, y), (x + 80 + 5 * step, y))
        touch("touchEnd")
        assert abs(screen.graph("stream", "scale()") / scale - 1.5) < 0.01
        page.locator(".pane[data-side=stream] [data-do=fit]").tap()

        bar = page.get_by_role("toolbar", name="Commands for the selection")
        page.touchscreen.tap(*at(first))
        screen.wait_for("stream", f"picked() === {first!r}")
        screen.idle()
        page.get_by_role("button", name="Hide right panel").tap()
        touch("touchStart", at(second))
        page.wait_for_timeout(REST)
        touch("touchEnd")
        screen.wait_for("stream", f"picked() === {second!r}")
        expect(bar).to_be_visible()

        page.get_by_role("button", name="Hide right panel").tap()
        page.get_by_role("button", name="Show left panel").tap()
        page.get_by_role("button", name="New", exact=True).tap()
        # The drawer gives way to the offers of an empty pipeline.
        page.get_by_text("From my data", exact=True).tap(trial=True)
