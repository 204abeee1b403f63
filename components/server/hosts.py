"""The names under which the page answers: others may be a foreign page's, bound to this address.

A browser lets a page of evil.example read whatever answers under that name, so that an address of
this machine under a foreign name (DNS rebinding) would give away everything. Streamlit checks the
names of ``server.allowedHosts`` for a websocket alone, and any name where that list is empty.
"""

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

from components.server.refused_requests import send_refusal
from explorer.locations import LOOPBACK

HEALTH: Final = "/_stcore/health"
"""Answers every name: a container's platform asks under its own, and learns nothing else."""
_MISDIRECTED: Final = 421


class HostGate:
    """ASGI middleware that refuses requests and websockets to foreign names."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass requests to known names on as they are."""
        kind = scope["type"]
        if kind not in {"http", "websocket"} or scope["path"] == HEALTH or _is_known(scope):
            await self._app(scope, receive, send)
            return
        await send_refusal(scope, send, _MISDIRECTED, refusal(_host(scope) or ""))


def allow_known_hosts() -> None:
    """Set ``server.allowedHosts`` where no option did: this machine, and the page's own address."""
    if not config.get_option("server.allowedHosts"):
        names = (config.get_option("server.address"), config.get_option("browser.serverAddress"))
        config.set_option("server.allowedHosts", [*LOOPBACK, *filter(None, names)])


def refusal(host: str) -> str:
    """Return the sentence for a request to a foreign name."""
    name = "".join(letter if letter.isprintable() else "?" for letter in host[:80])
    return (
        f"this page does not answer under the name {name}; if that is its name, start it with "
        "--address NAME, or with --allow-host NAME for one more"
    )


def _is_known(scope: Scope) -> bool:
    from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

    allow_known_hosts()
    return is_host_allowed(_host(scope))


def _host(scope: Scope) -> str | None:
    hosts = [value for name, value in scope["headers"] if name.lower() == b"host"]
    return hosts[0].decode("latin-1") if len(hosts) == 1 else None
