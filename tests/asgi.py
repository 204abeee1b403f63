"""A request to an ASGI application, without a server."""

import asyncio
from collections.abc import Mapping, MutableMapping
from typing import Any, NamedTuple

from starlette.types import ASGIApp

NONE: Mapping[str, str] = {}


class Answer(NamedTuple):
    """What an application answers."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes


def ask(
    app: ASGIApp,
    path: str,
    *,
    query: str = "",
    method: str = "GET",
    headers: Mapping[str, str] = NONE,
) -> Answer:
    """Send one request and wait for the whole answer."""
    messages: list[MutableMapping[str, Any]] = []
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        messages.append(message)

    asyncio.run(app(scope, receive, send))  # type: ignore[arg-type]
    body = b"".join(one.get("body", b"") for one in messages)
    return Answer(messages[0]["status"], dict(messages[0]["headers"]), body)
