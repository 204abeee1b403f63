"""Memory of the server with many sessions and after hours: ``python -m benchmarks.page.visitors``.

Opens the page many times at once and closes it, then has one visitor work on: samples, edits, undo,
uploads, places and trial runs. Prints the server's memory and descriptors as it goes.
"""

import asyncio
import json
import subprocess
import tempfile
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from time import monotonic

from benchmarks.compile.pipelines import SHAPES, document
from benchmarks.options import option_parser
from explorer.documents.samples import sample_titles
from tests.journeys.conftest import free_port
from tests.visitors import Visitor, descriptors, megabytes, served

Server = subprocess.Popen[bytes]
MINUTE = 60.0
PLACES = ("Explore", "Deploy", "Run", "Learn", "Source")


def main() -> None:
    """Measure, and print a line per wave of sessions and per minute of work."""
    parser = option_parser("benchmarks.page.visitors", __doc__)
    parser.add_argument("--sessions", type=int, default=50, help="visitors at once")
    parser.add_argument("--minutes", type=float, default=5.0, help="of the whole run")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two steps")
    args = parser.parse_args()
    port = free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(port, Path(folder) / "log.txt") as server,
    ):
        asyncio.run(measure(port, server, args.sessions, args.minutes * MINUTE, args.pause))


async def measure(port: int, server: Server, sessions: int, seconds: float, pause: float) -> None:
    """Open ``sessions`` pages and close them; then work for ``seconds``."""
    print(f"{'':<28}{'memory, MB':>12}{'descriptors':>13}")
    visitor = await Visitor(port).open()
    show("one session", server)
    visitors = [await Visitor(port).open() for _ in range(sessions)]
    show(f"{sessions} sessions more", server)
    for idle_visitor in visitors:
        await idle_visitor.close()
    show("these closed", server)
    await work(visitor, server, seconds, pause)
    await visitor.close()
    await asyncio.sleep(150)
    show("two minutes after the last", server)


async def work(visitor: Visitor, server: Server, seconds: float, pause: float) -> None:
    """Run one step after the other, and show a line every minute."""
    start = last_line = monotonic()
    for turn in count():
        if monotonic() - start > seconds:
            break
        await STEPS[turn % len(STEPS)](visitor, turn)
        await asyncio.sleep(pause)
        if monotonic() - last_line > MINUTE:
            last_line = monotonic()
            show(f"{(last_line - start) / MINUTE:.0f} minutes, {turn:,} steps", server)


async def open_sample(visitor: Visitor, turn: int) -> None:
    """Open the next sample."""
    titles = list(sample_titles().values())
    await visitor.choose("sample", titles[turn // len(STEPS) % len(titles)])


async def toggle_chaining(visitor: Visitor, turn: int) -> None:
    """Turn chaining off or on, where the document lets it."""
    if visitor.has("chaining"):
        await visitor.toggle("chaining", on=turn % 2 == 0)


async def undo(visitor: Visitor, turn: int) -> None:
    """Undo the last step."""
    await visitor.press("undo")


async def go_to_place(visitor: Visitor, turn: int) -> None:
    """Show the next place."""
    query = "&".join(part for part in visitor.query.split("&") if not part.startswith("place="))
    await visitor.go(f"{query}&place={PLACES[turn % len(PLACES)]}")


async def upload(visitor: Visitor, turn: int) -> None:
    """Upload a document of hundred operators, where the place has the field."""
    if visitor.has("upload"):
        content = json.dumps(document(SHAPES[turn % len(SHAPES)], 100)).encode()
        await visitor.upload("upload", f"{turn}.json", content)


async def run_trial(visitor: Visitor, turn: int) -> None:
    """Start a trial run every now and then."""
    if turn % 100 < len(STEPS) and visitor.has("trial"):
        await visitor.press("trial")


def show(label: str, server: Server) -> None:
    """Print what the server holds."""
    print(f"{label:<28}{megabytes(server):>12.0f}{descriptors(server):>13}", flush=True)


Step = Callable[[Visitor, int], Awaitable[None]]
STEPS: tuple[Step, ...] = (
    open_sample, toggle_chaining, undo, go_to_place, upload, toggle_chaining, undo, run_trial,
)  # fmt: skip

if __name__ == "__main__":
    main()
