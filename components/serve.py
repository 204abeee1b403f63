"""The page's server: ``python -m components.serve APP OPTIONS``, as ``ui`` starts it.

Streamlit as its own command line runs it, with nineteen changes: asked by a foreign origin,
it would look up this machine's address at a service outside before it refuses; it would store any
upload; it would answer under any name, and to messages that no page sends; one address could open
any number of pages; a request or a message could have any size and never end; the first visitor
would wait until the page's modules are imported; every visitor would see nothing until its scripts
run, and each of their files would be read and compressed anew; an answer would wait until its
beginning is acknowledged, and the thread that sends it wake for each of its messages; what a click
has drawn would wait for a search for garbage among all modules, and other visitors for the clicks
of one; a selection would draw all of the page, or an edit only a part; each field would copy all of
a session's values; each of its threads would keep memory of its own that nobody uses; the first
component would load pandas; and Ctrl-C while it starts would print tracebacks.
"""

import importlib
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from streamlit.runtime.state import SessionState

from components.first_paint import FirstPaint, prepare
from components.server.answers import send_in_parts
from components.server.connections import bound_connections
from components.server.downloads import retain_downloads
from components.server.hosts import HostGate
from components.server.messages import limit_messages
from components.server.open_pages import PageGate
from components.server.remembered_files import RememberedFiles
from components.server.uploads import UploadGate, bound_uploads
from explorer.collector import has_grown, spare_collections
from explorer.process_memory import share_free_memory
from explorer.without_pandas import let_arrow_do_without_pandas

_LOOK = 5.0
"""Seconds between two looks at how much the server has grown."""


def stay_at_home() -> None:
    """Let Streamlit know of no addresses but those that it was given."""
    from streamlit import net_util

    for look_up in ("get_external_ip", "get_internal_ip"):
        setattr(net_util, look_up, lambda: None)


def add_middleware() -> None:
    """Let the server that Streamlit starts next refuse uploads early, remember files, add a cover.

    Files are remembered outside of Streamlit's own classes, as they are compressed there; the cover
    is added within them, before its document is compressed.
    """
    from starlette.middleware import Middleware
    from streamlit.web.server.starlette import starlette_app

    own = starlette_app.create_streamlit_middleware
    setattr(  # noqa: B010 - it is a function of theirs
        starlette_app,
        "create_streamlit_middleware",
        lambda: [
            Middleware(HostGate),
            Middleware(PageGate),
            Middleware(UploadGate),
            Middleware(RememberedFiles),
            *own(),
            Middleware(FirstPaint),
        ],
    )


def send_at_once() -> None:
    """Send all parts of an answer at once: set TCP_NODELAY for every connection.

    asyncio sets it only where a socket names its protocol, and Streamlit's socket does not. The end
    of an answer would wait until the client acknowledges its beginning, which lasts up to 40 ms.
    """
    from streamlit.web.server.starlette import starlette_server

    bind = starlette_server._bind_socket  # noqa: SLF001 - Streamlit offers no other place

    def bound(address: str, port: int, backlog: int) -> socket.socket:
        listening = bind(address, port, backlog)
        # The connections that it accepts inherit the option.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening

    setattr(starlette_server, "_bind_socket", bound)  # noqa: B010 - it is a function of theirs


class SessionValues(Mapping[str, Any]):
    """The values of a session that a script can read, by key, as they are at each reading."""

    def __init__(
        self, state: SessionState, copied: Callable[[SessionState], dict[str, Any]]
    ) -> None:
        """``copied`` returns all of them at once."""
        self._state, self._copied = state, copied

    def __getitem__(self, key: str) -> Any:
        return self._state[key]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key in self._state

    def __iter__(self) -> Iterator[str]:
        return iter(self._copied(self._state))

    def __len__(self) -> int:
        return len(self._copied(self._state))


def read_by_key() -> None:
    """Let a field look at its own value alone.

    A text, a number and a menu ask whether their value is None. Streamlit answers from a copy of
    all values, for which it makes the presented one of each component: a fifth of a click.
    """
    own: Any = SessionState.__dict__["filtered_state"]
    by_key = property(lambda state: SessionValues(state, own.fget))
    setattr(SessionState, "filtered_state", by_key)  # noqa: B010 - it is a property of theirs


def send_text_without_pandas() -> None:
    """Let a component's data that is a text be sent without a look whether it is a table.

    That look loads pandas: a quarter of the memory of a new server.
    """
    from streamlit.components.v2.bidi_component import main as bidi_component
    from streamlit.dataframe_util import DataFormat

    own = bidi_component.determine_data_format  # type: ignore[attr-defined]

    def determine(data: object) -> DataFormat:
        return DataFormat.UNKNOWN if isinstance(data, str) else own(data)

    setattr(bidi_component, "determine_data_format", determine)  # noqa: B010 - a function of theirs


def import_page() -> None:
    """Import what the page's first run needs."""
    prepare()
    send_text_without_pandas()
    importlib.import_module("components.page")
    importlib.import_module("streamlit.emojis")
    let_arrow_do_without_pandas()
    spare_collections()
    threading.Thread(target=spare_later_objects, name="collections", daemon=True).start()


def spare_later_objects() -> None:
    """Spare the garbage collector what sessions and late imports add, for as long as it runs."""
    while True:
        time.sleep(_LOOK)
        if has_grown():
            spare_collections()


def yield_often() -> None:
    """Let a thread that works give way to the others after a millisecond, not after five.

    The thread of the connections waits for each message that it sends: with two requests at work, a
    visitor's first page came 1.8 s of CPU time after the address was opened, in place of 5.4 s.
    """
    sys.setswitchinterval(0.001)


def end_at_interrupt() -> None:
    """Let Ctrl-C end this process at once, until Streamlit has a handler of its own.

    Python would print a traceback of each import that it interrupts. ``ui`` starts this process
    with the signal blocked: one that has come since then ends it here.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def main() -> None:
    """Become Streamlit's server."""
    end_at_interrupt()
    from streamlit.web.cli import main as streamlit

    stay_at_home()
    bound_uploads()
    retain_downloads()
    bound_connections()
    limit_messages()
    send_in_parts()
    add_middleware()
    send_at_once()
    read_by_key()
    yield_often()
    share_free_memory()
    threading.Thread(target=import_page, name="imports", daemon=True).start()
    sys.argv = ["streamlit", "run", *sys.argv[1:]]
    streamlit()


if __name__ == "__main__":
    main()
