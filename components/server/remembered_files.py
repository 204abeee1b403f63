"""Middleware that sends the page's files from memory, since they do not change.

Streamlit reads, compresses and sends each file anew, in several threads. A visit asks for more than
a hundred files while the browser needs both processors.
"""

from collections.abc import MutableMapping
from typing import Any, Final

from starlette.status import HTTP_200_OK
from starlette.types import ASGIApp, Receive, Scope, Send

MOST_BYTES: Final = 64 * 1024 * 1024
"""Of all answers that are remembered: a path can be written in any number of forms."""
_PATHS: Final = ("/static/", "/_stcore/bidi-components/")
"""What the path of a file contains."""
_CONDITIONAL: Final = frozenset({b"range", b"if-none-match", b"if-modified-since"})
"""Headers of requests that have other answers than the file."""

Answer = list[MutableMapping[str, Any]]
"""The messages of a response, in their order."""


class RememberedFiles:
    """ASGI middleware that remembers the answers to requests for files, outside of compression."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._answers: dict[tuple[str, bool], Answer] = {}
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; what is no file passes through as it is."""
        headers = dict(scope.get("headers", ()))
        if not _asks_for_file(scope) or _CONDITIONAL & headers.keys():
            await self._app(scope, receive, send)
            return
        key = (str(scope["path"]), b"gzip" in headers.get(b"accept-encoding", b""))
        answers = self._answers.get(key)
        if answers is None:
            answer: Answer = []
            await self._app(scope, receive, _Recording(answer, send).send)
            self._remember(key, answer)
        for message in answers or ():
            await send(message)

    def _remember(self, key: tuple[str, bool], answer: Answer) -> None:
        size = sum(len(message.get("body", b"")) for message in answer)
        if _is_file(answer) and key not in self._answers and self._bytes + size <= MOST_BYTES:
            self._answers[key] = answer
            self._bytes += size


class _Recording:
    def __init__(self, answer: Answer, send: Send) -> None:
        self._answer, self._send = answer, send

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Send a message, and record it."""
        self._answer.append(message)
        await self._send(message)


def _asks_for_file(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    return any(path in scope["path"] for path in _PATHS)


def _is_file(answer: Answer) -> bool:
    """Whether a whole file was sent: where there is none, Streamlit sends the page's document."""
    if not answer or answer[0]["status"] != HTTP_200_OK or answer[-1].get("more_body"):
        return False
    kind: bytes = dict(answer[0]["headers"]).get(b"content-type", b"")
    return not kind.startswith(b"text/html")
