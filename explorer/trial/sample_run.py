"""What does a job come to over a sample of its rows? It runs at once, in this process.

The same plan and the same subtasks as a trial's, so its figures are those of a trial over as many
rows; what grows beyond the limits ends with a sentence.
"""

from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

from msgspec.structs import replace

from explorer.errors import TrialError
from explorer.flink.compiler import Compilation
from explorer.rows.batch import Batch
from explorer.task.lineage import Lineage
from explorer.task.local_job import run_job
from explorer.task.operator_chain import Tap, no_tap
from explorer.trial.gathering import make_report
from explorer.trial.metering import Limits, Meter
from explorer.trial.planning import TrialPlan, plan_trial
from explorer.trial.sampling import Sample, sampled
from explorer.trial.synthetic import is_synthetic
from explorer.trial.trial_report import TrialReport

NO_FUNCTIONS: Final = (
    "this document does not hold the program's functions, so there are no rows to look at; a trial "
    "run counts records with synthetic operators in their place"
)


class SampleRun(NamedTuple):
    """A run that is over."""

    plan: TrialPlan
    report: TrialReport
    cut: tuple[str, ...]
    """Names of the sources that have more rows than were taken."""


def run_sample(
    compilation: Compilation,
    sample: Sample,
    limits: Limits,
    *,
    data_dir: str | Path | None,
    where: str,
    limit: int | None = None,
    tap: Tap = no_tap,
    lineage: Lineage | None = None,
) -> SampleRun:
    """Run a job over a sample; raises ``ExplorerError`` as a trial does, and beyond a limit.

    ``where``: what the report calls this process; ``limit``: how many rows of each sink it holds;
    ``tap`` is shown what every operator hands on, ``lineage`` told what becomes of every record.
    """
    if is_synthetic(compilation):
        raise TrialError(NO_FUNCTIONS)
    begun = perf_counter()
    planned = plan_trial(compilation, data_dir=data_dir, limit=limit)
    meter = Meter(planned.job, limits)
    job, cut = sampled(planned.job, sample)
    planned = replace(planned, job=job)

    def metered(subtask: int, node: int, tag: str | None, batch: Batch) -> None:
        meter.weigh(node, batch)
        tap(subtask, node, tag, batch)
        meter.pause()

    frames = run_job(job, metered, meter.pause, lineage)
    wall_ms = (perf_counter() - begun) * 1000
    report = make_report(compilation, planned, frames, master=where, wall_ms=wall_ms, limit=limit)
    return SampleRun(planned, report, cut)
