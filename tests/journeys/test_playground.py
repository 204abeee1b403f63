"""The explorer without a server: one file opened from a folder, a static server, and Node."""

import base64
import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from threading import Thread

import msgspec
import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from explorer import compile_graph
from explorer.documents import parse_document
from explorer.drawing.html.linked_modules import link_modules
from explorer.errors import ExplorerError
from explorer.flink.releases import LATEST
from explorer.locations import sample_folder
from reference.playground.building import BROWSER, LARGEST_FILE, build
from reference.playground.parts import pyodide_folder
from tests.golden_files import FILES, cases
from tests.journeys.conftest import watched_page
from tests.patience import PATIENCE

pytestmark = pytest.mark.process
UPGRADE = sample_folder() / "upgrade"
HARNESS = Path(__file__).parents[1] / "playground" / "answers.mjs"
START = 1000 * PATIENCE
"""Milliseconds that Python may need to start in the browser."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with both forms of the page."""
    folder = tmp_path_factory.mktemp("playground")
    assert [path.name for path in build(folder)] == ["index.html", "explorer.html"]
    return folder


@pytest.fixture
def address(built: Path) -> Iterator[str]:
    """The page's address on a server that only sends files."""
    handler = partial(_Quiet, directory=str(built / "playground"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join(PATIENCE)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Print no line for each file."""


def ready(page: Page) -> None:
    expect(page.locator("html[data-ready]")).to_be_attached(timeout=START)


def test_one_file_teaches_and_judges_without_a_network(browser: Browser, built: Path) -> None:
    file = built / "explorer.html"
    assert file.stat().st_size <= LARGEST_FILE
    with watched_page(browser) as page:
        page.goto(file.as_uri())
        widget = page.locator(".widget")
        # The first graph is part of the page: it is there before Python is.
        expect(widget.locator(".counts")).to_have_text(
            "Flink 2.3 · 5 operators · 3 tasks · 2 slots"
        )
        ready(page)
        expect(page.locator(".report tbody tr")).to_have_count(5)

        widget.get_by_label("Chaining", exact=True).uncheck()
        expect(widget.locator(".counts")).to_have_text(re.compile("5 tasks"))
        expect(page.locator("#text")).to_contain_text("chaining: false")
        page.locator(".report tbody tr").nth(1).click()
        expect(widget.locator("aside .name")).to_have_text("words")

        _answer_a_lesson(page)
        _upload_a_broken_file(page)
        _judge_an_upgrade(page)
        _share(page)


def _answer_a_lesson(page: Page) -> None:
    widget = page.locator(".widget")
    page.get_by_label("Samples and lessons").select_option("02-a-to-e")
    expect(widget.locator("header h1")).to_have_text(re.compile("A to E|five", re.IGNORECASE))
    widget.get_by_role("button", name="Lesson").click()
    while not widget.locator(".lesson .ask").count():
        widget.get_by_role("button", name="Next →").click()
    widget.locator(".choices button").first.click()
    if widget.locator(".reveal").count():
        widget.locator(".reveal").click()
    expect(widget.locator(".verdict.good, .verdict.bad")).to_be_visible()
    widget.get_by_role("button", name="Lesson").click()


def _upload_a_broken_file(page: Page) -> None:
    name = page.locator(".widget header h1").inner_text()
    broken = FilePayload(name="broken.yaml", mimeType="text/yaml", buffer=b"transformations: [")
    page.locator("#open").set_input_files([broken])
    expect(page.locator(".widget [role=alert]")).to_contain_text("this is not YAML")
    expect(page.locator(".widget header h1")).to_have_text(name)


def _judge_an_upgrade(page: Page) -> None:
    page.locator("#open").set_input_files(UPGRADE / "orders-2.json")
    expect(page.locator(".widget [role=alert]")).not_to_be_visible()
    page.locator("#deployed").set_input_files(UPGRADE / "savepoint" / "_metadata")
    expect(page.locator("#baseline")).to_have_text("_metadata")
    page.get_by_role("tab", name="Restore").click()
    expect(page.locator(".report .lead")).to_contain_text("refuses")
    page.get_by_role("tab", name="Plan").click()
    expect(page.frame_locator(".report iframe").locator("h1")).to_have_text("Do not deploy")


def _share(page: Page) -> None:
    page.get_by_label("Samples and lessons").select_option("13-uids")
    page.get_by_role("button", name="Copy link").click()
    expect(page).to_have_url(re.compile("#s="))
    expect(page.locator("#status")).to_contain_text("works without a server")


def test_a_static_server_is_enough(browser: Browser, address: str) -> None:
    with watched_page(browser) as page:
        page.goto(f"{address}#sample=02-a-to-e&view=embed")
        ready(page)
        expect(page.locator(".widget header h1")).to_have_text(
            re.compile("A to E|five", re.IGNORECASE)
        )
        expect(page.locator("#text")).not_to_be_visible()


def test_golden_pipelines_compile_in_the_worker_as_on_the_command_line(
    built: Path, tmp_path: Path
) -> None:
    (tmp_path / "kernel.mjs").write_text(link_modules(BROWSER / "kernel.js"), encoding="utf-8")
    for name in ("explorer.zip", "python_stdlib.zip"):
        packed = (built / "playground" / f"{name}.bin").read_bytes()
        (tmp_path / name).write_bytes(gzip.decompress(packed))
    contents = [
        json.dumps(case["pipeline"]).encode()
        for name in FILES
        # The worker's code is ours as it is: what its Python of 32 bits does otherwise, all named
        # programs and constructs show, and a fifth of the random ones.
        for case in islice(cases(name), None, None, 5 if name == "random" else 1)
        if any(LATEST in outcome["versions"] for outcome in case["flink"])
    ]
    assert len(contents) > 200

    node = shutil.which("node")
    assert node, "node is missing: .ci/browser-and-java installs it"
    messages = [message for content in contents for message in _messages(content)]
    (tmp_path / "messages.json").write_text(json.dumps(messages), encoding="utf-8")
    result = subprocess.run(
        [node, str(HARNESS), str(pyodide_folder()), str(tmp_path)],
        capture_output=True,
        check=False,
        timeout=10 * PATIENCE,
    )
    assert result.returncode == 0, result.stderr[-500:]
    answers = iter(json.loads(result.stdout))
    for content, opened, written in zip(contents, answers, answers, strict=True):
        refused, text = _on_the_command_line(content)
        assert opened["traits"]["_scene"]["refused"] == refused
        assert refused or written["file"]["text"] == text


def _on_the_command_line(content: bytes) -> tuple[str, str]:
    """Why a pipeline is refused, and what ``compile`` prints of it; the other is empty."""
    try:
        members = compile_graph(parse_document(content, name="case.json")).to_dict()
    except ExplorerError as error:
        return str(error), ""
    return "", msgspec.json.format(msgspec.json.encode(members), indent=2).decode() + "\n"


def _messages(content: bytes) -> Iterator[dict[str, str]]:
    packed = base64.b64encode(content).decode()
    yield {"do": "upload", "name": "case.json", "content": packed}
    yield {"do": "compiled"}
