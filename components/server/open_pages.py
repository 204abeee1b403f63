"""How many pages an address, and all addresses together, may have open; further ones are refused.

A page is a websocket: a session, three descriptors and what the session retains. A browser shows a
refused document as text.
"""

from collections import Counter

from starlette.types import ASGIApp, Receive, Scope, Send

from components.server.hosting import hosting
from components.server.refused_requests import send_refusal
from explorer.locations import LOOPBACK

_TOO_MANY = 429


class PageGate:
    """ASGI middleware that counts open pages, and refuses what would open one too many."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open: Counter[str] = Counter()
        """By address, websockets."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what opens no page, and what the limits allow."""
        address = address_of(scope)
        if _opens_page(scope) and (sentence := self._refusal(address)):
            await send_refusal(scope, send, _TOO_MANY, sentence)
        elif scope["type"] == "websocket":
            self._open[address] += 1
            try:
                await self._app(scope, receive, send)
            finally:
                self._open[address] -= 1
                if not self._open[address]:
                    del self._open[address]
        else:
            await self._app(scope, receive, send)

    def _refusal(self, address: str) -> str:
        """Return why one more page of an address is refused; "": it is not."""
        limits = hosting()
        if address and self._open[address] >= limits.address_pages:
            return (
                f"your address has {limits.address_pages} pages open, the most that this server "
                "has for one; close some of them, and load this page again"
            )
        if self._open.total() >= limits.all_pages:
            return (
                f"{limits.all_pages} pages of this server are open, the most that it has; load "
                "this page again in a few minutes"
            )
        return ""


def address_of(scope: Scope) -> str:
    """Return the address of a connection's browser; "": this machine."""
    client = scope.get("client")
    return "" if client is None or client[0] in LOOPBACK else str(client[0])


def _opens_page(scope: Scope) -> bool:
    if scope["type"] == "http":
        headers = dict(scope["headers"])
        return scope["method"] == "GET" and headers.get(b"sec-fetch-mode") == b"navigate"
    return bool(scope["type"] == "websocket")
