"""Compilations to draw: the golden pipelines that release 1.20 accepts, and random ones."""

from functools import cache
from typing import Any

from explorer import compile_graph
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.graph_view import graph_view
from explorer.errors import ExplorerError
from tests.golden_files import cases

LINE: list[dict[str, Any]] = [
    {"id": "s", "type": "legacy_source", "parallelism": 1},
    {"id": "a", "type": "map", "inputs": ["s"]},
    {"id": "b", "type": "map", "inputs": ["a"]},
    {"id": "spread", "type": "rebalance", "inputs": ["b"]},
    {"id": "o", "type": "sink", "inputs": ["spread"]},
]
"""A source and two maps, and behind a rebalance a sink."""


@cache
def golden_views(name: str) -> tuple[tuple[str, GraphView], ...]:
    """The views of all pipelines of a golden file, by name; no drawing changes them."""
    views = []
    for case in cases(name):
        try:
            views.append((case["name"], graph_view(compile_graph(case["pipeline"], "1.20"))))
        except ExplorerError:
            continue
    return tuple(views)


def folded_cards(view: GraphView) -> set[str]:
    """Return the keys of all cards of a folded graph: a single operator's chain has its card."""
    return {vertex.key if len(vertex.nodes) > 1 else vertex.nodes[0] for vertex in view.vertices}


def view_of(*, parallelism: int = 2, **changed: object) -> GraphView:
    document = [{**each, **(changed if each["id"] == "b" else {})} for each in LINE]
    environment = {"parallelism": parallelism}
    return graph_view(
        compile_graph({"environment": environment, "transformations": document}, "1.20")
    )
