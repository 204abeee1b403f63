"""Progress of a trial on a terminal: its state, then a line for each task."""

import sys
from collections.abc import Callable
from typing import Final, Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from explorer.drawing.view.one_line import shortened
from explorer.engine.spark.rounds import Rounds
from explorer.engine.spark.trial_runs import Trial, TrialProgress
from explorer.wording import printable

_EVERY: Final = 0.2
"""Seconds between two looks."""
_LAST: Final = 3.0
"""Seconds that a cancelled trial is waited for; what is left of it ends with this process."""
_SHOWN: Final = 20
"""Tasks that have a line: those that are at work come first."""


class Watched(Protocol):
    """A trial, or rounds of trials."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has ended; False: it has not yet."""

    def cancel(self) -> None:
        """End it."""


def watch(trial: Trial) -> None:
    """Wait until the trial has ended; an interrupt cancels it."""
    _watch(trial, lambda: reported(trial.progress()))


def watch_rounds(rounds: Rounds) -> None:
    """Wait until all rounds are over; an interrupt cancels them."""

    def report() -> RenderableType:
        trial = rounds.trial
        head = Text(f"{rounds.done} of {rounds.trials} trials done")
        return Group(head, *([] if trial is None else [reported(trial.progress())]))

    _watch(rounds, report)


def _watch(watched: Watched, report: Callable[[], RenderableType]) -> None:
    try:
        if sys.stderr.isatty():
            with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as live:
                while not watched.wait(_EVERY):
                    live.update(report(), refresh=True)
        else:
            watched.wait()
    except BaseException:
        watched.cancel()
        watched.wait(_LAST)
        raise


def reported(trial_progress: TrialProgress) -> RenderableType:
    """The present progress of a trial."""
    if trial_progress.state == "waiting":
        return Text("waiting for another trial")
    if trial_progress.state == "starting":
        return Text(f"starting Spark, the first run only: {trial_progress.waited_ms / 1000:.0f} s")
    lines = Table.grid(padding=(0, 2))
    for vertex in sorted(
        trial_progress.vertices, key=lambda vertex_progress: vertex_progress.state != "running"
    )[:_SHOWN]:
        lines.add_row(
            Text(printable(shortened(vertex.name, 40))),
            ProgressBar(total=vertex.parallelism, completed=vertex.finished_subtasks, width=20),
            Text(f"{vertex.finished_subtasks} / {vertex.parallelism}", justify="right"),
            Text(f"{vertex.records_in:,} in", justify="right"),
            Text(f"{vertex.records_out:,} out", justify="right"),
            Text(vertex.state),
        )
    if len(trial_progress.vertices) > _SHOWN:
        lines.add_row(Text(f"and {len(trial_progress.vertices) - _SHOWN:,} tasks more"))
    return lines
