"""The files that a trial can read: the samples' own, and those that a user adds for this visit."""

import re
import shutil
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.server.hosting import hosting
from components.session import editing, places, session, visits
from components.session.callbacks import with_widget_value
from components.session.keys import Key
from components.widgets import complaint
from components.widgets.escaping import markup, plain
from components.widgets.pieces import hint
from explorer.documents import sample_data
from explorer.documents.checks.row_checks import format_of_path
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.columns import columns_of
from explorer.engine.spark import workspace
from explorer.flink.kinds import KINDS
from explorer.model.row_type import SchemaError, parse_schema
from explorer.wording import quoted

PLACE: Final = "data"
"""The place of messages about files."""
MOST_SOURCES: Final = 8
"""Sources that a file is offered to."""
_NAME: Final = re.compile(r"\w[\w. -]{0,99}")


class Folder:
    """A folder of a visit's own; it goes when the visit does."""

    def __init__(self) -> None:
        self.path = workspace.make("data")
        for file in sample_data().iterdir():
            if is_input(file):
                shutil.copy(file, self.path)
        self.added: dict[str, int] = {}
        """By name, the size of each file that was added."""
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def folder() -> Path:
    """Return the folder in which a trial of this session reads files."""
    stored_folder = visits.stored(Key.DATA, Folder)
    return sample_data() if stored_folder is None else stored_folder.path


def is_input(file: Path) -> bool:
    """Whether a source may read a file; the samples' README is not input."""
    return file.is_file() and file.name != "README.md"


def stamp() -> str:
    """Another text when another file is there, or another version of one."""
    pairs = ((file.name, file.stat()) for file in folder().iterdir() if is_input(file))
    return " ".join(
        sorted(
            f"{name}:{stat_result.st_size}:{stat_result.st_mtime_ns}" for name, stat_result in pairs
        )
    )


def names() -> list[str]:
    """Return the names of the input files."""
    return sorted(file.name for file in folder().iterdir() if is_input(file))


@with_widget_value
def add(files: Any) -> None:
    """Store the uploaded files; one that cannot be stored is named and discarded."""
    session.clear_messages(PLACE)
    for file in files or ():
        if problem := store(file):
            session.complain(PLACE, problem)
        _release(file)
    st.session_state[Key.DATA_ROUND] = _round() + 1


def store(file: Any) -> str:
    """Store an uploaded file for this visit; return why it cannot be, else an empty text."""
    folder, maximum = visits.stored(Key.DATA, Folder) or Folder(), hosting().data_bytes
    visits.store(Key.DATA, folder)
    name, size = Path(str(file.name)).name, int(file.size)
    total = sum(folder.added.values()) - folder.added.get(name, 0) + size
    if not maximum:
        return f"{quoted(name)} holds rows, and this page accepts no files of rows"
    if not _NAME.fullmatch(name):
        return f"{quoted(name)} is no plain file name; rename the file"
    if total > maximum:
        return f"{quoted(name)} does not fit: all files take {maximum >> 20} MB at most"
    (folder.path / name).write_bytes(file.getvalue())
    folder.added[name] = size
    return ""


def open_list() -> None:
    """Open the list of files in *Run*, which offers each file to the sources."""
    places.go(places.TRIAL)
    st.session_state[Key.DATA_FILES] = True


def _round() -> int:
    return int(st.session_state.get(Key.DATA_ROUND, 0))


def _release(file: Any) -> None:
    """Let Streamlit drop its own copy, which it would hold for as long as the session is there."""
    context = get_script_run_ctx()
    held_file_manager = None if context is None else context.uploaded_file_mgr
    if context is not None and isinstance(held_file_manager, MemoryUploadedFileManager):
        held_file_manager.remove_file(context.session_id, file.file_id)


def added() -> list[str]:
    """Return the names of the files that the user added."""
    own = visits.stored(Key.DATA, Folder)
    return [] if own is None else sorted(own.added)


def rows_of(name: str) -> dict[str, str] | str:
    """Return a file as the ``rows`` of a source, with its columns; else why it cannot be read."""
    return session.latest(f"rows of {name}", (name, stamp()), _read_rows)


def _read_rows(name: str, _stamp: str) -> dict[str, str] | str:
    ending = format_of_path(name)
    if ending is None:
        return f"{quoted(name)} has no ending that stands for a format: .csv, .jsonl, .txt, ..."
    rows = {"path": name, "format": ending}
    if ending == "text":
        return rows
    try:
        schema = str(columns_of(folder() / name, name, ending))
        parse_schema(schema)
    except SchemaError:
        return rows  # A name of a column that no schema can spell is read from the file itself.
    except SourceError as error:
        return str(error)
    return {**rows, "schema": schema}


def upload() -> None:
    """Draw the box that accepts files."""
    if hosting().data_bytes:
        key = session.widget(f"data{_round()}")
        st.file_uploader(
            "Add files (text, CSV, JSON lines, Parquet)",
            accept_multiple_files=True,
            key=key,
            on_change=add,
            args=(key,),
            max_upload_size=5,
        )
    complaint.show(PLACE)


def show() -> None:
    """Draw the button that lists the files, accepts more, and gives them to sources."""
    with st.popover("Data", key=Key.DATA_FILES, on_change="rerun"):
        listed = ", ".join(names())
        st.html(hint(f"A source reads these by <code>path</code>: {markup(listed)}"))
        upload()
        work = session.work()
        pipeline = work.document.pipeline if work else None
        sources = [
            transformation.id
            for transformation in (pipeline.transformations if pipeline else ())
            if "rows" in KINDS[transformation.type].fields
        ]
        for name in added():
            _offer(name, sources[:MOST_SOURCES])


def _offer(name: str, sources: Sequence[str]) -> None:
    """Draw a file's columns, and a button for each source that can read it."""
    rows = rows_of(name)
    if isinstance(rows, str):
        complaint.say(rows)
        return
    columns = rows.get("schema", "line STRING")
    st.html(hint(f"<b>{markup(name)}</b>: {markup(columns, 300)}"))
    for source in sources:
        st.button(
            plain(f"Use {name} in source {source}", 80),
            key=f"use.{name}.{source}",
            on_click=editing.set_rows,
            args=(source, rows, PLACE),
        )
