"""Retains files to download until the browser has requested them.

Streamlit creates such a file when its button is clicked, and deletes it at the end of the second
script run after that, of any visitor: on a busy server the browser would get status 404. It also
derives the ID of a file above 1 MiB from its ends and its middle alone, so that two files can share
an ID. ``components.serve`` replaces Streamlit's store by ``RetainedDownloads``.
"""

import hashlib
from collections import OrderedDict
from typing import Final

from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_media_file_storage import MemoryFile, MemoryMediaFileStorage

from components.server.hosting import MB

MOST_BYTES: Final = 64 * MB
"""Limit of the deleted files that are retained; the latest is retained whatever its size."""


class RetainedDownloads(MemoryMediaFileStorage):
    """Streamlit's store of files to download, which retains the latest deleted files.

    Not thread-safe: Streamlit's ``MediaFileManager`` holds its lock in each call that changes it.
    """

    def __init__(self, media_endpoint: str) -> None:
        super().__init__(media_endpoint)
        self._deleted: OrderedDict[str, int] = OrderedDict()
        """The sizes of the retained deleted files by ID, the oldest first."""

    def load_and_get_id(
        self,
        path_or_data: str | bytes,
        mimetype: str,
        kind: MediaFileKind,
        filename: str | None = None,
    ) -> str:
        """Add a file; return its ID, which depends on its name, its type and all of its bytes."""
        data = self._read_file(path_or_data) if isinstance(path_or_data, str) else path_or_data
        digest = hashlib.blake2b(repr((mimetype, filename)).encode())
        digest.update(data)
        file_id = digest.hexdigest()
        self._deleted.pop(file_id, None)
        self._files_by_id.setdefault(file_id, MemoryFile(data, mimetype, kind, filename))
        return file_id

    def delete_file(self, file_id: str) -> None:
        """Retain a file as deleted; delete the oldest ones beyond the limit."""
        self._deleted[file_id] = len(self._files_by_id[file_id].content)
        while len(self._deleted) > 1 and sum(self._deleted.values()) > MOST_BYTES:
            oldest, _ = self._deleted.popitem(last=False)
            super().delete_file(oldest)


def retain_downloads() -> None:
    """Let the server that Streamlit starts next use ``RetainedDownloads``."""
    from streamlit.web.server import server

    setattr(server, "MemoryMediaFileStorage", RetainedDownloads)  # noqa: B010 - it is a class of theirs
