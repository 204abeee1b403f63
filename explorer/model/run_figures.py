"""Figures of a run by task, subtask and operator: of a trial, or of a job on a cluster.

One record for both. A figure that a run does not report is None: a cluster reports no time of a
single operator, a trial no back pressure. Times are milliseconds, shares are 0 to 1.
"""

from collections.abc import Callable, Iterable

import msgspec

from explorer.model.stream_graph import NodeId


class SubtaskFigures(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One subtask since its latest attempt began."""

    subtask: int
    state: str
    """A cluster's ``ExecutionState``; of a trial waiting, running or finished."""
    records_in: int
    records_out: int
    bytes_in: int | None = None
    bytes_out: int | None = None
    operator_ms: float | None = None
    """Time in its operators, without that of reading and writing records; of a trial."""
    begun_ms: float | None = None
    """Time since the trial's first subtask began, as the one below."""
    ended_ms: float | None = None
    busy_ms: int | None = None
    """``accumulated-busy-time``, which is all time but idle and back-pressured time: reported from
    1.16 on, and never of a legacy source, as the two below."""
    idle_ms: int | None = None
    back_pressured_ms: int | None = None
    busy: float | None = None
    """Share of the latest second or so; reported from 1.13 on while the job runs."""
    idle: float | None = None
    back_pressured: float | None = None


class OperatorFigures(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """An operator, all subtasks together."""

    node: NodeId
    name: str = ""
    transformation: str | None = None
    records_in: int | None = None
    records_out: int | None = None
    """Rows that it emitted, to the main output and to side outputs."""
    operator_ms: float | None = None
    """Time of its own work, without the operators after it; of a trial."""
    late_dropped: int = 0
    """``numLateRecordsDropped``: records that arrived after all their windows were closed."""


def total(values: Iterable[int | None]) -> int | None:
    """The sum of the reported values; None if no value is reported.

    >>> total([1, None, 2]), total([None])
    (3, None)
    """
    reported = [value for value in values if value is not None]
    return sum(reported) if reported else None


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the reported values; None if no value is reported."""
    reported = [value for value in values if value is not None]
    return sum(reported) / len(reported) if reported else None


class TaskFigures(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A job vertex, as ``numRecordsIn`` and similar metrics."""

    id: str
    name: str = ""
    state: str
    """That of the subtask that is least far."""
    subtasks: tuple[SubtaskFigures, ...] = ()
    operators: tuple[OperatorFigures, ...] = ()
    """Those with reported counts: metrics are read by name, and two of one name are one."""
    write_ms: float | None = None
    """Time for partitioning, counting and encoding records; of a trial, as the three below."""
    read_ms: float | None = None
    """Time for decoding records."""
    wait_ms: float | None = None
    """Time of waiting for input."""
    copy_ms: float | None = None
    """Time for copying records between its operators; 0 with object reuse."""
    state_bytes: int | None = None
    """State of all its operators in the latest checkpoint or savepoint that is complete, as
    ``StateObject.getStateSize`` counts it; None: there is no such checkpoint."""

    @property
    def parallelism(self) -> int:
        """Number of subtasks with figures."""
        return len(self.subtasks)

    @property
    def finished_subtasks(self) -> int:
        """Number of subtasks that have finished."""
        return sum(subtask.state.lower() == "finished" for subtask in self.subtasks)

    @property
    def records_in(self) -> int:
        """Records that all subtasks read."""
        return sum(subtask.records_in for subtask in self.subtasks)

    @property
    def records_out(self) -> int:
        """Records that all subtasks sent."""
        return sum(subtask.records_out for subtask in self.subtasks)

    @property
    def records(self) -> tuple[int, ...]:
        """Records of each subtask: its input, of a source its output."""
        if self.records_in:
            return tuple(subtask.records_in for subtask in self.subtasks)
        return tuple(subtask.records_out for subtask in self.subtasks)

    @property
    def bytes_in(self) -> int | None:
        """Bytes that all subtasks read."""
        return self.of_all(lambda subtask: subtask.bytes_in)

    @property
    def bytes_out(self) -> int | None:
        """Bytes that all subtasks sent."""
        return self.of_all(lambda subtask: subtask.bytes_out)

    @property
    def operator_ms(self) -> float:
        """Time in its operators; 0 where none is reported."""
        return round(sum(subtask.operator_ms or 0.0 for subtask in self.subtasks), 3)

    def of_all(self, field: Callable[[SubtaskFigures], int | None]) -> int | None:
        """The sum of a figure over the subtasks that report it."""
        return total(map(field, self.subtasks))

    def share(self, field: Callable[[SubtaskFigures], float | None]) -> float | None:
        """The mean of a share over the subtasks that report it."""
        return mean(map(field, self.subtasks))
