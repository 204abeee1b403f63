"""Measures the memory of a trial of 100 million rows through ``local[2]``, and its peaks.

    python -m benchmarks.trial.memory [--numbers 100000000] [--unchained]

Every process of the trial is looked at a few times a second: this one, the JVM, Spark's Python
daemon and its workers. What counts is that the peaks do not grow with the number of rows.
"""

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Final

import explorer
from benchmarks.options import option_parser
from benchmarks.trial.pipelines import numbers

EVERY: Final = 0.2
"""Seconds between two looks."""
_KB: Final = 1024


def resident(process: int) -> int:
    """Kilobytes of memory that a process has; 0 once it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def family(process: int) -> Iterator[int]:
    """A process and all that it started."""
    yield process
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            started = file.read_text().split()
        except OSError:
            continue
        for child in started:
            yield from family(int(child))


def kind(process: int) -> str:
    """Role of a process in a trial."""
    return role(process, {b"-m\0explorer.engine.spark.workers": "workers, together"}, "JVM")


def role(process: int, roles: Mapping[bytes, str], otherwise: str) -> str:
    """Role of a process by a part of its command line: this process is the driver."""
    if process == os.getpid():
        return "driver"
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return "gone"
    return next((name for part, name in roles.items() if part in command), otherwise)


@contextmanager
def watched() -> Iterator[dict[str, int]]:
    """The peaks by kind of process, in kilobytes, as long as this lasts."""
    peaks: dict[str, int] = {}
    over = threading.Event()

    def look() -> None:
        while not over.wait(EVERY):
            now: dict[str, int] = {}
            for process in list(family(os.getpid())):
                name = kind(process)
                now[name] = now.get(name, 0) + resident(process)
            now["all"] = sum(now.values())
            peaks.update({name: max(size, peaks.get(name, 0)) for name, size in now.items()})

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    yield peaks
    over.set()
    thread.join()


def main() -> None:
    """Run a tenth of the rows, then all of them."""
    parser = option_parser("benchmarks.trial.memory", __doc__)
    parser.add_argument("--numbers", type=int, default=100_000_000, help="rows of the longer run")
    parser.add_argument(
        "--unchained", action="store_true", help="with an exchange between all operators"
    )
    asked = parser.parse_args()
    for count in (asked.numbers // 10, asked.numbers):
        document = numbers(count, chaining=not asked.unchained)
        with watched() as peaks:
            begun = perf_counter()
            report = explorer.run_trial(document, collect=False)
            seconds = perf_counter() - begun
        sizes = ", ".join(f"{name} {size / _KB:,.0f} MB" for name, size in sorted(peaks.items()))
        rows = report.sinks["out"].rows
        print(f"{count:,} rows, {rows:,} to the sink, {seconds:,.1f} s: {sizes}")


if __name__ == "__main__":
    main()
