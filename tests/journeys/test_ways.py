"""Ways through a graph: finding, following, folding, picturing, in a browser."""

import pytest
from playwright.sync_api import Locator, expect

from tests.journeys.screen import Screen

pytestmark = pytest.mark.browser


def palette(screen: Screen, text: str) -> Locator:
    """What Ctrl+K finds for a text."""
    screen.page.keyboard.press("Control+k")
    expect(screen.page.get_by_role("combobox", name="Find anything")).to_be_focused()
    screen.page.keyboard.type(text)
    return screen.page.get_by_role("listbox").get_by_role("option")


def test_ctrl_k_finds_operators_ids_edges_tabs_samples_and_actions(screen: Screen) -> None:
    page = screen.page
    found = palette(screen, "b5c8d46f3e")  # a part of an ID
    expect(found).to_have_count(2)
    expect(found.first).to_contain_text("b5c8d46f3e7b141acf271f12622e752b")
    page.keyboard.press("ArrowDown")
    expect(found.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    screen.wait_for("job", "picked() === 'v3'")
    screen.idle()

    expect(palette(screen, "ones → count").first).to_contain_text("not chained")
    page.keyboard.press("Enter")
    screen.wait_for("stream", "picked()?.startsWith('e')")
    screen.idle()

    expect(palette(screen, "no such thing")).to_have_count(0)
    expect(page.get_by_text("Nothing here is called “no such thing”")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox", name="Find anything")).to_be_hidden()

    palette(screen, "decisions")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Decisions")).to_have_attribute("aria-selected", "true")

    palette(screen, "uids and a uid hash sample")
    page.keyboard.press("Enter")
    screen.wait_for_overview("Uids and a uid hash")
    expect(palette(screen, "undo").first).to_contain_text("Undo")
    page.keyboard.press("Enter")
    expect(screen.panel.locator(".x-name")).to_have_text("ones → count")
