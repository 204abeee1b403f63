"""Callbacks of the page's widgets: each makes one edit of the user's work.

An edit returns a new record, or raises an error, which is shown at its widget until the next step.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

import msgspec
import streamlit as st

from components.session import session, shared
from components.session.guard import guarded, reported
from components.session.work import Work, edited, replaced
from explorer.documents import Document
from explorer.drawing.view.selection import matching_selection
from explorer.errors import ExplorerError

Step = Callable[[Work], Work]
P = ParamSpec("P")
ADDRESS: Final = ("link", "sample")
"""Places of messages about the address: a selection, as a lesson makes one, does not drop them."""
UPLOAD: Final = "upload"
"""The place of messages about a file that was to be opened."""
BASELINE: Final = "baseline"
"""The place of messages about the baseline."""
FILES: Final = (UPLOAD, BASELINE)
"""Places of messages about a file: they stay as long as their box shows the file."""


def with_widget_value(
    callback: Callable[Concatenate[Any, P], None],
) -> Callable[Concatenate[str, P], None]:
    """Let a callback be given a widget's key and read the widget's value.

    It is not called for a widget that is no more: after an undo or a selection, a browser may still
    report those that it had before.
    """

    @guarded
    @wraps(callback)
    def called(widget: str, /, *args: P.args, **kwargs: P.kwargs) -> None:
        if not session.is_outdated(widget):
            callback(st.session_state[widget], *args, **kwargs)

    return called


def attempt(place: str, step: Step) -> bool:
    """Make an edit; if it is refused, show the reason at ``place`` and change nothing."""
    old_work = session.work()
    if old_work is None:
        return False
    session.clear_refusals()
    try:
        new_work = step(old_work)
        if new_work.revision == old_work.revision:
            unchanged = new_work.document is old_work.document
            session.clear_messages(place, session.PAGE, *(() if unchanged else ADDRESS))
        else:
            session.clear_all_messages()
        session.put(new_work)
    except ExplorerError as error:
        session.complain(place, str(error), lasts=place in FILES)
        return False
    except Exception as error:  # noqa: BLE001 - a mistake of ours makes no step, and is reported
        session.complain(session.PAGE, reported(error))
        return False
    return True


def edited_with_selection(work: Work, document: Document, place: str = "") -> Work:
    """Return the edited record, with the selection carried over where the new document compiles.

    Where it does not, the record states at which ``place`` it was made so.
    """
    document = shared.equal_document(document)
    old, new = session.compiled(work.document), session.compiled(document)
    selection = work.selection
    if new.view is not None:
        selection = matching_selection(selection, old.view or session.last_view(work), new.view)
    cause = work.place if old.error == new.error else place
    new_work = edited(work, document, selection)
    return msgspec.structs.replace(new_work, place=cause if new.error else "")


def with_document(work: Work, document: Document) -> Work:
    """Replace the document by one that no widget made, and carry the selection over."""
    new_work = edited_with_selection(work, document)
    return replaced(work, new_work.document, new_work.selection)
