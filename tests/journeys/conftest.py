"""A real server and a real browser; a page error or a request elsewhere fails the journey."""

import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache, partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final
from urllib.error import URLError
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, ViewportSize

from tests.journeys.screen import TRAFFIC, Screen
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
VIEWPORT: Final = ViewportSize(width=1440, height=900)
SEE_THE_TOUR: Final = "localStorage.setItem('streamgraph-explorer.tour', 'shown')"
"""What the page stores once a visitor has seen its tour."""


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


def new_tab(
    browser: Browser,
    *,
    seen_the_tour: bool = True,
    viewport: ViewportSize = VIEWPORT,
    has_touch: bool = False,
) -> Page:
    """A tab of a browser that nobody has used."""
    # Without motion: what a click is aimed at would move on before it arrives.
    context = browser.new_context(
        viewport=viewport, has_touch=has_touch, accept_downloads=True, reduced_motion="reduce"
    )
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.add_init_script(TRAFFIC)
    if seen_the_tour:
        # A frame that shares nothing with its page has no store, and no tour.
        context.add_init_script(f"if (origin !== 'null') {SEE_THE_TOUR}")
    return context.new_page()


def complaint_of_entry(entry: ConsoleMessage) -> str:
    """What is wrong with an entry of the console; empty: nothing."""
    return f"console: {entry.text}" if entry.type == "error" else ""


def complaint_of_request(request: Request) -> str:
    """What is wrong with a failed request; empty: nothing.

    Requests to other hosts fail, since their proxy does not exist. A listener to all requests, a
    hundred for each page load, would cost 60 ms of CPU a load.
    """
    is_ours = urlsplit(request.url).hostname == "127.0.0.1"
    is_ours |= request.url.startswith(("data:", "blob:"))
    return "" if is_ours else f"request to {request.url}"


def complaint_of_dialog(dialog: Dialog) -> str:
    """What an open dialog says; it is closed, since the tab does nothing while it is open."""
    dialog.dismiss()
    return f"dialog: {dialog.message}"


COMPLAINTS: Final[dict[Any, Callable[[Any], str]]] = {
    "pageerror": lambda error: f"page error: {error}",
    "console": complaint_of_entry,
    "dialog": complaint_of_dialog,
    "requestfailed": complaint_of_request,
}
"""By event of a tab: what it tells of a fault; empty: nothing."""


@contextmanager
def watched(page: Page, allowed: tuple[str, ...] = ()) -> Iterator[None]:
    """Fail the journey for errors of a tab and requests elsewhere.

    ``allowed``: parts of the errors that are expected.
    """
    wrong: list[str] = []

    def listen(complain: Callable[[Any], str], event: Any) -> None:
        complaint = complain(event)
        if complaint and not any(part in complaint for part in allowed):
            wrong.append(complaint)

    listeners = {name: partial(listen, complain) for name, complain in COMPLAINTS.items()}
    for name, listener in listeners.items():
        page.on(name, listener)
    yield
    for name, listener in listeners.items():
        page.remove_listener(name, listener)
    assert not wrong, wrong


def keep_shot(page: Page) -> None:
    """Save what a journey ends with in the folder ``$JOURNEY_SHOTS``, where there is one."""
    if folder := os.environ.get("JOURNEY_SHOTS"):
        name = os.environ["PYTEST_CURRENT_TEST"].rpartition("::")[2].partition(" ")[0]
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


@contextmanager
def watched_page(
    browser: Browser, *, allowed: tuple[str, ...] = (), **options: Any
) -> Iterator[Page]:
    """A watched tab, with the options of ``new_tab``, of a visitor who leaves nothing behind."""
    page = new_tab(browser, **options)
    with watched(page, allowed), closing(page.context):
        yield page
        keep_shot(page)


@cache
def shared_tab(browser: Browser, address: str) -> Page:
    """The tab that the visitors of most journeys have one after another.

    In a tab of its own each of them would fetch, parse and compile the page's scripts: of the CPU
    seconds of opening the page, those are two in five.
    """
    page = new_tab(browser, seen_the_tour=False)
    forget_visitor(page, address)
    return page


def forget_visitor(page: Page, address: str) -> None:
    """Make the tab as it was before its visitor came, who has seen the tour."""
    page.unroute_all()
    page.goto(f"{address}/_stcore/health")
    page.evaluate(f"localStorage.clear(); sessionStorage.clear(); {SEE_THE_TOUR}")
    page.context.clear_cookies()
    for other in page.context.pages:
        if other is not page:
            other.close()
    page.mouse.move(0, 0)
    page.set_viewport_size(VIEWPORT)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The watched tab of a new visitor of the page's server."""
    tab = shared_tab(browser, address)
    try:
        with watched(tab):
            yield tab
            keep_shot(tab)
            tab.evaluate("0")  # whatever the page told before arrives before the answer
        forget_visitor(tab, address)
    except BaseException:
        shared_tab.cache_clear()
        tab.context.close()
        raise


@pytest.fixture
def visitor(page: Page, address: str) -> Screen:
    """What a visitor has before the page is opened."""
    return Screen(page, address)


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """The page, opened with the table of IDs, with the first sample drawn."""
    visitor.open("/?tab=IDs")
    return visitor
