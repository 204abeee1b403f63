"""Which files can a trial read? The samples' own, and those that a person adds for this session."""

import re
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any, Final

import streamlit as st

from components import complaint, session
from components.callbacks import entered
from components.escaping import markup
from components.keys import Key
from components.pieces import hint
from explorer.documents import sample_data

MOST: Final = 50 * 1024 * 1024
"""Bytes of all files that a session adds."""
_NAME: Final = re.compile(r"\w[\w. -]{0,99}")


class Folder:
    """A folder of a session's own; it goes when the session does."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="explorer-data-"))
        for file in sample_data().iterdir():
            if is_input(file):
                shutil.copy(file, self.path)
        self.added: dict[str, int] = {}
        """By name, the size of each file that was added."""
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def folder() -> Path:
    """Where a trial of this session looks for files."""
    own = st.session_state.get(Key.DATA)
    return own.path if isinstance(own, Folder) else sample_data()


def is_input(file: Path) -> bool:
    """Whether a file is there to be read by a source; the samples' own README is not."""
    return file.is_file() and file.name != "README.md"


def stamp() -> str:
    """Another text when another file is there, or another version of one."""
    found = ((file.name, file.stat()) for file in folder().iterdir() if is_input(file))
    return " ".join(sorted(f"{name}:{now.st_size}:{now.st_mtime_ns}" for name, now in found))


def names() -> list[str]:
    """The files that there are."""
    return sorted(file.name for file in folder().iterdir() if is_input(file))


@entered
def add(files: Any) -> None:
    """Keep the uploaded files; one that cannot be kept is named."""
    session.content("data")
    own = st.session_state.setdefault(Key.DATA, Folder())
    for file in files or ():
        name, size = Path(str(file.name)).name, int(file.size)
        total = sum(own.added.values()) - own.added.get(name, 0) + size
        if not _NAME.fullmatch(name):
            session.complain("data", f"{name!r} is no plain file name; rename the file")
        elif total > MOST:
            session.complain("data", f"{name!r} does not fit: all files take 50 MB at most")
        else:
            (own.path / name).write_bytes(file.getvalue())
            own.added[name] = size


def show() -> None:
    """Draw the button that lists the files and takes more."""
    with st.popover("Data", key="data-files"):
        listed = ", ".join(names())
        st.html(hint(f"A source reads these by <code>path</code>: {markup(listed)}"))
        key = session.widget("data")
        st.file_uploader(
            "Add files (text, CSV, JSON lines, Parquet)",
            accept_multiple_files=True,
            key=key,
            on_change=add,
            args=(key,),
            max_upload_size=5,
        )
        complaint.show("data")
