"""The cover that a visitor sees until the page's scripts run."""

import asyncio
import re
from base64 import b64decode
from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from components import first_paint, link
from components.work import opened
from explorer.documents import as_document

DOCUMENT = '<body><div id="root"></div></body>'


@pytest.fixture(autouse=True)
def _prepared() -> Iterator[None]:
    first_paint.prepare()
    yield
    first_paint.PREPARED.clear()


def pictures(html: str) -> list[str]:
    """The drawings in a cover."""
    return [b64decode(one).decode() for one in re.findall(r'base64,([^"]+)"', html)]


def linked(count: int) -> str:
    """The query of a link to a chain of so many operators."""
    chain: list[dict[str, Any]] = [{"id": "op0", "type": "legacy_source"}]
    chain += [{"id": f"op{n}", "type": "map", "inputs": [f"op{n - 1}"]} for n in range(1, count)]
    text = link.to_link(opened(as_document({"transformations": chain}), ""))
    return f"{link.PARAMETER}={text}"


def test_both_graphs_of_the_first_sample_are_shown() -> None:
    stream, job = pictures(first_paint.cover(""))

    assert "total miles" in stream
    assert "total miles -&gt; Sink: miles by" in job


@pytest.mark.parametrize(("query", "name"), [("sample=01-word-count", "words"), (linked(2), "Map")])
def test_the_program_of_the_address_is_shown(query: str, name: str) -> None:
    assert name in pictures(first_paint.cover(query))[0]


@pytest.mark.parametrize("query", ["s=nonsense", "held=1", linked(101), "graphs=job-execution"])
def test_the_frame_leaves_parts_out_that_cannot_be_shown_at_once(query: str) -> None:
    html = first_paint.cover(query)

    assert 'id="first-paint"' in html
    assert pictures(html) == []


def test_nothing_waits_for_the_pages_modules() -> None:
    first_paint.PREPARED.clear()

    assert pictures(first_paint.cover("")) == []


@pytest.mark.parametrize("query", ["place=Deploy", "view=present"])
def test_other_layouts_have_no_cover(query: str) -> None:
    assert first_paint.cover(query) == ""


BARE = Starlette(
    routes=[
        Route("/", lambda _: HTMLResponse(DOCUMENT)),
        Route("/other", lambda _: HTMLResponse("<p>another page</p>")),
        Route("/json", lambda _: JSONResponse({"text": DOCUMENT})),
    ]
)
"""A server with a document, a page without a root, and JSON."""
COVERED = first_paint.FirstPaint(BARE)


def answer(
    app: ASGIApp, path: str, query: str = "", mode: str = "navigate"
) -> tuple[dict[bytes, bytes], str]:
    """The headers and the body that a server answers."""
    messages: list[MutableMapping[str, Any]] = []
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": query.encode(),
        "headers": [(b"sec-fetch-mode", mode.encode())],
    }

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        messages.append(message)

    asyncio.run(app(scope, receive, send))  # type: ignore[arg-type]
    body = b"".join(one.get("body", b"") for one in messages)
    return dict(messages[0]["headers"]), body.decode()


def test_the_cover_stands_before_the_root_of_the_document() -> None:
    headers, html = answer(COVERED, "/", "sample=01-word-count")

    assert html.index('id="first-paint"') < html.index('id="root"')
    assert int(headers[b"content-length"]) == len(html.encode())


@pytest.mark.parametrize(
    ("path", "mode"), [("/other", "navigate"), ("/json", "navigate"), ("/", "cors")]
)
def test_other_answers_go_through_as_they_are(path: str, mode: str) -> None:
    assert answer(COVERED, path, mode=mode) == answer(BARE, path, mode=mode)
