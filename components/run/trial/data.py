"""The files that a trial can read: the samples' own, and those that a user adds for this visit."""

import re
import shutil
import weakref
from pathlib import Path
from typing import Any, Final

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.server.hosting import hosting
from components.session import session, visits
from components.session.callbacks import entered
from components.session.keys import Key
from components.widgets import complaint
from components.widgets.escaping import markup
from components.widgets.pieces import hint
from explorer.documents import sample_data
from explorer.engine.spark import workspace
from explorer.wording import quoted

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
    own_folder = visits.stored(Key.DATA, Folder)
    return sample_data() if own_folder is None else own_folder.path


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


@entered
def add(files: Any) -> None:
    """Store the uploaded files; one that cannot be stored is named and discarded."""
    session.clear_messages("data")
    own_folder, maximum = visits.stored(Key.DATA, Folder) or Folder(), hosting().data_bytes
    visits.store(Key.DATA, own_folder)
    for file in files or ():
        name, size = Path(str(file.name)).name, int(file.size)
        total = sum(own_folder.added.values()) - own_folder.added.get(name, 0) + size
        if not _NAME.fullmatch(name):
            session.complain("data", f"{quoted(name)} is no plain file name; rename the file")
        elif total > maximum:
            allowed = f"all files take {maximum >> 20} MB at most"
            session.complain("data", f"{quoted(name)} does not fit: {allowed}")
        else:
            (own_folder.path / name).write_bytes(file.getvalue())
            own_folder.added[name] = size
        _release(file)
    st.session_state[Key.DATA_ROUND] = _round() + 1


def _round() -> int:
    return int(st.session_state.get(Key.DATA_ROUND, 0))


def _release(file: Any) -> None:
    """Let Streamlit drop its own copy, which it would hold for as long as the session is there."""
    context = get_script_run_ctx()
    held_file_manager = None if context is None else context.uploaded_file_mgr
    if context is not None and isinstance(held_file_manager, MemoryUploadedFileManager):
        held_file_manager.remove_file(context.session_id, file.file_id)


def show() -> None:
    """Draw the button that lists the files and accepts more."""
    with st.popover("Data", key="data-files"):
        listed = ", ".join(names())
        st.html(hint(f"A source reads these by <code>path</code>: {markup(listed)}"))
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
        complaint.show("data")
