"""Runs a job over a sample of its rows in this process, within limits.

Plan and subtasks are those of a trial, so the figures are those of a trial over as many rows. A run
beyond a limit of rows, bytes or work ends with an error.
"""

import sys
from pathlib import Path
from time import perf_counter, thread_time
from typing import Final, NamedTuple, NoReturn

import msgspec
from msgspec.structs import replace

from explorer.engine import plan
from explorer.engine.planning.synthetic import is_synthetic
from explorer.engine.planning.trial_plan import TrialPlan, plan_trial
from explorer.engine.preview.sampling import RowSample, sample_sources
from explorer.engine.report.gathering import make_report
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.rows.batch import Batch
from explorer.engine.rows.pausing import pausing
from explorer.engine.task.lineage import Lineage
from explorer.engine.task.local_job import run_job
from explorer.engine.task.operator_chain import Tap, no_tap
from explorer.errors import TrialError
from explorer.flink.compiler import Compilation

NO_FUNCTIONS: Final = (
    "this document does not hold the program's functions, so there are no rows to look at; a trial "
    "run counts records with synthetic operators in their place"
)


MOST_MATCHED: Final = 16 * 1024
"""Bytes of a text in which a pattern is matched: the work can grow with its square."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of a run."""

    name: str
    """The run's name in messages, such as preview."""
    subtasks: int
    rows: int
    """Rows that all operators together may emit: a flat map can emit many rows for each input."""
    bytes: int
    """Bytes of all emitted rows; rows that wait for a consumer are in memory."""
    seconds: float
    """CPU time of this thread, independent of the machine's load."""
    transfers: int = sys.maxsize
    """Records through channels of a traced run, which retains about 100 bytes of each."""


class Meter:
    """Counts the rows that a job's operators emit, and ends a job beyond its limits."""

    def __init__(self, job: plan.Job, limits: Limits) -> None:
        """Raises ``TrialError`` for a job of too many subtasks."""
        self._limits, self._end = limits, thread_time() + limits.seconds
        self._names = {
            operator.node: operator.name for task in job.tasks for operator in task.operators
        }
        self._rows = self._bytes = 0
        total = sum(task.parallelism for task in job.tasks)
        if total > limits.subtasks:
            msg = (
                f"this job has {total:,} subtasks, and a {limits.name} runs at most "
                f"{limits.subtasks:,}; start a trial run, or lower the parallelism"
            )
            raise TrialError(msg)

    def weigh_transfers(self, transfers: int) -> None:
        """Raise ``TrialError`` where a traced run has sent too many records through channels."""
        if transfers > self._limits.transfers:
            msg = (
                f"the {self._limits.name} ended at {self._limits.transfers:,} records between "
                "tasks; start a trial run, or begin with fewer rows"
            )
            raise TrialError(msg)

    def weigh(self, node: int, batch: Batch) -> None:
        """Count emitted rows; raises ``TrialError`` beyond a limit."""
        self._rows += len(batch)
        self._bytes += batch.nbytes()
        if self._rows > self._limits.rows:
            self._end_at(node, f"{self._limits.rows:,} rows")
        if self._bytes > self._limits.bytes:
            self._end_at(node, f"{self._limits.bytes >> 20} MB of rows")

    def _end_at(self, node: int, amount: str) -> NoReturn:
        msg = (
            f"the {self._limits.name} ended at {amount}, which {self._names[node]!r} was handing "
            "on; start a trial run, or begin with fewer rows"
        )
        raise TrialError(msg)

    def pause_in_pattern(self, longest: int) -> None:
        """Raise ``TrialError`` where the job runs too long, or may do so within one text."""
        self.pause()
        if longest > MOST_MATCHED:
            msg = (
                f"the {self._limits.name} matches patterns in texts of at most "
                f"{MOST_MATCHED:,} bytes, and one has {longest:,}; start a trial run"
            )
            raise TrialError(msg)

    def pause(self) -> None:
        """Raise ``TrialError`` where the job runs too long."""
        if thread_time() > self._end:
            msg = (
                f"the {self._limits.name} ended after {self._limits.seconds:g} s of work; start a "
                "trial run, or begin with fewer rows"
            )
            raise TrialError(msg)


class SampleRun(NamedTuple):
    """A finished run."""

    plan: TrialPlan
    report: TrialReport
    cut: tuple[str, ...]
    """Names of the sources that have more rows than were read."""


def run_sample(
    compilation: Compilation,
    sample: RowSample,
    limits: Limits,
    *,
    data_dir: str | Path | None,
    where: str,
    limit: int | None = None,
    tap: Tap = no_tap,
    lineage: Lineage | None = None,
) -> SampleRun:
    """Run a job over a sample; raises ``ExplorerError`` as a trial does, and beyond a limit.

    ``where``: the report's name for this process; ``limit``: rows of each sink in the report;
    ``tap`` receives every operator's output, ``lineage`` the origins of every record.
    """
    if is_synthetic(compilation):
        raise TrialError(NO_FUNCTIONS)
    begun = perf_counter()
    planned = plan_trial(compilation, data_dir=data_dir, limit=limit)
    meter = Meter(planned.job, limits)
    job, cut = sample_sources(planned.job, sample)
    planned = replace(planned, job=job)

    def metered(subtask: int, node: int, tag: str | None, batch: Batch) -> None:
        meter.weigh(node, batch)
        tap(subtask, node, tag, batch)
        meter.pause()

    def pause() -> None:
        meter.pause()
        if lineage is not None:
            meter.weigh_transfers(lineage.transfers)

    with pausing(meter.pause_in_pattern):
        frames = run_job(job, metered, pause, lineage)
    wall_ms = (perf_counter() - begun) * 1000
    report = make_report(compilation, planned, frames, master=where, wall_ms=wall_ms, limit=limit)
    return SampleRun(planned, report, cut)
