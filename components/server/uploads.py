"""Bounds for uploaded files: by session, in total, and only those that a widget asked for.

Streamlit stores whatever is sent to its upload address with a session's own token, as much as is
sent and for as long as the session object lives. ``components.serve`` puts ``BoundedUploads`` in
the place of Streamlit's own store, and ``UploadGate`` before the address, so that an upload is
refused before its body is read. ``close_sessions`` drops all that sessions hold, files included.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, Final

from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec, UploadFileUrlInfo

from components.server.hosting import MB, hosting
from components.server.refused_requests import send_refusal

if TYPE_CHECKING:
    from streamlit.runtime import Runtime

MOST_EXPECTED: Final = 200
"""Files of one session that may be in transfer: as many as a browser offers at once."""
PLACE: Final = "/_stcore/upload_file/"
_FORBIDDEN, _TOO_LARGE, _UNAVAILABLE = 403, 413, 503
_MARGIN: Final = MB
"""Bytes of a request around the file itself, at most."""


class UploadRefusedError(Exception):
    """An upload that is not stored; the message is for its sender."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class BoundedUploads(MemoryUploadedFileManager):
    """Streamlit's store of uploaded files, with limits."""

    def __init__(self, upload_endpoint: str) -> None:
        super().__init__(upload_endpoint)
        self._expected: dict[str, OrderedDict[str, None]] = {}
        """By session, the files that were announced and did not arrive yet, oldest first."""
        self._arriving: dict[str, int] = {}
        """By session, bytes of requests that are being read."""

    def get_upload_urls(
        self, session_id: str, file_names: Sequence[str]
    ) -> list[UploadFileUrlInfo]:
        """Addresses for files that a widget's browser announces; the latest ones count."""
        upload_file_url_infos = super().get_upload_urls(session_id, file_names[:MOST_EXPECTED])
        with self._lock:
            expected = self._expected.setdefault(session_id, OrderedDict())
            expected.update(
                (upload_file_url_info.file_id, None)
                for upload_file_url_info in upload_file_url_infos
            )
            while len(expected) > MOST_EXPECTED:
                expected.popitem(last=False)
        return upload_file_url_infos

    @contextmanager
    def arriving(self, session_id: str, file_id: str, size: int) -> Iterator[None]:
        """Reserve space while a request is read; raises ``UploadRefusedError`` where there is none.

        ``size``: bytes that the request may have.
        """
        with self._lock:
            if file_id not in self._expected.get(session_id, ()):
                raise UploadRefusedError(_FORBIDDEN, "no field of this page asked for this file")
            self._check_space(session_id, size)
            del self._expected[session_id][file_id]
            self._arriving[session_id] = self._arriving.get(session_id, 0) + size
        try:
            yield
        finally:
            with self._lock:
                self._arriving[session_id] -= size
                if not self._arriving[session_id]:
                    del self._arriving[session_id]

    def _check_space(self, session_id: str, size: int) -> None:
        """Refuse an upload that exceeds the space left by stored and incoming uploads."""
        limits = hosting()
        files = self.file_storage.get(session_id, {})
        own = sum(len(file.data) for file in files.values()) + self._arriving.get(session_id, 0)
        if own + size > limits.upload_bytes:
            maximum = f"{limits.upload_bytes // MB} MB"
            raise UploadRefusedError(_TOO_LARGE, f"the files of one page take {maximum} at most")
        if self._total_bytes + sum(self._arriving.values()) + size > limits.all_upload_bytes:
            raise UploadRefusedError(_UNAVAILABLE, "too many files are held here; try again later")

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Store a file for which ``arriving`` reserved space."""
        with self._lock:
            reserved = self._arriving.get(session_id, 0)
        if len(file.data) <= reserved:
            super().add_file(session_id, file)

    def remove_session_files(self, session_id: str) -> None:
        """Drop all that a session sent or announced."""
        super().remove_session_files(session_id)
        with self._lock:
            self._expected.pop(session_id, None)

    def sessions(self) -> tuple[str, ...]:
        """Return the sessions that sent or announced a file."""
        with self._lock:
            return tuple({*self.file_storage, *self._expected})


class UploadGate:
    """ASGI middleware that refuses an upload before its body is read."""

    loop: ClassVar[asyncio.AbstractEventLoop | None] = None
    """The server's event loop; None before the first request, and without this middleware."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything but an upload on as it is."""
        UploadGate.loop = asyncio.get_running_loop()
        _, place, upload = str(scope.get("path", "")).partition(PLACE)
        if scope["type"] != "http" or scope["method"] != "PUT" or not place:
            await self._app(scope, receive, send)
            return
        session_id, _, file_id = upload.partition("/")
        store = _store()
        try:
            # The declared length of the request, else as much as one file may have.
            maximum = int(config.get_option("server.maxUploadSize")) * MB + _MARGIN
            reported = dict(scope["headers"]).get(b"content-length", b"")
            with store.arriving(
                session_id, file_id, min(int(reported), maximum) if reported.isdigit() else maximum
            ):
                await self._app(scope, receive, send)
        except UploadRefusedError as refused:
            await send_refusal(scope, send, refused.status, str(refused))


def _store() -> BoundedUploads:
    from streamlit import runtime

    store = runtime.get_instance().uploaded_file_mgr
    if not isinstance(store, BoundedUploads):
        msg = "the gate stands before a store without bounds"
        raise TypeError(msg)
    return store


def drop_uploads(running: "Runtime", gone: Callable[[str], bool]) -> None:
    """Drop the files of sessions that have gone, for which Streamlit waits longer."""
    store = running.uploaded_file_mgr
    if isinstance(store, BoundedUploads):
        for session_id in filter(gone, store.sessions()):
            store.remove_session_files(session_id)


def close_sessions(running: "Runtime", sessions: Iterable[str]) -> None:
    """Close sessions for good; Streamlit does so on the server's event loop alone."""
    if UploadGate.loop is not None:
        for session_id in sessions:
            UploadGate.loop.call_soon_threadsafe(running.close_session, session_id)


def bound_uploads() -> None:
    """Let the server that Streamlit starts next use the bounded store; it needs the gate, too."""
    from streamlit.web.server import server

    setattr(server, "MemoryUploadedFileManager", BoundedUploads)  # noqa: B010 - it is a class of theirs
