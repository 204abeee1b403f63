"""Measures how long a visitor of the page waits: ``python -m benchmarks.page``.

A server, as ``ui`` starts it, and Chromium of its own. First the first visit: on a server that has
just started, and on one that has answered before, with nothing cached in the browser. *Painted*
is when there is something on the screen, *graphs* when both can be worked with, *page* when they
have moved into the page and all of it is there, in milliseconds after the address is entered.

Then clicks, by a clock inside the page (``clock.js``), in milliseconds after the pointer went
down: *graph* is the first change in a graph, *panel* the first in the right panel, *rest* the last
one anywhere; *CPU* is the server's, until it rests. The small pipeline shows what a step costs
whatever the size; medians, ``-`` where nothing changed.

Last the pictures while a large, unfolded graph is dragged and enlarged, by the browser's own frame
times: how many there are a second, and the 95th percentile of the milliseconds between two.
"""

import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from subprocess import STDOUT, Popen
from time import perf_counter
from typing import NamedTuple

from playwright.sync_api import Browser, Locator, sync_playwright

from benchmarks.compile.pipelines import SHAPES, document
from benchmarks.options import option_parser
from components.session.places import place_of
from tests.conftest import QUIET, chromium_path
from tests.journeys.conftest import ROOT, free_port, wait_for_health, watched_page
from tests.journeys.screen import Screen

COUNTS = "document.querySelector('.st-key-document-head .x-counts').textContent"
CLOCK = Path(__file__).with_name("clock.js").read_text(encoding="utf-8")
_CPU_OF_PROCESS = 2
"""In the number of a process's clock: that of its CPU time."""
SAMPLE = "01-word-count"
SCALES = 3
"""Scales at which a graph is moved: that at which it is whole, and what enlarging brings."""
MOVES, DRAGGED = 90, 120
"""Movements of the mouse or the wheel in one measurement, and pixels that a graph is dragged."""
TABS = ("Decisions", "Execution graph", "Check", "Compare", "IDs")
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
WORKING = (
    "document.querySelector('#first-paint main > div')?.shadowRoot.querySelector('.board')"
    " || globalThis.__graphs"
)
DRAWN = "['stream', 'job'].every((side) => globalThis.__graphs?.[side]?.keys().length > 0)"


class Timing(NamedTuple):
    """Milliseconds after the pointer went down, None where nothing changed; and of CPU."""

    graph: float | None
    panel: float | None
    rest: float | None
    cpu: float


def main() -> None:
    """Measure, and print a table."""
    parser = option_parser("benchmarks.page", __doc__)
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="+",
        default=(10, 1_000),
        metavar="NODES",
        help="operators of the pipelines",
    )
    parser.add_argument("--rounds", type=int, default=5, help="of which the medians are printed")
    parser.add_argument(
        "--frames",
        type=int,
        default=1_500,
        metavar="NODES",
        help="operators of the graph that is dragged",
    )
    parser.add_argument(
        "--only", choices=("visits", "clicks", "frames"), help="what alone is measured"
    )
    args = parser.parse_args()
    measurements = {
        "visits": partial(measure_visits, args.rounds),
        "clicks": partial(measure_clicks, args.sizes, args.rounds),
        "frames": partial(measure_frames, args.frames),
    }
    for name, measure in measurements.items():
        if args.only in {None, name}:
            measure()


def measure_visits(rounds: int) -> None:
    """Print how long first visits wait, of a new server and of a warm one."""
    visits = []
    for _ in range(rounds):
        with served() as (browser, address, _):
            visits.append([visit(browser, address) for _ in range(2)])
    titles = ("painted, ms", "graphs, ms", "page, ms")
    print(f"{'first visit':<38}" + "".join(f"{title:>14}" for title in titles))
    for turn, server in enumerate(("just started", "answered before")):
        columns = zip(*(timings[turn] for timings in visits), strict=True)
        medians = [statistics.median(column) for column in columns]
        print(f"of a server that has {server:<17}" + "".join(f"{ms:>14.0f}" for ms in medians))


def measure_clicks(sizes: Sequence[int], rounds: int) -> None:
    """Print what each kind of click costs, for pipelines of these sizes."""
    titles = [f"{title}, ms" for title in Timing._fields]
    print(f"\n{'pipeline':<14}{'step':<24}" + "".join(f"{title:>12}" for title in titles))
    with opened() as (screen, server):
        print_steps("sample 01", steps(screen, server, min(rounds, 3)))
        for shape, nodes in product((SHAPES[0], SHAPES[2]), sizes):
            program = document(shape, nodes)
            screen.upload("measured.json", json.dumps(program).encode())
            screen.wait_for_overview(program["name"])
            print_steps(f"{shape.name} {nodes:,}", steps(screen, server, rounds))


def print_steps(pipeline: str, measured: Iterable[tuple[str, list[Timing]]]) -> None:
    """Print a row for each step."""
    for step, timings in measured:
        figures = map(median, zip(*timings, strict=True))
        row = "".join(f"{figure:>12}" for figure in figures)
        print(f"{pipeline:<14}{step:<24}{row}", flush=True)


def measure_frames(nodes: int) -> None:
    """Print the frame times while an unfolded graph of so many operators is moved."""
    print(f"\n{'movement':<38}{'frames a second':>18}{'95th percentile, ms':>22}")
    with opened() as (screen, _):
        program = document(SHAPES[2], nodes)
        screen.upload("measured.json", json.dumps(program).encode())
        screen.wait_for_overview(program["name"])
        screen.page.locator(".pane[data-side=stream] [data-do=fold]").click()
        screen.wait_for("stream", f"keys().length === {nodes}")
        screen.page.locator(".pane[data-side=stream] [data-do=fit]").click()
        screen.idle()
        middle = middle_of(screen.page.locator("[data-graph=stream]"))
        for _ in range(SCALES):
            scale = f"at scale {screen.graph('stream', 'scale()'):.2f}"
            for name, move in (("drag", drag), ("enlarge", enlarge)):
                screen.page.evaluate("__clock.film()")
                move(screen, middle)
                frames = screen.page.evaluate("__clock.frames()")
                pace, slow = 1e3 / statistics.mean(frames), statistics.quantiles(frames, n=20)[-1]
                print(f"{f'{name} {scale}':<38}{pace:>18.1f}{slow:>22.1f}", flush=True)


def middle_of(part: Locator) -> tuple[float, float]:
    """Return the middle of an element in the window."""
    box = part.bounding_box()
    if box is None:
        message = "The graph is not shown."
        raise RuntimeError(message)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(screen: Screen, middle: tuple[float, float]) -> None:
    """Drag a graph to and fro."""
    mouse, (x, y) = screen.page.mouse, middle
    mouse.move(x, y)
    mouse.down()
    for turn in range(MOVES):
        mouse.move(x + DRAGGED * math.sin(turn / 6), y + DRAGGED * math.sin(turn / 9))
    mouse.up()


def enlarge(screen: Screen, middle: tuple[float, float]) -> None:
    """Enlarge a graph with the wheel, and take back a part of it."""
    screen.page.mouse.move(*middle)
    for turn in range(MOVES):
        screen.page.mouse.wheel(0, 15 if turn > MOVES * 0.7 else -15)


def median(figures: Iterable[float | None]) -> str:
    """The median of those that there are, as text."""
    measured = [figure for figure in figures if figure is not None]
    return f"{statistics.median(measured):.0f}" if measured else "-"


def visit(browser: Browser, address: str) -> tuple[float, float, float]:
    """Milliseconds until something is painted, both graphs work, and the page is there."""
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        page, milliseconds = context.new_page(), []
        start = perf_counter()
        page.goto(address, wait_until="commit")
        for condition in (WORKING, DRAWN):
            page.wait_for_function(condition, polling=10)
            milliseconds.append((perf_counter() - start) * 1e3)
        graphs_ms, page_ms = milliseconds
        return page.evaluate(PAINTED), graphs_ms, page_ms


@contextmanager
def opened() -> Iterator[tuple[Screen, Popen[bytes]]]:
    """The page with the table of IDs, open in a browser, and its server."""
    with served() as (browser, address, server), watched_page(browser) as page:
        screen = Screen(page, address)
        page.add_init_script(CLOCK)
        screen.open(f"/?sample={SAMPLE}&tab=IDs")
        yield screen, server


@contextmanager
def served() -> Iterator[tuple[Browser, str, Popen[bytes]]]:
    """A browser, and the address and the process of a server of its own."""
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
            yield browser, f"http://127.0.0.1:{port}", server
            browser.close()
        finally:
            server.terminate()
            server.wait(timeout=30)


def steps(screen: Screen, server: Popen[bytes], rounds: int) -> Iterator[tuple[str, list[Timing]]]:
    """Every step with its duration, each round the same ones."""

    def timed(act: Callable[[], None], until: str) -> Timing:
        """Do something, wait for what it brings and for the server's rest."""
        screen.page.evaluate("__clock.begin()")
        cpu_at_click = cpu(server)
        act()
        screen.page.wait_for_function(until)
        screen.idle()
        graph, panel, rest = screen.page.evaluate("__clock.figures()")
        return Timing(graph, panel, rest, cpu(server) - cpu_at_click)

    def select(pick: Callable[[], None]) -> Timing:
        """Pick another operator; the right panel shows it."""
        fields = "document.querySelector('.st-key-right .x-fields')?.textContent"
        old_fields = json.dumps(screen.page.evaluate(fields))
        return timed(pick, f"({fields} ?? {old_fields}) !== {old_fields}")

    def change(button: Locator) -> Timing:
        """Click, and wait for other counts in the title bar."""
        old_counts = json.dumps(screen.page.evaluate(COUNTS))
        return timed(button.click, f"{COUNTS} !== {old_counts}")

    def fold() -> Timing:
        """Unfold the StreamGraph, or fold it again."""
        button = screen.page.locator(".pane[data-side=stream] [data-do=fold]")
        old_keys = json.dumps(screen.graph("stream", "keys().join()"))
        return timed(button.click, f"__graphs.stream.keys().join() !== {old_keys}")

    rows = screen.rows("Operator IDs")
    yield "select a row", [select(rows.nth(turn + 2).click) for turn in range(rounds)]
    cards = screen.graph("stream", "keys()")[:2] * rounds
    yield "select a card", [select(partial(click_card, screen, key)) for key in cards[:rounds]]
    toggles = []
    for key in shown_cards(screen)[1 : rounds + 1]:
        select(partial(click_card, screen, key))
        buttons = [screen.form.get_by_role("radio", name=name) for name in ("NEVER", "ALWAYS")]
        toggles.append([change(button) for button in buttons])
    first, back = zip(*toggles, strict=True)
    yield "toggle a strategy", [*first]
    yield "toggle it back", [*back]
    chaining = screen.page.get_by_text("Chaining", exact=True)
    yield "chaining off and on", [change(chaining) for _ in range(rounds + rounds % 2)]
    yield "unfold and fold", [fold() for _ in range(rounds + rounds % 2)]
    for name in TABS:
        screen.place(place_of(name))
        tab = screen.page.get_by_role("tab", name=name, exact=True)
        yield f"open {name}", [timed(tab.click, "true")]


def shown_cards(screen: Screen) -> list[str]:
    """Return the cards of the StreamGraph whose middle is in view: of a large one, some are not."""
    pane = screen.page.locator("[data-graph=stream]").bounding_box()
    if pane is None:
        return []
    middles = {
        key: screen.graph("stream", f"at({key!r})") for key in screen.graph("stream", "keys()")
    }
    left, top = pane["x"], pane["y"]
    right, foot = left + pane["width"], top + pane["height"]
    return [key for key, at in middles.items() if left < at["x"] < right and top < at["y"] < foot]


def click_card(screen: Screen, key: str) -> None:
    """Click the middle of a card of the StreamGraph."""
    middle = screen.graph("stream", f"at({key!r})")
    screen.page.mouse.click(middle["x"], middle["y"])


def cpu(server: Popen[bytes]) -> float:
    """Milliseconds of CPU that a server has used; Linux' clock of another process, to the ns."""
    return time.clock_gettime(~server.pid << 3 | _CPU_OF_PROCESS) * 1e3


if __name__ == "__main__":
    main()
