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
    last: int


class GeneratedColumn(
    DocumentRecord, frozen=True, kw_only=True, rename={"first": "from", "last": "to"}
):
    """A column of values that are made up; ``documents.generated_rows`` says what each draw has."""

    draw: Literal["sequence", "time", "uniform", "normal", "exponential", "zipf", "choice"]
    first: int | float | None = None
    last: int | float | None = None
    step: int | None = None
    disorder: int | None = None
    """By how many milliseconds a time may come too late."""
    mean: float | None = None
    deviation: float | None = None
    keys: int | None = None
    exponent: float | None = None
    """How skewed the keys are: key k comes in proportion to 1 / k ** exponent."""
    prefix: str | None = None
    """What stands before a key's number; a key is a STRING then."""
    values: tuple[Scalar, ...] | None = None
    weights: tuple[float, ...] | None = None
    nulls: float = 0.0
    """Which share of the values is NULL."""


class GeneratedRows(FrozenRecord, DocumentRecord, frozen=True, kw_only=True):
    """Rows that are made up: the same ones for a seed, whatever the parallelism."""

    rows: int
    seed: int = 0
    columns: Mapping[str, GeneratedColumn]


class Rows(DocumentRecord, frozen=True, kw_only=True):
    """Where a source's rows come from: one of ``sequence``, ``path``, ``values``, ``generate``."""

    sequence: SequenceRange | None = None
    generate: GeneratedRows | None = None
    path: str | None = None
    format: Literal["text", "csv", "jsonl", "parquet"] | None = None
    values: tuple[tuple[Scalar, ...], ...] | None = None
    schema: str | None = None
    """Columns as ``name TYPE`` pairs, as in ``word STRING, n LONG``."""


class Write(DocumentRecord, frozen=True, kw_only=True):
    """Where a trial writes a sink's rows: a folder of part files, as a ``FileSink`` does."""

    path: str
    format: TableFormat | None = None


class Split(DocumentRecord, frozen=True, kw_only=True, rename={"as_": "as"}):
    """A flat map's work: ``value`` split at every match of ``pattern``, empty parts dropped."""

    value: str
    pattern: str
    as_: str


class Timestamps(DocumentRecord, frozen=True, kw_only=True):
    """Event time: taken from ``column``; the watermark trails by ``out_of_orderness`` ms and 1."""

    column: str
    out_of_orderness: int = 0
    watermarks: Literal["periodic", "punctuated"] = "periodic"
    """When they are emitted: every 200 ms of the clock, or behind each record that raises them."""
    idleness: int | None = None
    """``withIdleness``: after so many ms of the clock without a record a source counts as idle."""


Shape: TypeAlias = Literal["count", "last", "total", "deduplicate", "top", "pause"]
"""What a keyed process function keeps for each key; ``documents.state_shapes`` says it."""


class KeyedState(DocumentRecord, frozen=True, kw_only=True, rename={"as_": "as"}):
    """A keyed process function's work: what it keeps for each key, and hands on."""

    shape: Shape
    column: str | None = None
    """The column that it looks at."""
    size: int | None = None
    """How many rows of a key a ``top`` keeps."""
    gap: int | None = None
    """Milliseconds of event time without a row, after which a timer fires."""
    as_: str | None = None
    """The column that it puts behind the row's own."""


class Between(DocumentRecord, frozen=True, kw_only=True):
    """How far the second row's timestamp may be from the first's: milliseconds, both included."""

    lower: int
    upper: int


class Lookup(DocumentRecord, frozen=True, kw_only=True):
    """Broadcast state by key: the first input's row asks for what ``column`` holds."""

    column: str
    """Of the first input's rows."""
    key: str
    """The second input's column by which its rows are kept."""


class Wait(DocumentRecord, frozen=True, kw_only=True):
    """Asynchronous I/O: how long an answer takes, and how many are asked for at once."""

    delay: int
    """Milliseconds."""
    capacity: int = 100
    ordered: bool = False
    """``orderedWait``: results keep the order of the rows."""


class Window(DocumentRecord, frozen=True, kw_only=True):
    """A window assigner; ``size``, ``slide`` and ``gap`` in ms, those of ``count`` in rows."""

    assigner: Literal["tumbling", "sliding", "session", "count", "end_of_stream"]
    time: Literal["event", "processing"] = "event"
    size: int | None = None
    slide: int | None = None
    gap: int | None = None
    allowed_lateness: int | None = None
    """``allowedLateness``: for so many ms a window that is over still takes rows."""
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
    heap_mb: int


class Checkpointing(DocumentRecord, frozen=True, kw_only=True):
    """How checkpoints are taken; they are on where ``checkpoint_interval`` is set."""

    mode: CheckpointingMode = "EXACTLY_ONCE"
    timeout: int = 600_000
    """Milliseconds."""
    min_pause: int = 0
    """Milliseconds."""
    max_concurrent: int = 1
    tolerable_failures: int = 0
    retention: Literal[
        "NO_EXTERNALIZED_CHECKPOINTS", "DELETE_ON_CANCELLATION", "RETAIN_ON_CANCELLATION"
    ] = "NO_EXTERNALIZED_CHECKPOINTS"
    unaligned: bool = False
    force: bool = False
    """``enableCheckpointing(interval, true)``: also for iterations."""
    force_unaligned: bool = False


class SavepointRestore(DocumentRecord, frozen=True, kw_only=True):
    """The savepoint that the job starts from."""

    path: str
    allow_non_restored_state: bool = False
    claim_mode: Literal["NO_CLAIM", "CLAIM", "LEGACY"] = "NO_CLAIM"


class Transformation(FrozenRecord, DocumentRecord, frozen=True, kw_only=True):
    """One call of the program; ``flink.kinds`` says which fields its ``type`` may have."""

    id: str
    type: str
    inputs: tuple[str, ...] = ()

    name: str | None = None
    parallelism: int | None = None
    max_parallelism: int | None = None
    uid: str | None = None
    uid_hash: str | None = None
    slot_sharing_group: str | None = None
    co_location_group: str | None = None
    chaining_strategy: ChainingStrategy | None = None
    buffer_timeout: int | None = None
    managed_memory_weight: int | None = None
    resources: Resources | None = None

    parallel: bool = True
    """False: a non-parallel ``SourceFunction``."""
    tag: str | None = None
    partitioner: str | None = None
    exchange_mode: ExchangeMode | None = None
    committer: bool = False
    global_committer: bool = False
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
    function: str | None = None
    """The class name of a window's reduce function, which releases up to 1.14 print."""
    window: Window | None = None

    rows: Rows | None = None
    write: Write | None = None
    select: Mapping[str, str] | None = None
    mutates: bool = False
    """Whether a map changes the row that it gets, and hands on that very object."""
    select1: Mapping[str, str] | None = None
    select2: Mapping[str, str] | None = None
    where: str | None = None
    split: Split | None = None
    side_outputs: Mapping[str, str] | None = None
    outputs: Mapping[str, str] | None = None
    """Of a ``split``, by output name the condition for which its ``OutputSelector`` gives it."""
    names: tuple[str, ...] | None = None
    """The output names that a ``select`` asks for; none: whatever is selected upstream."""
    keys: tuple[str, ...] | None = None
    equal_to: tuple[str, ...] | None = None
    """The second input's key columns where they are called otherwise than ``keys``."""
    group: Group | None = None
    aggregate: Mapping[str, str] | None = None
    timestamps: Timestamps | None = None
    state: KeyedState | None = None
    between: Between | None = None
    lookup: Lookup | None = None
    wait: Wait | None = None
    selects: Mapping[str, Mapping[str, str]] | None = None
    """By input, what a multiple input makes of its rows."""


class Expectations(FrozenRecord, DocumentRecord, frozen=True, kw_only=True):
    """What the program is meant to become; nothing is translated otherwise for it."""

    chained: tuple[tuple[str, str], ...] = ()
    """Pairs of operators that share a task: ids of transformations, or names of operators."""
    apart: tuple[tuple[str, str], ...] = ()
    """Pairs that do not."""
    tasks: int | None = None
    slots: int | None = None
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
    max_parallelism: int | None = None
    chaining: bool = True
    buffer_timeout: int | None = None
    runtime_mode: RuntimeMode = "STREAMING"
    checkpoint_interval: int | None = None
    checkpointing: Checkpointing = Checkpointing()
    savepoint: SavepointRestore | None = None
    artifacts: Mapping[str, str] = {}
    """``registerCachedFile``: by name, the path of a file that goes with the job."""
    auto_generate_uids: bool = True
    configuration: Mapping[str, str | int | float | bool] = {}


class ProgramDocument(FrozenRecord, frozen=True, kw_only=True):
    """What a program says of itself, before what it holds; see ``model.document``."""

    name: str
    title: str | None = None
    teaches: str | None = None
    """What its reader learns from it, where it is an example."""
    flink: str | None = None
    """The release that it is for, where it says so."""

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
    transformations: tuple[Transformation, ...]
    expect: Expectations = Expectations()
    check: CheckSettings = CheckSettings()
    baseline: Mapping[str, Any] | None = None
    """What is deployed, as plain values: its ``name``, and a ``document`` or a ``savepoint``."""

    @property
    def parts(self) -> int:
        """How many transformations there are."""
        return len(self.transformations)

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
        return {one.id: one for one in reversed(self.transformations)}
