"""Files that visitors download: they stay until the browser that was given an address has come.

Streamlit makes such a file when its button is clicked and deletes it at the end of the second run
that follows, of any visitor's page: on a busy server the browser would find nothing. It also names
a file of more than a megabyte by its ends and its middle alone, so that one would be sent for
another. ``components.serve`` puts ``KeptDownloads`` in the place of Streamlit's own store.
"""

import hashlib
from collections import OrderedDict
from typing import Final

from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_media_file_storage import MemoryFile, MemoryMediaFileStorage

from components.server.hosting import MB

MOST_BYTES: Final = 64 * MB
"""Of files that were deleted and stay; the latest stays whatever its size."""


class KeptDownloads(MemoryMediaFileStorage):
    """Streamlit's store of files to download, in which those that it deletes stay for a while.

    Its manager calls one method at a time.
    """

    def __init__(self, media_endpoint: str) -> None:
        super().__init__(media_endpoint)
        self._deleted: OrderedDict[str, int] = OrderedDict()
        """The sizes of deleted files that are still there, by ID, the oldest first."""

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
        """Delete a file once later ones take its room."""
        self._deleted[file_id] = len(self._files_by_id[file_id].content)
        while len(self._deleted) > 1 and sum(self._deleted.values()) > MOST_BYTES:
            oldest, _ = self._deleted.popitem(last=False)
            super().delete_file(oldest)


def keep_downloads() -> None:
    """Let the server that Streamlit starts next use this store."""
    from streamlit.web.server import server

    setattr(server, "MemoryMediaFileStorage", KeptDownloads)  # noqa: B010 - it is a class of theirs
