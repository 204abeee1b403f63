"""The plan of a job: tasks, operators, edges and sources, as plain data for the workers.

Mirrors ``StreamConfig`` and ``TaskDeploymentDescriptor``: the operators of a task, their
connections, and the edges that the task reads and writes.
"""

from typing import Literal

import msgspec

from explorer.engine.rows.expressions.ir import Expression
from explorer.engine.steps.step import RowTypes, Steps
from explorer.flink.subtask_wiring import SubtaskWiring
from explorer.model.pipeline import GeneratedRows
from explorer.model.row_type import RowType


class SequenceRows(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers from ``first`` to ``last``, both included."""

    first: int
    last: int


class MadeUpRows(msgspec.Struct, frozen=True, kw_only=True):
    """Generated rows; ``last`` is the number of the last row, counted from 0."""

    rows: GeneratedRows
    last: int


class InlineRows(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of the document, or of a sample."""

    values: tuple[tuple[str | int | float | bool | None, ...], ...]
    places: tuple[int, ...] | None = None
    """Each row's number in the whole source, which decides its subtask; None: rows are complete."""

    def positions(self, subtask: int, parallelism: int) -> tuple[int, ...]:
        """The positions among the values of the rows that a subtask reads."""
        if self.places is None:
            return tuple(range(subtask, len(self.values), parallelism))
        mine = enumerate(self.places)
        return tuple(at for at, place in mine if place % parallelism == subtask)


class FileRows(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of a file; ``path`` is absolute, and within the data directory."""

    path: str
    name: str
    """The file's name in the document."""
    format: Literal["text", "csv", "jsonl", "parquet"]
    version: tuple[int, int]
    """Size and write time in nanoseconds: every subtask must find the same file."""
    most: int | None = None
    """Limit of rows that are read; None: all."""


class HybridRows(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of several sources, one source after the other."""

    parts: "tuple[SequenceRows | MadeUpRows | InlineRows | FileRows, ...]"


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A source of rows."""

    rows: SequenceRows | MadeUpRows | InlineRows | FileRows | HybridRows | None
    """None: no rows, as at an iteration's head."""
    row_type: RowType
    timestamped: bool = False
    """Whether its records always have a timestamp, as of a FLIP-27 source."""
    time_column: int | None = None
    """The column with the timestamps that its ``WatermarkStrategy`` assigns; None: it has none."""
    cost: float = 0.0
    """Microseconds that each record costs."""

    @property
    def parts(self) -> "tuple[Source, ...]":
        """The sources that it reads one after the other; itself where it is not hybrid."""
        if not isinstance(self.rows, HybridRows):
            return (self,)
        return tuple(msgspec.structs.replace(self, rows=rows) for rows in self.rows.parts)

    @property
    def files(self) -> tuple[FileRows, ...]:
        """The files that it reads."""
        return tuple(part.rows for part in self.parts if isinstance(part.rows, FileRows))


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """An edge between two tasks, which are positions in ``Job.tasks``."""

    number: int
    """Position among the job's edges."""
    source: int
    target: int
    wiring: SubtaskWiring
    """The channels between subtasks, as in the execution graph."""
    max_parallelism: int
    """The target's, which assigns keys to its subtasks."""
    input: int
    """The input number of the target's head."""
    partitioner: str
    keys: tuple[str, ...] | None
    """The key columns of a HASH edge; None: the whole row is the key."""
    row_types: RowTypes
    first: bool = False
    """Whether its producers' rows are read before those of other edges."""
    counted: bool
    """False where an earlier edge already counts the same data set."""
    dynamic: bool = False
    """Whether its data set is one of a dynamic graph, which counts events like records."""
    internal_watermarks: bool = False
    """Whether a watermark names its subpartition, as an ``InternalWatermark``."""


class OutputNames(msgspec.Struct, frozen=True, kw_only=True):
    """An ``OutputSelector`` for records of one row type: each name with its condition."""

    row_type: RowType
    conditions: tuple[tuple[str, Expression], ...]


class ChainedOutput(msgspec.Struct, frozen=True, kw_only=True):
    """An edge within the task: ``operator`` is a position in ``Task.operators``."""

    operator: int
    input: int
    tag: str | None
    names: tuple[str, ...] | None = None
    """The output names that select it; None: it carries every record of its tag."""


class OutgoingEdge(msgspec.Struct, frozen=True, kw_only=True):
    """An edge that leaves the task."""

    edge: Edge
    tag: str | None
    names: tuple[str, ...] | None = None
    """The output names that select it; None: it carries every record of its tag."""


class LifecycleCall(msgspec.Struct, frozen=True, array_like=True):
    """The task's call of an operator, which is a position in ``Task.operators``."""

    operator: int
    method: str
    """The release's name of the method of ``StreamOperator``."""


class Lifecycle(msgspec.Struct, frozen=True, kw_only=True):
    """Order in which operators are made and called, by the steps of the task's lifecycle."""

    made: tuple[int, ...]
    """Positions in ``Task.operators``."""
    started: tuple[LifecycleCall, ...]
    """Calls before any input."""
    ended: tuple[LifecycleCall, ...]
    """Calls after the last watermark."""


class Operator(msgspec.Struct, frozen=True, kw_only=True):
    """An operator of a chain, with its outputs in the order of the recorded steps."""

    node: int
    name: str
    transformation: str | None
    source: Source | None
    """None for an operator that is no source; a source has no steps."""
    steps: Steps = ()
    selectors: tuple[OutputNames, ...] = ()
    """The output selectors of ``split``, which direct its records to outputs by name."""
    network: tuple[OutgoingEdge, ...]
    chained: tuple[ChainedOutput, ...]


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A job vertex: a chain of operators, with everything that its subtasks need."""

    number: int
    """Position in ``Job.tasks``."""
    id: str
    name: str
    parallelism: int
    operators: tuple[Operator, ...]
    head: int
    """The operator that reads the network's records."""
    inputs: tuple[Edge, ...]
    lifecycle: Lifecycle
    shares_objects: bool = False
    """Whether objects are reused, so that operators share them."""
    loop: int | None = None
    """The number of the loop that the task is in; None: no loop."""
    feeds: int | None = None
    """The head of an iteration's tail; each subtask of the head emits what the tail's one reads."""

    @property
    def outputs(self) -> tuple[Edge, ...]:
        """The edges that leave the task, operator by operator."""
        return tuple(output.edge for operator in self.operators for output in operator.network)


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """All tasks, producers before consumers; the tasks of a loop are next to one another."""

    name: str
    tasks: tuple[Task, ...]
