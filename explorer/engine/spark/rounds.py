"""Compares two settings: runs the program in turns and reports medians and noise.

Times of a single run are unreliable on a busy machine. Settings take turns, and the first setting
alternates, so that a slow phase of the machine affects both; the first round is not counted.
"""

import threading
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, Final, NamedTuple

import msgspec

from explorer.engine.report.trial_report import TrialReport
from explorer.engine.spark.trial_runs import Trial
from explorer.errors import ExplorerError, TrialError
from explorer.flink.compiler import Compilation

ROUNDS: Final = 5
"""Rounds that are counted, by default."""


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """Median and range of several rounds."""

    median: float
    least: float
    most: float


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A measure under both settings."""

    first: Spread
    second: Spread
    noise: bool
    """Whether the ranges overlap, so that no difference can be claimed."""


class ComparedOperator(msgspec.Struct, frozen=True, kw_only=True):
    """An operator's time under both settings."""

    node: int
    name: str
    operator_ms: Difference


class SettingTotals(msgspec.Struct, frozen=True, kw_only=True):
    """Totals of a setting, which are equal in every round."""

    name: str
    tasks: int
    records: int
    """Records sent between tasks."""
    bytes: int
    copies: int
    """Records copied between operators of a task."""


class SettingComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Comparison of two settings of one program."""

    name: str
    flink_version: str
    rounds: int
    first: SettingTotals
    second: SettingTotals
    wall_ms: Difference
    operator_ms: Difference
    """In all operators."""
    exchange_ms: Difference
    """Selecting channels, encoding and decoding records between tasks."""
    copy_ms: Difference
    """Copying records between operators of a task."""
    operators: tuple[ComparedOperator, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members."""
        members: dict[str, Any] = msgspec.to_builtins(self)
        # For one release beside the new name.
        for part in (members, *members["operators"]):
            part["busy_ms"] = part["operator_ms"]
        return members


def difference(first: Sequence[float], second: Sequence[float]) -> Difference:
    """Compare two series of values.

    >>> difference([1.0, 2.0], [3.0, 4.0]).noise, difference([1.0, 3.5], [3.0, 4.0]).noise
    (False, True)
    """
    a, b = (
        Spread(median=round(median(values), 3), least=min(values), most=max(values))
        for values in (first, second)
    )
    return Difference(first=a, second=b, noise=a.least <= b.most and b.least <= a.most)


def compare_reports(
    names: tuple[str, str], first: Sequence[TrialReport], second: Sequence[TrialReport]
) -> SettingComparison:
    """Compare the rounds of two settings, each with at least one report."""

    def measured(measure: Callable[[TrialReport], float]) -> Difference:
        return difference(
            [measure(report) for report in first],
            [measure(trial_report) for trial_report in second],
        )

    def time_of(node: int) -> Callable[[TrialReport], float]:
        return lambda report: sum(
            operator.operator_ms or 0.0 for operator in report.operators if operator.node == node
        )

    return SettingComparison(
        name=first[0].name,
        flink_version=first[0].flink_version,
        rounds=len(first),
        first=_totals(names[0], first[0]),
        second=_totals(names[1], second[0]),
        wall_ms=measured(lambda report: report.wall_ms),
        operator_ms=measured(
            lambda report: sum(figures.operator_ms for figures in report.vertices)
        ),
        exchange_ms=measured(
            lambda report: sum(
                (figures.write_ms or 0.0) + (figures.read_ms or 0.0) for figures in report.vertices
            )
        ),
        copy_ms=measured(lambda report: sum(figures.copy_ms or 0.0 for figures in report.vertices)),
        operators=tuple(
            ComparedOperator(
                node=operator_figures.node,
                name=operator_figures.name,
                operator_ms=measured(time_of(operator_figures.node)),
            )
            for operator_figures in sorted(first[0].operators, key=lambda item: item.node)
        ),
    )


def _totals(name: str, report: TrialReport) -> SettingTotals:
    return SettingTotals(
        name=name,
        tasks=len(report.vertices),
        records=sum(figures.records_out for figures in report.vertices),
        bytes=sum(figures.bytes_out or 0 for figures in report.vertices),
        copies=sum(chained_figures.copied for chained_figures in report.chained),
    )


class ProgramSetting(NamedTuple):
    """A named setting, and the program compiled with it."""

    name: str
    compilation: Compilation


class Rounds:
    """A comparison that runs two settings in turns; thread-safe."""

    def __init__(
        self,
        first: ProgramSetting,
        second: ProgramSetting,
        line_up: Callable[[Compilation], Trial],
        rounds: int = ROUNDS,
    ) -> None:
        """Begin at once; ``rounds`` are counted, after one that is not.

        ``line_up`` queues a trial; an ``ExplorerError`` of it ends the comparison.
        """
        self._settings, self._line_up = (first, second), line_up
        self.rounds = rounds
        self.done = 0
        """Number of trials that have ended."""
        self.failure: ExplorerError | None = None
        self.comparison: SettingComparison | None = None
        self.trial: Trial | None = None
        """The trial that waits or runs."""
        self._cancelled = False
        self._reports: tuple[list[TrialReport], list[TrialReport]] = ([], [])
        self._thread = threading.Thread(target=self._run, name="rounds", daemon=True)
        self._thread.start()

    @property
    def names(self) -> tuple[str, str]:
        """The settings' names."""
        first, second = self._settings
        return first.name, second.name

    @property
    def trials(self) -> int:
        """The number of all trials."""
        return 2 * (self.rounds + 1)

    @property
    def has_ended(self) -> bool:
        """Whether the comparison has ended."""
        return self.comparison is not None or self.failure is not None

    def cancel(self) -> None:
        """End the comparison, unless it has ended."""
        self._cancelled = True
        trial = self.trial
        if trial is not None:
            trial.cancel()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the comparison has ended; return whether it has."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def outcome(self) -> SettingComparison:
        """Return the comparison; raises the error that ended it."""
        if self.comparison is None:
            raise self.failure or TrialError("the comparison has not ended")
        return self.comparison

    def _run(self) -> None:
        try:
            for turn in range(self.rounds + 1):
                for side in (0, 1) if turn % 2 == 0 else (1, 0):
                    report = self._once(side)
                    if turn:
                        self._reports[side].append(report)
            self.comparison = compare_reports(self.names, *self._reports)
        except ExplorerError as error:
            self.failure = error

    def _once(self, side: int) -> TrialReport:
        if self._cancelled:
            msg = "the comparison was cancelled"
            raise TrialError(msg)
        self.trial = self._line_up(self._settings[side].compilation)
        if self._cancelled:
            self.trial.cancel()
        self.trial.wait()
        self.done += 1
        return self.trial.outcome()
