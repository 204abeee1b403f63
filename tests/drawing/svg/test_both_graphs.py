"""SVG: well-formed, nothing but drawing in it, complete, and its own."""

import re
from collections import Counter
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer
from explorer import CompiledGraph
from explorer.drawing.svg.svg_style import Theme, style_sheet
from explorer.drawing.view.one_line import shortened
from explorer.errors import ExplorerError
from explorer.model.pipeline import Pipeline
from tests.drawing.drawn import folded_cards
from tests.drawn_graphs import HOSTILE, hostile_graph
from tests.many_cases import for_each
from tests.strategies import pipelines

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {SVG + name for name in ("svg", "title", "style", "rect", "path", "g", "text")}
ATTRIBUTES = {
    *("class", "width", "height", "viewBox", "role", "rx", "x", "y", "d"),
    *("transform", "text-anchor", "data-key"),
    *("data-card", "data-name", "data-chain", "data-edge-label", "data-badge"),
}
ADDRESSES = re.compile(r"https?:|url\(|@import|javascript:", re.IGNORECASE)


def parsed(svg: str) -> ET.Element:
    """The drawing; fails where it is not well-formed or holds what a drawing does not."""
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    for element in root.iter():
        assert element.tag in ELEMENTS
        assert set(element.attrib) <= ATTRIBUTES
    style = root.find(SVG + "style")
    assert style is not None
    assert not ADDRESSES.search(style.text or "")
    return root


def keys(root: ET.Element) -> Counter[str]:
    parts = (element for element in root.iter(SVG + "g") if element.get("class") != "label")
    return Counter(element.attrib["data-key"] for element in parts if "data-key" in element.attrib)


def check(graph: CompiledGraph, svg: str) -> None:
    view, root = graph.view, parsed(svg)
    wanted = Counter(vertex.key for vertex in view.vertices)
    wanted += wanted + Counter(node.key for node in view.nodes)
    wanted += Counter(edge.key for edge in view.edges) + Counter(e.key for e in view.job_edges)
    assert keys(root) == wanted
    titles = {element.text for element in root.iter(SVG + "title")}
    for node in view.nodes:
        title = f"{node.title} ({node.default_name})" if node.default_name else node.name
        assert f"{shortened(title)}\n{node.hash}" in titles
    words = [element.text for element in root.iter(SVG + "text")]
    assert {vertex.id for vertex in view.vertices} <= set(words)


@pytest.mark.slow
@for_each("name", HOSTILE)
def test_hostile_names_stay_names(name: str) -> None:
    graph = hostile_graph(name)

    check(graph, graph.to_svg())


@given(st.booleans().flatmap(lambda loops: pipelines(max_size=8, iterations=loops)))
def test_every_pipeline_has_a_drawing(pipeline: Pipeline) -> None:
    graph = explorer.compile_graph(pipeline)

    check(graph, graph.to_svg())


def test_the_same_graph_gives_the_same_drawing() -> None:
    graph = hostile_graph("yes")

    assert explorer.compile_graph(graph.pipeline or {}, "1.20").to_svg() == graph.to_svg()


def test_every_rule_of_style_holds_for_this_drawing_alone() -> None:
    one, other = hostile_graph("yes").to_svg(), hostile_graph("null").to_svg()
    own, others = parsed(one).attrib["class"], parsed(other).attrib["class"]

    assert own != others
    rules = re.sub(r"@media[^{]*\{", "", one.split("<style>")[1].split("</style>")[0])
    selectors = re.findall(r"([^{}]+)\{[^}]*\}", rules)
    assert selectors
    for selector in selectors:
        assert all(each.strip().startswith(f".{own} ") for each in selector.split(","))


def test_no_id_refers_to_the_page_around_it() -> None:
    assert " id=" not in hostile_graph("yes").to_svg()


def test_one_graph_can_be_drawn_alone_and_chains_folded() -> None:
    graph = hostile_graph("yes")
    view = graph.view

    stream, job = parsed(graph.to_svg("stream")), parsed(graph.to_svg("job"))
    folded = parsed(graph.to_svg("stream", folded=True))

    assert set(keys(stream)) & {node.key for node in view.nodes}
    assert not set(keys(stream)) & {edge.key for edge in view.job_edges}
    assert set(keys(job)) == {v.key for v in view.vertices} | {e.key for e in view.job_edges}
    cut = {edge.key for edge in view.edges if not edge.chained}
    assert set(keys(folded)) == folded_cards(view) | cut


def test_edges_lead_to_the_right_in_graphs_one_above_the_other() -> None:
    graph = hostile_graph("yes")
    down, right = graph.to_svg(), graph.to_svg(direction="right")

    check(graph, right)
    (width, height), (wider, lower) = (
        (float(root.attrib["width"]), float(root.attrib["height"]))
        for root in map(parsed, (down, right))
    )
    assert wider > width
    assert lower < height
    assert graph.to_svg("execution", direction="right") == graph.to_svg("execution")
    with pytest.raises(ExplorerError, match=r"up.*down.*right"):
        graph.to_svg(direction="up")  # type: ignore[arg-type]


def test_themes_differ_in_colours_alone() -> None:
    graph = hostile_graph("yes")
    auto, light, dark = (graph.to_svg(theme=theme) for theme in ("auto", "light", "dark"))

    assert "prefers-color-scheme" in auto
    assert "prefers-color-scheme" not in light + dark
    assert light != dark
    assert [part.split("</style>")[1] for part in (auto, light, dark)].count(
        auto.split("</style>")[1]
    ) == 3


def test_texts_of_cards_stay_within_their_cards() -> None:
    root = parsed(hostile_graph("m" * 500).to_svg(theme="light"))
    names = [
        element.text or "" for element in root.iter(SVG + "text") if element.get("class") == "name"
    ]

    assert names
    assert max(map(len, names)) < 25


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_no_highlight_removes_the_dashes_of_an_edge_that_is_not_chained(theme: Theme) -> None:
    rules = style_sheet("one", theme, highlighted=True).splitlines()
    dashed = [rule for rule in rules if "stroke-dasharray" in rule and ".route" in rule]

    assert dashed == [".one .cut .route{stroke-dasharray:6 4}"]


def test_an_operator_without_a_name_shows_its_id_and_flinks_default_name() -> None:
    transformations = [
        {"id": "orders", "type": "legacy_source"},
        {"id": "checked", "type": "map", "inputs": ["orders"], "name": "check"},
        {"id": "Print", "type": "sink", "inputs": ["checked"], "name": None},
    ]
    graph = explorer.compile_graph({"transformations": transformations})
    root = parsed(graph.to_svg("stream"))
    cards = [part for part in root.iter(SVG + "g") if part.get("data-card")]
    texts = [[text.text for text in card.iter(SVG + "text")] for card in cards]

    assert texts[0][:2] == ["orders", "Source: Custom Source"]
    assert texts[1][0] == "check"
    assert "check" not in texts[1][1:]
    assert texts[2][0] == "Print"
