"""The pipeline document as data: a DataStream program, one record a transformation.

Mirrors ``org.apache.flink.api.dag.Transformation`` and ``StreamExecutionEnvironment``. Field names
are those of the document; a field that is not given holds its default and is left out when written.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal, Self, TypeAlias

import msgspec

from explorer.model.frozen import FrozenRecord

Scalar: TypeAlias = str | int | float | bool | None
TableFormat: TypeAlias = Literal["csv", "jsonl", "parquet"]
"""Formats of files that have columns."""

ChainingStrategy: TypeAlias = Literal["ALWAYS", "NEVER", "HEAD", "HEAD_WITH_SOURCES"]
ExchangeMode: TypeAlias = Literal[
    "UNDEFINED", "PIPELINED", "BATCH", "HYBRID_FULL", "HYBRID_SELECTIVE"
]
RuntimeMode: TypeAlias = Literal["STREAMING", "BATCH", "AUTOMATIC"]
CheckpointingMode: TypeAlias = Literal["EXACTLY_ONCE", "AT_LEAST_ONCE"]
Severity: TypeAlias = Literal["error", "warning", "note", "off"]
"""How much a finding of ``check`` weighs; ``off``: it is not looked for."""


class DocumentRecord(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Base of all records of a document: frozen, unknown fields are refused."""


class SequenceRange(
    DocumentRecord, frozen=True, kw_only=True, rename={"first": "from", "last": "to"}
):
    """The numbers ``first`` to ``last``, both included."""

    first: int
    """First number."""
    last: int
    """Last number, included."""


class GeneratedColumn(
    DocumentRecord, frozen=True, kw_only=True, rename={"first": "from", "last": "to"}
):
    """A column of generated values; ``documents.generated_rows`` has the fields of each draw."""

    draw: Literal["sequence", "time", "uniform", "normal", "exponential", "zipf", "choice"]
    """Distribution of the values."""
    first: int | float | None = None
    """Smallest or first value."""
    last: int | float | None = None
    """Largest or last value."""
    step: int | None = None
    """Difference between neighbours of a sequence or time, in ms for a time."""
    disorder: int | None = None
    """By how many milliseconds a time may come too late."""
    mean: float | None = None
    """Mean of a normal or exponential distribution."""
    deviation: float | None = None
    """Standard deviation of a normal distribution."""
    keys: int | None = None
    """Number of distinct keys of a zipf distribution."""
    exponent: float | None = None
    """How skewed the keys are: key k comes in proportion to 1 / k ** exponent."""
    prefix: str | None = None
    """What stands before a key's number; a key is a STRING then."""
    values: tuple[Scalar, ...] | None = None
    """Values to choose from."""
    weights: tuple[float, ...] | None = None
    """Relative frequency of each of the values."""
    nulls: float = 0.0
    """Which share of the values is NULL."""


class GeneratedRows(FrozenRecord, DocumentRecord, frozen=True, kw_only=True):
    """Rows that are made up: the same ones for a seed, whatever the parallelism."""

    rows: int
    """Number of rows."""
    seed: int = 0
    """Seed of the generator; the same seed gives the same rows."""
    columns: Mapping[str, GeneratedColumn]
    """Generated columns by name."""


class Rows(DocumentRecord, frozen=True, kw_only=True):
    """Where a source's rows come from: one of sequence, path, values, generate and hybrid."""

    sequence: SequenceRange | None = None
    """A range of numbers, in a column called value."""
    generate: GeneratedRows | None = None
    """Generated rows."""
    path: str | None = None
    """File to read, relative to the data folder."""
    format: Literal["text", "csv", "jsonl", "parquet"] | None = None
    """Format of the file; default: by its ending."""
    values: tuple[tuple[Scalar, ...], ...] | None = None
    """Literal rows, each a list of column values."""
    hybrid: tuple["Rows", ...] | None = None
    """``HybridSource``: the rows of several sources of the same columns, one source after the
    other."""
    schema: str | None = None
    """Columns as ``name TYPE`` pairs, as in ``word STRING, n LONG``."""


class Write(DocumentRecord, frozen=True, kw_only=True):
    """Where a trial writes a sink's rows: a folder of part files, as a ``FileSink`` does."""

    path: str
    """Folder for the part files, relative to the output folder."""
    format: TableFormat | None = None
    """Format of the files."""


class Split(DocumentRecord, frozen=True, kw_only=True, rename={"as_": "as"}):
    """A flat map's work: ``value`` split at every match of ``pattern``, empty parts dropped."""

    value: str
    """SQL expression of the text to split."""
    pattern: str
    """Regular expression at which the text is split."""
    as_: str
    """Name of the column of the parts."""


class Sort(DocumentRecord, frozen=True, kw_only=True):
    """The arguments of ``sortPartition``."""

    column: str
    """Column by which rows are sorted."""
    order: Literal["ASCENDING", "DESCENDING"] = "ASCENDING"
    """Sort order; NULLs come first in ascending order and last in descending order."""


class Alignment(DocumentRecord, frozen=True, kw_only=True):
    """``withWatermarkAlignment``: sources of a group wait for the one that is furthest behind."""

    group: str
    """Name of the group, which other sources of the job share."""
    max_drift: int
    """Milliseconds by which a source's watermark may be ahead of the lowest one of its group."""
    update_interval: int = 1_000
    """Milliseconds between two comparisons."""


class Timestamps(DocumentRecord, frozen=True, kw_only=True):
    """Event time: read from ``column``; the watermark trails by ``out_of_orderness`` ms and 1."""

    column: str
    """Column that holds the event time, in ms since the epoch."""
    out_of_orderness: int = 0
    """Bounded out-of-orderness, in ms."""
    watermarks: Literal["periodic", "punctuated"] = "periodic"
    """When they are emitted: every 200 ms of the clock, or behind each record that raises them."""
    idleness: int | None = None
    """``withIdleness``: milliseconds without a record after which a source counts as idle."""
    alignment: Alignment | None = None
    """Of a source, its group of watermark alignment."""


Shape: TypeAlias = Literal["count", "last", "total", "deduplicate", "top", "pause"]
"""The state of a keyed process function per key; ``documents.state_shapes`` describes it."""


class KeyedState(DocumentRecord, frozen=True, kw_only=True, rename={"as_": "as"}):
    """A keyed process function's work: its state for each key, and what it emits."""

    shape: Shape
    """The function's state for each key."""
    column: str | None = None
    """The column that it looks at."""
    size: int | None = None
    """Number of rows per key in a ``top``."""
    gap: int | None = None
    """Milliseconds of event time without a row, after which a timer fires."""
    as_: str | None = None
    """The column that it puts behind the row's own."""


class Between(DocumentRecord, frozen=True, kw_only=True):
    """How far the second row's timestamp may be from the first's: milliseconds, both included."""

    lower: int
    """Lower bound, in ms."""
    upper: int
    """Upper bound, in ms."""


class Lookup(DocumentRecord, frozen=True, kw_only=True):
    """Broadcast state by key: the first input's row asks for what ``column`` holds."""

    column: str
    """Of the first input's rows."""
    key: str
    """The second input's column by which its rows are stored."""


class Wait(DocumentRecord, frozen=True, kw_only=True):
    """Asynchronous I/O: how long an answer lasts, and how many are asked for at once."""

    delay: int
    """Milliseconds."""
    capacity: int = 100
    """Maximum number of requests in flight."""
    ordered: bool = False
    """``orderedWait``: results keep the order of the rows."""


class Window(DocumentRecord, frozen=True, kw_only=True):
    """A window assigner; ``size``, ``slide`` and ``gap`` in ms, those of ``count`` in rows."""

    assigner: Literal["tumbling", "sliding", "session", "count", "end_of_stream"]
    """Window assigner."""
    time: Literal["event", "processing"] = "event"
    """Time characteristic of the window."""
    size: int | None = None
    """Window size in ms; records for a count window."""
    slide: int | None = None
    """Slide in ms; records for a count window."""
    gap: int | None = None
    """Session gap in ms."""
    offset: int | None = None
    """Milliseconds by which tumbling and sliding windows begin later than at multiples."""
    allowed_lateness: int | None = None
    """``allowedLateness``: milliseconds for which a window accepts rows after its end."""
    late_output: str | None = None
    """``sideOutputLateData``: the tag of the side output for rows that come later."""

    @property
    def in_event_time(self) -> bool:
        """Whether watermarks end it; what is cut by numbers of rows looks at no time."""
        return self.time == "event" and not self.is_global

    @property
    def is_global(self) -> bool:
        """Whether all rows are in one ``GlobalWindow`` and only the trigger cuts them."""
        return self.assigner in {"count", "end_of_stream"}


Group: TypeAlias = Literal["count", "left_outer", "right_outer", "full_outer"]
"""What a coGroup function makes of both inputs' rows in a window: how many there are of each, or
pairs, with NULLs where the named input has a row and the other one has none."""


class Resources(DocumentRecord, frozen=True, kw_only=True):
    """A ``ResourceSpec``: CPU cores and task heap in MiB."""

    cpu: float
    """CPU cores of one subtask."""
    heap_mb: int
    """Task heap of one subtask, in MiB."""


class SlotSharingGroup(FrozenRecord, DocumentRecord, frozen=True, kw_only=True):
    """The resources that each slot of a group has: ``SlotSharingGroup.newBuilder``."""

    cpu: float
    """CPU cores of a slot."""
    heap_mb: int
    """Task heap of a slot, in MiB."""
    off_heap_mb: int = 0
    """Task off-heap memory of a slot, in MiB."""
    managed_mb: int = 0
    """Managed memory of a slot, in MiB."""
    external: Mapping[str, float] = {}
    """By name, the amount of an external resource such as a GPU."""


class Checkpointing(DocumentRecord, frozen=True, kw_only=True):
    """Settings of checkpoints, which are enabled where ``checkpoint_interval`` is set."""

    mode: CheckpointingMode = "EXACTLY_ONCE"
    """Checkpointing mode."""
    timeout: int = 600_000
    """Milliseconds."""
    min_pause: int = 0
    """Milliseconds."""
    max_concurrent: int = 1
    """Maximum number of concurrent checkpoints."""
    tolerable_failures: int = 0
    """Number of consecutive checkpoint failures that the job tolerates."""
    retention: Literal[
        "NO_EXTERNALIZED_CHECKPOINTS", "DELETE_ON_CANCELLATION", "RETAIN_ON_CANCELLATION"
    ] = "NO_EXTERNALIZED_CHECKPOINTS"
    """What happens to checkpoints when the job is cancelled (externalized checkpoint retention)."""
    unaligned: bool = False
    """Enable unaligned checkpoints."""
    force: bool = False
    """``enableCheckpointing(interval, true)``: also for iterations."""
    force_unaligned: bool = False
    """Force unaligned checkpoints for iterations."""


class SavepointRestore(DocumentRecord, frozen=True, kw_only=True):
    """The savepoint that the job starts from."""

    path: str
    """Path of the savepoint."""
    allow_non_restored_state: bool = False
    """Allow state of the savepoint that no operator of the job restores
    (``--allowNonRestoredState``)."""
    claim_mode: Literal["NO_CLAIM", "CLAIM", "LEGACY"] = "NO_CLAIM"
    """Ownership of the savepoint's files after the restore."""


class Transformation(FrozenRecord, DocumentRecord, frozen=True, kw_only=True):
    """One call of the program; ``flink.kinds`` lists the fields that its ``type`` may have."""

    id: str
    """Unique ID of the transformation within the document; inputs refer to it."""
    type: str
    """Type of the transformation, named after its DataStream call."""
    inputs: tuple[str, ...] = ()
    """IDs of the transformations that this one reads, in order."""

    name: str | None = None
    """Operator name; default: the type's own, such as Map."""
    parallelism: int | None = None
    """Number of subtasks; default: the environment's parallelism."""
    max_parallelism: int | None = None
    """Number of key groups, the upper limit of the parallelism."""
    uid: str | None = None
    """Stable operator ID (``uid(...)``): state is matched by it across versions."""
    uid_hash: str | None = None
    """Operator ID as 32 hex digits (``setUidHash``)."""
    slot_sharing_group: str | None = None
    """Slot sharing group; default: that of the inputs if they agree, else ``default``."""
    co_location_group: str | None = None
    """Co-location group: subtasks with the same index share a slot."""
    chaining_strategy: ChainingStrategy | None = None
    """HEAD starts a new chain (``startNewChain``), NEVER disables chaining for the operator."""
    buffer_timeout: int | None = None
    """Flush interval of the output buffers, in ms; -1: only full buffers; default: the
    environment's."""
    managed_memory_weight: int | None = None
    """Weight of managed memory for operator scope, from 1."""
    resources: Resources | None = None
    """Fine-grained resources of one subtask (ResourceSpec)."""

    parallel: bool = True
    """False: a non-parallel ``SourceFunction``."""
    tag: str | None = None
    """Tag of the side output to read."""
    partitioner: str | None = None
    """Partitioner of the stream, such as REBALANCE or BROADCAST."""
    exchange_mode: ExchangeMode | None = None
    """Exchange mode of the edge."""
    committer: bool = False
    """Whether the sink has a committer operator."""
    global_committer: bool = False
    """Whether the sink has a global committer operator."""
    keyed: bool = False
    """A ``KeyedMultipleInputTransformation``."""
    input_selectable: bool = False
    """Whether the operator implements ``InputSelectable``."""
    input_format: str | None = None
    """The class name of the ``InputFormat`` that a legacy source reads."""
    output_format: str | None = None
    """The class name of the ``OutputFormat`` that a sink writes."""
    iteration: str | None = None
    """The id of the ``iterate`` that a ``close_iteration`` closes."""
    max_wait: int | None = None
    """Longest wait of an iteration head for feedback, in ms."""
    function: str | None = None
    """The class name of a window's reduce function, which releases up to 1.14 print."""
    window: Window | None = None
    """Window assigner and lateness."""

    rows: Rows | None = None
    """Records of a source in a local run."""
    write: Write | None = None
    """Files that a sink writes in a local run."""
    select: Mapping[str, str] | None = None
    """Output columns: SQL expressions by column name."""
    mutates: bool = False
    """Whether a map changes the row that it gets, and emits that very object."""
    select1: Mapping[str, str] | None = None
    """Output columns for records of the first input."""
    select2: Mapping[str, str] | None = None
    """Output columns for records of the second input."""
    where: str | None = None
    """SQL condition that a record must fulfil."""
    split: Split | None = None
    """Split a text column into one record for each part."""
    side_outputs: Mapping[str, str] | None = None
    """Condition by side-output tag: a record that fulfils it also goes to that output."""
    outputs: Mapping[str, str] | None = None
    """Of a ``split``, by output name the condition for which its ``OutputSelector`` gives it."""
    names: tuple[str, ...] | None = None
    """The output names that a ``select`` asks for; none: whatever is selected upstream."""
    keys: tuple[str, ...] | None = None
    """Key columns."""
    equal_to: tuple[str, ...] | None = None
    """The second input's key columns where they are called otherwise than ``keys``."""
    group: Group | None = None
    """Result of a coGroup for the records of both inputs."""
    aggregate: Mapping[str, str] | None = None
    """Aggregates by output column: sum(c), min(c), max(c); in windows also count(*)."""
    sort: Sort | None = None
    """Order in which a partition's rows are emitted at the end of the input."""
    timestamps: Timestamps | None = None
    """Timestamp assigner and watermark strategy; of a source, those of ``fromSource``."""
    state: KeyedState | None = None
    """Keyed state of a process function."""
    between: Between | None = None
    """Time bounds of an interval join, in ms."""
    lookup: Lookup | None = None
    """Broadcast-state lookup."""
    wait: Wait | None = None
    """Asynchronous I/O settings."""
    selects: Mapping[str, Mapping[str, str]] | None = None
    """By input, what a multiple input makes of its rows."""


class Expectations(FrozenRecord, DocumentRecord, frozen=True, kw_only=True):
    """What the compiled graph must look like; does not change the translation."""

    chained: tuple[tuple[str, str], ...] = ()
    """Pairs of operators that share a task: ids of transformations, or names of operators."""
    apart: tuple[tuple[str, str], ...] = ()
    """Pairs that do not."""
    tasks: int | None = None
    """Expected number of tasks (job vertices)."""
    slots: int | None = None
    """Expected number of slots."""
    ids: Mapping[str, str] = {}
    """By operator, the ID by which a savepoint finds it: 32 hex digits."""


class CheckSettings(FrozenRecord, DocumentRecord, frozen=True, kw_only=True):
    """How ``check`` weighs its findings in this document."""

    severities: Mapping[str, Severity] = {}
    """By code."""
    silenced: Mapping[str, str | Mapping[str, str]] = {}
    """By code, why its findings do not count: one reason, or one by operator."""


class Environment(FrozenRecord, DocumentRecord, frozen=True, kw_only=True):
    """The execution environment's settings."""

    parallelism: int = 1
    """Default parallelism of the job."""
    max_parallelism: int | None = None
    """Default maximum parallelism; default: derived from each operator's parallelism."""
    chaining: bool = True
    """false: ``disableOperatorChaining()``."""
    buffer_timeout: int | None = None
    """Default flush interval of output buffers, in ms."""
    runtime_mode: RuntimeMode = "STREAMING"
    """Execution mode of the job (execution.runtime-mode)."""
    checkpoint_interval: int | None = None
    """Checkpoint interval in ms; checkpoints are off without it."""
    checkpointing: Checkpointing = Checkpointing()
    """Checkpoint settings."""
    savepoint: SavepointRestore | None = None
    """Savepoint that the job starts from."""
    artifacts: Mapping[str, str] = {}
    """``registerCachedFile``: by name, the path of a file that goes with the job."""
    slot_sharing_groups: Mapping[str, SlotSharingGroup] = {}
    """``registerSlotSharingGroup``: by name, the resources of its slots; a group without has slots
    of the task manager's default size."""
    auto_generate_uids: bool = True
    """false: Flink refuses operators without a uid."""
    configuration: Mapping[str, str | int | float | bool] = {}
    """Flink configuration options by key."""


class ProgramDocument(FrozenRecord, frozen=True, kw_only=True, weakref=True):
    """What a program states about itself, before what it holds; see ``model.document``."""

    name: str
    """Job name."""
    title: str | None = None
    """Title for readers; default: the name."""
    teaches: str | None = None
    """What its reader learns from it, where it is an example."""
    flink: str | None = None
    """The release that it is for, where it names one."""

    @property
    def heading(self) -> str:
        """Its title, else its name."""
        return self.title or self.name

    def with_baseline(self, values: Mapping[str, Any] | None) -> Self:
        """The same program, measured from something else."""
        return msgspec.structs.replace(self, baseline=values)


class Pipeline(ProgramDocument, DocumentRecord, frozen=True, kw_only=True, dict=True):
    """A DataStream program: its environment and its transformations in declaration order."""

    kind: ClassVar[str] = "pipeline"

    name: str = "pipeline"
    environment: Environment = Environment()
    """Settings of the StreamExecutionEnvironment."""
    transformations: tuple[Transformation, ...]
    """Operators and partitionings of the program in declaration order."""
    expect: Expectations = Expectations()
    """Expectations that ``check`` verifies."""
    check: CheckSettings = CheckSettings()
    """Severities and suppressions of ``check``."""
    baseline: Mapping[str, Any] | None = None
    """The baseline, as plain values: its ``name``, and a ``document`` or a ``savepoint``."""

    @property
    def parts(self) -> int:
        """How many transformations there are."""
        return len(self.transformations)

    @cached_property
    def types(self) -> frozenset[str]:
        """The types of its transformations."""
        return frozenset({item.type for item in self.transformations})

    @property
    def chaining(self) -> bool:
        """Whether the environment lets the job chain at all."""
        return self.environment.chaining

    @property
    def pipeline(self) -> Self:
        """Itself: its transformations are known."""
        return self

    @property
    def operators(self) -> None:
        """None: its transformations make them."""
        return None

    @property
    def submitted(self) -> None:
        """None: it is a program."""
        return None

    @property
    def options(self) -> Mapping[str, Scalar]:
        """The environment's configuration."""
        return self.environment.configuration

    @property
    def flink_job_graph(self) -> None:
        """None: what is captured comes as a StreamGraph."""
        return None

    def with_chaining(self, *, on: bool) -> Self:
        """The same program with chaining on or off."""
        environment = msgspec.structs.replace(self.environment, chaining=on)
        return msgspec.structs.replace(self, environment=environment)

    def under(self, release: str) -> Self:
        """The same program for another release."""
        return msgspec.structs.replace(self, flink=release)

    def transformation(self, id: str) -> Transformation:
        """The transformation called ``id``; raises ``KeyError`` when there is none."""
        return self._by_id[id]

    @cached_property
    def _by_id(self) -> dict[str, Transformation]:
        """Of two with one id, which only a document that was not checked yet has, the first."""
        return {item.id: item for item in reversed(self.transformations)}
