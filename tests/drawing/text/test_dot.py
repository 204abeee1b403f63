"""DOT: the text is one that Graphviz reads, and every name comes out as it went in."""

from hypothesis import given
from hypothesis import strategies as st

import explorer
from explorer.drawing.svg.execution_pane import execution_pane
from explorer.drawing.text.dot import job_dot, stream_dot
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.one_line import shortened
from explorer.model.pipeline import Pipeline
from tests.drawn_graphs import HOSTILE, dot_label, dot_tokens, hostile_graph
from tests.many_cases import for_each
from tests.strategies import pipelines


def labels(text: str) -> dict[str, str]:
    """By node, what Graphviz shows."""
    words = [word for _, word in dot_tokens(text)]
    assert words.count("{") == words.count("}")
    return {
        words[at - 2]: dot_label(words[at + 2])
        for at, word in enumerate(words)
        if word == "label" and words[at - 1] == "[" and words[at - 3] != "->"
    }


def width(parallelism: int) -> str:
    """A batch job's parallelism may be left to the scheduler."""
    return "×auto" if parallelism == -1 else f"×{parallelism}"


def check(view: GraphView) -> None:
    assert labels(stream_dot(view)) == {
        node.key.replace("-", "_"): f"{shortened(node.name)} {width(node.parallelism)}"
        for node in view.nodes
    }
    assert labels(job_dot(view)) == {
        vertex.key: f"{shortened(vertex.name)} {width(vertex.parallelism)}"
        for vertex in view.vertices
    }


@for_each("name", HOSTILE)
def test_hostile_names_stay_names(name: str) -> None:
    check(hostile_graph(name).view)


@given(st.booleans().flatmap(lambda loops: pipelines(max_size=8, iterations=loops)))
def test_every_pipeline_has_a_digraph(pipeline: Pipeline) -> None:
    check(explorer.compile_graph(pipeline).view)


def test_edges_are_those_of_the_graph() -> None:
    graph = hostile_graph("yes")
    words = [word for _, word in dot_tokens(graph.to_dot())]

    arrows = {(words[at - 1], words[at + 1]) for at, word in enumerate(words) if word == "->"}
    assert arrows == {(edge.source, edge.target) for edge in graph.view.edges}


def named(key: str) -> str:
    return key.replace(":", "_")


@for_each("name", HOSTILE)
def test_the_execution_graph_has_a_box_a_card_and_an_edge_a_line(name: str) -> None:
    graph = hostile_graph(name)
    laid = execution_pane(graph, graph.view)
    text = graph.to_dot("execution")
    words = [word for _, word in dot_tokens(text)]

    arrows = [(words[at - 1], words[at + 1]) for at, word in enumerate(words) if word == "->"]
    assert arrows == [tuple(map(named, laid.ends[line.key])) for line in laid.pane.lines]
    assert labels(text).keys() == set(map(named, laid.cards))
