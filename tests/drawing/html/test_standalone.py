"""The standalone page: whole in itself, its names only ever text, and alive in a browser."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect

import explorer
from explorer import CompiledGraph
from explorer.documents import load_document, samples
from explorer.drawing.html.standalone import SPACE, arrangement
from explorer.drawing.svg.both_graphs import Levels, draw_graphs, draw_largest, scale_in
from explorer.drawing.view.one_line import one_line
from explorer.model.pipeline import Pipeline
from tests.drawn_graphs import HOSTILE, hostile_graph
from tests.many_cases import for_each
from tests.strategies import pipelines

BARRED = {"src", "href", "srcset", "style", "action", "data", "formaction"}
ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "p", "main"),
    *("section", "div", "aside", "table", "thead", "tbody", "tr", "th", "td", "button", "i"),
    *("svg", "g", "rect", "path", "text", "script"),
}

CUT = """[...document.querySelectorAll("[data-card]")].filter((card) => {
  const [pane, own] = [card.closest(".stage"), card].map((part) => part.getBoundingClientRect());
  const isWide = own.left < pane.left || own.right > pane.right;
  return isWide || own.top < pane.top || own.bottom > pane.bottom;
}).map((card) => card.dataset.card)"""
"""Keys of the cards that are not whole in their pane."""

FACTORS = """(outer) => {
  const matrixOf = (wrapper) => wrapper.attributeStyleMap.get("transform").toMatrix();
  const [a, b] = [outer, outer.firstElementChild].map(matrixOf);
  return [[a.a * b.a, a.d * b.d], [a, b].map(({ a, d }) => a * a + d * d)];
}"""
"""By what a drawing is enlarged, and the sums of the squares of its wrappers' factors."""
SCALED = re.compile(r"matrix\((?!2\.80588)([\d.]+)")
"""A factor of the outer wrapper that is not the one of scale 1."""


class Reader(HTMLParser):
    """What a browser would find."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.tags[-1][0] if self.tags else "", []).append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def check(graph: CompiledGraph) -> None:
    page = graph.to_html()
    reader = read(page)
    for tag, attributes in reader.tags:
        assert tag in ELEMENTS
        assert not BARRED & set(attributes)
        assert not [name for name in attributes if name.startswith("on")]
    assert [tag for tag, _ in reader.tags].count("script") == 2
    facts = json.loads(reader.texts["script"][0])
    view = graph.view
    names = {each.key: each.name for each in view.nodes} | {v.key: v.name for v in view.vertices}
    for key, name in names.items():
        assert facts["parts"][key]["name"] == one_line(name)
    edges = {edge.key for edge in view.edges} | {edge.key for edge in view.job_edges}
    assert set(facts["parts"]) == {*names, *edges} == set(facts["counterparts"])


@pytest.mark.slow
@for_each("name", HOSTILE)
def test_hostile_names_stay_names(name: str) -> None:
    check(hostile_graph(name))


@given(st.booleans().flatmap(lambda loops: pipelines(max_size=6, iterations=loops)))
def test_every_pipeline_has_a_page(pipeline: Pipeline) -> None:
    check(explorer.compile_graph(pipeline))


def test_the_page_names_no_address_but_that_of_the_svg_language() -> None:
    page = hostile_graph("yes").to_html()

    assert set(re.findall(r"\w+://[^\s\"'<]*", page)) <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page


def test_the_page_is_written_as_utf_8(tmp_path: Path) -> None:
    graph = hostile_graph("流")

    page = graph.to_html(tmp_path / "graph.html")

    assert (tmp_path / "graph.html").read_bytes().decode("utf-8") == page


@pytest.fixture(scope="module")
def browser_page(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": 1280, "height": 900})


def opened(page: Page, graph: CompiledGraph, folder: Path, which: Levels = "both") -> list[str]:
    """Open the page of a graph from its file; returns what will have gone wrong there."""
    wrong: list[str] = []
    graph.to_html(folder / "graph.html", graph=which)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("request", lambda request: wrong.append(request.url))
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto((folder / "graph.html").as_uri())
    return wrong


def test_a_selected_edge_shows_its_reasons_and_highlights_its_job_edge(
    browser_page: Page, tmp_path: Path
) -> None:
    wrong = opened(browser_page, hostile_graph("<img src=x onerror=alert(1)>"), tmp_path)

    browser_page.locator('.pane .label[data-key="e0"]').click()

    outcome = browser_page.locator("aside .outcome").inner_text()
    assert outcome == "Not chained: 1 of 12 conditions fails"
    assert browser_page.locator("aside .verdict").count() == 12
    assert browser_page.locator("aside .verdict b.bad").count() == 1
    assert browser_page.locator(".edge.highlighted").get_attribute("data-key") == "j0"
    assert wrong == [(tmp_path / "graph.html").as_uri()]


def test_a_card_a_row_and_escape_select_and_let_go(browser_page: Page, tmp_path: Path) -> None:
    name = "</script><script>alert(1)</script>"
    graph = hostile_graph(name)
    wrong = opened(browser_page, graph, tmp_path)

    browser_page.locator('.pane .card[data-key="n2"]').click()
    assert browser_page.locator("aside .name").inner_text() == name
    browser_page.locator('tr[data-key="n1"] button').click()
    assert graph.view.nodes[0].hash in browser_page.locator("aside dd").all_inner_texts()
    browser_page.keyboard.press("Escape")

    assert browser_page.locator("aside .hint").is_visible()
    assert browser_page.locator(".picked, .highlighted").count() == 0
    assert wrong == [(tmp_path / "graph.html").as_uri()]


def test_a_drawing_is_moved_enlarged_and_shown_whole_again(
    browser_page: Page, tmp_path: Path
) -> None:
    opened(browser_page, hostile_graph("yes"), tmp_path)
    drawing, world = (browser_page.locator(f".pane .{name}").first for name in ("stage", "world"))
    drawing.hover()
    first = world.get_attribute("style")

    browser_page.get_by_role("button", name="Zoom in").first.click()
    nearer = world.get_attribute("style")
    drawing.hover()
    browser_page.mouse.down()
    browser_page.mouse.move(300, 300, steps=4)
    browser_page.mouse.up()
    moved = world.get_attribute("style")
    browser_page.get_by_role("button", name="Show all").first.click()

    assert len({first, nearer, moved}) == 3
    assert world.get_attribute("style") == first
    assert browser_page.locator("aside .hint").is_visible()


def test_a_change_of_scale_looks_like_none_to_the_layout_of_text(
    browser_page: Page, tmp_path: Path
) -> None:
    opened(browser_page, hostile_graph("yes"), tmp_path)
    for label in ("Zoom in",) * 6 + ("Zoom out",) * 20:
        browser_page.get_by_role("button", name=label).first.click()

        (wide, high), squares = browser_page.locator(".stage > .world").first.evaluate(FACTORS)

        # Equally large in both directions; with other sums, Chromium would lay out its text.
        assert wide == pytest.approx(high)
        assert squares == [8, 8]


def test_a_notebook_frames_the_page_and_it_works_there(browser_page: Page, tmp_path: Path) -> None:
    graph = hostile_graph("流 <b>")
    around = tmp_path / "notebook.html"
    frame = graph._repr_mimebundle_()["text/html"]
    hidden = f"<!doctype html><meta charset=utf-8><main hidden>{frame}{frame}</main>"
    around.write_text(hidden, encoding="utf-8")
    wrong: list[str] = []
    browser_page.on("pageerror", lambda error: wrong.append(str(error)))
    browser_page.on("dialog", lambda dialog: wrong.append(dialog.message))
    browser_page.goto(around.as_uri())

    second = browser_page.frame_locator("iframe").nth(1)
    browser_page.locator("main").evaluate("main => { main.hidden = false; }")
    expect(second.locator(".stage > .world").first).to_have_attribute("style", SCALED)
    # Every row of the table is in the frame.
    assert second.locator("html").evaluate("html => html.scrollHeight <= innerHeight")
    second.locator('.pane .card[data-key="n1"]').click()

    assert second.locator("aside .name").inner_text() == "Source: 流 <b>"
    assert browser_page.frame_locator("iframe").nth(0).locator(".picked").count() == 0
    assert wrong == []


def test_a_page_of_the_execution_graph_describes_subtasks_and_edges(
    browser_page: Page, tmp_path: Path
) -> None:
    graph = hostile_graph("<b>")
    wrong = opened(browser_page, graph, tmp_path, "execution")

    browser_page.locator('.pane .card[data-key="v1:1"]').click()
    expect(browser_page.locator("aside h2")).to_have_text("subtasks")
    expect(browser_page.locator("aside dd").first).to_have_text("2 of 2")
    expect(browser_page.locator(".box.highlighted")).to_have_attribute("data-key", "v1")
    browser_page.locator(".pane .stage").press("ArrowRight")

    expect(browser_page.locator("aside .outcome")).to_contain_text("Not chained")
    assert len(wrong) == 1


@pytest.mark.slow
def test_edges_lead_where_they_show_the_graphs_of_a_sample_larger() -> None:
    turned, heights = set(), {}
    for sample in samples():
        view = explorer.compile_graph(load_document(sample.path)).view
        down, drawn = draw_graphs(view), draw_largest(view, "both", SPACE)
        assert scale_in(SPACE, drawn) >= scale_in(SPACE, down)
        turned |= {sample.key} if arrangement(drawn) == "stacked" else set()
        heights[sample.key] = 12.5 * scale_in(SPACE, drawn)

    assert turned >= {"11-multi-input", "12-legacy-source-and-async"}
    assert {key: height for key, height in heights.items() if height < 10.5} == {}


def test_a_page_shows_both_graphs_whole_in_one_scale(browser_page: Page, tmp_path: Path) -> None:
    browser_page.set_viewport_size({"width": 1440, "height": 900})
    for key, way in (("11-multi-input", "stacked"), ("23-rules-and-late-orders", "side")):
        page = tmp_path / f"{key}.html"
        (sample,) = (sample for sample in samples() if sample.key == key)
        explorer.compile_graph(load_document(sample.path)).to_html(page)
        browser_page.goto(page.as_uri())
        expect(browser_page.locator("main")).to_have_class(way)
        expect(browser_page.locator(".stage > .world").last).to_have_attribute("style", SCALED)
        worlds = browser_page.locator(".stage > .world").all()
        scales = [SCALED.search(world.get_attribute("style") or "") for world in worlds]
        assert len({match and match[1] for match in scales}) == 1
        assert browser_page.evaluate(CUT) == []
