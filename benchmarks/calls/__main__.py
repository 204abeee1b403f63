"""Counts the modules and calls between a question and its answer.

Six questions are asked: document to JobGraph, a toggle in the page, savepoint to verdict, jar to
document, a batch through a subtask, and planning a trial. Counted are calls of functions of this
project in this process; the JVM of a capture runs in a process of its own. Of the toggle, calls
that answer other questions than which graph results (checks, verdicts, lessons) are counted apart.
Each question is asked twice, and the second time counted: tables are built by then. Run it with
``python -m benchmarks.calls``.
"""

import base64
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

from streamlit.testing.v1 import AppTest

import explorer
from benchmarks.options import option_parser
from components.session import link
from components.session.work import opened
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.task.subtask import Subtask
from explorer.flink.compiler import compile_program
from explorer.locations import app_file, sample_folder
from tests.capture.flinks import jar_of, lib
from tests.golden_files import cases

ROOT: Final = Path(explorer.__file__).parent.parent
FOLDERS: Final = (str(ROOT / "explorer"), str(ROOT / "components"))
SAMPLE: Final = sample_folder() / "08-late-flights.yaml"
PROGRAM: Final = sample_folder() / "programs" / "LateFlights.java"
FLINK: Final = "1.20.5"
TIMEOUT_SECONDS: Final = 60.0

OTHER_ANSWERS: Final = (
    "components/deploy/check.py",
    "components/widgets/copy/",
    "components/widgets/frame/",
    "components/learn/guide/",
    "components/server/hosting.py",
    "components/learn/lesson_tab.py",
    "components/session/measured.py",
    "components/palette/",
    "components/widgets/picture/",
    "components/explore/pipeline/bulk.py",
    "components/run/running/",
    "components/run/trial/",
    "components/session/routes.py",
    "explorer/comparison/baseline.py",
    "explorer/checks/",
    "explorer/explain/flink_check.py",
    "explorer/restore/verdict.py",
    "explorer/deployment/",
    "explorer/engine/",
)
"""What answers another question than which graph results, with all that it calls."""

Calls = Counter[tuple[str, str]]
"""By file and function, how often it was called; a file that answers another question has a
``+`` in front."""


class Row(NamedTuple):
    """Of one question: modules and calls on its path, and of what answers other questions."""

    question: str
    modules: int
    calls: int
    other_modules: int
    other_calls: int


@contextmanager
def counted(others: tuple[str, ...] = ()) -> Iterator[Calls]:
    """Count all calls of our own functions, in this thread and in those that it starts.

    Calls below ``others`` are counted apart.
    """
    calls: Calls = Counter()
    within = threading.local()

    def count(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(FOLDERS):
            return
        module = code.co_filename.removeprefix(f"{ROOT}/")
        depth = getattr(within, "depth", 0) + (event == "call" and module.startswith(others))
        if event == "call" and code.co_name[0] != "<":
            calls["+" * (depth > 0) + module, code.co_qualname] += 1
        within.depth = depth - (event == "return" and module.startswith(others))

    threading.setprofile(count)
    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def second(question: Callable[[], object]) -> Calls:
    """The calls of a question that is asked a second time."""
    question()
    with counted() as calls:
        question()
    return calls


def document_to_job_graph() -> Calls:
    """Load a sample and compile it."""
    return second(lambda: explorer.compile_graph(explorer.load_document(SAMPLE)))


def toggle() -> Calls:
    """Turn chaining off for the job in a page that is open."""
    page = AppTest.from_file(str(app_file()), default_timeout=TIMEOUT_SECONDS)
    page.query_params[link.PARAMETER] = link.to_link(opened(explorer.load_document(SAMPLE), ""))
    page.run()
    switch = next(button for button in page.toggle if button.label == "Chaining")
    with counted(OTHER_ANSWERS) as calls:
        switch.set_value(not switch.value).run()
    return calls


def savepoint_to_verdict() -> Calls:
    """Restore a savepoint of a real cluster into the same program."""
    case = next(cases("restores"))
    content = base64.b64decode(case["flink"][1]["metadata"])
    return second(lambda: explorer.check_restore(explorer.load_savepoint(content), case["old"]))


def jar_to_document() -> Calls:
    """Capture a jar."""
    with tempfile.TemporaryDirectory() as folder:
        jar = jar_of(PROGRAM, FLINK, Path(folder))
        return second(lambda: explorer.capture(jar, flink_lib=lib(FLINK)))


def batch_through_subtask() -> Calls:
    """Run the first subtask of a sample, which reads one batch."""
    compilation = compile_program(explorer.load_document(SAMPLE))
    job = plan_trial(compilation, data_dir=sample_folder() / "data").job
    return second(lambda: list(Subtask(job.tasks[0], 0, lambda *_: None).run(iter(()))))


def planning() -> Calls:
    """Plan a local run of a sample."""
    compilation = compile_program(explorer.load_document(SAMPLE))
    return second(lambda: plan_trial(compilation, data_dir=sample_folder() / "data"))


def report(title: str, calls: Calls, most: int) -> Row:
    """Print the ``most`` modules that are called most; returns the question's row of the table."""
    own, others = Counter[str](), Counter[str]()
    for (module, _), times in calls.items():
        (others if module.startswith("+") else own)[module] += times
    print(title)
    for module, times in own.most_common(most):
        print(f"  {times:>6,}  {module}")
    return Row(title, len(own), own.total(), len(others), others.total())


QUESTIONS: Final[dict[str, Callable[[], Calls]]] = {
    "document to JobGraph": document_to_job_graph,
    "a toggle in the page": toggle,
    "savepoint to verdict": savepoint_to_verdict,
    "jar to document": jar_to_document,
    "a batch through a subtask": batch_through_subtask,
    "planning a trial": planning,
}

if __name__ == "__main__":
    parser = option_parser("benchmarks.calls", __doc__)
    parser.add_argument(
        "--questions",
        nargs="+",
        choices=QUESTIONS,
        metavar="QUESTION",
        default=list(QUESTIONS),
        help="whose calls are counted",
    )
    parser.add_argument("--most", type=int, default=8, help="modules listed of each question")
    args = parser.parse_args()

    rows = [report(title, QUESTIONS[title](), args.most) for title in args.questions]
    files = [path for folder in FOLDERS for path in Path(folder).rglob("*.py")]
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
    print(f"{len(files)} files, {lines:,} lines")
    print(f"\n{'question':<26}{'modules':>8}{'calls':>9}{'others':>8}{'calls':>9}")
    for row in rows:
        print(
            f"{row.question:<26}{row.modules:>8,}{row.calls:>9,}"
            f"{row.other_modules:>8,}{row.other_calls:>9,}"
        )
