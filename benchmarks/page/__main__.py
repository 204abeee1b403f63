"""How long after a click does the page show what came of it? ``python -m benchmarks.page``.

A server and Chromium of its own, as in the journeys. *Seen* is when the first figure has changed on
the screen, *settled* when the server is done and all tables are drawn. The small pipeline says
what a step costs whatever the size; medians over some rounds.
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

from playwright.sync_api import Locator, sync_playwright

from benchmarks.compile.pipelines import SHAPES, document
from components.places import place_of
from tests.conftest import QUIET, chromium_path
from tests.journeys.conftest import ROOT, free_port, wait_for_health
from tests.journeys.screen import Screen

COUNTS = "document.querySelector('.st-key-document-head .x-counts').textContent"
TABS = ("Decisions", "Execution graph", "Compare", "IDs")


class Taken(NamedTuple):
    """Milliseconds after the click."""

    seen: float
    settled: float


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=(10, 1_000), metavar="NODES")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    print(f"{'pipeline':<14}{'step':<24}{'seen, ms':>10}{'settled, ms':>13}")
    with served() as screen:
        for shape in (SHAPES[0], SHAPES[2]):
            for nodes in args.sizes:
                opened = document(shape, nodes)
                screen.upload("measured.json", json.dumps(opened).encode())
                screen.wait_for_overview(opened["name"])
                for step, taken in steps(screen, args.rounds):
                    seen = statistics.median(each.seen for each in taken)
                    settled = statistics.median(each.settled for each in taken)
                    print(f"{shape.name} {nodes:<9,}{step:<24}{seen:>10.0f}{settled:>13.0f}")


@contextmanager
def served() -> Iterator[Screen]:
    """The page on a server of its own, open in a browser."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    options = [f"--server.port={port}", "--server.headless=true"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        log = Path(folder) / "log.txt"
        with log.open("wb") as output:
            server = Popen([*command, *options], stdout=output, stderr=STDOUT, cwd=ROOT)
        try:
            wait_for_health(f"http://127.0.0.1:{port}/_stcore/health", server, log)
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=QUIET)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            screen = Screen(page, f"http://127.0.0.1:{port}")
            screen.open("/?tab=IDs")
            yield screen
            browser.close()
        finally:
            server.terminate()
            server.wait(timeout=30)


def steps(screen: Screen, rounds: int) -> Iterator[tuple[str, list[Taken]]]:
    """Every step with what it took, each round the same ones."""
    rows = screen.rows("Operator IDs")
    yield "select an operator", [select(screen, rows.nth(turn + 2)) for turn in range(rounds)]
    strategies = ("NEVER", "ALWAYS") * rounds
    yield "toggle a strategy", [toggle(screen, name) for name in strategies[:rounds]]
    chaining = screen.page.get_by_text("Chaining", exact=True)
    yield "chaining off and on", [changed(screen, chaining) for _ in range(rounds + rounds % 2)]
    for name in TABS:
        screen.place(place_of(name))
        tab = screen.page.get_by_role("tab", name=name, exact=True)
        yield f"open {name}", [timed(screen, tab.click, "true")]


def select(screen: Screen, row: Locator) -> Taken:
    """Pick a row; its operator is selected in the graph."""
    before = screen.page.locator(".st-key-right .x-fields dd").last.inner_text()
    said = "[...document.querySelectorAll('.st-key-right .x-fields dd')].at(-1).textContent"
    return timed(screen, row.click, f"{said} !== {json.dumps(before)}")


def toggle(screen: Screen, strategy: str) -> Taken:
    """Choose a strategy for the selected operator."""
    return changed(screen, screen.form.get_by_role("radio", name=strategy))


def changed(screen: Screen, button: Locator) -> Taken:
    """Click, and wait for other counts in the title bar."""
    before = json.dumps(screen.page.evaluate(COUNTS))
    return timed(screen, button.click, f"{COUNTS} !== {before}")


def timed(screen: Screen, act: Callable[[], None], until: str) -> Taken:
    """Do something, and wait for what it brings."""
    begun = perf_counter()
    act()
    screen.page.wait_for_function(until, polling=10)
    seen = perf_counter()
    screen.settle(0)
    settled = perf_counter()
    screen.idle()
    return Taken((seen - begun) * 1e3, (settled - begun) * 1e3)


if __name__ == "__main__":
    main()
