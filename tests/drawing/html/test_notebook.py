"""What a notebook is given: three forms of the same, none of which needs anything."""

from html import unescape
from xml.etree import ElementTree as ET

import explorer
from explorer.drawing.html.notebook import LARGE
from tests.drawn_graphs import HOSTILE, hostile_graph
from tests.many_cases import for_each


@for_each("name", HOSTILE)
def test_the_text_is_a_table_with_a_line_for_each_operator(name: str) -> None:
    graph = hostile_graph(name)

    head, columns, *rows = str(graph).split("\n")

    assert head.endswith("Flink 1.20 · 5 operators · 3 tasks · 4 slots")
    assert columns.startswith("node ID  operator")
    assert len(rows) == len(graph.view.nodes)
    assert all(node.hash in row for node, row in zip(graph.view.nodes, rows, strict=True))


def test_the_bundle_holds_text_drawing_and_page() -> None:
    graph = hostile_graph('say "hi" <b>')

    bundle = graph._repr_mimebundle_(include=None, exclude=None)

    assert list(bundle) == ["text/plain", "image/svg+xml", "text/html"]
    assert bundle["text/plain"] == str(graph)
    assert bundle["image/svg+xml"] == graph.to_svg()
    frame = ET.fromstring(bundle["text/html"])  # noqa: S314 - our own text
    assert frame.tag == "iframe"
    assert frame.attrib["sandbox"] == "allow-scripts"
    assert frame.attrib["srcdoc"].split() == graph.to_html().split()
    assert "<b>" not in bundle["text/html"]
    assert unescape(frame.attrib["title"]) == 'say "hi" <b>'


def test_chains_of_a_large_graph_are_folded() -> None:
    env = explorer.environment("large")
    stream = env.source()
    for _ in range(LARGE + 1):
        stream = stream.map()
    bundle = env.compile()._repr_mimebundle_()

    assert bundle["image/svg+xml"].count('class="card') == 2
    assert len(bundle["text/plain"].split("\n")) == LARGE + 2 + 2
