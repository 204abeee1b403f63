"""Clicks that a teacher, a debugger, a deployer and a builder need, and the size of the graphs."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from explorer.documents import load_document
from explorer.documents.samples import sample_titles
from explorer.engine.preview.preview import preview_trial
from explorer.flink.compiler import compile_program
from tests.journeys.conftest import VIEWPORT
from tests.journeys.screen import Screen

COUNT = """
globalThis.__clicks = 0;
addEventListener("click", ({ isTrusted, detail }) => (__clicks += isTrusted && detail > 0), true);
"""
"""Counts what the mouse clicks; a key that presses a button has no detail."""
SAMPLE_GRAPHS = Path(__file__).parents[2] / "sample_graphs"

COLUMNS = "schema: who STRING, n LONG, at LONG"
WINDOW = "assigner: tumbling\nsize: 1000"


@pytest.fixture
def begun(page: Page, address: str) -> Screen:
    """The page as it opens, with its clicks counted."""
    screen = Screen(page, address)
    screen.open()
    page.evaluate(COUNT)
    return screen


def clicks(screen: Screen) -> int:
    """The number of clicks since the page has opened."""
    count: int = screen.page.evaluate("__clicks")
    return count


def assert_a_teacher_compares_a_chain_asks_and_embeds(begun: Screen) -> None:
    """The teacher needs six clicks."""
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


def test_a_teacher_and_a_debugger_need_few_clicks(begun: Screen) -> None:
    page = begun.page
    assert_a_teacher_compares_a_chain_asks_and_embeds(begun)
    page.keyboard.press("Escape")
    begun.place("Explore")
    page.get_by_role("button", name="Undo").click()
    expect(begun.counts).to_have_text("5 operators · 3 tasks · 2 slots")
    begun.idle()
    page.evaluate("__clicks = 0")
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


WHOLE = """button => {
    const parts = [button, ...button.querySelectorAll("*")];
    const { left, right } = button.getBoundingClientRect();
    const hidden = parts.map((each) => each.clientWidth && each.scrollWidth - each.clientWidth);
    return { left, right, cut: Math.max(...hidden) };
}"""


def assert_graphs_get_most_of_the_page_and_names_are_whole(begun: Screen) -> None:
    """Also the verdict in the bar, in windows of four sizes."""
    page = begun.page
    board = page.locator(".board").bounding_box()
    assert board is not None
    # 61.5 %: the details at the right take 300 pixels, the list at the left 172.
    assert board["width"] * board["height"] >= 0.61 * 1440 * 900
    page.get_by_role("combobox", name="Sample").click()
    names = page.get_by_role("option")
    expect(names).to_have_count(len(sample_titles()))
    assert {name.evaluate(WHOLE)["cut"] for name in names.all()} == {0}
    page.keyboard.press("Escape")
    begun.sample("A deploy that looks harmless")
    chip = page.get_by_role("button", name="vs. last week")
    expect(chip).to_have_text("vs. last week (2.2): Flink will refuse")
    for width in (1024, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(100)
        ends = chip.evaluate(WHOLE)
        assert ends["cut"] == 0, (width, ends)
        assert 0 <= ends["left"] < ends["right"] <= width, (width, ends)
    # On a tablet the verdict gives way to what follows it.
    page.set_viewport_size({"width": 820, "height": 1180})
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_in_viewport(ratio=1)
    page.set_viewport_size(VIEWPORT)


def test_a_deployer_reads_the_verdict_of_two_uploaded_versions(begun: Screen) -> None:
    page = begun.page
    assert_graphs_get_most_of_the_page_and_names_are_whole(begun)
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


def test_twelve_operators_with_their_settings_are_built_by_hand_and_undone(begun: Screen) -> None:
    page = begun.page
    page.get_by_role("button", name="New", exact=True).click()
    enter(begun, "pipeline name", "orders")
    page.get_by_role("button", name="Add a source").click()
    begun.add("source", rows=f"values: [[ann, 1, 0], [bob, -2, 900]]\n{COLUMNS}")
    page.get_by_role("button", name="Add what reads source").click()
    begun.add("timestamps", timestamps="column: at")
    second = {"rows": f"values: [[ann, 3, 100]]\n{COLUMNS}", "timestamps": "column: at"}
    for above, type, fields in (
        ("timestamps", "filter", {"where": "n <> 0"}),
        ("filter", "process", {"side_outputs": "late: n < 0"}),
        ("process", "side_output", {}),
        ("side_output", "sink", {"write": "path: late\nformat: csv"}),
        ("process", "map", {"select": "who: lower(who)\nn: n + 1\nat: at"}),
        ("map", "window", {"aggregate": "total: sum(n)", "window": WINDOW}),
        ("window", "sink", {"write": "path: totals\nformat: csv"}),
        ("window", "source", second),
        ("source-2", "join", {"select": "who: who\ntotal: total", "window": WINDOW}),
        ("join", "sink", {"write": "path: joined\nformat: csv"}),
    ):
        picked = begun.graph("stream", "picked()")
        press_plus(begun, above)
        begun.add(type, **fields)
        # The server has answered; the cards move when the browser draws the answer.
        begun.wait_for("stream", f"picked() !== {json.dumps(picked)}")
    enter(begun, "name", "joined")
    begun.form.get_by_test_id("stNumberInputStepUp").first.click()
    expect(begun.counts).to_have_text("13 operators · 5 tasks · 2 slots")
    assert clicks(begun) <= 50

    page.get_by_role("button", name="Delete", exact=True).click()
    expect(begun.counts).to_have_text("12 operators · 4 tasks · 1 slot")
    page.get_by_role("button", name="Undo").click()
    expect(begun.counts).to_have_text("13 operators · 5 tasks · 2 slots")
    with page.expect_download() as download:
        page.get_by_role("button", name="Share", exact=True).click()
        page.get_by_role("button", name="Download YAML").click()
    assert download.value.suggested_filename == "orders.yaml"
    compilation = compile_program(load_document(download.value.path()))
    sinks = preview_trial(compilation).report.sinks
    assert {id: sink.data for id, sink in sinks.items()} == {
        "sink": (("bob", -2, 900),),
        "sink-2": (("ann", 0, 1000, 2),),
        "sink-3": (("ann", 2),),
    }


def enter(screen: Screen, label: str, text: str) -> None:
    """Click a field of the form, and type."""
    field = screen.form.get_by_label(label, exact=True)
    field.click()
    field.fill(text)
    field.press("Enter")
    screen.idle()


def press_plus(screen: Screen, title: str) -> None:
    """Press the + on the foot of the card with this title."""
    foot = screen.graph("stream", f"foot({screen.key_of('stream', title)!r})")
    screen.page.mouse.move(foot["x"], foot["y"] - 8)
    screen.page.mouse.click(foot["x"], foot["y"])
