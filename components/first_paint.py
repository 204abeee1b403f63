"""What a visitor sees before the page's scripts run: its frame, with both graphs.

A browser needs about two seconds to start Streamlit's scripts and what they load, and shows nothing
until then. ``FirstPaint`` puts a cover into the HTML document that starts them, with the graphs to
work with, which later move into the page. The cover goes then, or as soon as anything is on the
page that a visitor has to read.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import parse_qs

import msgspec
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from components.server import budget
from components.server.hosting import MB
from components.server.open_pages import address_of
from components.session.places import CLOSED, CLOSED_HEIGHT, PLACES, TABS
from components.style import STYLE
from explorer.drawing.svg.palette import properties
from explorer.errors import ExplorerError

if TYPE_CHECKING:
    from components.session.work import Work
    from explorer.drawing.view.elements import GraphView

PREPARED: Final = threading.Event()
"""Whether ``prepare`` is done; until then a cover has no graphs."""
PATIENCE: Final = 1.0
"""Seconds that a document waits for ``prepare``: a server listens before it can draw, and a visitor
who comes in between has the graphs sooner than Streamlit's scripts would bring them."""
MOST_TRANSFORMATIONS: Final = 100
"""Of a document of which the cover shows the graphs; a larger one would delay the page."""
MOST_EDGES: Final = 200
"""The same; a hundred parts may have thousands."""
SECONDS: Final = 0.7
"""CPU time for one cover; beyond, it has no graphs."""
BYTES: Final = 200 * MB
"""By which the server's memory may grow meanwhile."""
MOST_WAITING: Final = 3
"""Addresses with covers that wait or are made; further ones have no graphs."""
MOST_MADE: Final = 64
"""Covers that are retained."""
_MADE: Final[dict[str, str]] = {}
"""By query; the oldest first."""
_COVERS: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cover")
_WAITING: Final[Counter[str]] = Counter()
"""By query, requests that wait for its cover; used by the event loop alone."""
_GRAPHS: Final = "graph/main.js"
"""Of the files of components."""
_HEAD: Final = b"<head>"
_ROOT: Final = b'<div id="root">'
_HERE: Final = Path(__file__)
_SHEET: Final = _HERE.with_suffix(".css").read_text(encoding="utf-8")
_STYLE: Final = f"<style>#first-paint{{{properties('--x-')}}}\n{_SHEET}</style>"
_SCRIPT: Final = f"<script>{_HERE.with_suffix('.js').read_text(encoding='utf-8')}</script>"


class FirstPaint:
    """Adds the cover to the HTML document, and sends the graphs' modules as one file.

    Everything else goes through as it is.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and scope["path"].endswith(f".{_GRAPHS}"):
            await _graphs_module()(scope, receive, send)
        elif _asks_for_page(scope):
            await self._app(scope, receive, _Covering(scope, send).send)
        else:
            await self._app(scope, receive, send)


def _asks_for_page(scope: Scope) -> bool:
    mode = dict(scope.get("headers", ())).get(b"sec-fetch-mode", b"navigate")
    return bool(scope["type"] == "http" and mode == b"navigate")


@cache
def _graphs_module() -> Response:
    """The module that draws the graphs, as Streamlit sends files, but with what it alone imports.

    A browser fetches six files at a time: the graphs would be there after two more round trips.
    """
    from components.widgets.packaged import linked_file

    headers = {"cache-control": "public"}
    return Response(linked_file("graph").text, media_type="text/javascript", headers=headers)


class _Covering:
    """Passes the messages of one response on; of an HTML document with the cover added."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._query, self._pass_on = scope.get("query_string", b"").decode("latin-1"), send
        self._address = address_of(scope)
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
        body = self._body
        if _ROOT in body:
            added = await addition_in_time(self._query, self._address)
            body = body.replace(_HEAD, _HEAD + added.head.encode(), 1)
            body = body.replace(_ROOT, added.cover.encode() + _ROOT, 1)
            headers = [value for value in start["headers"] if value[0].lower() != b"content-length"]
            size = (b"content-length", str(len(body)).encode())
            start = {**start, "headers": [*headers, size]}
        await self._pass_on(start)
        await self._pass_on({"type": "http.response.body", "body": body})


def _is_document(start: MutableMapping[str, Any]) -> bool:
    kind: bytes = dict(start["headers"]).get(b"content-type", b"")
    return kind.startswith(b"text/html")


def prepare() -> None:
    """Import what the graphs need, and draw those of the first sample, whatever that costs."""
    _MADE[""] = _frame("", drawn=True)
    _head()
    PREPARED.set()


class Addition(NamedTuple):
    """The parts that are added to the HTML document."""

    head: str
    """At the beginning of its head; empty until the server is prepared."""
    cover: str
    """Before the page's root; empty where the address opens another layout than Explore's."""


def addition(query: str, visitor: str = "") -> Addition:
    """Return the parts that are added to the document of an address with this query.

    ``visitor``: the address of the browser that asks, which spends its CPU time; "": none.
    """
    if not PREPARED.is_set():
        return Addition("", _frame(query))
    return Addition(_head(), _cover(query, visitor))


async def addition_in_time(query: str, visitor: str = "") -> Addition:
    """Return the parts for a query; the cover is bare where others wait for theirs.

    Covers are made by one thread of their own, since the server's threads are for its files: links
    that are asked for all at once must not delay the page of another visitor.
    """
    if not PREPARED.is_set():
        await asyncio.to_thread(PREPARED.wait, PATIENCE)
    if query in _MADE or not PREPARED.is_set():
        return addition(query)
    if query not in _WAITING and len(_WAITING) >= MOST_WAITING:
        return Addition(_head(), _frame(query))
    _WAITING[query] += 1
    try:
        return await asyncio.get_running_loop().run_in_executor(_COVERS, addition, query, visitor)
    finally:
        _WAITING[query] -= 1
        if not _WAITING[query]:
            del _WAITING[query]


@cache
def _head() -> str:
    sheet, *modules = _files()
    links = (f'<link rel="modulepreload" href="{address}">' for address in modules)
    return f'<link rel="preload" as="style" href="{sheet}">{"".join(links)}{STYLE}'


@cache
def _files() -> list[str]:
    """Return the addresses of the graphs' style, of their modules, and last of ``early.js``."""
    from components.widgets.packaged import announce, linked_file, served_at

    announce()
    style, module, early = map(served_at, ("graph/main.css", _GRAPHS, "graph/early.js"))
    return [style, *linked_file("graph").imports, module, early]


def _cover(query: str, visitor: str) -> str:
    cover = _MADE.get(query)
    if cover is None:
        try:
            with budget.bounded(SECONDS, BYTES, address=visitor):
                cover = _frame(query, drawn=True)
        except budget.BusyMinuteError:
            return _frame(query)
        except budget.OverBudgetError:
            cover = _frame(query)
        _MADE[query] = cover
        for oldest in [*_MADE][:-MOST_MADE]:
            del _MADE[oldest]
    return cover


def _frame(query: str, *, drawn: bool = False) -> str:
    """Return the page's frame; ``drawn``: with the graphs."""
    given = {name: values[-1] for name, values in parse_qs(query).items()}
    place, tab = given.get("place", PLACES[0]), given.get("tab", CLOSED)
    if "view" in given or place != PLACES[0] or tab not in TABS[PLACES[0]]:
        return ""
    shown = _open_address(given) if drawn and "graphs" not in given else None
    board = _board(*shown) if shown else ""
    below = f' style="--x-below:{CLOSED_HEIGHT}px"' if tab == CLOSED else ""
    places = "".join(f"<span>{name}</span>" for name in PLACES)
    return (
        f'{_STYLE}<div id="first-paint"{below}>'
        f'<b aria-hidden="true">StreamGraph Explorer</b><nav aria-hidden="true">{places}</nav>'
        f"<aside></aside><main></main><aside></aside></div>{board}{_SCRIPT}"
    )


def _open_address(values: Mapping[str, str]) -> "tuple[Work, GraphView] | None":
    """Return what the address opens, with its graphs; None where it is not a small program."""
    from components.session.actions import default_sample
    from components.session.compiled import compile_document
    from components.session.link import HELD, OTHER, PARAMETER, from_link
    from components.session.session import SAMPLE
    from components.session.shared import load
    from components.session.work import opened

    text = values.get(PARAMETER) or values.get(OTHER)
    sample = default_sample(values.get(SAMPLE, ""))
    if sample is None or (text is None and HELD in values):
        return None
    with suppress(ExplorerError):
        work = opened(load(sample.path), sample.key) if text is None else from_link(text)
        small = work.document.parts <= MOST_TRANSFORMATIONS
        view = compile_document(work.document).view if small else None
        return (work, view) if view and len(view.edges) <= MOST_EDGES else None
    return None


def _board(work: "Work", view: "GraphView") -> str:
    """Return the graphs before there is a session, without findings and figures."""
    from components.graph import board
    from components.graph.drawing import drawing, of_document
    from components.session.routes import buttons
    from components.widgets.picture import menu
    from explorer.drawing.view.annotations import Annotations

    graphs = board(
        of_document(drawing(view, added=Annotations(), folded=()), str(work.serial)),
        routes=buttons(work),
        pictures=menu(view.words),
        selection=work.selection,
        connects=False,
    )
    data = msgspec.json.encode(graphs).decode().replace("<", "\\u003c")
    draws = _files()[-1]
    return f'<script type="application/json" id="first-board" data-draws="{draws}">{data}</script>'
