"""Packs the whole state into the page's address, and reads it from there.

The document with its baseline, the original one, an uploaded lesson, the selection, what is shown
alone, folded and highlighted around it, as compressed JSON. A link longer than proxies let
through is not made; the page then offers the document as a file.
"""

import json
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from components.session import shared
from components.session.work import Work
from explorer.documents import Document, document_values
from explorer.documents.lesson_files import to_lesson
from explorer.documents.text.link_text import (
    DAMAGED,
    compact_json,
    pack_json,
    pack_link,
    unpack_link,
)
from explorer.errors import DocumentError
from explorer.lookup.identity import Identity

PARAMETER: Final = "s"
OTHER: Final = "state"
"""The same by another name; a page that opened it goes on under ``PARAMETER``."""
HELD: Final = "held"
"""In the address of a state that is too large for it: the browser's tab holds that state."""
LONGEST_HELD: Final = 3_000_000
"""Characters of a state's text that a tab holds; browsers grant a page some five million."""
LONGEST: Final = 6 * 1024
"""Characters of the link's text; many proxies stop at 8 KB for the whole address."""
_Steps: TypeAlias = Annotated[int, msgspec.Meta(ge=-1)]
"""Of a path; -1: to its end."""
LARGEST: Final = 2_000
"""Documents of more parts are not even tried: they would not fit."""


class _Shown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is drawn of the graphs, as a record of work has it; sets are lists, in one order."""

    folded: bool | None = None
    folds: tuple[Identity, ...] = ()
    alone: tuple[Identity, ...] = ()
    reach: tuple[_Steps, _Steps] = msgspec.field(default=(0, 0), name="walk")


def documents_json(document: Document, opened: Document, origin: str) -> str:
    """Return the members of a state that a selection leaves as they are, as JSON."""
    members = {"document": document_values(document), "origin": origin}
    if opened != document:
        members["opened"] = document_values(opened)
    return compact_json(members)[1:-1]


def to_link(work: Work, documents: str | None = None) -> str | None:
    """Return the state as text for the address; None where it does not fit.

    ``documents``: what ``documents_json`` made of it before.
    """
    if work.document.parts > LARGEST or work.opened.parts > LARGEST:
        return None
    documents = documents or documents_json(work.document, work.opened, work.origin)
    # Many operators that are shown alone may be too many; all of them are shown then.
    state = _other_members(work)
    link = _within(LONGEST, _packed(documents, state, 9))
    if link is None and state.pop("shown", None):
        return _within(LONGEST, _packed(documents, state, 9))
    return link


def to_playground(document: Document) -> str | None:
    """Return the document as a playground's address has it, after ``#``; None where it is large.

    A fragment reaches no proxy, so it may be longer than a link.
    """
    if document.parts > LARGEST:
        return None
    return f"#{PARAMETER}={pack_link({'document': document_values(document)})}"


def to_held(work: Work, documents: str | None = None) -> str | None:
    """Return the state as text for ``sessionStorage`` of the browser's tab."""
    documents = documents or documents_json(work.document, work.opened, work.origin)
    return _within(LONGEST_HELD, _packed(documents, _other_members(work), 1))


def _packed(documents: str, state: dict[str, Any], level: int) -> str:
    members = ",".join(filter(None, (documents, compact_json(state)[1:-1])))
    return pack_json(f"{{{members}}}", level)


def _within(longest: int, text: str) -> str | None:
    return text if len(text) <= longest else None


def _other_members(work: Work) -> dict[str, Any]:
    """Return the members of the state beside its documents."""
    shown = msgspec.to_builtins(_read_shown(work))
    state: dict[str, Any] = {}
    if work.fresh:
        state["fresh"] = True
    if work.lesson is not None:
        state["lesson"] = msgspec.to_builtins(work.lesson)
    if work.selection is not None:
        state["selection"] = work.selection
    return state | ({"shown": shown} if shown else {})


def _read_shown(work: Work) -> _Shown:
    return _Shown(
        folded=work.folded,
        folds=tuple(sorted(work.folds, key=str)),
        alone=tuple(sorted(work.alone, key=str)),
        reach=work.reach,
    )


def from_link(text: str) -> Work:
    """Return the state that a link holds; raise ``DocumentError`` where it holds none.

    Nothing in a link is trusted: its document goes through the same checks as an upload.
    """
    state = unpack_link(text)
    document = _document(state.get("document"))
    try:
        shown = msgspec.convert(state.get("shown", {}), _Shown)
    except msgspec.ValidationError:
        raise DocumentError(path="", problem=DAMAGED) from None
    selection, origin = state.get("selection"), state.get("origin")
    return Work(
        document=document,
        opened=_document(state["opened"]) if "opened" in state else document,
        origin=origin if isinstance(origin, str) else "",
        fresh=state.get("fresh") is True,
        lesson=to_lesson(state["lesson"]) if "lesson" in state else None,
        selection=selection if isinstance(selection, str) else None,
        folded=shown.folded,
        folds=frozenset(shown.folds),
        alone=frozenset(shown.alone),
        reach=shown.reach,
    )


def _document(values: object) -> Document:
    return shared.parse(json.dumps(values).encode(), "link.json")
