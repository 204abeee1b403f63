"""Navigation in a graph: search, upstream and downstream, folding and pictures, in a browser."""

from pathlib import Path
from typing import Final

from playwright.sync_api import Locator, expect

from tests.journeys.screen import Screen


def palette(screen: Screen, text: str) -> Locator:
    """What Ctrl+K finds for a text."""
    expect(screen.page.get_by_role("button", name="Find an operator")).to_be_visible()
    screen.page.keyboard.press("Control+k")
    expect(screen.page.get_by_role("combobox", name="Find an operator")).to_be_focused()
    screen.page.keyboard.type(text)
    return screen.page.get_by_role("listbox").get_by_role("option")


def assert_streams_are_edited_in_the_graph(screen: Screen) -> None:
    """With the mouse, keys and buttons."""
    page = screen.page
    ones, out = screen.key_of("stream", "ones"), screen.key_of("stream", "Sink: counts")
    start = page.evaluate("key => __graphs.stream.foot(key)", ones)
    end = page.evaluate("key => __graphs.stream.at(key)", out)
    page.mouse.move(start["x"], start["y"] - 8)
    page.mouse.move(start["x"], start["y"])
    page.mouse.down()
    page.mouse.move(end["x"], end["y"], steps=4)
    page.mouse.up()
    screen.wait_for("stream", "edges().length === 5")
    screen.idle()
    expect(screen.rows("Transformations").filter(has_text="union")).to_have_count(1)
    page.keyboard.press("Control+z")
    screen.wait_for("stream", "edges().length === 4")
    screen.idle()

    edge, plus = (screen.graph("stream", f"{place}('e0')") for place in ("at", "plus"))
    page.mouse.move(edge["x"], edge["y"])
    page.mouse.click(plus["x"], plus["y"])
    expect(page.get_by_role("dialog")).to_contain_text("between lines and words")
    screen.add("map")
    screen.wait_for("stream", "keys().length === 6")
    screen.idle()
    screen.click("stream", screen.key_of("stream", "ones"))
    page.keyboard.press("a")
    expect(page.get_by_role("dialog")).to_contain_text("after ones")
    expect(page.get_by_role("combobox", name="Type")).to_be_focused()
    page.keyboard.press("Escape")
    screen.idle()
    page.get_by_role("button", name="Duplicate").click()
    screen.wait_for("stream", "keys().length === 7")
    screen.idle()
    page.get_by_role("button", name="Delete").click()
    screen.wait_for("stream", "keys().length === 6")
    screen.idle()

    page.get_by_role("button", name="Uids for 5 operators with state").click()
    expect(page.get_by_role("button", name="Uids for 0 operators with state")).to_be_disabled()
    screen.idle()
    number = page.get_by_label("parallelism of all")
    number.fill("3")
    number.press("Enter")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(screen.counts).to_contain_text("3 slots")


def test_ctrl_k_finds_what_there_is_and_streams_are_edited_in_the_graph(screen: Screen) -> None:
    received = screen.page.evaluate(
        """async () => {
            const components = "/_stcore/bidi-components/streamgraph-explorer.";
            const { onCommand, sendCommand } = await import(`${components}graph/command.js`);
            const received = [];
            const listen = (own) =>
                onCommand((name) => name === "early" && received.push([own, name]));
            sendCommand("early");
            listen("first");
            await Promise.resolve();
            listen("second");
            await Promise.resolve();
            return received;
        }"""
    )

    assert received == [["first", "early"]]

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
    expect(page.get_by_role("combobox", name="Find an operator")).to_be_hidden()

    palette(screen, "decisions")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Decisions")).to_have_attribute("aria-selected", "true")

    palette(screen, "uids and a uid hash sample")
    page.keyboard.press("Enter")
    screen.wait_for_overview("Uids and a uid hash")
    expect(palette(screen, "undo").first).to_contain_text("Undo")
    page.keyboard.press("Enter")
    expect(screen.panel_name).to_have_text("ones → count")

    screen.idle()
    palette(screen, "tour of the page")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Tour of the page")).to_be_visible()
    page.keyboard.press("Escape")

    palette(screen, "glossary")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-glossary")).to_contain_text("key group")
    screen.idle()

    palette(screen, "present")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="End presenting").click()
    screen.idle()

    screen.tab("IDs")
    page.keyboard.press("Escape")
    assert_streams_are_edited_in_the_graph(screen)


def click_button(screen: Screen, title: str) -> None:
    """Press a button below the graphs."""
    screen.page.get_by_role("button", name=title).click()
    screen.idle()


def assert_large_graph_has_a_map(screen: Screen) -> None:
    """A click on it goes there."""
    assert screen.graph("stream", "minimap()") is False
    screen.upload("line.yaml", line(1500))
    screen.wait_for("stream", "keys().length === 300")
    screen.wait_for("stream", "minimap()")
    screen.wait_for("job", "minimap()")
    top = screen.graph("stream", "position().y")
    for minimap in screen.page.locator(".minimap:visible").all():
        box = minimap.bounding_box()
        assert box is not None
        screen.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.8)
    assert screen.graph("stream", "position().y") > top + 5000
    palette(screen, "step 777")
    screen.page.keyboard.press("Enter")
    screen.wait_for("stream", "highlighted().length > 0")
    (folded,) = screen.graph("stream", "highlighted()")
    at = screen.page.evaluate("key => __graphs.stream.at(key)", folded)
    frame = screen.page.locator("[data-side=stream] .canvas").bounding_box()
    assert frame is not None
    assert frame["y"] < at["y"] < frame["y"] + frame["height"]


COUNT_IN_TREE: Final = """async () => {
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  const graphs = files.find((name) => name.endsWith(".graph/main.js"));
  const { createParts } = await import(graphs.replace(".graph/main", ".board/parts"));
  const root = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const parts = createParts(root, { looksOf: () => "", isPicked: () => false });
  parts.update([...Array(2000).keys()].map((y) => [`card:${y}`, `${y}`, [0, y, 9, y], "<g/>"]));
  const { draw, follow, trim } = parts;
  const views = [[draw, 2000], [follow, 100], [trim, 100], [follow, 400]];
  return views.map(([act, size]) => {
    act([0, 0, size, size]);
    return root.children.length;
  });
}"""
"""Elements of 2,000 cards: the whole in view, enlarged, at rest, and moved out again."""


def assert_far_cards_leave_the_tree_at_rest(screen: Screen) -> None:
    """While a graph is moved they stay: to take them out would take longer than a frame."""
    assert screen.page.evaluate(COUNT_IN_TREE) == [2000, 2000, 176, 701]


def assert_the_execution_graph_is_drawn_and_graphs_are_chosen_in_their_headers(
    screen: Screen,
) -> None:
    """In its tab and in place of a graph; a link restores the chosen graphs."""
    screen.tab("Execution graph")
    drawing = screen.page.get_by_role("img", name="Subtasks and channels")
    expect(screen.page.get_by_text("Showing the first task.")).to_be_visible()
    first = drawing.get_attribute("src")
    screen.click("job", "v2")
    expect(drawing).not_to_have_attribute("src", first or "")
    widths = drawing.evaluate("image => [image.naturalWidth, image.clientWidth]")
    assert 60 < widths[0] == widths[1]

    page = screen.page
    page.get_by_label("Graph in place of the StreamGraph").select_option("execution")
    screen.until("__graphs.execution.keys().length === 5")
    expect(page.locator(".pane[data-side=stream]")).to_be_hidden()
    assert screen.graph("execution", "picked()") == "v2"
    screen.click("execution", "v3")  # a subtask stands for its task
    assert screen.graph("job", "picked()") == "v3"
    screen.idle()
    assert "graphs=job-execution" in screen.link
    screen.place("Deploy")
    screen.show_graphs()
    expect(page.locator(".pane[data-side=execution]")).to_be_visible()
    page.evaluate("localStorage.removeItem('streamgraph-explorer.layout')")
    page.goto(screen.address + screen.link)
    screen.show_graphs()
    screen.until("globalThis.__graphs?.execution.keys().length === 5")
    expect(page.locator(".pane[data-side=stream]")).to_be_hidden()
    expect(page.locator(".pane[data-side=job]")).to_be_visible()
    screen.place("Explore")
    page.get_by_label("Graph in place of the ExecutionGraph").select_option("stream")
    screen.until("globalThis.__graphs?.stream.keys().length === 5")
    screen.idle()


def test_a_large_graph_has_a_map_and_a_small_one_is_highlighted_isolated_and_folded(
    screen: Screen,
) -> None:
    assert_the_execution_graph_is_drawn_and_graphs_are_chosen_in_their_headers(screen)
    assert_large_graph_has_a_map(screen)
    assert_far_cards_leave_the_tree_at_rest(screen)
    screen.sample("Word count")
    words, ones, count, out = (screen.key_of("stream", name) for name in NAMES)
    screen.click("stream", words)
    expect(screen.panel_name).to_have_text("words")
    screen.idle()
    click_button(screen, "Downstream of the selection, one step further")
    screen.wait_for("stream", f"highlighted().includes({ones!r})")
    assert count not in screen.graph("stream", "highlighted()")
    click_button(screen, "Downstream of the selection, one step further")
    screen.wait_for("stream", f"highlighted().includes({count!r})")
    screen.wait_for("job", "highlighted().includes('v3')")
    click_button(screen, "Show only the highlighted part")
    screen.wait_for("stream", "keys().length === 3")
    assert set(screen.graph("stream", "keys()")) == {words, ones, count}
    assert set(screen.graph("job", "keys()")) == {"v2", "v3"}
    expect(screen.page.get_by_text("3 of 5 operators")).to_be_visible()

    click_button(screen, "Fold the selected chain to one card")
    screen.wait_for("stream", "keys().includes('v2')")
    assert set(screen.graph("stream", "keys()")) == {"v2", count}
    assert screen.graph("stream", "highlighted()").count("v2") == 1
    # A link shows what its sender saw.
    before = screen.link
    screen.open(before)
    screen.wait_for("stream", "keys().includes('v2')")
    assert set(screen.graph("stream", "keys()")) == {"v2", count}
    expect(screen.page.get_by_text("3 of 5 operators")).to_be_visible()
    click_button(screen, "Show all again")
    screen.wait_for("stream", f"keys().includes({out!r})")
    screen.page.locator(".pane[data-side=stream]").get_by_label("Zoom out").click()
    before = screen.graph("stream", "scale()")
    click_button(screen, "Zoom to the selection")
    assert screen.graph("stream", "scale()") > before
    palette(screen, "upstream all")
    screen.page.keyboard.press("Enter")
    screen.wait_for("job", "highlighted().includes('v1')")


NAMES = ("words", "ones", "count", "Sink: counts")


def line(operators: int) -> bytes:
    """A pipeline of so many operators, five to a task."""
    rows = ["transformations:", "- {id: o0, type: source}"]
    for turn in range(1, operators):
        before = f"o{turn - 1}"
        if turn % 5 == 0:
            rows.append(f"- {{id: r{turn}, type: rebalance, inputs: [{before}]}}")
            before = f"r{turn}"
        rows.append(f"- {{id: o{turn}, type: map, name: Step {turn}, inputs: [{before}]}}")
    return "\n".join(rows).encode()


def saved(screen: Screen, title: str) -> tuple[str, bytes]:
    """The file that an entry of the menu of pictures saves."""
    screen.page.locator(".pictures summary").click()
    with screen.page.expect_download() as download:
        screen.page.get_by_role("button", name=title).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def assert_a_picture_has_what_the_page_shows(screen: Screen) -> None:
    """Isolated and dark, in a file and in the clipboard."""
    screen.page.emulate_media(color_scheme="dark")
    screen.click("stream", screen.key_of("stream", "ones"))
    click_button(screen, "Show only the highlighted part")
    screen.wait_for("stream", "keys().length === 1")

    name, svg = saved(screen, "Save as SVG: Both graphs")
    assert name == "01-word-count.svg"
    assert b"is-picked" in svg
    assert b"#12171e" in svg
    assert b"Source: licence" not in svg
    name, png = saved(screen, "Save as PNG: StreamGraph")
    assert name == "01-word-count-streamgraph.png"
    assert png.startswith(b"\x89PNG")
    assert 400 < int.from_bytes(png[16:20], "big") < 2000
    assert saved(screen, "Save as PDF: JobGraph")[1].startswith(b"%PDF-")

    level = screen.page.locator("[data-side=stream] [data-do=level]")
    level.select_option("Free layout")
    frame = screen.page.frame_locator("iframe[title='Free layout of the StreamGraph']")
    expect(frame.locator("canvas")).to_be_visible()
    expect(frame.get_by_role("button", name="Physics")).to_be_visible()
    level.select_option("StreamGraph")
    expect(screen.page.locator("iframe.free")).to_have_count(0)

    palette(screen, "copy as image both")
    screen.page.keyboard.press("Enter")
    expect(screen.page.get_by_text("Copied as an image")).to_be_visible()
    size = screen.page.evaluate(
        """async () => {
            const [item] = await navigator.clipboard.read();
            return (await item.getType("image/png")).size;
        }"""
    )
    assert size > 5000
    click_button(screen, "Show all again")
    screen.page.emulate_media(color_scheme="light")


def test_what_the_page_shows_becomes_a_picture_a_link_and_a_frame(screen: Screen) -> None:
    page = screen.page
    assert_a_picture_has_what_the_page_shows(screen)
    screen.click("stream", "e0")
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy frame for a web page").click()
    frame = page.evaluate("navigator.clipboard.readText()")
    assert frame.startswith("<iframe")
    assert "view=embed" in frame
    page.get_by_role("button", name="Copy read-only link").click()
    link = page.evaluate("navigator.clipboard.readText()")

    page.goto(link)
    screen.until("globalThis.__graphs?.stream.picked() === 'e0'")
    expect(screen.panel).to_contain_text("Not chained: 2 of 12 conditions fail")
    expect(page.locator(".st-key-left, .st-key-below")).to_have_count(0)
    screen.click("job", "v3")
    expect(screen.panel_name).to_have_text("count -> Sink: counts")

    page.goto(f"{screen.address}/_stcore/health")
    page.evaluate("html => { document.body.innerHTML = html }", frame)
    inside = page.frame_locator("iframe")
    expect(inside.get_by_role("heading", name="JobGraph")).to_be_visible()
    opens = inside.get_by_role("link", name="Open in the explorer")
    expect(opens).to_be_visible()
    frame_element = page.locator("iframe")
    for width in (320, 600, 1000):
        frame_element.evaluate("(frame, width) => { frame.style.width = `${width}px`; }", width)
        outer, link_box = frame_element.bounding_box(), opens.bounding_box()
        assert outer is not None
        assert link_box is not None
        assert outer["x"] <= link_box["x"]
        assert link_box["x"] + link_box["width"] <= outer["x"] + width, width
    page.goto(link.replace("view=read", "view=embed&theme=dark"))
    screen.until("globalThis.__graphs?.stream.keys().length > 0")
    ground = "getComputedStyle(document.querySelector('.stApp')).colorScheme"
    assert page.evaluate(ground) == "dark"
