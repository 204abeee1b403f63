"""How are the page's files sent? The second time from memory: they stay the same while it runs.

Streamlit reads, compresses and sends each file anew, in several threads. A visit asks for more than
a hundred files while the browser needs both processors.
"""

from collections.abc import MutableMapping
from typing import Any, Final

from starlette.types import ASGIApp, Receive, Scope, Send

PLACES: Final = ("/static/", "/_stcore/bidi-components/")
"""What the path of a file contains."""
_CONDITIONAL: Final = frozenset({b"range", b"if-none-match", b"if-modified-since"})
"""Headers of requests that have other answers than the file."""


class RememberedFiles:
    """ASGI middleware that remembers the answers to requests for files, outside of compression."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._answers: dict[tuple[str, bool], list[MutableMapping[str, Any]]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; what is no file passes through as it is."""
        headers = dict(scope.get("headers", ()))
        if not _asks_for_file(scope) or _CONDITIONAL & headers.keys():
            await self._app(scope, receive, send)
            return
        key = (str(scope["path"]), b"gzip" in headers.get(b"accept-encoding", b""))
        answer = self._answers.get(key)
        if answer is None:
            answer = []
            await self._app(scope, receive, _Recording(answer, send).send)
            if answer and answer[0]["status"] == 200 and not answer[-1].get("more_body"):  # noqa: PLR2004
                self._answers[key] = answer
            return
        for message in answer:
            await send(message)


class _Recording:
    def __init__(self, answer: list[MutableMapping[str, Any]], send: Send) -> None:
        self._answer, self._send = answer, send

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Send a message, and record it."""
        self._answer.append(message)
        await self._send(message)


def _asks_for_file(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    return any(place in scope["path"] for place in PLACES)
