"""Edges that are alike are drawn as one where they are many; every drawing stays small."""

from typing import Any

import pytest

import explorer
from explorer.drawing.html.notebook import MOST_EDGES
from explorer.drawing.html.page_facts import page_facts
from explorer.drawing.layout.blocks import job_pane, stream_pane
from explorer.drawing.view.elements import FEW, MOST_LINES, GraphView
from explorer.drawing.view.graph_view import graph_view
from tests.drawing.drawn import golden_views


def _step(id_: str, type_: str, *inputs: str, **fields: Any) -> dict[str, Any]:
    given = {"inputs": list(inputs)} if inputs else {}
    return {"id": id_, "type": type_, **given, **fields}


def _joined(streams: int) -> explorer.CompiledGraph:
    """A map that reads one source so many times over, and another source once."""
    steps = [
        _step("in", "source"),
        _step("side", "source"),
        _step("all", "union", *["in"] * streams),
    ]
    steps += [_step("both", "union", "all", "side"), _step("out", "sink", "both", parallelism=2)]
    return explorer.compile_graph({"transformations": steps}, "1.20")


def test_the_view_of_a_golden_pipeline_stays_as_it_is() -> None:
    views = [view for _, view in golden_views("classics")]

    assert len(views) > 50
    assert all(view.bundled is view for view in views)


@pytest.mark.parametrize(("streams", "drawn"), [(FEW, FEW + 1), (FEW + 1, 2), (1000, 2)])
def test_many_alike_are_drawn_as_one(streams: int, drawn: int) -> None:
    view = _joined(streams).view
    small = view.bundled

    assert (len(view.edges), len(small.edges), len(small.job_edges)) == (streams + 1, drawn, drawn)
    for edges in (small.edges, small.job_edges):
        assert sum(small.alike.get(edge.key, 1) for edge in edges) == streams + 1
    assert {edge.edge for edge in small.job_edges} == {edge.key for edge in small.edges}
    assert len(stream_pane(small, {}).lines) == len(job_pane(small, {}).lines) == drawn


def _crossed(width: int, parallelism: int) -> GraphView:
    """Each of as many sources with each of as many sinks."""
    sources = [_step(f"in {n}", "source") for n in range(width)]
    union = _step("all", "union", *(source["id"] for source in sources))
    sinks = [_step(f"out {n}", "sink", "all", parallelism=parallelism) for n in range(width)]
    return explorer.compile_graph({"transformations": [*sources, union, *sinks]}, "1.20").view


@pytest.mark.parametrize("parallelism", [1, 2])
def test_of_many_edges_the_first_of_each_operator_are_drawn(parallelism: int) -> None:
    view = _crossed(44, parallelism)
    small = view.bundled

    assert len(view.edges) == 44 * 44
    assert len(small.edges) == len(small.job_edges) == 44 + 43
    assert {edge.source for edge in small.edges} == {f"n{node.id}" for node in view.nodes[:44]}
    assert {edge.target for edge in small.edges} == {f"n{node.id}" for node in view.nodes[44:]}
    for edges in (small.edges, small.job_edges):
        assert sum(small.alike.get(edge.key, 1) for edge in edges) == 44 * 44


def test_of_fewer_edges_each_is_drawn() -> None:
    view = _crossed(24, 1)

    assert len(view.edges) < MOST_LINES
    assert view.bundled is view


def test_a_drawing_reports_how_many_edges_one_stands_for() -> None:
    graph = _joined(1234)

    assert "REBALANCE" in graph.to_svg()
    assert graph.to_svg().count("1,234 edges") >= 2
    assert len(graph.to_html()) < 100_000


def test_a_page_describes_the_edges_that_it_draws() -> None:
    graph = _joined(1000)
    parts = page_facts(graph, graph.view.bundled)["parts"]

    assert [key for key in parts if key.startswith("e")] == ["e0", "e1000"]


@pytest.mark.law
def test_a_notebook_of_a_million_edges_is_small() -> None:
    unions = [_step("u0", "union", "in", "in")]
    unions += [_step(f"u{n}", "union", *[f"u{n - 1}"] * 2) for n in range(1, 17)]
    steps = [_step("in", "source"), *unions, _step("out", "sink", "u16")]
    graph = explorer.compile_graph({"transformations": steps}, "1.20")
    bundle = graph._repr_mimebundle_()

    assert len(graph.view.edges) == 2**17
    assert sum(map(len, bundle.values())) < 200_000


@pytest.mark.slow
def test_a_notebook_shows_a_graph_of_too_many_edges_as_text() -> None:
    sinks = [_step(f"out {n}", "sink", "in") for n in range(MOST_EDGES + 1)]
    graph = explorer.compile_graph({"transformations": [_step("in", "source"), *sinks]}, "1.20")

    assert len(graph.view.edges) > MOST_EDGES
    assert list(graph._repr_mimebundle_()) == ["text/plain"]


def test_every_edge_can_still_be_found() -> None:
    view: GraphView = graph_view(_joined(100))

    assert len(view.bundled.edge_of) == len(view.edges)
