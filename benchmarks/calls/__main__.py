"""Which modules does a question go through, and how many calls does it take?

Two ways are followed: from a document to its JobGraph, and from a toggle in the page to the new
drawing. Counted are calls of functions of this project, and apart from the rest what the page has
come to offer besides: checks, verdicts, a preview, a palette, lessons, ways in. Run it with
``python -m benchmarks.calls``.
"""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

from streamlit.testing.v1 import AppTest

import explorer
from components import link
from components.work import opened
from explorer.engine import plan_trial
from explorer.flink.compiler import compile_program
from explorer.locations import app_file, sample_folder

ROOT: Final = Path(explorer.__file__).parent.parent
ROOMS: Final = (str(ROOT / "explorer"), str(ROOT / "components"))
SAMPLE: Final = sample_folder() / "08-late-flights.yaml"
PATIENCE: Final = 60.0
SHOWN: Final = 8

BESIDES: Final = (
    "components/check.py",
    "components/copy/",
    "components/detail/start.py",
    "components/frame/",
    "components/guide/",
    "components/hosting.py",
    "components/lesson/",
    "components/lesson_tab.py",
    "components/live/",
    "components/measured.py",
    "components/palette/",
    "components/picture/",
    "components/pipeline/bulk.py",
    "components/running/",
    "components/trial/",
    "components/routes.py",
    "explorer/analysis/baseline.py",
    "explorer/analysis/checks/",
    "explorer/analysis/flink_check.py",
    "explorer/analysis/restore.py",
    "explorer/deployment/",
    "explorer/engine/",
)
"""What answers another question than which graph comes of it, with all that it calls."""

Calls = Counter[tuple[str, str]]
"""By file and function, how often it was called; below ``BESIDES`` a file's name has a ``+``."""


@contextmanager
def followed(besides: tuple[str, ...] = BESIDES) -> Iterator[Calls]:
    """Count all calls of our own functions, in this thread and in those that it starts.

    Calls below ``besides`` are counted apart.
    """
    calls: Calls = Counter()
    within = threading.local()

    def see(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(ROOMS):
            return
        module = code.co_filename.removeprefix(f"{ROOT}/")
        depth = getattr(within, "depth", 0) + (event == "call" and module.startswith(besides))
        if event == "call" and code.co_name[0] != "<":
            calls["+" * (depth > 0) + module, code.co_qualname] += 1
        within.depth = depth - (event == "return" and module.startswith(besides))

    threading.setprofile(see)
    sys.setprofile(see)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def document_to_job_graph() -> Calls:
    """Load a sample and compile it, a second time: tables are built by then."""
    explorer.compile_graph(SAMPLE)
    with followed() as calls:
        explorer.compile_graph(explorer.load_document(SAMPLE))
    return calls


def toggle() -> Calls:
    """Turn chaining off for the job in a page that is open."""
    page = AppTest.from_file(str(app_file()), default_timeout=PATIENCE)
    page.query_params[link.PARAMETER] = link.to_link(opened(explorer.load_document(SAMPLE), ""))
    page.run()
    switch = next(one for one in page.toggle if one.label == "Chaining")
    with followed() as calls:
        switch.set_value(not switch.value).run()
    return calls


def planning() -> Calls:
    """Plan a local run of a sample, a second time: tables are built by then."""
    done = compile_program(explorer.load_document(SAMPLE))
    plan_trial(done, data_dir=sample_folder() / "data")
    with followed(besides=()) as calls:
        plan_trial(done, data_dir=sample_folder() / "data")
    return calls


def report(title: str, calls: Calls) -> None:
    """Modules, calls, and who was called most; then what was asked besides."""
    own, besides = Counter[str](), Counter[str]()
    for (module, _), times in calls.items():
        (besides if module.startswith("+") else own)[module] += times
    print(f"{title}: {len(own)} modules, {own.total():,} calls")
    for module, times in own.most_common(SHOWN):
        print(f"  {times:>6,}  {module}")
    if besides:
        print(f"  besides: {len(besides)} modules, {besides.total():,} calls")


WAYS: Final[dict[str, Callable[[], Calls]]] = {
    "document to JobGraph": document_to_job_graph,
    "a toggle in the page": toggle,
    "planning a trial": planning,
}

if __name__ == "__main__":
    for title, follow in WAYS.items():
        report(title, follow())
    files = [path for room in ROOMS for path in Path(room).rglob("*.py")]
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
    print(f"{len(files)} files, {lines:,} lines")
