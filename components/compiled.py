"""The page's compilations: the only module of the page that calls the compiler.

A document becomes a compilation with its view, or the sentence that says why not.
"""

from contextlib import AbstractContextManager

import msgspec

from components.hosting import hosting
from explorer.documents import Document
from explorer.drawing.elements import GraphView
from explorer.drawing.graph_view import graph_view
from explorer.errors import ExplorerError, FlinkRefusalError
from explorer.flink.compiler import Compilation, compile_graph
from explorer.flink.edge_limit import edges_limited


class Compiled(msgspec.Struct, frozen=True, kw_only=True):
    """Either a compilation with its view, or an error."""

    compilation: Compilation | None = None
    view: GraphView | None = None
    error: str = ""
    blamed: tuple[str, ...] = ()
    """Ids of the transformations that the error speaks of."""


def page_edges() -> AbstractContextManager[None]:
    """Lower the edge limit to this page's, for every compilation within.

    ``components.guard`` does so around all that Streamlit calls: a baseline, a lesson and *Find ID*
    compile, too, under other releases.
    """
    return edges_limited(hosting().edges)


def traced(document: Document, version: str | None = None) -> Compilation:
    """Compile with the steps of hashing and chaining; raises ``ExplorerError``."""
    with page_edges():
        return compile_graph(document, version, trace=True)


def compile_document(document: Document, before: Compiled | None = None) -> Compiled:
    """Compile, and look everything up once; what is the same as ``before`` is the same object."""
    old = before or Compiled()
    try:
        with page_edges():
            done = compile_graph(document, before=old.compilation)
    except FlinkRefusalError as error:
        return Compiled(error=str(error), blamed=error.transformations)
    except ExplorerError as error:
        return Compiled(error=str(error))
    view = graph_view(done)
    return Compiled(compilation=done, view=old.view if view == old.view else view)
