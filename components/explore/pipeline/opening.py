"""A file from the user, opened as what it is: a document, plan or lesson, a savepoint, or rows."""

from typing import Any

from components.deploy import baselines
from components.run.trial import data
from components.session import actions, places, session
from components.session.callbacks import UPLOAD, with_widget_value
from explorer.documents.checks.row_checks import format_of_path
from explorer.wording import quoted


@with_widget_value
def open_file(file: Any) -> None:
    """Open an uploaded file; a savepoint becomes the baseline, rows are offered to the sources.

    A file with the ending of rows may still be a document, such as a plan that ``flink info`` wrote
    into a text file.
    """
    session.clear_messages(UPLOAD)
    if file is None:
        return
    content, name = file.getvalue(), str(file.name)
    if baselines.is_savepoint(content, name):
        if baselines.take(content, name, place=UPLOAD):
            places.go(places.RESTORE)
    elif not actions.open_document(content, name) and format_of_path(name):
        _add_rows(file)


def _add_rows(file: Any) -> None:
    """Add a file of rows; an empty pipeline offers to begin with it, another one to read it."""
    work = session.work()
    pipeline = work.document.pipeline if work else None
    if pipeline is None:
        problem = f"{quoted(str(file.name))} holds rows, which only the sources of a pipeline read"
    else:
        problem = data.store(file)
    if problem:
        session.complain(UPLOAD, problem)
        return
    session.clear_messages(UPLOAD)
    if pipeline is not None and pipeline.transformations:
        data.open_list()
