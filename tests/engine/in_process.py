"""A trial without Spark: the same plan, the same subtasks, the same report."""

import gzip
import shutil
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from explorer import Compilation, compile_graph
from explorer.engine import plan
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.report.gathering import make_report
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.task.lineage import Lineage
from explorer.engine.task.local_job import run_job
from explorer.engine.task.subtask import RESULT, Subtask
from explorer.model.run_figures import TaskFigures
from tests.golden_files import GOLDEN


def report_of(
    compilation: Compilation,
    data_dir: Path | None = None,
    random: Random | None = None,
    lineage: Lineage | None = None,
) -> TrialReport:
    """Plan, run and report in this process.

    ``random`` decides the order of frames, ``lineage`` notes each record's origins without it.
    """
    planned = plan_trial(compilation, data_dir=data_dir)
    if random is None:
        frames = run_job(planned.job, lineage=lineage)
    else:
        frames = run_in_any_order(planned.job, random)
    return make_report(
        compilation,
        planned,
        frames,
        master="in process",
        wall_ms=0,
        limit=None,
    )


def run_in_any_order(job: plan.Job, random: Random) -> list[bytes]:
    """Run all subtasks, each of which gets its producers' frames in an order of its own."""
    waiting: dict[tuple[int, int], list[list[bytes]]] = defaultdict(list)
    for task in job.tasks:
        for subtask in range(task.parallelism):
            blocks = waiting.pop((task.number, subtask), [])
            random.shuffle(blocks)
            frames = chain.from_iterable(blocks)
            sent: dict[tuple[int, int], list[bytes]] = defaultdict(list)
            for target, consumer, frame in Subtask(task, subtask, lambda *_: None).run(frames):
                sent[target, consumer].append(frame)
            for place, block in sent.items():
                waiting[place].append(block)
    blocks = waiting[RESULT, 0]
    random.shuffle(blocks)
    return list(chain.from_iterable(blocks))


def trial(
    document: Mapping[str, Any],
    data_dir: Path | None = None,
    random: Random | None = None,
) -> TrialReport:
    """Compile a document for 1.20 and run it in this process."""
    return report_of(compile_graph(document, "1.20"), data_dir, random)


def unchained(document: Mapping[str, Any]) -> dict[str, Any]:
    """The same document with chaining turned off for the job."""
    return {**document, "environment": {**document.get("environment", {}), "chaining": False}}


def rows_of(report: TrialReport) -> dict[str, Counter[str]]:
    """Each sink's rows, however often each came, in no order."""
    return {name: Counter(map(repr, sink.data or ())) for name, sink in report.sinks.items()}


def counts_of(task: TaskFigures) -> list[tuple[int, int, int | None]]:
    """The records and the bytes of each subtask."""
    return [(one.records_in, one.records_out, one.bytes_out) for one in task.subtasks]


def unpack_data(folder: Path) -> Path:
    """The input files of the golden runs, unpacked into ``folder``."""
    for packed in sorted((GOLDEN / "data").glob("*.gz")):
        with gzip.open(packed) as source, (folder / packed.stem).open("wb") as target:
            shutil.copyfileobj(source, target)
    return folder
