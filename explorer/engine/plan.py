"""What must a subtask know to run? Plain data that travels to the workers.

Mirrors ``StreamConfig`` and ``TaskDeploymentDescriptor``: the operators of a task, how they hang
together, and the edges it reads and writes.
"""

from typing import Literal, TypeAlias

import msgspec

from explorer.engine.rows.expressions.ir import Expression
from explorer.flink.subtask_wiring import SubtaskWiring
from explorer.model.pipeline import GeneratedRows, TableFormat
from explorer.model.row_type import RowType

RowTypes: TypeAlias = tuple[RowType, ...]
"""The row types that may come along a stream: one, save where unlike streams meet."""


Wire: TypeAlias = Literal["columnar", "flink"]
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
    """Yield rows. ``timestamped``: as a FLIP-27 source, whose records always carry a timestamp."""

    rows: SequenceRows | MadeUpRows | InlineRows | FileRows | None
    """None: no rows at all, as at an iteration's head."""
    row_type: RowType
    timestamped: bool = False
    cost: float = 0.0
    """Microseconds that each record takes."""


class PassOn(msgspec.Struct, frozen=True, kw_only=True):
    """Hand every row on unchanged."""


class Drop(msgspec.Struct, frozen=True, kw_only=True):
    """Take every row and hand none on."""


class FeedBack(msgspec.Struct, frozen=True, kw_only=True):
    """Keep every row until the head of the iteration takes it, as a tail's queue does."""


class Select(msgspec.Struct, frozen=True, kw_only=True):
    """Compute a new row of each row."""

    columns: tuple[Expression, ...]
    row_type: RowType
    in_place: bool = False
    """Whether the row that came in is changed, and handed on itself."""


class Where(msgspec.Struct, frozen=True, kw_only=True):
    """Keep the rows for which the condition holds."""

    condition: Expression


class SplitText(msgspec.Struct, frozen=True, kw_only=True):
    """Split a text at every match of a pattern, dropping empty parts: one row a part."""

    value: Expression
    pattern: str
    row_type: RowType


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """Send a row to the side output of each tag whose condition holds, else to the main output."""

    conditions: tuple[tuple[str, Expression], ...]


class Aggregate(msgspec.Struct, frozen=True, kw_only=True):
    """One aggregated column: ``function`` over ``column``."""

    name: str
    function: Literal["sum", "min", "max", "count"]
    column: int | None
    """The position in the row; None for ``count(*)``."""


class Keyed(msgspec.Struct, frozen=True, kw_only=True):
    """What all have that keep something for each key and hand rows of their own on."""

    keys: tuple[int, ...]
    """The key columns' positions."""
    row_type: RowType
    """Of what goes on."""


class Reduce(Keyed, frozen=True, kw_only=True):
    """Keep one row a key and hand on the updated row for each row that comes in."""

    aggregates: tuple[Aggregate, ...]
    final_only: bool = False
    """In BATCH mode only the last row of each key goes on, at the end."""


class TimeWindows(msgspec.Struct, frozen=True, kw_only=True):
    """Into which windows of time rows fall, and for how long these are kept."""

    assigner: Literal["tumbling", "sliding", "session"]
    size: int
    """Milliseconds; of a session the gap."""
    slide: int
    lateness: int = 0
    """Milliseconds for which a window that is over still takes records."""
    event_time: bool = True
    """False: every record's time is the clock's, which in a trial stands still."""


class WindowAggregate(Keyed, frozen=True, kw_only=True):
    """Aggregate rows by key and window; hand a window's row on when it is complete."""

    aggregates: tuple[Aggregate, ...]
    windows: TimeWindows
    late_output: str | None = None
    """The tag of the side output for records that come later; None: they are dropped."""


class CountWindows(Keyed, frozen=True, kw_only=True):
    """Aggregate each key's last ``size`` rows at every ``slide`` of its rows."""

    aggregates: tuple[Aggregate, ...]
    size: int
    slide: int


class EndAggregate(Keyed, frozen=True, kw_only=True):
    """Aggregate all rows of a key, or of the subtask without ``keys``, when the input has ended."""

    aggregates: tuple[Aggregate, ...]
    in_window: bool
    """Whether a row has the last timestamp of its window; else it has none."""


class RunningColumn(Keyed, frozen=True, kw_only=True):
    """Hand every row on with its key's aggregate so far behind it."""

    aggregate: Aggregate


class PreviousValue(Keyed, frozen=True, kw_only=True):
    """Hand every row on with the value that its key's row before had in a column behind it."""

    column: int


class FirstOnly(msgspec.Struct, frozen=True, kw_only=True):
    """Keep the first row for all the same values in these columns."""

    columns: tuple[int, ...]


class Greatest(Keyed, frozen=True, kw_only=True):
    """Keep the rows that are among their key's greatest so far, with their rank behind them."""

    column: int
    size: int


class AfterPause(Keyed, frozen=True, kw_only=True):
    """When a key has had no row for ``gap`` milliseconds, hand on its last and how many it had."""

    gap: int


class Join(msgspec.Struct, frozen=True, kw_only=True):
    """What all have that bring rows of two inputs together."""

    keys: tuple[tuple[int, ...], tuple[int, ...]]
    """By side the key columns' positions."""
    joined: RowType
    """The columns of both rows."""
    columns: tuple[Expression, ...]
    """What its ``select`` computes of them; none: they go on as they are."""
    row_type: RowType


class IntervalJoin(Join, frozen=True, kw_only=True):
    """Join rows of one key whose timestamps lie near each other."""

    lower: int
    upper: int
    """How far the second row's timestamp may be from the first's, in milliseconds."""


class WindowedJoin(Join, frozen=True, kw_only=True):
    """Bring rows of two inputs together that have one key and lie in one window."""

    windows: TimeWindows
    function: Literal["inner", "count", "left_outer", "right_outer", "full_outer"]
    """Which pairs of rows it makes, or that it counts them."""
    sides: tuple[RowType, RowType]


class Lookup(Join, frozen=True, kw_only=True):
    """Hand a first input's rows on with the newest row of the second that has the same key."""

    added: int
    """How many of the joined columns are the second's."""


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One input's part; both sides of an operator have the same ``join``."""

    join: IntervalJoin | WindowedJoin | Lookup
    side: Literal[0, 1]


class Tag(msgspec.Struct, frozen=True, kw_only=True):
    """Hand every row on with another tag: the input that it comes from, or 0 for none."""

    tag: int


class Await(msgspec.Struct, frozen=True, kw_only=True):
    """Hand every row on when its answer is there, with so many asked for at once."""

    delay: int
    """Milliseconds that an answer takes."""
    capacity: int


class Synthesize(msgspec.Struct, frozen=True, kw_only=True):
    """Stand in for a function that is not known: so many records out for each record in."""

    outputs: tuple[tuple[str | None, int], ...]
    """By tag, None for the main output, records out for a million records in."""
    cost: float
    """Microseconds that each record takes."""


class AssignTimestamps(msgspec.Struct, frozen=True, kw_only=True):
    """Set each record's timestamp from a column."""

    column: int
    punctuated: int | None = None
    """How far a watermark behind each record that raises it trails; None: only the last goes on."""


class PartFiles(msgspec.Struct, frozen=True, kw_only=True):
    """Where the rows of a sink are written: a file a subtask, in a folder that the trial makes."""

    folder: str
    """Absolute; for parts in progress."""
    name: str
    """Of the folder that they are for, as the document calls it."""
    format: TableFormat
    most: int | None = None
    """Bytes that one subtask may write; one that has more writes no file, and says so."""


class Collect(msgspec.Struct, frozen=True, kw_only=True):
    """Count rows, and keep up to ``limit`` of them; None: all, 0: none."""

    row_type: int
    """Which of the sink's row types it collects."""
    limit: int | None
    cost: float = 0.0
    """Microseconds that each record takes."""
    write: PartFiles | None = None


Step: TypeAlias = (
    PassOn
    | Drop
    | FeedBack
    | Select
    | Where
    | SplitText
    | Route
    | Reduce
    | WindowAggregate
    | AssignTimestamps
    | CountWindows
    | EndAggregate
    | RunningColumn
    | PreviousValue
    | FirstOnly
    | Greatest
    | AfterPause
    | Side
    | Tag
    | Await
    | Synthesize
    | Collect
)


Steps: TypeAlias = tuple[tuple[int, RowType, Step], ...]
"""What an operator does with rows of each type on each input: input number, row type, step. A row
type that is not here is passed on."""


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """An edge between two tasks, which are positions in ``Job.tasks``."""

    number: int
    """Its position among the job's edges."""
    source: int
    target: int
    wiring: SubtaskWiring
    """Who reads what of whom, as the execution graph has it."""
    max_parallelism: int
    """The target's, which says how keys fall to its subtasks."""
    input: int
    """Which input of the target's head it feeds."""
    partitioner: str
    keys: tuple[str, ...] | None
    """The key columns of a HASH edge; None: the whole row is the key."""
    row_types: RowTypes
    first: bool = False
    """Whether its producers' rows are taken before those of other edges."""
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
    """The output names that select it; None: it takes every record of its tag."""


class NetworkOutput(msgspec.Struct, frozen=True, kw_only=True):
    """An edge that leaves the task."""

    edge: Edge
    tag: str | None
    names: tuple[str, ...] | None = None
    """The output names that select it; None: it takes every record of its tag."""


class Call(msgspec.Struct, frozen=True, array_like=True):
    """The task calls an operator, a position in ``Task.operators``, itself."""

    operator: int
    method: str
    """Of ``StreamOperator``, as the release calls it."""


class Life(msgspec.Struct, frozen=True, kw_only=True):
    """In which order operators are made and called, as the recorded steps of a task's life say."""

    made: tuple[int, ...]
    """Positions in ``Task.operators``."""
    started: tuple[Call, ...]
    """Before anything comes in."""
    ended: tuple[Call, ...]
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
    network: tuple[NetworkOutput, ...]
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
    wire: Wire
    life: Life
    shares_objects: bool = False
    """Whether operators get the very objects that others changed: objects are reused."""
    loop: int | None = None
    """Its loop's number, shared by all tasks through which a record may come back; None: none."""
    feeds: int | None = None
    """Of an iteration's tail, the head: subtask by subtask, what one takes the other hands on."""

    @property
    def outputs(self) -> tuple[Edge, ...]:
        """The edges that leave it, operator by operator."""
        return tuple(output.edge for one in self.operators for output in one.network)


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """All tasks, producers before consumers; those of a loop stand behind one another."""

    name: str
    tasks: tuple[Task, ...]
