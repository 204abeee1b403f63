"""A service that restarts below an open page, and a reload: what was opened and typed is there."""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.journeys.conftest import free_port, watched, watched_page
from tests.journeys.screen import Screen
from tests.visitors import served

VALUE = "globalThis.__editor.state.doc.toString()"
QUIET_AFTER_RESTART = 1_000.0
"""Milliseconds: the first answer of a service comes with pauses."""
NO_SERVICE = ("ERR_CONNECTION_REFUSED", "No response received", "server is not responding")
"""What a browser and Streamlit say while no service answers."""


@contextmanager
def restarting(browser: Browser, tmp_path: Path) -> Iterator[tuple[Screen, Generator[None]]]:
    """A page of a service of its own; ``next()`` of the second starts the service anew."""
    port, log = free_port(), tmp_path / "log.txt"

    def services() -> Generator[None]:
        while True:
            with served(port, log):
                yield

    turns = services()
    next(turns)
    try:
        with watched_page(browser, allowed=NO_SERVICE) as page:
            yield Screen(page, f"http://127.0.0.1:{port}"), turns
    finally:
        turns.close()


def restart(services: Generator[None], *screens: Screen) -> None:
    """End the service, start it anew, and wait until each page has its first answer."""
    for screen in screens:
        screen.page.evaluate("__traffic.received = 0; __traffic.sent = 0")
    next(services)
    for screen in screens:
        screen.settle(QUIET_AFTER_RESTART)


def large() -> str:
    """A document that no address holds."""
    steps: list[dict[str, object]] = [{"id": "s", "type": "source", "name": "s"}]
    for turn in range(30):
        name = "".join(sha256(f"{turn} {part}".encode()).hexdigest() for part in range(12))
        steps.append({"id": f"m{turn}", "type": "map", "inputs": [steps[-1]["id"]], "name": name})
    steps.append({"id": "out", "type": "sink", "inputs": [steps[-1]["id"]]})
    return json.dumps({"name": "large", "transformations": steps})


def test_edits_typed_text_and_a_document_too_large_for_the_address_survive_a_restart(
    browser: Browser, tmp_path: Path
) -> None:
    with restarting(browser, tmp_path) as (screen, services):
        page = screen.page
        screen.open("/?tab=YAML")
        area = page.get_by_label("Pipeline as YAML")
        expect(area).to_be_visible()
        text = page.evaluate(VALUE)
        area.fill(text.replace("type: map,", "type: map, parallelism: 1,"))
        screen.idle()
        expect(screen.counts).to_contain_text("4 tasks")
        faulty = text.replace("type: map,", "type: mapp,")
        area.fill(faulty)
        screen.idle()
        expect(page.get_by_text("transformations[2].type:")).to_contain_text("'mapp'")

        with watched(other_page := page.context.new_page(), NO_SERVICE):
            other = Screen(other_page, screen.address)
            counts = open_large(other)
            restart(services, screen, other)

            expect(other.counts).to_have_text(counts)
            other_page.reload()
            expect(other.counts).to_have_text(counts)
            # Without what its tab stores, it is the tab of whoever follows the link.
            other_page.evaluate("sessionStorage.clear()")
            other_page.goto(other_page.url)
            expect(other_page.get_by_text("too large for a link")).to_be_visible()
        assert page.evaluate(VALUE) == faulty
        expect(screen.counts).to_contain_text("4 tasks")
        area.fill(faulty.replace("mapp", "map"))
        expect(screen.counts).to_contain_text("3 tasks")


def open_large(screen: Screen) -> str:
    """Upload the large document, edit it, and return the counts that are shown then."""
    screen.open()
    screen.upload("large.json", large().encode())
    expect(screen.counts).to_contain_text("32 operators")
    screen.page.get_by_label("parallelism", exact=True).fill("3")
    screen.page.keyboard.press("Enter")
    expect(screen.counts).to_contain_text("3 slots")
    screen.idle()
    return str(screen.counts.text_content())
