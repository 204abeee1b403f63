"""Many visitors at once for minutes: ``python -m benchmarks.page.soak``.

Each visitor clicks, waits for the answer, and pauses as people do. Prints the answers' median, 99th
percentile and maximum in seconds, the failures, and by minute the server's memory, threads and
descriptors. The goal: a 99th percentile below 3 s, no failure, no growth after the first minute.
"""

import asyncio
import random
import re
import statistics
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

from tornado.httpclient import HTTPError
from tornado.websocket import WebSocketError

from benchmarks.options import option_parser
from benchmarks.page.visitors import MINUTE, STEPS, Server, run_trial
from tests.journeys.conftest import free_port
from tests.visitors import Visitor, descriptors, megabytes, served

CLICKS = tuple(step for step in STEPS if step is not run_trial)
"""Runs on Spark wait for one another by design."""


class Answers:
    """The seconds of all answers, and how often something failed."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.failures: Counter[str] = Counter()

    def print_summary(self) -> None:
        """Print a line for the answers and one for each kind of failure."""
        ordered = sorted(self.seconds)
        slow = ordered[int(len(ordered) * 0.99)]
        print(
            f"{len(ordered):,} answers: median {statistics.median(ordered):.2f} s, "
            f"99th percentile {slow:.2f} s, slowest {ordered[-1]:.2f} s, "
            f"{self.failures.total()} failures"
        )
        for failure, count in self.failures.most_common():
            print(f"{count:>6} {failure}")


def main() -> None:
    """Measure, and print the figures."""
    parser = option_parser("benchmarks.page.soak", __doc__)
    parser.add_argument("--sessions", type=int, default=50, help="visitors at once")
    parser.add_argument("--minutes", type=float, default=10.0, help="of the whole run")
    parser.add_argument("--pause", type=float, default=10.0, help="seconds between two clicks")
    args = parser.parse_args()
    port = free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(port, Path(folder) / "log.txt") as server,
    ):
        answers = asyncio.run(soak(port, server, args.sessions, args.minutes * MINUTE, args.pause))
        log = (Path(folder) / "log.txt").read_text(encoding="utf-8", errors="replace")
    answers.print_summary()
    errors = re.findall(r"^Traceback .*\n(?:[ \n].*\n?)*(\S.*)", log, re.MULTILINE)
    print(f"{len(errors)} tracebacks in the server's log")
    for error, count in Counter(errors).most_common():
        print(f"{count:>6} {error}")


async def soak(port: int, server: Server, sessions: int, seconds: float, pause: float) -> Answers:
    """Let visitors click for ``seconds``; each begins at another moment of the first pause."""
    answers, end = Answers(), monotonic() + seconds
    visits = [visit(port, answers, end, pause, random.Random(n)) for n in range(sessions)]  # noqa: S311
    watching = asyncio.create_task(watch(server))
    await asyncio.gather(*visits)
    watching.cancel()
    return answers


async def visit(
    port: int, answers: Answers, end: float, pause: float, chance: random.Random
) -> None:
    """Open the page and click until the end; a page that failed is opened anew."""
    await asyncio.sleep(chance.uniform(0, pause))
    turn = chance.randrange(1_000)
    while monotonic() < end:
        visitor = Visitor(port)
        try:
            async with timed(answers):
                await visitor.open()
            while monotonic() < end:
                await asyncio.sleep(chance.uniform(0, 2 * pause))
                turn += 1
                async with timed(answers):
                    await CLICKS[turn % len(CLICKS)](visitor, turn)
                if "failed-routes" in visitor.html or "bug of the explorer" in visitor.html:
                    answers.failures["a sentence in place of the page"] += 1
            await visitor.close()
        except (OSError, KeyError, WebSocketError, HTTPError) as error:
            answers.failures[f"{type(error).__name__}: {error}"] += 1
            await asyncio.sleep(pause)


@asynccontextmanager
async def timed(answers: Answers) -> AsyncIterator[None]:
    """Note how long an answer lasts; one that fails counts as a failure alone."""
    begun = monotonic()
    yield
    answers.seconds.append(monotonic() - begun)


async def watch(server: Server) -> None:
    """Print what the server holds, once a minute, and how much it grew after the first one."""
    print(f"{'minute':>6}{'memory, MB':>12}{'growth':>9}{'threads':>9}{'descriptors':>13}")
    minute, early = 0, 0.0
    while True:
        threads = len([*Path(f"/proc/{server.pid}/task").iterdir()])
        memory = megabytes(server)
        early = memory if minute <= 1 else early
        print(
            f"{minute:>6}{memory:>12.0f}{memory - early:>9.0f}{threads:>9}"
            f"{descriptors(server):>13}",
            flush=True,
        )
        await asyncio.sleep(MINUTE)
        minute += 1


if __name__ == "__main__":
    main()
