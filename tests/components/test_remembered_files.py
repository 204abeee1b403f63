"""Files of the page are sent from memory once they were sent."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from components.server import remembered_files
from components.server.remembered_files import RememberedFiles
from tests.asgi import Answer, ask
from tests.many_cases import for_each

SCRIPT = "/static/js/index.js"


class Files:
    """A server of files that counts the requests that reach it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        middleware = [Middleware(RememberedFiles), Middleware(GZipMiddleware, minimum_size=1)]
        routes = [Route("/{path:path}", self._answer, methods=["GET", "HEAD", "POST"])]
        self.app = Starlette(routes=routes, middleware=middleware)

    def _answer(self, request: Request) -> Response:
        self.asked.append(request.url.path)
        text = f"answer {len(self.asked)}" * 9
        if "page" in request.url.path:
            return HTMLResponse(text)
        return PlainTextResponse(text, 404 if "lost" in request.url.path else 200, {"etag": "1"})


def is_compressed(answer: Answer) -> bool:
    return answer.headers.get(b"content-encoding") == b"gzip"


@for_each("path", [SCRIPT, "/base/_stcore/bidi-components/x.graph/main.js"])
@for_each("encoding", ["gzip", "identity"])
def test_a_file_is_read_once(path: str, encoding: str) -> None:
    files = Files()
    first, second = (ask(files.app, path, headers={"accept-encoding": encoding}) for _ in range(2))

    assert files.asked == [path]
    assert first == second
    assert is_compressed(second) == (encoding == "gzip")


def test_clients_that_do_not_decompress_have_an_answer_of_their_own() -> None:
    files = Files()
    for encoding in ("gzip, br", "identity", "br, gzip", ""):
        answer = ask(files.app, SCRIPT, headers={"accept-encoding": encoding})
        assert is_compressed(answer) == ("gzip" in encoding)

    assert len(files.asked) == 2


@for_each(
    ("method", "path", "header"),
    [
        ("GET", "/", ""),
        ("GET", "/_stcore/health", ""),
        ("GET", "/static/lost.js", ""),
        ("GET", "/static/page", ""),
        ("HEAD", SCRIPT, ""),
        ("POST", SCRIPT, ""),
        ("GET", SCRIPT, "range"),
        ("GET", SCRIPT, "if-none-match"),
        ("GET", SCRIPT, "if-modified-since"),
    ],
)
def test_all_else_is_asked_of_the_server(method: str, path: str, header: str) -> None:
    files = Files()
    for _ in range(2):
        ask(files.app, path, method=method, headers={header: "1"} if header else {})

    assert files.asked == [path, path]


def test_no_more_is_remembered_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered_files, "MOST_BYTES", 100)
    files = Files()
    for path in ("/static/a.js", "/static/b.js") * 2:
        ask(files.app, path)

    assert files.asked == ["/static/a.js", "/static/b.js", "/static/b.js"]
