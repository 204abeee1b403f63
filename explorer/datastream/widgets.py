"""Creates a notebook's widget of a document or a compilation."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from explorer.documents import Program, as_document
from explorer.documents.lesson_files import lesson_file_of, read_lesson
from explorer.errors import ExplorerError
from explorer.extras import install_line

if TYPE_CHECKING:
    from explorer.datastream.widget import GraphWidget

NEEDED: Final = frozenset({"anywidget", "traitlets", "ipywidgets", "IPython"})
"""Modules that a widget needs; anywidget installs all of them."""


class MissingWidgetError(ExplorerError):
    """A package that a widget needs is not installed."""


def widget(
    document: Program,
    lesson: str | Path | None = None,
) -> "GraphWidget":
    """Both graphs in a notebook's cell, linked, and changed from the browser or from Python.

    A path or a mapping is loaded first; a compiled graph is shown for its own release. ``lesson``:
    the file of one; without it, the lesson next to the document's file, if there is one. Raises
    ``ExplorerError`` where there is no document, where it does not compile or is too large to draw,
    and where anywidget is not installed.
    """
    try:
        from explorer.datastream.widget import GraphWidget
    except ModuleNotFoundError as error:
        if error.name not in NEEDED:
            raise
        msg = (
            f"a widget needs the package {error.name}, which is not installed: "
            f"{install_line('notebook')}"
        )
        raise MissingWidgetError(msg) from None
    if isinstance(document, str | Path) and lesson is None:
        lesson = lesson_file_of(Path(document))
    taught = None if lesson is None else read_lesson(Path(lesson))
    return GraphWidget(as_document(document), taught)
