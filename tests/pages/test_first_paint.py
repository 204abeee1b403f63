"""The cover that a visitor sees until the page's scripts run."""

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from components import first_paint
from components.session import link
from components.session.work import opened as opened_work
from explorer.documents import as_document
from tests.asgi import ask
from tests.many_cases import for_each
from tests.pages.opened import opened, sent

DOCUMENT = '<body><div id="root"></div></body>'


@pytest.fixture(autouse=True)
def _prepared() -> Iterator[None]:
    first_paint.prepare()
    yield
    first_paint.PREPARED.clear()


def drawn_board(html: str) -> dict[str, Any] | None:
    """The graphs in a cover; None where it has none."""
    board = re.search(r'id="first-board"[^>]*>(.*?)</script>', html)
    return json.loads(board[1]) if board else None


def names(html: str, side: str) -> set[str]:
    """The names on the cards of one graph in a cover."""
    board = drawn_board(html)
    assert board
    return set(board[side]["names"].values())


def linked(count: int) -> str:
    """The query of a link to a chain of so many operators."""
    chain: list[dict[str, Any]] = [{"id": "op0", "type": "legacy_source"}]
    chain += [{"id": f"op{n}", "type": "map", "inputs": [f"op{n - 1}"]} for n in range(1, count)]
    text = link.to_link(opened_work(as_document({"transformations": chain}), ""))
    return f"{link.PARAMETER}={text}"


def test_both_graphs_of_the_first_sample_are_shown() -> None:
    cover = first_paint.addition("").cover

    assert "total miles" in names(cover, "stream")
    assert any(name.startswith("total miles -> Sink: miles by") for name in names(cover, "job"))


@pytest.mark.parametrize(("query", "name"), [("sample=01-word-count", "words"), (linked(2), "op1")])
def test_the_program_of_the_address_is_shown(query: str, name: str) -> None:
    assert name in names(first_paint.addition(query).cover, "stream")


@for_each("query", ["s=nonsense", "held=1", linked(101), "graphs=job-execution"])
def test_the_frame_leaves_parts_out_that_cannot_be_shown_at_once(query: str) -> None:
    html = first_paint.addition(query).cover

    assert 'id="first-paint"' in html
    assert drawn_board(html) is None


def keys_and_places(pane: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The key, area and name of each card."""
    cards = [part for part in pane["parts"] if part[0].startswith("card:")]
    return [(key, area, pane["names"][key]) for _, key, area, _ in cards]


def test_both_graphs_can_be_worked_with_before_the_page_is_imported() -> None:
    head, body = first_paint.addition("sample=06-cut-by-partitioner")
    board = drawn_board(body)
    assert board

    page = sent(opened(sample="06-cut-by-partitioner"), "graphs")

    for side in ("stream", "job"):
        assert board[side]["document"] == page[side]["document"]
        assert keys_and_places(board[side]) == keys_and_places(page[side])
    assert "graph/early.js" in body
    for file in ("graph/main.css", "graph/early.js", "graph/main.js", "shared/dom.js"):
        assert f"./_stcore/bidi-components/streamgraph-explorer.{file}" in head


def test_the_graphs_module_is_sent_with_what_it_alone_imports() -> None:
    """A second instance of a module that another component imports would have its own state."""
    head = first_paint.addition("").head
    answer = ask(COVERED, "/_stcore/bidi-components/streamgraph-explorer.graph/main.js")
    imported = re.findall(r'^import .* from "\.\./([^"]+)";$', answer.body.decode(), re.MULTILINE)

    assert answer.headers[b"content-type"].startswith(b"text/javascript")
    assert {"streamgraph-explorer.shared/step.js", "streamgraph-explorer.graph/command.js"} < {
        *imported
    }
    assert not any(file.startswith("streamgraph-explorer.board/") for file in imported)
    for file in imported:
        assert f'modulepreload" href="./_stcore/bidi-components/{file}"' in head


def test_a_name_ends_no_script() -> None:
    job = [
        {"id": "a", "type": "source", "name": "</script><b>"},
        {"id": "b", "type": "sink", "inputs": ["a"]},
    ]
    text = link.to_link(opened_work(as_document({"transformations": job}), ""))
    body = first_paint.addition(f"{link.PARAMETER}={text}").cover

    assert "</script><b>" not in body
    assert "\\u003c/script>\\u003cb>" in body


def test_nothing_waits_for_the_pages_modules() -> None:
    first_paint.PREPARED.clear()

    assert drawn_board(first_paint.addition("").cover) is None


@pytest.mark.parametrize("query", ["place=Deploy", "tab=Check", "view=present"])
def test_other_layouts_have_no_cover(query: str) -> None:
    assert first_paint.addition(query).cover == ""


BARE = Starlette(
    routes=[
        Route("/", lambda _: HTMLResponse(DOCUMENT)),
        Route("/other", lambda _: HTMLResponse("<p>another page</p>")),
        Route("/json", lambda _: JSONResponse({"text": DOCUMENT})),
    ]
)
"""A server with a document, a page without a root, and JSON."""
COVERED = first_paint.FirstPaint(BARE)


def test_the_cover_stands_before_the_root_of_the_document() -> None:
    answer = ask(COVERED, "/", query="sample=01-word-count")

    assert answer.body.index(b'id="first-paint"') < answer.body.index(b'id="root"')
    assert int(answer.headers[b"content-length"]) == len(answer.body)


@pytest.mark.parametrize(
    ("path", "mode"), [("/other", "navigate"), ("/json", "navigate"), ("/", "cors")]
)
def test_other_answers_go_through_as_they_are(path: str, mode: str) -> None:
    headers = {"sec-fetch-mode": mode}

    assert ask(COVERED, path, headers=headers) == ask(BARE, path, headers=headers)


def crossed(width: int) -> str:
    """The query of a link to each of as many sources with each of as many sinks."""
    ids = [f"s{n}" for n in range(width)]
    steps: list[dict[str, Any]] = [{"id": key, "type": "source"} for key in ids]
    steps.append({"id": "u", "type": "union", "inputs": ids})
    steps += [{"id": f"o{n}", "type": "sink", "inputs": ["u"]} for n in range(width)]
    text = link.to_link(opened_work(as_document({"transformations": steps}), ""))
    return f"{link.PARAMETER}={text}"


def test_a_few_parts_of_many_edges_are_not_drawn() -> None:
    assert drawn_board(first_paint.addition(crossed(44)).cover) is None


def test_a_cover_that_needs_too_much_work_has_no_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_paint, "SECONDS", -1.0)
    html = first_paint.addition(crossed(13)).cover

    assert 'id="first-paint"' in html
    assert drawn_board(html) is None


@pytest.mark.slow
def test_where_many_wait_a_new_link_has_a_bare_cover_and_a_known_one_its_graphs() -> None:
    known = "sample=01-word-count"
    first_paint.addition(known)

    async def asked() -> list[str]:
        queries = [*(crossed(width) for width in range(2, 8)), known]
        made = await asyncio.gather(*map(first_paint.addition_in_time, queries))
        return [addition.cover for addition in made]

    covers = asyncio.run(asked())

    drawn = [drawn_board(cover) is not None for cover in covers]
    assert drawn == [True] * first_paint.MOST_WAITING + [False] * 3 + [True]
    assert not first_paint._WAITING


def test_a_visitor_of_a_server_that_prepares_itself_waits_for_the_graphs() -> None:
    first_paint.PREPARED.clear()

    async def asked_while_it_prepares() -> str:
        asked = asyncio.create_task(first_paint.addition_in_time(""))
        await asyncio.sleep(0)
        first_paint.PREPARED.set()
        return (await asked).cover

    assert "first-board" in asyncio.run(asked_while_it_prepares())


def test_a_server_that_is_not_prepared_in_time_answers_with_the_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first_paint.PREPARED.clear()
    monkeypatch.setattr(first_paint, "PATIENCE", 0.0)

    html = asyncio.run(first_paint.addition_in_time("")).cover

    assert 'id="first-paint"' in html
    assert drawn_board(html) is None
