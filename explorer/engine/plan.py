"""The plan of a job: tasks, operators, edges and sources, as plain data for the workers.

Mirrors ``StreamConfig`` and ``TaskDeploymentDescriptor``: the operators of a task, how they hang
together, and the edges it reads and writes.
"""

from typing import Literal, TypeAlias

import msgspec

from explorer.engine.operators.step import RowTypes, Steps
from explorer.engine.rows.expressions.ir import Expression
from explorer.flink.subtask_wiring import SubtaskWiring
from explorer.model.pipeline import GeneratedRows
from explorer.model.row_type import RowType

ExchangeFormat: TypeAlias = Literal["columnar", "flink"]
"""What travels between tasks: columns, or Flink's own bytes."""


class SequenceRows(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers from ``first`` to ``last``, both included."""

    first: int
    last: int


class MadeUpRows(msgspec.Struct, frozen=True, kw_only=True):
    """Rows that are made up; ``last`` is the number of the last one, counted from 0."""

    rows: GeneratedRows
    last: int


class InlineRows(msgspec.Struct, frozen=True, kw_only=True):
    """Rows that stand in the document."""

    values: tuple[tuple[str | int | float | bool | None, ...], ...]
    places: tuple[int, ...] | None = None
    """Where some rows of a source are left out: which ones these are, counted from 0. They are
    dealt out as if all were there."""

    def of(self, subtask: int, parallelism: int) -> tuple[int, ...]:
        """The positions among the values of the rows that a subtask reads."""
        if self.places is None:
            return tuple(range(subtask, len(self.values), parallelism))
        mine = enumerate(self.places)
        return tuple(at for at, place in mine if place % parallelism == subtask)


class FileRows(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of a file; ``path`` is absolute and was found to lie in the data directory."""

    path: str
    name: str
    """As the document calls it."""
    format: Literal["text", "csv", "jsonl", "parquet"]
    version: tuple[int, int]
    """Its size and when it was written, in nanoseconds: every subtask must find the same file."""
    most: int | None = None
    """How many of its rows are read; None: all."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Yield rows. ``timestamped``: as a FLIP-27 source: its records always have a timestamp."""

    rows: SequenceRows | MadeUpRows | InlineRows | FileRows | None
    """None: no rows at all, as at an iteration's head."""
    row_type: RowType
    timestamped: bool = False
    cost: float = 0.0
    """Microseconds that each record costs."""


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """An edge between two tasks, which are positions in ``Job.tasks``."""

    number: int
    """Its position among the job's edges."""
    source: int
    target: int
    wiring: SubtaskWiring
    """Who reads what of whom, as the execution graph has it."""
    max_parallelism: int
    """The target's, which assigns keys to its subtasks."""
    input: int
    """Which input of the target's head it feeds."""
    partitioner: str
    keys: tuple[str, ...] | None
    """The key columns of a HASH edge; None: the whole row is the key."""
    row_types: RowTypes
    first: bool = False
    """Whether its producers' rows are read before those of other edges."""
    counted: bool
    """False where it reads a data set that an earlier edge already counts."""
    blocking: bool = False
    """Whether a producer's partition is a file, as in BATCH mode: then it is a
    ``SortMergeResultPartition``, to which events are records like any other."""


class OutputNames(msgspec.Struct, frozen=True, kw_only=True):
    """An ``OutputSelector`` for records of one row type: each name where its condition holds."""

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
    """The task calls an operator, a position in ``Task.operators``, itself."""

    operator: int
    method: str
    """Of ``StreamOperator``, as the release calls it."""


class Lifecycle(msgspec.Struct, frozen=True, kw_only=True):
    """Order in which operators are made and called, by the steps of the task's lifecycle."""

    made: tuple[int, ...]
    """Positions in ``Task.operators``."""
    started: tuple[LifecycleCall, ...]
    """Before anything comes in."""
    ended: tuple[LifecycleCall, ...]
    """After the last watermark has gone through."""


class Operator(msgspec.Struct, frozen=True, kw_only=True):
    """One operator of a chain, its outputs in the order in which the recorded steps call them."""

    node: int
    name: str
    transformation: str | None
    source: Source | None
    """Set where it is a source: then it has no steps."""
    steps: Steps = ()
    selectors: tuple[OutputNames, ...] = ()
    """The output selectors of ``split``, which direct its records to outputs by name."""
    network: tuple[OutgoingEdge, ...]
    chained: tuple[ChainedOutput, ...]


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A job vertex: a chain of operators that run in one call stack, and all they need to know."""

    number: int
    """Its position in ``Job.tasks``."""
    id: str
    name: str
    parallelism: int
    operators: tuple[Operator, ...]
    head: int
    """The operator that the network's records enter."""
    inputs: tuple[Edge, ...]
    wire: ExchangeFormat
    lifecycle: Lifecycle
    shares_objects: bool = False
    """Whether operators get the very objects that others changed: objects are reused."""
    loop: int | None = None
    """Its loop's number, shared by all tasks through which a record may come back; None: none."""
    feeds: int | None = None
    """Of an iteration's tail, the head: subtask by subtask, the head emits what the tail reads."""

    @property
    def outputs(self) -> tuple[Edge, ...]:
        """The edges that leave it, operator by operator."""
        return tuple(output.edge for one in self.operators for output in one.network)


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """All tasks, producers before consumers; those of a loop stand behind one another."""

    name: str
    tasks: tuple[Task, ...]
