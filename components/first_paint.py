"""What a visitor sees before the page's scripts run: its frame, with pictures of both graphs.

A browser needs about a second to start Streamlit's scripts, and shows nothing until then.
``FirstPaint`` puts a cover into the HTML document that starts them. The cover goes as soon as both
graphs are drawn, or anything is on the page that a visitor has to read.
"""

import threading
from base64 import b64encode
from collections.abc import MutableMapping
from contextlib import suppress
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from components.places import PLACES
from explorer.drawing.palette import properties
from explorer.errors import ExplorerError

PREPARED: Final = threading.Event()
"""Whether ``prepare`` is done; until then a cover has no pictures, or it would wait."""
MOST_PARTS: Final = 100
"""Of a document of which the cover shows the graphs; a larger one would delay the page."""
_ROOT: Final = b'<div id="root">'
_SCALE: Final = 1.4
"""Of the pictures: that of small graphs in the page."""
_HERE: Final = Path(__file__)
_SHEET: Final = _HERE.with_suffix(".css").read_text(encoding="utf-8")
_STYLE: Final = f"<style>#first-paint{{{properties('--x-')}}}\n{_SHEET}</style>"
_SCRIPT: Final = f"<script>{_HERE.with_suffix('.js').read_text(encoding='utf-8')}</script>"


class FirstPaint:
    """Adds the cover to the HTML document; everything else goes through as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        headers = dict(scope.get("headers", ()))
        if scope["type"] != "http" or headers.get(b"sec-fetch-mode", b"navigate") != b"navigate":
            await self._app(scope, receive, send)
            return
        await self._app(scope, receive, _Covering(scope, send).send)


class _Covering:
    """Passes the messages of one response on; of an HTML document with the cover added."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._query, self._pass_on = scope.get("query_string", b"").decode("latin-1"), send
        self._start: MutableMapping[str, Any] | None = None
        self._body = b""

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Pass a message on, or store it until the document is whole."""
        if message["type"] == "http.response.start" and _is_document(message):
            self._start = message
        elif self._start is None:
            await self._pass_on(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._finish(self._start)

    async def _finish(self, start: MutableMapping[str, Any]) -> None:
        from starlette.concurrency import run_in_threadpool

        body = self._body
        if _ROOT in body:
            added = await run_in_threadpool(cover, self._query)
            body = body.replace(_ROOT, added.encode() + _ROOT, 1)
            headers = [one for one in start["headers"] if one[0].lower() != b"content-length"]
            size = (b"content-length", str(len(body)).encode())
            start = {**start, "headers": [*headers, size]}
        await self._pass_on(start)
        await self._pass_on({"type": "http.response.body", "body": body})


def _is_document(start: MutableMapping[str, Any]) -> bool:
    kind: bytes = dict(start["headers"]).get(b"content-type", b"")
    return kind.startswith(b"text/html")


def prepare() -> None:
    """Import what the pictures need, and draw those of the first sample."""
    _cover("", pictured=True)
    PREPARED.set()


def cover(query: str) -> str:
    """Return the cover of the page that an address with this query opens, as HTML."""
    return _cover(query, pictured=PREPARED.is_set())


@lru_cache(maxsize=64)
def _cover(query: str, *, pictured: bool) -> str:
    given = {name: values[-1] for name, values in parse_qs(query).items()}
    if "view" in given or given.get("place", PLACES[0]) != PLACES[0]:
        return ""
    pictures = "".join(_pictures(given)) if pictured and "graphs" not in given else ""
    places = "".join(f"<span>{name}</span>" for name in PLACES)
    return (
        f'{_STYLE}<div id="first-paint" aria-hidden="true"><b>StreamGraph Explorer</b>'
        f"<nav>{places}</nav><aside></aside><main>{pictures}</main><aside></aside></div>{_SCRIPT}"
    )


def _pictures(given: dict[str, str]) -> list[str]:
    """The pictures of both graphs; none where the address opens no small program."""
    from components.actions import default_sample
    from components.compiled import compile_document
    from components.link import HELD, OTHER, PARAMETER, from_link
    from components.session import SAMPLE
    from components.shared import load
    from explorer.drawing.svg import bare_svg, drawn_graphs

    text = given.get(PARAMETER) or given.get(OTHER)
    sample = default_sample(given.get(SAMPLE, ""))
    if sample is None or (text is None and HELD in given):
        return []
    with suppress(ExplorerError):
        document = load(sample.path) if text is None else from_link(text).document
        view = compile_document(document).view if document.parts <= MOST_PARTS else None
        graphs = drawn_graphs(view) if view else []
        return [_picture(bare_svg(graph), graph.width * _SCALE) for graph in graphs]
    return []


def _picture(svg: str, width: float) -> str:
    address = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
    return f'<figure><img alt="" width="{width:.0f}" src="{escape(address)}"></figure>'
