"""The layout of the page: panels, one graph alone, the first view, keys of the canvas."""

from typing import Any

from playwright.sync_api import Position, expect

from tests.journeys.conftest import VIEWPORT
from tests.journeys.screen import Screen
from tests.journeys.test_targets import missed_targets

LARGEST = 1.4
"""How much larger than life a small graph is drawn."""
UNCOMPILED = b"""
name: refused
transformations:
  - {id: numbers, type: source, uid: same}
  - {id: out, type: sink, inputs: [numbers], uid: same}
"""
GOOD = b"""
name: good
transformations:
  - {id: numbers, type: source}
  - {id: double, type: map, parallelism: 2, inputs: [numbers]}
  - {id: out, type: sink, parallelism: 3, inputs: [double]}
"""
LONG = "\n".join(
    [
        "name: long",
        "environment: {chaining: false}",
        "transformations:",
        "  - {id: m0, type: source}",
        *(f"  - {{id: m{at}, type: map, inputs: [m{at - 1}]}}" for at in range(1, 230)),
    ]
).encode()


def size(screen: Screen, part: str) -> tuple[float, float]:
    box = screen.page.locator(f".st-key-{part}").bounding_box()
    assert box is not None
    return box["width"], box["height"]


def view(screen: Screen, side: str) -> list[float]:
    """A graph's scale and middle, to a pixel."""
    found: list[float] = screen.page.evaluate(
        "side => { const g = __graphs[side], at = g.position();"
        " return [g.scale(), at.x, at.y].map((one) => Math.round(one * 100) / 100); }",
        side,
    )
    return found


def layout(screen: Screen) -> tuple[Any, ...]:
    return tuple(size(screen, part) for part in ("left", "right", "below", "middle"))


STOP = """() => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const style = getComputedStyle(at);
  const lines = [style.boxShadow, style.outlineStyle, style.borderStyle];
  const ring = lines.some((one) => one !== "none");
  return [at.getAttribute("aria-label") || at.textContent.trim(), ring];
}"""
"""The name of what has the focus, and whether it shows that."""


def assert_a_legend_explains_and_edges_are_reached_by_keyboard(screen: Screen) -> None:
    """Every sign, and every stop of the keyboard with its name and a ring."""
    legend = screen.page.locator(".legend")
    expect(legend.get_by_text("does not chain")).to_be_hidden()
    legend.get_by_text("Legend", exact=True).click()
    for sign in (
        "A colour is a chain",
        "A dashed box",
        "A solid line",
        "A dashed red line",
        "Blue",
    ):
        expect(legend.get_by_text(sign)).to_be_visible()
    screen.page.keyboard.press("Escape")
    expect(legend.get_by_text("does not chain")).to_be_hidden()

    keys = screen.page.keyboard
    canvas = screen.page.locator(".pane[data-side=stream] .canvas")
    canvas.focus()
    keys.press("ArrowRight")
    expect(screen.panel_name).to_have_text("Source: licence → words")
    screen.idle()
    keys.press("ArrowDown")
    expect(screen.panel_name).to_have_text("words")
    screen.idle()
    keys.press("Tab")
    keys.press("Enter")
    expect(screen.form.get_by_label("id", exact=True)).to_be_focused()
    tabs = 1
    while not screen.page.evaluate("document.activeElement.matches('[role=radio]')"):
        keys.press("Tab")
        tabs += 1
        assert tabs <= 8, screen.page.evaluate(STOP)
    canvas.focus()
    keys.press("ArrowRight")
    expect(screen.panel_name).to_have_text("words → ones")
    screen.idle()
    keys.press("ArrowLeft")
    expect(screen.panel_name).to_have_text("Source: licence → words")
    screen.idle()

    canvas.focus()
    stops = []
    for _ in range(8):
        stops.append(screen.page.evaluate(STOP))
        keys.press("Tab")
    assert [stop[0] for stop in stops].count(
        "StreamGraph, 5 operators; the table below shows the same"
    ) == 1
    assert all(name and ring for name, ring in stops), stops
    canvas.press("Escape")
    expect(screen.panel_name).to_have_text("Word count")
    screen.idle()


def test_panels_are_resized_and_folded_away_and_the_layout_is_remembered(screen: Screen) -> None:
    page = screen.page
    assert_a_legend_explains_and_edges_are_reached_by_keyboard(screen)
    left = page.get_by_role("separator", name="Size of the left panel")
    tables = page.get_by_role("separator", name="Size of the panel", exact=True)
    wide, high = size(screen, "left")[0], size(screen, "below")[1]
    page.mouse.move(wide, 200)
    page.mouse.down()
    page.mouse.move(wide + 80, 240, steps=4)
    page.mouse.up()
    tables.focus()
    page.keyboard.press("ArrowUp")
    assert abs(size(screen, "left")[0] - wide - 80) <= 1
    assert abs(size(screen, "below")[1] - high - 16) <= 1
    expect(left).to_have_attribute("aria-valuenow", str(round(wide + 80)))

    for part in ("right panel", "panel"):
        page.get_by_role("button", name=f"Hide {part}", exact=True).click()
    page.locator(".pane[data-side=stream] [data-do=alone]").click()
    expect(page.locator(".pane[data-side=job]")).to_be_hidden()
    expect(screen.panel.locator(".x-name")).to_be_hidden()
    board = page.locator(".pane[data-side=stream]").bounding_box()
    assert board is not None
    assert board["width"] == size(screen, "middle")[0]
    assert abs(board["width"] + size(screen, "left")[0] - 1440) <= 2
    screen.wait_for("stream", f"scale() === {LARGEST}")

    before = layout(screen)
    page.reload()
    screen.until("globalThis.__graphs?.stream.keys().length > 0")
    screen.idle()
    assert layout(screen) == before
    expect(page.locator(".pane[data-side=job]")).to_be_hidden()

    page.get_by_role("button", name="Show right panel").click()
    page.get_by_role("button", name="Both", exact=True).click()
    expect(page.locator(".pane[data-side=job]")).to_be_visible()
    expect(screen.panel_name).to_have_text("Word count")
    left.dblclick(position={"x": 4, "y": 60})
    assert size(screen, "left")[0] == wide
    page.mouse.move(wide, 200)
    page.mouse.down()
    page.mouse.move(20, 200, steps=4)
    page.mouse.up()
    expect(screen.rows("Transformations").first).to_be_hidden()


SMALLEST, LEGIBLE = 10.5, 7.0
"""The smallest letters on a canvas, and how high they are on the screen at least, in pixels."""
SMALL = """(least) => {
  const found = [];
  const look = (root) => {
    for (const one of root.querySelectorAll("*")) {
      if (one.shadowRoot) look(one.shadowRoot);
      const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      const seen = one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (!own || !seen) continue;
      const size = Number.parseFloat(getComputedStyle(one).fontSize);
      if (size < least) found.push(`${one.textContent.trim().slice(0, 40)}: ${size}`);
    }
  };
  look(document.body);
  return found;
}"""
"""Texts of the page that are set smaller than so many pixels."""


def smallest_letters(screen: Screen) -> float:
    """How high they are on the screen, in pixels, in the smaller of both graphs."""
    scale = min(screen.graph("stream", "scale()"), screen.graph("job", "scale()"))
    return float(scale) * SMALLEST


def assert_the_first_drawing_is_legible_in_every_place(screen: Screen) -> None:
    """All of the sample with five ways to part a stream; on a small screen, a legible part."""
    screen.sample("A chain cut by a partitioner")
    screen.wait_for("job", "keys().length === 5")
    assert all(label for label in screen.graph("job", "labels()"))
    canvas = screen.page.locator(".pane[data-side=job] .canvas").bounding_box()
    assert canvas is not None
    for key in screen.graph("job", "keys()"):
        at = screen.graph("job", f"at('{key}')")
        assert canvas["x"] + 80 < at["x"] < canvas["x"] + canvas["width"] - 80

    screen.page.set_viewport_size({"width": 1024, "height": 768})
    screen.idle()
    assert smallest_letters(screen) >= LEGIBLE
    small = screen.page.evaluate(SMALL, 10)
    assert not small

    screen.page.set_viewport_size({"width": 1440, "height": 900})
    screen.sample("A side output for late flights")
    for place in ("Deploy", "Source"):
        screen.place(place)
        if place == "Deploy":
            screen.show_graphs()
        for side in ("stream", "job"):
            expect(screen.page.locator(f".pane[data-side={side}] .partly")).to_be_hidden()
        assert smallest_letters(screen) >= LEGIBLE

    screen.page.set_viewport_size({"width": 1280, "height": 720})
    screen.idle()
    for bar in screen.page.locator(".pane .bar:visible").all():
        assert bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth")
    # What two lines of a narrow list cut is there on hover.
    first = screen.rows("Transformations").first.locator("td").first
    expect(first).to_have_attribute("title", "Source: flights")


def test_steps_are_undone_with_keys_and_a_document_after_a_refused_one_is_drawn_as_ever(
    screen: Screen,
) -> None:
    keys = screen.page.keyboard
    screen.page.get_by_text("Chaining", exact=True).click()
    expect(screen.counts).to_contain_text("5 tasks")
    screen.page.locator("body").press("Control+z")
    expect(screen.counts).to_contain_text("3 tasks")
    expect(screen.page.get_by_role("button", name="Undo")).to_be_disabled()
    keys.press("Control+Shift+z")
    expect(screen.counts).to_contain_text("5 tasks")
    screen.idle()
    screen.page.get_by_role("button", name="Undo").click()
    expect(screen.counts).to_contain_text("3 tasks")
    screen.page.get_by_role("button", name="Redo").click()
    expect(screen.counts).to_contain_text("5 tasks")
    screen.idle()
    screen.page.reload()
    screen.until("globalThis.__graphs?.stream.keys().length > 0")
    screen.idle()
    screen.page.get_by_role("button", name="Undo").click()
    expect(screen.counts).to_contain_text("3 tasks")
    screen.page.get_by_role("button", name="Redo").click()
    expect(screen.counts).to_contain_text("5 tasks")
    screen.idle()

    field = screen.form.get_by_label("parallelism", exact=True)
    field.fill("9")
    field.press("Control+z")
    screen.idle()
    expect(screen.counts).to_contain_text("5 tasks")

    screen.upload("good.yaml", GOOD)
    screen.wait_for_overview("good")
    wanted = [view(screen, side) for side in ("stream", "job")]
    screen.sample("A to E in two chains")

    screen.upload("refused.yaml", UNCOMPILED)
    expect(screen.page.locator(".x-refused")).to_be_visible()
    screen.idle()
    screen.upload("good.yaml", GOOD)
    screen.wait_for_overview("good")
    expect(screen.page.locator(".x-refused")).to_have_count(0)
    screen.wait_for("stream", "keys().length === 3")
    screen.page.wait_for_timeout(200)
    assert [view(screen, side) for side in ("stream", "job")] == wanted

    screen.page.set_viewport_size({"width": 1300, "height": 800})
    screen.idle()
    shrunk = [view(screen, side) for side in ("stream", "job")]
    for side in ("stream", "job"):
        screen.page.locator(f".pane[data-side={side}] [data-do=fit]").click()
    assert [view(screen, side) for side in ("stream", "job")] == shrunk

    screen.page.set_viewport_size(VIEWPORT)
    assert_the_first_drawing_is_legible_in_every_place(screen)


def test_edges_lead_to_the_right_where_that_is_chosen_and_the_page_remembers(
    screen: Screen,
) -> None:
    page = screen.page
    stream = page.locator("[data-graph=stream]")
    page.get_by_role("button", name="Left to right", exact=True).click()
    screen.wait_for("stream", "across() && __graphs.job.across()")
    page.reload()
    screen.until("globalThis.__graphs?.stream.across()")
    screen.idle()
    assert missed_targets(screen) == []
    stream.focus()
    for key, name in (
        ("ArrowRight", "Source: licence"),
        # In so wide a layout its chain is one card.
        ("ArrowRight", "words -> ones"),
        ("ArrowDown", "ones → count"),
    ):
        page.keyboard.press(key)
        expect(screen.panel_name).to_have_text(name)
        screen.idle()
    page.locator(".pictures summary").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as SVG: Both graphs").click()
    drawn = saved.value.path().read_text(encoding="utf-8")
    assert "l-7.5 -4v8z" in drawn
    choice = page.get_by_role("combobox", name="Graph in place of the JobGraph")
    choice.select_option("execution")
    screen.wait_for("execution", "across()")
    # What is wanted gives way where a pane is too narrow for it.
    screen.place("Source")
    expect(page.locator(".partly:visible")).to_have_count(0)
    screen.place("Explore")

    # Of a large graph the server draws the direction alone that is chosen.
    screen.upload("long.yaml", LONG)
    screen.wait_for("stream", "keys().length > 200 && __graphs.stream.across()")
    screen.wait_for("execution", "across()")
    page.get_by_role("button", name="Top-down", exact=True).click()
    screen.wait_for("stream", "across() === false && !__graphs.execution.across()")


def assert_tables_show_all_their_cells_on_a_small_screen(screen: Screen) -> None:
    """The copied ID is the one that the table shows."""
    page = screen.page
    page.set_viewport_size({"width": 1024, "height": 768})
    # In so small a pane its chain is one card.
    screen.rows("Transformations").get_by_text("ones", exact=True).click()
    expect(screen.panel_name).to_have_text("ones")
    screen.form.get_by_role("radio", name="NEVER").click()
    expect(screen.counts).to_contain_text("4 IDs changed")
    ids = page.get_by_label("Operator IDs", exact=True)
    row = screen.rows("Operator IDs").filter(has_text="ones")
    expect(row.locator("td").last).to_contain_text("its state, if any, finds no operator")
    room = ids.evaluate("(table) => [table.offsetWidth, table.parentElement.clientWidth]")
    assert room[0] <= room[1]
    row.hover()
    row.get_by_role("button", name="copy").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == row.locator(".new").inner_text()
    expect(screen.panel.locator(".x-id").first).to_have_text(copied)  # the table is drawn first
    for text in screen.panel.locator(".x-id, .x-was code").all():
        assert text.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    button = screen.panel.locator(".x-copy").first
    button.click()
    assert page.evaluate("navigator.clipboard.readText()") == copied
    # A second press, while the first one's word still stands, leaves the button as it was.
    button.click()
    page.wait_for_timeout(3000)
    expect(button).to_have_text("copy")

    screen.tab("Decisions")
    expect(screen.rows("Chaining decisions")).to_have_count(4)
    page.get_by_label("only what does not chain").check()
    expect(screen.rows("Chaining decisions")).to_have_count(3)
    expect(screen.rows("Chaining decisions").first).to_contain_text("parallelism 1 / 2")

    screen.panel.get_by_text("Job settings").click()
    field = page.locator(".st-key-form-of-job").get_by_label("parallelism", exact=True)
    field.fill("3")
    field.press("Enter")
    expect(screen.counts).to_contain_text("3 slots")
    expect(screen.panel_name).to_have_text("ones")


def test_graphs_with_figures_tables_and_a_panel_fit_small_screens(screen: Screen) -> None:
    last = screen.key_of("job", "count -> Sink: counts")
    before = view(screen, "job")
    screen.tab("Local run")
    screen.wait_for("job", "labels().some(label => label.includes('202 records'))")
    below = screen.page.locator(".st-key-below").bounding_box()

    assert below is not None
    assert screen.graph("job", f"foot({last!r})")["y"] < below["y"]
    assert view(screen, "job")[0] < before[0]

    page = screen.page
    screen.tab("IDs")
    assert_tables_show_all_their_cells_on_a_small_screen(screen)
    page.locator("[data-graph=stream]").press("Escape")
    expect(screen.panel_name).to_have_text("Word count")
    screen.idle()
    page.set_viewport_size({"width": 900, "height": 800})
    expect(screen.panel).to_be_hidden()
    ground: Position = {"x": 12, "y": 12}
    for kept in (False, True):
        screen.click("stream", screen.graph("stream", "keys()[0]"))
        expect(screen.panel).to_be_visible()
        if kept:
            page.get_by_role("button", name="Pin", exact=True).click()
            page.reload()
            screen.until("globalThis.__graphs?.stream.keys().length > 0")
            screen.idle()
        page.locator("[data-graph=stream]").click(position=ground)
        screen.idle()
        expect(screen.panel).to_be_visible(visible=kept)
    page.get_by_role("button", name="Hide right panel").click()
    expect(screen.panel).to_be_hidden()
