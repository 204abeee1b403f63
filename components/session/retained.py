"""Bounds what all sessions retain between requests: the server's memory, in one place.

A session retains compilations, answers and undo steps, so that it answers sooner. Beyond the limit
the sessions of the address that made the server grow most give these up first; their documents,
their pages and their links stay.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from components.server.hosting import hosting
from components.server.uploads import UploadGate
from components.session import visits
from components.session.compiled import RECENT
from components.session.keys import Key
from components.session.work import Work
from explorer.collector import spare_collections
from explorer.edits.history import History
from explorer.process_memory import resident_bytes, trim_free_memory

if TYPE_CHECKING:
    from streamlit.runtime import Runtime
    from streamlit.runtime.session_manager import SessionInfo

_MEMOS: Final = (Key.COMPILED, Key.LATEST)
_PATIENCE: Final = 5.0
"""Seconds for the event loop to do what it was asked."""
_SHARE: Final = 1 / 32
"""Growth of the server after which sessions release memory again. Without it, a server that stays
above its limit would run a full collection after each request, 140 ms of CPU for 130 MB."""
_growth: Final[Counter[str]] = Counter()
"""By ID of a session, bytes by which the server grew during its requests."""
_releasing: Final = threading.Lock()
_smallest_size = 0
"""The fewest resident bytes of the server since the last release."""


@contextmanager
def memory_bounded() -> Iterator[None]:
    """Run a request of this session; then let sessions give up memory beyond the server's limit."""
    global _smallest_size  # noqa: PLW0603 - of the one server of this process
    size_at_start = resident_bytes()
    try:
        yield
    finally:
        size, limit = resident_bytes(), hosting().server_bytes
        _growth[visits.session_id()] += max(0, size - size_at_start)
        _smallest_size = min(_smallest_size, size)
        if size > max(limit, _smallest_size * (1 + _SHARE)):
            release(size - limit)


def release(excess: int) -> None:
    """Let sessions without a run give up what they can, until ``excess`` bytes should be free."""
    global _smallest_size  # noqa: PLW0603 - of the one server of this process
    server = visits.running_server()
    if server is None or not _releasing.acquire(blocking=False):
        return
    try:
        RECENT.clear()
        _on_event_loop(lambda: _release_largest(server, excess))
        spare_collections()
        trim_free_memory()
        _smallest_size = resident_bytes()
    finally:
        _releasing.release()


def _on_event_loop(work: Callable[[], None]) -> None:
    """Wait for work on the event loop: there alone no run of a session can begin meanwhile."""
    loop, is_done = UploadGate.loop, threading.Event()

    def run() -> None:
        try:
            work()
        finally:
            is_done.set()

    if loop is not None:
        loop.call_soon_threadsafe(run)
        is_done.wait(_PATIENCE)


def _release_largest(server: "Runtime", excess: int) -> None:
    sessions = server._session_mgr.list_sessions()  # noqa: SLF001 - Streamlit offers no other list
    present = {info.session.id for info in sessions}
    for session in [*_growth]:
        if session not in present:
            del _growth[session]
    by_address: Counter[str] = Counter()
    for info in sessions:
        by_address[_address(info)] += _growth[info.session.id]
    largest_first = sorted(
        sessions, key=lambda info: (-by_address[_address(info)], -_growth[info.session.id])
    )
    for info in largest_first:
        if excess <= 0:
            return
        if _growth[info.session.id] and _is_idle(info):
            excess -= _growth.pop(info.session.id)
            _give_up(info)


def _address(info: "SessionInfo") -> str:
    context = info.client.client_context if info.client else None
    return (context.remote_ip or "") if context else ""


def _is_idle(info: "SessionInfo") -> bool:
    from streamlit.runtime.app_session import AppSessionState

    return info.session._state is AppSessionState.APP_NOT_RUNNING  # noqa: SLF001 - no other place


def _give_up(info: "SessionInfo") -> None:
    """Drop the compilations, answers and undo steps of a session."""
    state = info.session.session_state
    for key in _MEMOS:
        with suppress(KeyError):
            del state[key]
    with suppress(KeyError):
        work = state[Key.WORK]
        if isinstance(work, Work):
            state[Key.WORK] = replace(work, history=History())
