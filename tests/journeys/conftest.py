"""A real server and a real browser; a page error or a request elsewhere fails the journey."""

import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from urllib.error import URLError
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request

from tests.journeys.screen import Screen
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    """A port without a listener."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page's address on a server of its own."""
    port = free_port()
    log = tmp_path_factory.mktemp("server") / "log.txt"
    command = [sys.executable, "-m", "components.serve", str(ROOT / "app.py")]
    options = [f"--server.port={port}", "--server.headless=true"]
    with log.open("wb") as output:
        server = subprocess.Popen(
            [*command, *options], stdout=output, stderr=subprocess.STDOUT, cwd=ROOT
        )
    try:
        wait_for_health(f"http://127.0.0.1:{port}/_stcore/health", server, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)


def wait_for_health(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the server answers."""
    end = monotonic() + PATIENCE
    while monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - our own server
                return
        except URLError:
            sleep(0.2)
    pytest.fail(f"the page's server did not start:\n{log.read_text()[-2000:]}")


@contextmanager
def watched_page(
    browser: Browser, *, seen_the_tour: bool = True, allowed: tuple[str, ...] = ()
) -> Iterator[Page]:
    """A page of a visitor of its own; errors and requests elsewhere fail the journey.

    ``allowed``: parts of the errors that are expected.
    """
    # Without motion: what a click is aimed at would move on before it arrives.
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, accept_downloads=True, reduced_motion="reduce"
    )
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    if seen_the_tour:
        # A frame that shares nothing with its page has no store, and no tour.
        context.add_init_script(
            "if (origin !== 'null') localStorage.setItem('streamgraph-explorer.tour', 'shown')"
        )
    made = context.new_page()
    wrong: list[str] = []
    made.on("pageerror", lambda error: wrong.append(f"page error: {error}"))
    made.on(
        "console",
        lambda entry: wrong.append(f"console: {entry.text}") if entry.type == "error" else None,
    )
    made.on("dialog", lambda box: wrong.append(f"dialog: {box.message}"))

    def watch(request: Request) -> None:
        host = urlsplit(request.url).hostname
        if not request.url.startswith(("data:", "blob:")) and host != "127.0.0.1":
            wrong.append(f"request to {request.url}")

    made.on("request", watch)
    try:
        yield made
        if os.environ.get("JOURNEY_SHOTS"):
            name = os.environ["PYTEST_CURRENT_TEST"].rpartition("::")[2].partition(" ")[0]
            made.screenshot(path=str(Path(os.environ["JOURNEY_SHOTS"]) / f"{name}.png"))
    finally:
        context.close()
    wrong = [error for error in wrong if not any(part in error for part in allowed)]
    assert not wrong, wrong


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page."""
    with watched_page(browser) as made:
        yield made


@pytest.fixture
def screen(page: Page, address: str) -> Screen:
    """The page, opened with the table of IDs, with the first sample drawn."""
    opened = Screen(page, address)
    opened.open("/?tab=IDs")
    return opened
