"""The user's work: one immutable record, and the pure steps from one to the next.

A rerun may stop the script between two writes, so the page stores the whole record under one key
and replaces it as a whole.
"""

import msgspec

from components.session.outdated_widgets import REVISION
from explorer.documents import Document
from explorer.edits.history import History
from explorer.lookup.identity import Identity
from explorer.model.lesson import Lesson


class Work(msgspec.Struct, frozen=True, kw_only=True, weakref=True):
    """The current document, its origin, the selection, and earlier records."""

    document: Document
    opened: Document
    """As it was opened: what changes are measured from where the document holds no baseline."""
    origin: str
    """A sample's file name without its ending, an upload's name, or nothing for a new document."""
    serial: int = 0
    """Counts the documents opened, so that the drawing knows when to show the whole anew."""
    revision: int = 0
    """Counts the changes that no widget made. It is part of the widgets' keys: what a browser still
    reports of a widget after an undo then changes no value."""
    fresh: bool = False
    """Whether it began as the skeleton of a new pipeline, from which nothing is measured."""
    selection: str | None = None
    """An element's key, or ``t:`` and a transformation's id."""
    place: str = ""
    """Where the edit was made that Flink refuses to compile since; nothing where it compiles."""
    folded: bool | None = None
    """Whether each chain is drawn as one card; None leaves it to the graph's size."""
    folds: frozenset[Identity] = frozenset()
    """Chains, by an operator, that are exceptions from ``folded``."""
    alone: frozenset[Identity] = frozenset()
    """The operators that are drawn alone; none: all are drawn."""
    reach: tuple[int, int] = (0, 0)
    """Steps upstream and downstream of the selection that are highlighted; -1: all."""
    lesson: Lesson | None = None
    """The lesson that was uploaded for the original document."""
    history: History["Work"] = History()
    """Records that can be undone and redone; their own history is empty."""

    def widget(self, name: str) -> str:
        """Return the key of a widget that shows a part of this record."""
        return f"{name}{REVISION}{self.revision}"


def file_stem(work: Work) -> str:
    """A downloaded file's name without its ending: the sample's, the upload's or the document's."""
    name = work.origin.rsplit(".", 1)[0] or work.document.name
    return "".join(letter if letter.isalnum() or letter in "-_ " else "-" for letter in name[:80])


def opened(
    document: Document, origin: str, old_work: Work | None = None, *, fresh: bool = False
) -> Work:
    """Start on a document; undoing brings back the one before.

    A baseline stays: a document without one of its own is compared with the baseline at hand.
    """
    if old_work is None:
        return Work(document=document, opened=document, origin=origin, fresh=fresh)
    document = _with_baseline(document, old_work.document)
    return Work(
        document=document,
        opened=document,
        origin=origin,
        fresh=fresh,
        serial=old_work.serial + 1,
        revision=old_work.revision + 1,
        history=_changed(old_work),
    )


def _with_baseline(document: Document, old_document: Document) -> Document:
    """Keep the baseline of ``old_document``, and its release where the document names none."""
    if old_document.baseline is None or document.baseline is not None:
        return document
    if document.flink is None and old_document.flink is not None:
        document = document.under(old_document.flink)
    return document.with_baseline(old_document.baseline)


def edited(work: Work, document: Document, selection: str | None) -> Work:
    """Put an edited document in place of the one at hand."""
    if document == work.document:
        return work
    return msgspec.structs.replace(
        work, document=document, selection=selection, history=_changed(work)
    )


def replaced(work: Work, document: Document, selection: str | None) -> Work:
    """Adopt a document that was not made by the widgets, such as a fixed one."""
    new_work = edited(work, document, selection)
    return msgspec.structs.replace(new_work, revision=work.revision + 1)


def restored(work: Work, old_work: Work | None, *, adopt: bool = False) -> Work:
    """Adopt a link's record; the drawing stays in place if the document is the same.

    ``adopt``: compare a document without a baseline with the one at hand. An address that this
    session wrote, which the browser's history returns to, is adopted unchanged.
    """
    if old_work is None:
        return work
    document = _with_baseline(work.document, old_work.document) if adopt else work.document
    opened = document if work.opened == work.document else work.opened
    serial = old_work.serial + (opened != old_work.opened)
    revision = old_work.revision + 1
    return msgspec.structs.replace(
        work,
        document=document,
        opened=opened,
        serial=serial,
        revision=revision,
        history=_changed(old_work),
    )


def undone(work: Work) -> Work:
    """Undo the latest edit, if there is one."""
    if not work.history.past:
        return work
    earlier, history = work.history.undo(_bare(work))
    return msgspec.structs.replace(earlier, revision=work.revision + 1, history=history)


def redone(work: Work) -> Work:
    """Redo the last undone edit, if there is one."""
    if not work.history.future:
        return work
    later, history = work.history.redo(_bare(work))
    return msgspec.structs.replace(later, revision=work.revision + 1, history=history)


def with_lesson(work: Work, lesson: Lesson) -> Work:
    """Attach an uploaded lesson to the original document."""
    new_work = replaced(work, _with_baseline(work.opened, work.document), None)
    return msgspec.structs.replace(new_work, lesson=lesson, history=_changed(work))


def selected(work: Work, selection: str | None) -> Work:
    """Select an element; what was highlighted around another one no longer is."""
    reach = work.reach if selection == work.selection else (0, 0)
    return msgspec.structs.replace(work, selection=selection, reach=reach)


def _changed(work: Work) -> History[Work]:
    return work.history.changed(_bare(work))


def _bare(work: Work) -> Work:
    """Return the record without its history."""
    return msgspec.structs.replace(work, history=History())
