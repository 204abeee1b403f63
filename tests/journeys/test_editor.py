"""The text editor beside the graph: faults, completion, hover texts, search, undo."""

import pytest
from playwright.sync_api import Locator, expect

from tests.journeys.screen import Screen

VALUE = "node => globalThis.__editor.state.doc.toString()"
INTERACTION_DELAY = 75
"""CodeMirror's ``interactionDelay``: milliseconds before a list of completions accepts keys."""


@pytest.fixture
def area(screen: Screen) -> Locator:
    """The editor's text, with the first sample in it."""
    screen.tab("YAML")
    return screen.page.get_by_label("Pipeline as YAML")


def enter(screen: Screen, area: Locator, text: str) -> None:
    """Put a text in place of the whole, and leave the editor."""
    area.fill(text)
    area.blur()
    screen.idle()


def cursor_behind(screen: Screen, text: str) -> None:
    """Put the cursor behind the first occurrence of a text."""
    screen.page.evaluate(
        """text => {
            const view = globalThis.__editor;
            const anchor = view.state.doc.toString().indexOf(text) + text.length;
            view.dispatch({ selection: { anchor }, scrollIntoView: true });
            view.focus();
        }""",
        text,
    )


def accept(screen: Screen) -> None:
    """Accept the completion that is shown; CodeMirror reads an earlier Enter as a line break."""
    screen.page.wait_for_timeout(2 * INTERACTION_DELAY)
    screen.page.keyboard.press("Enter")


def assert_text_and_graph_follow_one_another(screen: Screen, area: Locator) -> None:
    """A fault, a selection and a step of one are the other's."""
    page = screen.page
    for command in ("Fold", "Unfold"):
        page.get_by_role("button", name=command, exact=True).click()
        screen.idle()
        cut = "bars => bars.filter(bar => bar.scrollWidth > bar.clientWidth).length"
        assert page.locator(".pane:visible .bar").evaluate_all(cut) == 0
    text = f"# mine\n{area.evaluate(VALUE)}"
    line = text[: text.index("type: map,")].count("\n") + 1
    enter(screen, area, text.replace("type: map,", "type: mapp,"))
    expect(page.get_by_role("button", name=f"line {line}, column")).to_be_visible()
    expect(page.get_by_text("transformations[2].type:")).to_contain_text("'mapp'")
    expect(area.locator(".cm-lintRange-error")).to_have_text("mapp")
    expect(area).to_have_attribute("aria-invalid", "true")
    assert len(screen.graph("stream", "keys()")) == 5

    right = text.replace("type: map,", "type: map, parallelism: 1,")
    enter(screen, area, right)
    expect(page.get_by_role("button", name=f"line {line}")).to_have_count(0)
    screen.click("stream", screen.key_of("stream", "ones"))
    current = "globalThis.__editor.state.doc.lineAt(globalThis.__editor.state.selection.main.head)"
    screen.until(f"{current}.text.includes('id: ones')")
    area.locator(".cm-line").filter(has_text="{id: words").click()
    screen.wait_for("stream", f"picked() === {screen.key_of('stream', 'words')!r}")
    screen.idle()
    screen.click("stream", screen.key_of("stream", "ones"))
    page.get_by_role("button", name="Show right panel").click()
    page.get_by_role("button", name="Duplicate").click()
    # A smaller graph would fold its chains: names tell how many cards there are.
    twins = "texts().filter((text) => text === 'ones').length"
    screen.wait_for("stream", f"{twins} === 2")
    screen.idle()
    copied = area.evaluate(VALUE)
    assert copied.startswith("# mine\n")
    assert "{id: ones-2, type: map" in copied
    page.get_by_role("button", name="Undo").click()
    screen.wait_for("stream", f"{twins} === 1")
    screen.idle()
    assert area.evaluate(VALUE) == right

    # Nothing is left to undo in the editor, so its keys go on with the page's steps.
    parts = f"count => ({VALUE})().split(' parallelism: 1').length === count"
    for keys, count in (("Control+z", 2), ("Control+y", 3)):
        area.focus()
        page.keyboard.press(keys)
        screen.until(parts, arg=count)
        screen.idle()


def test_fields_are_completed_and_described_and_text_and_graph_follow_one_another(
    screen: Screen, area: Locator
) -> None:
    page = screen.page
    cursor_behind(screen, "{id: ones, type: map")
    page.keyboard.type(", chain")
    option = page.locator(".cm-tooltip-autocomplete li")
    expect(option).to_have_text("chaining_strategychoice")
    accept(screen)
    page.keyboard.type("HE")
    expect(option.first).to_have_text("HEAD")
    accept(screen)
    screen.idle()
    assert "type: map, chaining_strategy: HEAD," in area.evaluate(VALUE)
    expect(screen.counts).to_contain_text("4 tasks")
    page.get_by_role("tab", name="Changes").click()
    expect(page.locator(".cm-changedText")).not_to_have_count(0)
    expect(page.get_by_label("New version: word-count")).to_contain_text("chaining_strategy")
    page.get_by_role("tab", name="YAML").click()

    word = area.get_by_text("parallelism", exact=True).first
    word.hover()
    expect(page.locator(".meaning")).to_contain_text("Default parallelism of the job.")
    screen.page.mouse.move(700, 400)
    assert_text_and_graph_follow_one_another(screen, area)
