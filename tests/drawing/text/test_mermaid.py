"""Mermaid: every line is one that its grammar has, and every name comes out as it went in."""

import re

from hypothesis import given
from hypothesis import strategies as st

import explorer
from explorer.drawing.svg.execution_pane import execution_pane
from explorer.drawing.text.mermaid import job_mermaid, stream_mermaid
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.one_line import shortened
from explorer.model.pipeline import Pipeline
from tests.drawn_graphs import HOSTILE, hostile_graph
from tests.many_cases import for_each
from tests.strategies import pipelines

_LABEL = r'"(?P<label>(?:[^"`#<>&;]|#\d+;)*)"'
_NODE = re.compile(rf" +(?P<id>[nv]_?\d+(?:_\d+)?)\[{_LABEL}\]")
_LINES = (
    re.compile("flowchart TD"),
    _NODE,
    re.compile(rf"  subgraph v\d+\[{_LABEL}\]"),
    re.compile("  end"),
    re.compile(r"  style v\d+ [\w:#,. -]+"),
    re.compile(r"  linkStyle \d+(?:,\d+)* stroke:#[0-9a-f]{6}"),
    re.compile(rf"  [nv]_?[\d_]+ (?:-->|(?:-->|-\.->)\|{_LABEL}\|) [nv]_?[\d_]+"),
)


def shown(label: str) -> str:
    return re.sub(r"#(\d+);", lambda match: chr(int(match[1])), label)


def labels(text: str) -> dict[str, str]:
    """By node, what Mermaid shows; fails where a line is none of Mermaid's."""
    for line in text.removesuffix("\n").split("\n"):
        assert any(form.fullmatch(line) for form in _LINES), line
    found = (_NODE.fullmatch(line) for line in text.split("\n"))
    return {match["id"]: shown(match["label"]) for match in found if match}


def width(parallelism: int) -> str:
    """A batch job's parallelism may be left to the scheduler."""
    return "×auto" if parallelism == -1 else f"×{parallelism}"


def check(view: GraphView) -> None:
    assert labels(stream_mermaid(view)) == {
        node.key.replace("-", "_"): f"{shortened(node.name)} {width(node.parallelism)}"
        for node in view.nodes
    }
    assert labels(job_mermaid(view)) == {
        vertex.key: f"{shortened(vertex.name)} {width(vertex.parallelism)}"
        for vertex in view.vertices
    }


@for_each("name", HOSTILE)
def test_hostile_names_stay_names(name: str) -> None:
    check(hostile_graph(name).view)


@given(st.booleans().flatmap(lambda loops: pipelines(max_size=8, iterations=loops)))
def test_every_pipeline_has_a_flowchart(pipeline: Pipeline) -> None:
    check(explorer.compile_graph(pipeline).view)


def test_streams_that_cross_tasks_are_dotted_and_red() -> None:
    text = hostile_graph("yes").to_mermaid()

    dotted = [line for line in text.split("\n") if ".->" in line]
    (style,) = [line for line in text.split("\n") if "linkStyle" in line]
    assert len(dotted) == style.split()[1].count(",") + 1 == 2
    assert '  n1 -.->|"FORWARD · slot sharing group yes / yes too"| n2' in dotted


@for_each("name", HOSTILE)
def test_the_execution_graph_has_a_box_a_card_and_an_edge_a_line(name: str) -> None:
    graph = hostile_graph(name)
    laid = execution_pane(graph, graph.view)
    text = graph.to_mermaid("execution").replace("<br/>", " ")

    assert len(labels(text)) == len(laid.cards)
    assert text.count(" -->") == len(laid.pane.lines)
