"""What became of a document: a compilation with its view, or the sentence that says why not."""

import msgspec

from components.hosting import hosting
from explorer.documents import Document
from explorer.drawing.elements import GraphView
from explorer.drawing.graph_view import graph_view
from explorer.errors import ExplorerError, FlinkRefusalError
from explorer.flink.compiler import Compilation, compile_graph


class Compiled(msgspec.Struct, frozen=True, kw_only=True):
    """Either a compilation with its view, or an error."""

    compilation: Compilation | None = None
    view: GraphView | None = None
    error: str = ""
    blamed: tuple[str, ...] = ()
    """Ids of the transformations that the error speaks of."""


def compile_document(document: Document, before: Compiled | None = None) -> Compiled:
    """Compile, and look everything up once; what is the same as ``before`` is the same object."""
    old = before or Compiled()
    try:
        done = compile_graph(document, before=old.compilation, most_edges=hosting().edges)
    except FlinkRefusalError as error:
        return Compiled(error=str(error), blamed=error.transformations)
    except ExplorerError as error:
        return Compiled(error=str(error))
    view = graph_view(done)
    return Compiled(compilation=done, view=old.view if view == old.view else view)
