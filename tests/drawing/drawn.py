"""Compilations to draw: the golden pipelines that release 1.20 takes, and random ones."""

from functools import cache

from explorer import compile_graph
from explorer.drawing.elements import GraphView
from explorer.drawing.graph_view import graph_view
from explorer.errors import ExplorerError
from tests.golden_files import cases


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
