"""Measures how long a visitor of the page waits: ``python -m benchmarks.page``.

A server, as ``ui`` starts it, and Chromium of its own. First the first visit: on a server that has
just started, and on one that has answered before, with nothing cached in the browser. *Painted*
is when there is something on the screen, *graphs* when both can be worked with, *page* when they
have moved into the page and all of it is there, in milliseconds after the address is entered.

Then clicks: *shown* is when the answer is on the screen, *settled* when the server is done and all
tables are drawn. The small pipeline shows what a step costs whatever the size; medians.
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import STDOUT, Popen
from time import perf_counter
from typing import NamedTuple

from playwright.sync_api import Browser, Locator, sync_playwright

from benchmarks.compile.pipelines import SHAPES, document
from components.session.places import place_of
from tests.conftest import QUIET, chromium_path
from tests.journeys.conftest import ROOT, free_port, wait_for_health, watched_page
from tests.journeys.screen import Screen

COUNTS = "document.querySelector('.st-key-document-head .x-counts').textContent"
TABS = ("Decisions", "Execution graph", "Check", "Compare", "IDs")
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
WORKING = (
    "document.querySelector('#first-paint main > div')?.shadowRoot.querySelector('.board')"
    " || globalThis.__graphs"
)
DRAWN = "['stream', 'job'].every((side) => globalThis.__graphs?.[side]?.keys().length > 0)"


class Timing(NamedTuple):
    """Milliseconds after the click."""

    shown: float
    settled: float


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=(10, 1_000), metavar="NODES")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    visits = []
    for _ in range(args.rounds):
        with served() as (browser, address):
            visits.append([visit(browser, address) for _ in range(2)])
    titles = ("painted, ms", "graphs, ms", "page, ms")
    print(f"{'first visit':<38}" + "".join(f"{title:>14}" for title in titles))
    for turn, server in enumerate(("just started", "answered before")):
        columns = zip(*(each[turn] for each in visits), strict=True)
        medians = [statistics.median(column) for column in columns]
        print(f"of a server that has {server:<17}" + "".join(f"{ms:>14.0f}" for ms in medians))
    print(f"\n{'pipeline':<14}{'step':<24}{'shown, ms':>10}{'settled, ms':>13}")
    with opened() as screen:
        for shape in (SHAPES[0], SHAPES[2]):
            for nodes in args.sizes:
                program = document(shape, nodes)
                screen.upload("measured.json", json.dumps(program).encode())
                screen.wait_for_overview(program["name"])
                for step, timings in steps(screen, args.rounds):
                    shown = statistics.median(each.shown for each in timings)
                    settled = statistics.median(each.settled for each in timings)
                    print(f"{shape.name} {nodes:<9,}{step:<24}{shown:>10.0f}{settled:>13.0f}")


def visit(browser: Browser, address: str) -> tuple[float, float, float]:
    """Milliseconds until something is painted, both graphs work, and the page is there."""
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        page, found = context.new_page(), []
        begun = perf_counter()
        page.goto(address, wait_until="commit")
        for condition in (WORKING, DRAWN):
            page.wait_for_function(condition, polling=10)
            found.append((perf_counter() - begun) * 1e3)
        working, drawn = found
        return page.evaluate(PAINTED), working, drawn


@contextmanager
def opened() -> Iterator[Screen]:
    """The page with the table of IDs, open in a browser."""
    with served() as (browser, address), watched_page(browser) as page:
        screen = Screen(page, address)
        screen.open("/?tab=IDs")
        yield screen


@contextmanager
def served() -> Iterator[tuple[Browser, str]]:
    """A browser, and the address of a server of its own."""
    port = free_port()
    command = [sys.executable, "-P", "-m", "components.serve", str(ROOT / "app.py")]
    options = [f"--server.port={port}", "--server.headless=true"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        log = Path(folder) / "log.txt"
        with log.open("wb") as output:
            server = Popen([*command, *options], stdout=output, stderr=STDOUT, cwd=ROOT)
        try:
            wait_for_health(f"http://127.0.0.1:{port}/_stcore/health", server, log)
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=QUIET)
            yield browser, f"http://127.0.0.1:{port}"
            browser.close()
        finally:
            server.terminate()
            server.wait(timeout=30)


def steps(screen: Screen, rounds: int) -> Iterator[tuple[str, list[Timing]]]:
    """Every step with its duration, each round the same ones."""
    rows = screen.rows("Operator IDs")
    yield "select an operator", [select(screen, rows.nth(turn + 2)) for turn in range(rounds)]
    strategies = ("NEVER", "ALWAYS") * rounds
    yield "toggle a strategy", [toggle(screen, name) for name in strategies[:rounds]]
    chaining = screen.page.get_by_text("Chaining", exact=True)
    yield "chaining off and on", [changed(screen, chaining) for _ in range(rounds + rounds % 2)]
    yield "unfold and fold", [fold(screen) for _ in range(rounds + rounds % 2)]
    for name in TABS:
        screen.place(place_of(name))
        tab = screen.page.get_by_role("tab", name=name, exact=True)
        yield f"open {name}", [timed(screen, tab.click, "true")]


def select(screen: Screen, row: Locator) -> Timing:
    """Pick a row; its operator is selected in the graph."""
    fields = "document.querySelector('.st-key-right .x-fields')?.textContent"
    before = json.dumps(screen.page.evaluate(fields))
    return timed(screen, row.click, f"({fields} ?? {before}) !== {before}")


def toggle(screen: Screen, strategy: str) -> Timing:
    """Choose a strategy for the selected operator."""
    return changed(screen, screen.form.get_by_role("radio", name=strategy))


def fold(screen: Screen) -> Timing:
    """Unfold the StreamGraph, or fold it again."""
    button = screen.page.locator(".pane[data-side=stream] [data-do=fold]")
    before = json.dumps(screen.graph("stream", "keys().join()"))
    return timed(screen, button.click, f"__graphs.stream.keys().join() !== {before}")


def changed(screen: Screen, button: Locator) -> Timing:
    """Click, and wait for other counts in the title bar."""
    before = json.dumps(screen.page.evaluate(COUNTS))
    return timed(screen, button.click, f"{COUNTS} !== {before}")


def timed(screen: Screen, act: Callable[[], None], until: str) -> Timing:
    """Do something, and wait for what it brings."""
    begun = perf_counter()
    act()
    screen.page.wait_for_function(until, polling=10)
    shown = perf_counter()
    screen.settle(0)
    settled = perf_counter()
    screen.idle()
    return Timing((shown - begun) * 1e3, (settled - begun) * 1e3)


if __name__ == "__main__":
    main()
