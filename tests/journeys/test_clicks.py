"""Clicks that a teacher, a debugger and a deployer need, and the size of the graphs."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.screen import Screen

COUNT = """
globalThis.__clicks = 0;
addEventListener("click", ({ isTrusted, detail }) => (__clicks += isTrusted && detail > 0), true);
"""
"""Counts what the mouse clicks; a key that presses a button has no detail."""
SAMPLE_GRAPHS = Path(__file__).parents[2] / "sample_graphs"


@pytest.fixture
def begun(page: Page, address: str) -> Screen:
    """The page as it opens, with its clicks counted."""
    page.add_init_script(COUNT)
    screen = Screen(page, address)
    screen.open()
    return screen


def clicks(screen: Screen) -> int:
    """The number of clicks since the page was loaded."""
    count: int = screen.page.evaluate("__clicks")
    return count


def test_a_teacher_compares_a_chain_asks_and_embeds(begun: Screen) -> None:
    page = begun.page
    begun.click("stream", begun.key_of("stream", "ones"))
    begun.form.get_by_role("radio", name="NEVER").click()
    expect(begun.counts).to_contain_text("4 tasks")
    page.get_by_role("button", name="Baseline: original").click()
    plan = page.locator(".st-key-plan-body")
    expect(plan).to_contain_text("tasks")
    expect(plan).to_contain_text("ID")
    assert clicks(begun) == 3

    begun.place("Learn")
    expect(page.locator(".lesson h4")).to_be_visible()
    assert clicks(begun) == 4
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy frame for a web page").click()
    expect(page.get_by_text("Copied ✓")).to_be_visible()
    assert clicks(begun) == 6


def test_a_debugger_fixes_a_split_chain_and_saves_a_picture(begun: Screen) -> None:
    page = begun.page
    begun.click("stream", "e0")
    expect(begun.panel.locator(".x-outcome")).to_contain_text("Not chained")
    begun.panel.get_by_role("button", name="Set parallelism of words to 1").click()
    expect(begun.panel.locator(".x-outcome")).to_contain_text("Chained")
    expect(begun.counts).to_contain_text("5 IDs changed")
    page.get_by_role("tab", name="IDs", exact=True).click()
    expect(begun.rows("Operator IDs").locator(".new")).not_to_have_count(0)
    page.get_by_role("button", name="Baseline: original").click()
    expect(page.locator(".st-key-plan-body")).to_contain_text("Flink 2.3")
    page.locator(".st-key-evidence-state").get_by_role("button", name="Restore").click()
    expect(begun.rows("Saved state")).not_to_have_count(0)
    begun.show_graphs()
    page.locator(".pictures summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG: Both graphs").click()
    assert download.value.suggested_filename.endswith(".svg")
    assert clicks(begun) <= 8


def test_a_deployer_reads_the_verdict_of_two_uploaded_versions(begun: Screen) -> None:
    page = begun.page
    for name in ("21-ready-to-deploy.yaml", "01-word-count.yaml"):
        begun.upload(name, (SAMPLE_GRAPHS / name).read_bytes())
        if name.startswith("21"):
            begun.place("Deploy")
            page.get_by_role("button", name="Make this document the baseline").click()
            begun.idle()
            begun.place("Explore")
    uploaded = clicks(begun)
    chip = page.get_by_role("button", name="vs. ready-to-deploy")
    chip.click()
    expect(page.locator(".x-plan-title")).to_be_visible()
    expect(page.locator(".st-key-plan-body")).to_contain_text("State")
    page.locator(".st-key-plan-body summary").first.click()
    assert clicks(begun) - uploaded <= 3


def test_the_graphs_get_most_of_the_page_and_the_verdict_is_whole(begun: Screen) -> None:
    page = begun.page
    board = page.locator(".board").bounding_box()
    assert board is not None
    assert board["width"] * board["height"] >= 0.6 * 1440 * 900
    begun.sample("A deploy that looks harmless")
    chip = page.get_by_role("button", name="vs. last week")
    expect(chip).to_have_text("vs. last week (2.2): Flink will refuse")
    for width in (1024, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(100)
        ends = chip.evaluate(WHOLE)
        assert ends["cut"] == 0, (width, ends)
        assert 0 <= ends["left"] < ends["right"] <= width, (width, ends)


WHOLE = """button => {
    const parts = [button, ...button.querySelectorAll("*")];
    const { left, right } = button.getBoundingClientRect();
    const hidden = parts.map((each) => each.clientWidth && each.scrollWidth - each.clientWidth);
    return { left, right, cut: Math.max(...hidden) };
}"""
