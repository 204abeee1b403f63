"""What a person does with the page, in a real browser."""

from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Route, expect

from components.session import link
from components.session.work import opened
from explorer.documents import as_document
from tests.journeys.conftest import VIEWPORT
from tests.journeys.screen import Screen
from tests.journeys.test_first_paint import finish_reason

LINE = b"""
name: line
flink: "1.20"
environment: {parallelism: 2}
transformations:
  - {id: numbers, type: source}
  - {id: double, type: map, inputs: [numbers], select: {n: "n * 2"}}
  - {id: out, type: sink, inputs: [double]}
"""
ESCAPED = "<img src=x onerror=alert(1)> **bold** :smile: $x$ \\u202ertl\\u202c \U0001f9ea"
"""The same name as the page shows it: direction controls would hide what stands where."""
NASTY = "<img src=x onerror=alert(1)> **bold** :smile: $x$ \u202ertl\u202c \U0001f9ea"

FADING: Final = """[...document.querySelectorAll("[data-stale]")]
    .map((part) => getComputedStyle(part).transitionDuration)"""
"""For how long each part of the page fades that the server may send again."""

COUNT_AFTER_CLICK: Final = """() => {
  const parts = [...document.querySelectorAll(".st-key-ids *")];
  const { shadowRoot } = parts.find((part) => part.shadowRoot);
  const marked = () => shadowRoot.querySelectorAll("tr.highlighted").length;
  const count = () => requestAnimationFrame(() => { globalThis.__marked = marked(); });
  addEventListener("click", count, { once: true, capture: true });
}"""
"""Counts the rows of IDs that are marked in the frame after the next click, without the server."""


LOSE_SELECTIONS: Final = """() => {
    const { prototype } = WebSocket;
    const { send } = prototype;
    prototype.send = function (message) {
        if (!new TextDecoder().decode(message).includes('"picked"')) send.call(this, message);
    };
}"""
"""Lets every message of the page pass but those that select."""


def assert_a_selection_that_the_server_never_confirms_is_taken_back(screen: Screen) -> None:
    """The click highlights at once; without an answer the highlight goes."""
    page = screen.page
    page.locator(".pane[data-side=stream] .canvas").press("Escape")
    expect(screen.panel_name).to_have_text("Word count")
    screen.idle()
    page.evaluate(LOSE_SELECTIONS)
    corner = screen.graph("stream", "at('n2')")
    page.mouse.click(corner["x"], corner["y"])
    screen.wait_for("stream", "picked() === 'n2'")
    screen.wait_for("stream", "picked() === null")
    expect(screen.panel_name).to_have_text("Word count")


def assert_a_link_restores_the_whole_page(screen: Screen) -> None:
    """And the back button the place before."""
    screen.sample("A to E in two chains")
    screen.click("stream", screen.key_of("stream", "C"))
    screen.form.get_by_role("radio", name="HEAD").click()
    expect(screen.counts).to_contain_text("IDs changed")
    counted = screen.counts.inner_text()
    screen.page.get_by_role("button", name="Share", exact=True).click()
    screen.page.get_by_role("button", name="Copy link", exact=True).click()
    expect(screen.page.get_by_role("button", name="Copied")).to_be_visible()
    copied = screen.page.evaluate("navigator.clipboard.readText()")
    assert copied == screen.page.url

    screen.open(screen.link)
    expect(screen.counts).to_have_text(counted)
    expect(screen.panel_name).to_have_text("C")
    expect(screen.form.get_by_role("radio", name="HEAD")).to_be_checked()

    page = screen.page
    for place in ("Run", "Deploy"):
        page.get_by_role("radio", name=place, exact=True).click()
        screen.idle()
    expect(page.get_by_role("tab", name="Restore")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("radio", name="Run", exact=True)).to_be_checked()
    expect(page.get_by_role("tab", name="Follow")).to_be_visible()
    page.set_viewport_size({"width": 960, "height": 560})
    lines = page.locator(".pane[data-side=job] .label text")
    expect(lines.filter(has_text="records").first).to_be_visible()
    # The first line of a label does not fit below the bar of the graph.
    expect(lines.first).to_have_text("FORWARD")
    expect(lines.first).to_be_hidden()
    page.go_forward()
    expect(page.get_by_role("tab", name="Restore")).to_be_visible()


def test_a_damaged_link_is_reported_and_a_whole_one_restores_the_page(visitor: Screen) -> None:
    screen = visitor
    # In Learn the player selects what its first step looks at; that does not drop the complaint.
    for damaged in ("/?place=Learn&state=abc", "/?s=eNqrVkrO"):
        screen.open(damaged)
        alert = screen.page.get_by_role("alert")
        expect(alert).to_contain_text("This link is damaged")
        # It covers neither graphs nor their bars.
        said, graphs = alert.bounding_box(), screen.page.locator(".board").bounding_box()
        assert said is not None
        assert graphs is not None
        assert said["y"] + said["height"] <= graphs["y"]
    assert len(screen.graph("stream", "keys()")) == 4

    screen.page.emulate_media(color_scheme="dark")
    screen.open()
    ground = screen.page.locator(".board").evaluate("e => getComputedStyle(e).backgroundColor")

    assert ground == "rgb(18, 23, 30)"

    screen.page.emulate_media(color_scheme="light")
    assert_a_link_restores_the_whole_page(screen)


def assert_a_graph_that_fits_stays_whole(screen: Screen) -> None:
    """After edits, uploads and new sizes."""

    def document(operators: int) -> bytes:
        maps = [
            f"  - {{id: m{n}, type: map, inputs: [m{n - 1}], parallelism: {1 + n // 3 % 2}}}"
            for n in range(1, operators)
        ]
        head = f"name: maps {operators}\ntransformations:\n  - {{id: m0, type: source}}\n"
        return (head + "\n".join(maps)).encode()

    # What the buttons below the graphs take, they take from the graphs, and give it back.
    buttons = screen.page.locator(".board .foot")
    for height, cards in (("320px", 3), ("", 5)):
        buttons.evaluate("(foot, height) => (foot.style.height = height)", height)
        screen.wait_for("stream", f"keys().length === {cards}")

    screen.upload("ten.yaml", document(10))
    screen.wait_for_overview("maps 10")
    screen.wait_for("job", "keys().length === 4")
    fit = screen.page.locator(".pane[data-side=job] [data-do=fit]")
    # Ten operators are too high to be legible as a whole: their chains are a card each.
    screen.wait_for("stream", "keys().length === 4")
    expect(screen.page.get_by_role("button", name="Unfold", exact=True)).to_be_visible()
    for side in ("stream", "job"):
        expect(screen.page.locator(f".pane[data-side={side}] .partly")).to_be_hidden()
    fit.click()
    expect(fit).to_have_attribute("title", "The whole graph is in view")
    screen.page.get_by_text("Chaining", exact=True).click()
    screen.wait_for("job", "keys().length === 10")
    expect(fit).to_have_attribute("title", "The whole graph is in view")
    screen.page.set_viewport_size({"width": 1200, "height": 640})
    screen.idle()
    expect(fit).to_have_attribute("title", "The whole graph is in view")

    screen.upload("deep.yaml", document(1500))
    screen.wait_for_overview("maps 1500")
    screen.page.get_by_role("button", name="Unfold", exact=True).click()
    screen.wait_for("stream", "keys().length === 1500")
    small = screen.page.locator(".pane[data-side=stream]").get_by_role("status")
    expect(small).to_be_hidden()
    screen.page.locator(".pane[data-side=stream] [data-do=fit]").click()
    expect(small).to_have_text("Too small to read: zoom in, or fold each chain to one card.")
    small.get_by_role("button").click()
    screen.wait_for("stream", "keys().length < 1500")
    screen.page.locator(".pane[data-side=stream] [data-do=fit]").click()
    expect(small).to_have_text("Too small to read: zoom in.", use_inner_text=True)
    screen.page.set_viewport_size(VIEWPORT)


def test_large_graphs_and_tables_are_drawn_sorted_and_filtered(screen: Screen) -> None:
    assert_a_graph_that_fits_stays_whole(screen)
    operators = ["{id: s, type: source}"]
    operators += [f"{{id: m{n}, type: map, inputs: [s], name: op {n}}}" for n in range(600)]
    text = "name: long\ntransformations:\n" + "\n".join(f"  - {one}" for one in operators)
    screen.upload("long.yaml", text.encode())
    screen.wait_for_overview("long")
    table, rows = screen.page.get_by_label("Operator IDs", exact=True), screen.rows("Operator IDs")
    expect(table).to_have_attribute("aria-rowcount", "602")
    assert rows.count() < 100

    rows.filter(has_text="op 3").first.click()
    screen.page.keyboard.press("End")
    expect(rows.filter(has_text="op 599")).to_be_in_viewport()
    assert rows.count() < 100
    rows.filter(has_text="op 599").click()
    expect(screen.panel_name).to_have_text("op 599")
    expect(rows.filter(has_text="op 599")).to_have_attribute("aria-selected", "true")

    screen.page.get_by_label("Search").fill("m77")
    screen.page.get_by_label("Search").press("Enter")
    expect(screen.rows("Transformations")).to_have_count(1)
    screen.rows("Transformations").first.click()
    expect(rows.filter(has_text="op 77").first).to_be_in_viewport()
    rows.filter(has_text="op 77").first.focus()
    for _ in range(30):
        screen.page.keyboard.press("ArrowDown")
    screen.page.keyboard.press("Enter")
    expect(screen.panel_name).to_have_text("op 107")

    operators = ["{id: s, type: source}"]
    operators += [
        f"{{id: m{n}, type: map, inputs: [s], name: op {n}, parallelism: {1 + n % 2}}}"
        for n in range(20)
    ]
    text = "name: wide\ntransformations:\n" + "\n".join(f"  - {one}" for one in operators)
    screen.upload("wide.yaml", text.encode())
    screen.wait_for_overview("wide")
    rows = screen.rows("Operator IDs")
    head = screen.page.get_by_label("Operator IDs", exact=True).get_by_role("button", name="name")
    head.click()
    expect(rows.first).to_contain_text("op 0")
    expect(rows.nth(2)).to_contain_text("op 2")
    head.click()
    expect(rows.first).to_contain_text("Source")
    expect(rows.nth(1)).to_contain_text("op 19")

    screen.tab("Decisions")
    wanted = screen.page.get_by_label("Filter the rows: Chaining decisions")
    wanted.fill('"not chained"')
    expect(screen.rows("Chaining decisions")).to_have_count(10)
    screen.rows("Chaining decisions").first.click()
    expect(screen.panel.locator(".x-outcome")).to_contain_text("Not chained")
    wanted.fill("nowhere")
    expect(screen.page.get_by_text("No row has “nowhere”.")).to_be_visible()
    wanted.fill("")
    expect(screen.rows("Chaining decisions")).to_have_count(20)


CUT_CELLS: Final = """(table) => [...table.querySelectorAll("td")]
    .filter((cell) => cell.scrollWidth > cell.clientWidth).length"""


def test_a_part_of_the_page_is_drawn_once_its_styles_are_loaded(visitor: Screen) -> None:
    steps: list[dict[str, Any]] = [{"id": "m0", "type": "source"}]
    steps += [{"id": f"m{n}", "type": "map", "inputs": [f"m{n - 1}"]} for n in range(1, 300)]
    text = link.to_link(opened(as_document({"transformations": steps}), ""))
    styles: list[Route] = []

    def hold(route: Route) -> None:
        styles.append(route)

    visitor.page.route("**/*.table/main.css", hold)
    visitor.open(f"/?{link.PARAMETER}={text}&tab=IDs")
    table = visitor.page.get_by_label("Operator IDs", exact=True)
    assert table.count() == 0

    for route in styles:
        route.continue_()
    # The widths of a long table's columns stay as they are measured first.
    expect(table).to_have_class("held")
    assert table.evaluate(CUT_CELLS) == 0


def assert_a_large_graph_is_folded_and_unfolded(screen: Screen) -> None:
    """And a complaint of a file is in sight on a small screen."""
    operators = ["{id: s, type: source}"]
    names = ["s"]
    for number in range(240):
        operators.append(f"{{id: m{number}, type: map, inputs: [{names[-1]}]}}")
        names.append(f"m{number}")
    text = "name: deep\ntransformations:\n" + "\n".join(f"  - {one}" for one in operators)
    screen.upload("deep.yaml", text.encode())
    screen.wait_for_overview("deep")
    screen.wait_for("stream", "keys().length === 1")

    screen.page.get_by_role("button", name="Unfold", exact=True).click()
    screen.wait_for("stream", "keys().length === 241")
    screen.page.get_by_label("Search").fill("m200")
    screen.page.get_by_label("Search").press("Enter")
    expect(screen.rows("Transformations")).to_have_count(1)
    screen.rows("Transformations").first.click()
    expect(screen.panel.locator(".x-kind").first).to_contain_text("Operator map")
    screen.wait_for("stream", "picked() !== null")
    box = screen.page.locator(".pane[data-side=stream] .canvas").bounding_box()
    assert box is not None
    picked = f"at({screen.graph('stream', 'picked()')!r}).y"
    screen.wait_for("stream", f"{picked} > {box['y']}")
    screen.wait_for("stream", f"{picked} < {box['y'] + box['height']}")

    screen.sample("Broadcast rules, asynchronous lookups and late orders")
    screen.page.set_viewport_size({"width": 1024, "height": 600})
    screen.upload("broken.yaml", b"name: x\ntransformations: [{id: a, type: sources}]")
    complaint = screen.page.locator(".st-key-upload-box").get_by_role("alert")

    expect(complaint).to_contain_text("sources")
    expect(complaint).to_be_in_viewport(ratio=0.9)
    screen.page.set_viewport_size(VIEWPORT)


DROP: Final = """([name, content]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], name));
    const event = (type) => new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
    const graph = document.querySelector(".pane[data-side=job]");
    if (graph.dispatchEvent(event("dragover"))) throw Error("the browser would open the file");
    graph.dispatchEvent(event("drop"));
}"""
"""Drop a file on a graph."""


def test_files_are_refused_beside_the_upload_or_opened_with_names_as_text(
    screen: Screen, tmp_path: Path
) -> None:
    assert_a_large_graph_is_folded_and_unfolded(screen)
    screen.sample("Word count")
    screen.upload("broken.yaml", b"transformations: [{id: a, type: mapp}]")

    said = screen.page.locator(".st-key-left").get_by_role("alert")
    expect(said).to_contain_text("transformations[0].type")
    expect(said).to_contain_text("did you mean 'map'")
    assert len(screen.graph("stream", "keys()")) == 5

    screen.upload("line.yaml", LINE)

    screen.wait_for_overview("line")
    expect(screen.counts).to_have_text("3 operators · 1 task · 2 slots")
    screen.wait_for("job", "keys().length === 1")
    assert screen.graph("job", "texts()") == [
        "Source: Custom Source -> Map -> Sink: Print to Std. Out"
    ]

    screen.page.get_by_role("combobox", name="Flink release").click()
    screen.page.get_by_role("option", name="Flink 1.9", exact=True).click()

    expect(screen.page.locator(".st-key-middle").get_by_role("alert")).to_be_visible()
    screen.page.get_by_role("button", name="Undo").click()
    expect(screen.counts).to_have_text("3 operators · 1 task · 2 slots")
    screen.idle()  # for a moment the box of the other document is there, too

    document = LINE.decode().replace("{id: double,", f"{{id: double, name: '{NASTY}',")
    screen.upload("nasty.yaml", document.replace("name: line", "name: nasty").encode())
    screen.wait_for_overview("nasty")
    screen.click("stream", screen.key_of("stream", NASTY))

    expect(screen.panel_name).to_have_text(ESCAPED)
    expect(screen.rows("Operator IDs").nth(1)).to_contain_text("<img src=x onerror=alert(1)>")
    expect(screen.form.get_by_label("name", exact=True)).to_have_value(NASTY)
    assert screen.page.locator("img[src=x]").count() == 0
    screen.tab("Decisions")
    expect(screen.rows("Chaining decisions").first).to_contain_text("**bold** :smile: $x$")

    large = tmp_path / "large.yaml"
    large.write_bytes(b"#" * (21 * 1024 * 1024))
    # The browser reads it by itself: as bytes it would go through the driver and the page as text.
    screen.upload_box.set_input_files(large)

    expect(screen.page.locator(".st-key-upload-box").get_by_role("alert")).to_contain_text("20.0MB")
    expect(screen.counts).to_have_text("3 operators · 1 task · 2 slots")
    screen.sample("Word count")
    screen.page.evaluate(DROP, ["line.yaml", LINE.decode()])
    screen.wait_for_overview("line")


def assert_the_page_selects_in_all_its_parts_and_fits_a_small_screen(screen: Screen) -> None:
    """With the mouse, the keyboard and the table."""
    assert finish_reason(screen) == "drawn"
    expect(screen.page.get_by_text("StreamGraph explorer")).to_be_visible()
    expect(screen.counts).to_have_text("5 operators · 3 tasks · 2 slots")
    screen.wait_for("stream", "keys().length === 5")
    screen.wait_for("job", "keys().length === 3")
    assert len(screen.graph("stream", "boxes()")) == 3
    assert "REBALANCE parallelism 1 / 2" in screen.graph("stream", "labels()")
    expect(screen.rows("Operator IDs")).to_have_count(5)
    # Who asks for less motion sees nothing fade at each click.
    assert set(screen.page.evaluate(FADING)) == {"0s"}

    screen.page.locator(".pane[data-side=stream] .canvas").focus()
    screen.page.keyboard.press("ArrowDown")
    expect(screen.panel_name).to_have_text("Source: licence")
    screen.idle()
    screen.page.keyboard.press("ArrowDown")
    expect(screen.panel_name).to_have_text("words")
    screen.idle()
    screen.page.keyboard.press("Escape")
    expect(screen.panel_name).to_have_text("Word count")

    vertex = screen.key_of("job", "words -> ones")
    screen.click("stream", screen.key_of("stream", "ones"))

    screen.wait_for("job", f"highlighted().join() === {vertex!r}")
    expect(screen.panel_name).to_have_text("ones")
    expect(screen.page.locator("tr.picked").filter(has_text="ones").first).to_be_visible()

    screen.page.evaluate(COUNT_AFTER_CLICK)
    screen.click("job", vertex)
    assert screen.page.evaluate("__marked") == 2
    nodes = {screen.key_of("stream", name) for name in ("words", "ones")}
    screen.wait_for(
        "stream", f"highlighted().filter((key) => {sorted(nodes)}.includes(key)).length === 2"
    )
    expect(screen.panel_name).to_have_text("words -> ones")
    expect(screen.page.get_by_label("Operator IDs").locator("tr.highlighted")).to_have_count(2)

    screen.rows("Operator IDs").filter(has_text="count").first.click()
    screen.wait_for("stream", f"picked() === {screen.key_of('stream', 'count')!r}")
    expect(screen.panel_name).to_have_text("count")

    screen.click("job", "j0")
    screen.wait_for("stream", "highlighted()[0].startsWith('e')")
    expect(screen.panel).to_contain_text("Not chained")

    screen.page.set_viewport_size({"width": 1024, "height": 768})
    screen.idle()

    wide = screen.page.evaluate("document.documentElement.scrollWidth")
    high = screen.page.evaluate("document.documentElement.scrollHeight")
    assert (wide, high) == (1024, 768)
    for part in ("top", "left", "middle", "below", "right"):
        box = screen.page.locator(f".st-key-{part}").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 1024
        assert box["y"] + box["height"] <= 768
    screen.page.set_viewport_size(VIEWPORT)


def assert_a_toggle_changes_ids_and_leaves_the_view_alone(screen: Screen) -> None:
    """Both graphs stay where they were moved, and as large."""
    screen.click("stream", screen.key_of("stream", "ones"))
    for side in ("stream", "job"):
        screen.page.locator(f".pane[data-side={side}] [data-do=in]").click()
    before = [screen.graph(side, "position()") for side in ("stream", "job")]
    scales = [screen.graph(side, "scale()") for side in ("stream", "job")]
    screen.form.get_by_role("radio", name="NEVER").click()

    expect(screen.counts).to_have_text("4 IDs changed · 5 operators · 4 tasks · 2 slots")
    row = screen.rows("Operator IDs").filter(has_text="ones")
    expect(row.locator(".old")).to_have_text("c09dc291fad93d575e015871097bfc60")
    expect(row.locator(".new")).to_have_text("ea632d67b7d595e5b851708ae9ad79d6")
    expect(row).to_contain_text("its state, if any, finds no operator")
    screen.wait_for("job", "keys().length === 4")
    assert [screen.graph(side, "position()") for side in ("stream", "job")] == before
    assert [screen.graph(side, "scale()") for side in ("stream", "job")] == scales

    screen.page.get_by_text("Chaining", exact=True).click()
    expect(screen.counts).to_contain_text("5 tasks")
    screen.page.get_by_role("button", name="Undo").click()
    expect(screen.counts).to_contain_text("4 tasks")
    screen.page.get_by_role("button", name="Undo").click()
    expect(screen.counts).to_have_text("5 operators · 3 tasks · 2 slots")
    for side in ("stream", "job"):
        screen.page.locator(f".pane[data-side={side}] [data-do=fit]").click()


def test_the_page_opens_selects_and_its_settings_are_changed_and_undone(screen: Screen) -> None:
    assert_the_page_selects_in_all_its_parts_and_fits_a_small_screen(screen)
    assert_a_toggle_changes_ids_and_leaves_the_view_alone(screen)
    undo = screen.page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    screen.click("stream", "e0")
    expect(screen.panel.locator(".x-outcome")).to_contain_text("Not chained")
    expect(screen.panel).to_contain_text("CH08")
    expect(screen.panel).to_contain_text("Here: parallelism 1 and 2.")
    fix = screen.panel.get_by_role("button", name="Set parallelism of")
    expect(fix.first).to_be_visible()
    screen.panel.get_by_role("button", name="Set parallelism of words to 1").click()

    expect(screen.panel.locator(".x-outcome")).to_contain_text("Chained")
    expect(undo).to_be_enabled()
    undo.click()
    expect(screen.counts).to_have_text("5 operators · 3 tasks · 2 slots")
    screen.idle()

    screen.click("stream", screen.key_of("stream", "ones"))
    screen.form.get_by_role("radio", name="HEAD").click()
    expect(screen.counts).to_contain_text("4 tasks")
    screen.idle()
    screen.page.go_back()

    expect(screen.counts).to_have_text("5 operators · 3 tasks · 2 slots")

    screen.idle()
    screen.click("stream", screen.key_of("stream", "words"))
    parallelism = screen.form.get_by_label("parallelism", exact=True)
    parallelism.fill("40000")
    parallelism.press("Enter")

    expect(screen.form.get_by_role("alert")).to_contain_text("parallelism")
    expect(parallelism).to_have_value("2")
    expect(screen.counts).to_have_text("5 operators · 3 tasks · 2 slots")
    parallelism.fill("3")
    parallelism.press("Enter")
    expect(screen.counts).to_contain_text("3 slots")
    expect(screen.form.get_by_role("alert")).to_have_count(0)
    undo.click()
    expect(screen.counts).to_have_text("5 operators · 3 tasks · 2 slots")
    screen.idle()

    screen.click("stream", "e1")
    expect(screen.panel.locator(".x-outcome")).to_contain_text("Chained")
    screen.panel.get_by_role("combobox", name="Partitioner").click()
    screen.page.get_by_role("option", name="RESCALE", exact=True).click()

    expect(screen.panel.locator(".x-outcome")).to_contain_text("Not chained")
    expect(screen.counts).to_contain_text("4 tasks")
    screen.wait_for("stream", "labels().includes('RESCALE')")
    screen.idle()
    assert_a_selection_that_the_server_never_confirms_is_taken_back(screen)
