"""WCAG 2.2 AA in all places, by axe-core and by measured colours; what a screen reader reads."""

import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, expect

from components.session.places import CLOSED, TABS
from tests.journeys.screen import Screen
from tests.journeys.test_legibility import faint, schemes

AXE: Final = Path(__file__).with_name("axe")
TAGS: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
OF_COLOURS: Final = ("color-contrast", "link-in-text-block")
"""The rules of those whose verdict depends on colours."""
RUN: Final = """async (part, runOnly) => {
    const options = { runOnly, resultTypes: ["violations"] };
    const { violations } = await axe.run(part, options);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}"""
SMALLEST: Final = 12
SMALL: Final = """(least) => {
    const found = [];
    const look = (root) => {
        for (const one of root.querySelectorAll("*")) {
            if (one.shadowRoot) look(one.shadowRoot);
            const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            if (!own || !one.checkVisibility({ visibilityProperty: true })) continue;
            // A pictogram beside its words; a drawing, which is enlarged as a whole.
            if (one.closest("[aria-hidden=true], .sg, .versions")) continue;
            const size = Number.parseFloat(getComputedStyle(one).fontSize);
            if (size < least) found.push(`${one.textContent.trim().slice(0, 40)}: ${size}`);
        }
    };
    look(document.body);
    return found;
}"""


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, as the lock file names it."""
    folder = shutil.copytree(AXE, tmp_path_factory.mktemp("axe") / "axe")
    npm = shutil.which("npm")
    assert npm, "npm is missing: .ci/browser-and-java installs it"
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
    return (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


def faults(screen: Screen) -> list[Any]:
    """What is wrong with the page."""
    rest(screen)
    found = screen.page.locator("html").evaluate(RUN, {"type": "tag", "values": TAGS})
    return [*found, *screen.page.evaluate(SMALL, SMALLEST)]


def faults_of_colours(screen: Screen, part: Locator) -> list[Any]:
    """What is wrong with the colours of a part of the page, of which all was asked in others."""
    rest(screen)
    rules = {"type": "rule", "values": OF_COLOURS}
    return [*part.evaluate(RUN, rules)]


def rest(screen: Screen) -> None:
    """Wait until the page is shown in full, with the mouse on nothing."""
    screen.page.mouse.move(700, 300)
    screen.settle(60)
    screen.until("!document.querySelector('[data-stale=true]')")


def assert_menus_and_dialogs_meet_wcag(screen: Screen) -> None:
    """Light, and in the dark what depends on colours."""
    page = screen.page
    menus = {
        "Share": (
            page.get_by_role("button", name="Share", exact=True),
            page.locator("[data-testid=stPopoverBody]"),
        ),
        "Picture": (page.locator(".pictures summary"), page.locator(".pictures")),
        "Legend": (
            page.locator(".legend").get_by_text("Legend", exact=True),
            page.locator(".legend"),
        ),
    }
    for opener, _ in menus.values():
        opener.click()
        assert not faults(screen), opener
        opener.click()
    page.keyboard.press("Control+k")
    assert not faults(screen), "Ctrl+K"
    page.keyboard.press("Escape")

    page.emulate_media(color_scheme="dark")
    for opener, menu in menus.values():
        opener.click()
        assert not faults_of_colours(screen, menu), menu
        opener.click()
    page.keyboard.press("Control+k")
    assert not faults_of_colours(screen, page.locator("html")), "Ctrl+K"
    page.keyboard.press("Escape")


def test_every_view_is_legible_and_every_place_menu_and_dialog_meets_wcag(
    screen: Screen, axe: str
) -> None:
    page = screen.page
    page.evaluate(axe)
    assert_menus_and_dialogs_meet_wcag(screen)
    expect(page.locator("h1")).to_have_text("StreamGraph Explorer")
    screen.click("stream", screen.key_of("stream", "words"))
    expect(page.locator("[aria-live=polite].announcement")).to_have_text("Selected: words")
    listed = page.get_by_role("grid", name="Transformations").get_by_role("row", selected=True)
    expect(listed).to_contain_text("words")

    for place, names in TABS.items():
        for name in names:
            screen.tab(name)
            assert not faint(screen), name
        if place == "Deploy":
            strip = page.locator(".st-key-strip-bar")
            strip.get_by_role("radio", name="Before and after").click()
            expect(page.locator(".versions [role=button]").first).to_be_visible()
        assert not faults(screen), place
        page.emulate_media(color_scheme=schemes(screen)[1])
        assert not faults_of_colours(screen, page.locator("html")), place

    screen.tab(CLOSED)
    screen.click("stream", "e0")
    expect(screen.panel).to_contain_text("Needed:")
    assert not faint(screen), "an edge that does not chain"
    screen.click("stream", "n2")
    assert not faint(screen), "an operator"
    page.get_by_role("button", name="+ Add").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    screen.idle()
    assert not faint(screen), "the dialog that adds a transformation"
