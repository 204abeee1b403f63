"""Visits: data that outlives a reload of the page and is dropped when the visitor has gone.

A reload is a new session to Streamlit. The browser is known again by the cookie in which Streamlit
stores its token against forged requests: a random text that no other visitor has.
"""

import gc
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

from components.server.uploads import close_sessions, drop_uploads
from components.session.keys import Key

Stored = TypeVar("Stored")
GONE: Final = 60.0
"""Seconds after which a visitor with all pages closed does not come back: trials end."""
FORGOTTEN: Final = 600.0
"""Seconds after which nothing is retained of a visit."""
_LOOK: Final = 5.0
"""Seconds between two looks at who is here."""
RESUMABLE: Final = 120.0
"""Seconds after which a session with a closed page is not resumed: Streamlit's own time."""
_COOKIE: Final = "_streamlit_xsrf"


class Cancelled(Protocol):
    """Something that may run for long."""

    def cancel(self) -> None:
        """End it; nothing happens where it has ended."""


class Visit:
    """One browser's stay: the sessions that it opened, and what they share."""

    def __init__(self) -> None:
        self.owner = secrets.token_hex(8)
        """A name for the queue of trials; it does not reveal the visitor's token."""
        self.stored: dict[str, Any] = {}
        """By name, what the visit's sessions share."""
        self.sessions: dict[str, float] = {}
        """By id of a session, when its page was open last, in seconds of the server's clock."""
        self.last_seen = 0.0
        self.running: tuple[Cancelled, ...] = ()
        """What ends when the visitor has gone."""


class Visits:
    """All visits of this server."""

    def __init__(self, is_active: Callable[[str], bool], clock: Callable[[], float]) -> None:
        """``is_active``: whether the session with an id has a page open; ``clock``: in seconds."""
        self._is_active, self._clock = is_active, clock
        self._lock = threading.Lock()
        self._by_token: defaultdict[str, Visit] = defaultdict(Visit)

    def of(self, token: str, session: str) -> Visit:
        """Return the visit of a token, which this session belongs to."""
        with self._lock:
            visit = self._by_token[token]
            visit.last_seen = visit.sessions[session] = self._clock()
            return visit

    def look(self) -> None:
        """End what those left running who are gone, and forget who was here long ago."""
        clock = self._clock()
        with self._lock:
            for token, visit in list(self._by_token.items()):
                if any(map(self._is_active, visit.sessions)):
                    visit.last_seen = clock
                elif clock - visit.last_seen > FORGOTTEN:
                    del self._by_token[token]
            gone = [item for item in self._by_token.values() if clock - item.last_seen > GONE]
        for visit in gone:
            for cancelled in visit.running:
                cancelled.cancel()

    def has_gone(self, session: str) -> bool:
        """Whether the session has no open page and belongs to no visit that may come back."""
        if self._is_active(session):
            return False
        clock = self._clock()
        with self._lock:
            return not any(
                session in visit.sessions and clock - visit.last_seen <= GONE
                for visit in self._by_token.values()
            )

    def closed_sessions(self) -> tuple[str, ...]:
        """Remove and return the sessions that Streamlit would not resume any more.

        Streamlit itself retains them, each with three descriptors and all that it held, until later
        sessions replace them.
        """
        clock = self._clock()
        closed: list[str] = []
        with self._lock:
            for visit in self._by_token.values():
                visit.sessions |= dict.fromkeys(filter(self._is_active, visit.sessions), clock)
                old = [item for item, at in visit.sessions.items() if clock - at > RESUMABLE]
                closed += old
                for one in old:
                    del visit.sessions[one]
        return tuple(closed)

    def watch(self) -> None:
        """Look every few seconds, for as long as the server runs."""

        def looking() -> None:
            closed: tuple[str, ...] = ()
            while True:
                time.sleep(_LOOK)
                if closed:
                    gc.collect()  # A closed session's records refer to one another.
                self.look()
                closed = self.closed_sessions()
                if (server := running_server()) is not None:
                    drop_uploads(server, self.has_gone)
                    close_sessions(server, closed)

        threading.Thread(target=looking, name="visits", daemon=True).start()


def running_server() -> Runtime | None:
    """Return Streamlit's runtime; None where none runs.

    One call, since a runtime may end between the question whether it exists and its use.
    """
    with suppress(RuntimeError):
        return runtime.get_instance()
    return None


def _has_a_page(session: str) -> bool:
    server = running_server()
    return server is not None and server.is_active_session(session)


@st.cache_resource(show_spinner=False)
def _of_this_server() -> Visits:
    visits = Visits(_has_a_page, time.monotonic)
    visits.watch()
    return visits


def session_id() -> str:
    """Return the ID of this session; empty outside a server."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def is_open_elsewhere(session: str) -> bool:
    """Whether another browser tab shows the session with this ID."""
    return session != session_id() and _has_a_page(session)


def visit() -> Visit:
    """This session's visit; a browser without the cookie has one a session."""
    if Key.VISIT not in st.session_state:
        cookie = st.context.cookies.get(_COOKIE)
        st.session_state[Key.VISIT] = unmasked(cookie) if cookie else secrets.token_hex(16)
    return _of_this_server().of(st.session_state[Key.VISIT], session_id())


def address() -> str:
    """Return the address of this session's browser; '' on this machine.

    Behind a proxy it is the proxy's ``X-Forwarded-For``, which the server believes a
    proxy on this machine, and those that the environment variable ``FORWARDED_ALLOW_IPS`` names.
    """
    return st.context.ip_address or ""


def owner() -> str:
    """Return whose memory this session uses: its address's, on this machine its visit's."""
    return address() or visit().owner


def unmasked(cookie: str) -> str:
    """Return the token of a cookie, which is masked anew for every page that is loaded.

    >>> unmasked("2|62f14f37|126aebd5|1795314329") == unmasked("2|6f31d0b1|1faa7453|1795314329")
    True
    """
    token, _ = decode_xsrf_token_string(cookie)
    return token.hex() if token else cookie


def stored(name: str, kind: type[Stored]) -> Stored | None:
    """Return the visit's value of a name; None if it has none of that type."""
    value = visit().stored.get(name)
    return value if isinstance(value, kind) else None


def store(name: str, value: object) -> None:
    """Store a value in the visit under a name."""
    visit().stored[name] = value
