"""Bounds for connections before they are a request or a message: size, time and number.

uvicorn waits for the end of a request's head, and of a websocket message, without a limit, and
Streamlit lets a message have 200 MB. Both protocols are uvicorn's own, with a deadline.
"""

import asyncio
from typing import Any, ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from components.server.hosting import MB

HEAD_SECONDS: Final = 20.0
"""Within which the head of a request must be whole."""
MOST_HEADS: Final = 200
"""Connections without a whole head of their next request; beyond, the oldest one is closed.

One number for the whole server: behind a proxy, all visitors have one address.
"""
PROGRESS_SECONDS: Final = 20.0
"""Within which a request's body and an answer must go on by ``PROGRESS_BYTES``."""
PROGRESS_BYTES: Final = 20 * 1024
MOST_TRANSFERS: Final = 200
"""Connections with a body that is not whole or an answer that is not read; beyond, the one that
has gone on least recently is closed. One number for the whole server, too."""
MESSAGE_BYTES: Final = 8 * MB
"""Of a message: a document of 5 MB in the editor, as JSON. Files are uploaded by HTTP."""
MESSAGE_SECONDS: Final = 20.0
"""Within which a message that has begun must be whole."""
ALL_MESSAGE_BYTES: Final = 64 * MB
"""Of the messages that all connections have begun."""


class BoundedHttp(H11Protocol):
    """uvicorn's HTTP protocol; a connection is closed if a head is not whole in time.

    It is closed too if a body or an answer does not go on: neither has a limit of uvicorn's.
    """

    waiting: ClassVar[dict["BoundedHttp", asyncio.TimerHandle]] = {}
    """Connections without a whole head and their deadlines, the oldest first."""
    transfers: ClassVar[dict["BoundedHttp", asyncio.TimerHandle]] = {}
    """Connections in the middle of a body or an answer and their deadlines, by last progress."""
    _received = 0
    """Bytes of a body since its last progress."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        self._end_transfer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read; the deadline of a head does not move while its parts arrive."""
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # It has become a websocket.
            self._stop_waiting()
            self._end_transfer()
            return
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self not in self.waiting and not self.transport.is_closing():
            self._await_head()
        self._received += len(data)
        if self.conn.their_state is h11.SEND_BODY:
            if self not in self.transfers or self._received >= PROGRESS_BYTES:
                self._go_on()
        elif not self._is_unread():
            self._end_transfer()

    def pause_writing(self) -> None:
        """Expect that the client reads: more of the answer is waiting than it may."""
        super().pause_writing()
        self._go_on()

    def resume_writing(self) -> None:
        """Note that the client has read."""
        super().resume_writing()
        self._go_on()

    def _is_unread(self) -> bool:
        return self.transport.get_write_buffer_size() > 0

    def _go_on(self) -> None:
        """Give the body or the answer of this connection time for its next part."""
        self._end_transfer()
        if self.transport.is_closing() and not self._is_unread():
            return
        while len(self.transfers) >= MOST_TRANSFERS:
            oldest = next(iter(self.transfers))
            oldest._close()  # noqa: SLF001 - another connection of this class
        unread = self.transport.get_write_buffer_size()
        self.transfers[self] = self.loop.call_later(PROGRESS_SECONDS, self._check_progress, unread)

    def _check_progress(self, unread: int) -> None:
        """Close the connection where neither side has gone on; ``unread``: bytes of then."""
        read = unread - self.transport.get_write_buffer_size()
        if read >= PROGRESS_BYTES:
            self._go_on()
        elif self.conn.their_state is h11.SEND_BODY or self._is_unread():
            self._close()
        else:
            self._end_transfer()

    def _end_transfer(self) -> None:
        self._received = 0
        if (deadline := self.transfers.pop(self, None)) is not None:
            deadline.cancel()

    def _await_head(self) -> None:
        while len(self.waiting) >= MOST_HEADS:
            oldest = next(iter(self.waiting))
            oldest._close()  # noqa: SLF001 - another connection of this class
        self.waiting[self] = self.loop.call_later(HEAD_SECONDS, self._close)

    def _stop_waiting(self) -> None:
        if (deadline := self.waiting.pop(self, None)) is not None:
            deadline.cancel()

    def _close(self) -> None:
        self._stop_waiting()
        self._end_transfer()
        self.transport.abort()


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """uvicorn's websocket protocol; messages that do not end are bounded in time and in total."""

    begun_bytes: ClassVar[int] = 0
    """Of all connections' messages that have begun."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._begun = 0
        self._deadline: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        """Read; close the connection where it or all together have begun too much."""
        super().data_received(data)
        begun = len(self.conn.reader.buffer) + sum(map(len, self.frames))
        BoundedWebSocket.begun_bytes += begun - self._begun
        self._begun = begun
        if not begun:
            self._stop_waiting()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(MESSAGE_SECONDS, self.transport.abort)
        if BoundedWebSocket.begun_bytes > ALL_MESSAGE_BYTES:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more, and count the message that was begun no more."""
        self._stop_waiting()
        BoundedWebSocket.begun_bytes -= self._begun
        self._begun = 0
        self.frames = []
        super().connection_lost(exc)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def bound_connections() -> None:
    """Let the server that Streamlit starts next use these protocols."""
    from streamlit.web.server.starlette import starlette_server

    settings = starlette_server._get_uvicorn_config_kwargs  # noqa: SLF001 - no other place

    def bounded() -> dict[str, Any]:
        return settings() | {
            "http": BoundedHttp,
            "ws": BoundedWebSocket,
            "ws_max_size": MESSAGE_BYTES,
        }

    setattr(starlette_server, "_get_uvicorn_config_kwargs", bounded)  # noqa: B010 - theirs
