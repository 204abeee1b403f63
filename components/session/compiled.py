"""The page's compilations: the only module of the page that calls the compiler.

A document becomes a compilation with its view, or the sentence with the reason.
"""

from contextlib import AbstractContextManager
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from components.server.hosting import hosting
from explorer.documents import Document
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.graph_view import graph_view, keep_colours
from explorer.errors import ExplorerError, FlinkRefusalError
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.edge_limit import edges_limited


class CompileOutcome(msgspec.Struct, frozen=True, kw_only=True, weakref=True):
    """Either a compilation with its view, or an error."""

    document: Document | None = None
    compilation: Compilation | None = None
    view: GraphView | None = None
    error: str = ""
    blamed: tuple[str, ...] = ()
    """Ids of the transformations that the error names."""


_compiled: Final[WeakValueDictionary[int, CompileOutcome]] = WeakValueDictionary()
"""By ``id`` of the document, which each of them holds."""


def page_edges() -> AbstractContextManager[None]:
    """Lower the edge limit to this page's, for every compilation within.

    ``session.guard`` does so around all that Streamlit calls: a baseline, a lesson and *Find ID*
    compile, too, under other releases.
    """
    return edges_limited(hosting().edges)


def traced(document: Document, version: str | None = None) -> Compilation:
    """Compile with the steps of hashing and chaining; raises ``ExplorerError``."""
    with page_edges():
        return compile_program(document, version, trace=True)


def compile_document(
    document: Document, old_outcome: CompileOutcome | None = None
) -> CompileOutcome:
    """Compile a document, or return what another session compiled this very object to.

    What is equal in the result of ``old_outcome`` is the same object.
    """
    outcome = _compiled.get(id(document))
    if outcome is None:
        outcome = _compiled[id(document)] = _compile(document, old_outcome or CompileOutcome())
    return outcome


def _compile(document: Document, old: CompileOutcome) -> CompileOutcome:
    try:
        with page_edges():
            compilation = compile_program(document, previous=old.compilation)
    except FlinkRefusalError as error:
        return CompileOutcome(document=document, error=str(error), blamed=error.transformations)
    except ExplorerError as error:
        return CompileOutcome(document=document, error=str(error))
    view = graph_view(compilation)
    if old.view is not None and _is_edit(document, old):
        view = keep_colours(view, old.view)
    view = old.view if view == old.view else view
    return CompileOutcome(document=document, compilation=compilation, view=view)


def _is_edit(document: Document, old: CompileOutcome) -> bool:
    """Whether a document is another state of the program of ``old``, whose colours it keeps."""
    return old.document is not None and old.document.heading == document.heading
