"""The page's compilations: the only module of the page that calls the compiler.

A document becomes a compilation with its view, or the sentence with the reason.
"""

import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

import msgspec

from components.server.hosting import MB, hosting
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


class RecentOutcome(NamedTuple):
    """An outcome that a session left lately."""

    outcome: CompileOutcome
    owner: str
    answers: Sequence[object] = ()
    """What its session had made of it."""

    @property
    def bytes_held(self) -> int:
        """About how many bytes it holds."""
        return outcome_bytes(self.outcome) * (_WITH_ANSWERS if self.answers else 1)


class RecentOutcomes:
    """The outcomes that sessions left lately, with what was made of them.

    So undo, and a switch that is turned back, make nothing again. They are bounded by bytes. Beyond
    them, the owner of most of them gives up its oldest: one visitor never takes the share of
    another.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._recent: OrderedDict[int, RecentOutcome] = OrderedDict()
        """By ``id`` of the outcome; the latest last."""
        self._by_owner: Counter[str] = Counter()
        """Bytes."""

    def retain(self, outcome: CompileOutcome, owner: str) -> None:
        """Retain an outcome that the session of an owner shows no longer."""
        with self._lock:
            self._put(RecentOutcome(outcome, owner))

    def add_answers(self, document: Document | None, answers: Sequence[object]) -> None:
        """Retain what a session had made of a document, as long as the document's outcome.

        Those of a large one would cost all others their place, and are dropped.
        """
        outcome = _compiled.get(id(document))
        with self._lock:
            recent = self._recent.get(id(outcome))
            recent = recent and recent._replace(answers=answers)
            if recent is not None and recent.bytes_held <= self._most_bytes / 2:
                self._put(recent)

    def clear(self) -> None:
        """Drop all."""
        with self._lock:
            self._recent.clear()
            self._by_owner.clear()

    def bytes_retained(self) -> int:
        """Return the bytes of all outcomes together."""
        return self._by_owner.total()

    def outcomes(self) -> tuple[RecentOutcome, ...]:
        """Return all outcomes, the latest last."""
        return tuple(self._recent.values())

    def _put(self, recent: RecentOutcome) -> None:
        key = id(recent.outcome)
        self._drop(key)
        self._recent[key] = recent
        self._by_owner[recent.owner] += recent.bytes_held
        while self.bytes_retained() > self._most_bytes:
            largest, _ = self._by_owner.most_common(1)[0]
            self._drop(next(key for key, item in self._recent.items() if item.owner == largest))

    def _drop(self, key: int) -> None:
        if (recent := self._recent.pop(key, None)) is not None:
            self._by_owner[recent.owner] -= recent.bytes_held
            self._by_owner += Counter()  # only owners with a positive number stay


def outcome_bytes(outcome: CompileOutcome) -> int:
    """Return about how many bytes an outcome holds: each is looked at as if it shared nothing."""
    graph = outcome.compilation.stream_graph if outcome.compilation else None
    elements = len(graph.nodes) + len(graph.edges) if graph else 0
    parts = outcome.document.parts if outcome.document else 0
    return _OUTCOME_BYTES + _ELEMENT_BYTES * (elements + parts)


_OUTCOME_BYTES: Final = 16 * 1024
_ELEMENT_BYTES: Final = 2 * 1024
_WITH_ANSWERS: Final = 3
"""How many times its own bytes an outcome holds with the drawing, verdict and findings of it."""
RECENT: Final = RecentOutcomes(12 * MB)
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
