"""One row a transformation type: the Flink call, what it becomes, which fields it accepts.

The translation, the documents' checks, the edits, the trial and the page's forms all read this
table. A new type also needs a call of the datastream API, a translator in
``passes.generation.generator`` unless it is one node like any other, and an operator module in
``explorer.engine.operators`` unless it passes its rows on.
"""

from collections.abc import Callable
from functools import cached_property, partial
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.flink.releases import ByRelease, Release
from explorer.model.pipeline import ChainingStrategy, Pipeline, Transformation
from explorer.model.stream_graph import SINK_PREFIX, SOURCE_PREFIX

State: TypeAlias = Literal["keyed state", "broadcast state", "read position", "state"]
"""Kind of state that a savepoint holds of an operator."""

Certainty: TypeAlias = Literal["known", "possible", "none"]
"""State in every savepoint; only if a function of the program registers some; none."""

Gives: TypeAlias = Literal[
    "inputs",
    "rows",
    "select",
    "selects",
    "split",
    "reduced",
    "windows",
    "keyed state",
    "pairs",
    "windowed pairs",
    "groups",
    "looked up",
    "by input",
]
"""The source of the output columns: what its inputs share, or such a field."""

KeySelector: TypeAlias = Literal["inputs", "first input", "field", "own", "constant", "none"]
"""What gives an operator its state key: any keyed input, the first one, its field ``keyed``, the
columns that it names itself, a constant, or nothing."""


class Kind(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Flink's behaviour for a transformation type."""

    type: str
    call: str
    """The DataStream call, for a reader."""
    exists: ByRelease | None = None
    """Whether a release has it; None: all have."""
    absence: str = ""
    """Why other releases do not have it, and what Flink offers instead."""
    node: bool = True
    """Whether it becomes a StreamNode; the others become virtual nodes or none."""
    numbered: bool = True
    """Whether the call makes a ``Transformation``, which gets a number of Flink's counter."""
    inputs: tuple[int, int | None] = (1, 1)
    """Fewest and most inputs; None: no limit."""
    ends: bool = False
    """Whether the call returns no stream."""

    fields: tuple[str, ...] = ()
    """Its fields, in addition to those of every node."""
    needs: tuple[tuple[str, str], ...] = ()
    """The fields without which it means nothing, each with an example."""
    ignored: tuple[str, ...] = ()
    """The fields of a node for which its API class has no setter: they may be given, and do
    nothing."""
    uid_hash: bool = True
    """Whether its API class accepts a uid hash; else the setter throws."""
    strategies: tuple[ChainingStrategy, ...] = ("HEAD", "NEVER")
    """The chaining strategies that a program may set."""

    keyed: bool = False
    """Whether each input must be a keyed stream."""
    key_selector: KeySelector = "inputs"
    partitioner: str | None = None
    """The partitioner that it sets; a type with that field names its own."""
    hidden: tuple[tuple[int, str], ...] = ()
    """The inputs that its call partitions itself, and how: each gets a number, too."""
    tagger: str | None = None
    """The type of operator by which its call tags each input's rows before it makes one stream of
    them: the union and the partition behind it have the numbers of ``hidden``."""
    hides_inputs: ByRelease | None = None
    """Whether it names only what it reads directly as its predecessors; None: it never does."""
    unkeyed: bool = False
    """Whether a keyed stream has another call of that name, which is a type of its own."""
    caches: bool = False
    """Whether a BATCH job writes its rows to a data set that outlives the job."""
    joins: bool = False
    """Whether it merges all its inputs into one stream, so that they must have one type."""
    iterates: bool = False
    """Whether it begins an iteration."""
    side_outputs: bool = False
    """Whether its function has a ``Context`` that can emit to an ``OutputTag``."""
    needs_event_time_setting: ByRelease | None = None
    """Whether it is refused unless the environment is set to event time; None: it never is."""

    thins: bool = False
    """Whether its purpose is to emit fewer records than it reads."""
    alone: bool = False
    """Whether it has one subtask, whatever the environment's parallelism."""
    input_parallelism: bool = False
    """Whether its transformation has the parallelism of its first input, unless it sets its own."""
    sets_parallelism: bool = False
    """Whether it is constructed with its parallelism, as if the program had set it."""

    at_end: bool = False
    """Whether it emits no row before its input has ended, whatever its window."""
    sorts_itself: bool = False
    """Whether its operator sorts, so that Flink does not (``isInternalSorterSupported``)."""
    run_needs: str = ""
    """The field without which a local run passes the rows on unchanged, with an example."""
    memory_weight: int | None = None
    """The weight of managed memory that its call declares itself."""

    name: str | None = None
    """The default operator name."""
    keyed_name: str | None = None
    """The same where the first input is keyed, if it differs."""
    window_function: str | None = None
    """The class that a window operator calls where it is the call's own, which its name shows."""
    prefix: str = ""
    """Prefix of the operator's name in its StreamNode."""
    vertex_class: str = "OneInputStreamTask"
    strategy: ChainingStrategy = "ALWAYS"
    """The operator's own chaining strategy."""
    strategy_in: Callable[[Release], ChainingStrategy] | None = None
    """The same where releases differ."""
    applies_strategy: ByRelease | None = None
    """Whether a chaining strategy that the program sets reaches the operator; None: it does."""
    yields: bool = False
    """Whether its factory yields to the mailbox, in the releases in which one does."""
    data_sink: bool = False
    """Whether the execution plan calls it a data sink."""
    successor: str | None = None
    """The type that does the same in newer releases."""

    gives: Gives = "inputs"
    operator: str = "pass_on"
    """The module of ``explorer.engine.operators`` that plans and runs it."""
    state: State = "state"
    certainty: Certainty = "possible"
    """Certainty of that: of most types, it depends on the program's function."""
    timers: ByRelease | None = None
    """Whether its operator has timers on a keyed stream, with state that exists before the first
    one is registered; None: never. One that is always keyed has ``known`` state anyway."""
    event_timers: bool = False
    """Whether its operator registers a timer in event time for each key, as for its cleanup."""

    @cached_property
    def allowed_fields(self) -> tuple[str, ...]:
        """The document fields that such a transformation may have, without id and type."""
        inputs = () if self.inputs[1] == 0 else ("inputs",)
        return (*inputs, *(NODE_FIELDS if self.node else ()), *self.fields)

    @cached_property
    def accepted_fields(self) -> frozenset[str]:
        """All document fields that such a transformation may have."""
        return frozenset({"id", "type", *self.allowed_fields})

    @cached_property
    def offered_strategies(self) -> tuple[str, ...]:
        """The chaining strategies to choose from, the operator's own first."""
        return tuple(dict.fromkeys((self.strategy, *self.strategies)))

    @cached_property
    def registered(self) -> bool:
        """Whether ``StreamExecutionEnvironment.addOperator`` registers the transformation."""
        return self.node and self.inputs[1] != 0

    @cached_property
    def sink(self) -> bool:
        """Whether rows end in it."""
        return self.node and self.ends

    @cached_property
    def reads_splits(self) -> bool:
        """Whether the kind is a FLIP-27 source: its operator aligns watermarks by itself."""
        return self.vertex_class == "SourceOperatorStreamTask"

    @cached_property
    def legacy_source(self) -> bool:
        """Whether the kind is a ``SourceFunction``, which may or may not end."""
        return self.vertex_class == "SourceStreamTask"

    @cached_property
    def partitions(self) -> bool:
        """Whether the kind partitions a stream."""
        return self.partitioner is not None or "partitioner" in self.fields

    @cached_property
    def commits(self) -> bool:
        """Whether the kind may have operators of its own that commit."""
        return "committer" in self.fields

    @cached_property
    def keyed_stream(self) -> bool:
        """Whether the kind gives a ``KeyedStream``."""
        return self.partitioner == "HASH"


FOREIGN_FEEDBACK: Final = (
    "Cannot close an iteration with a feedback DataStream that does not originate from said "
    "iteration."
)
"""Flink's words for what ``IterativeStream.closeWith`` refuses."""

NODE_FIELDS: Final = (
    "name",
    "parallelism",
    "max_parallelism",
    "uid",
    "uid_hash",
    "slot_sharing_group",
    "co_location_group",
    "chaining_strategy",
    "buffer_timeout",
    "managed_memory_weight",
    "resources",
)
"""The fields that every transformation with a node accepts."""


_WINDOW: Final = ("window", "{assigner: tumbling, size: 5000}")

_two_inputs = partial(
    Kind,
    inputs=(2, 2),
    vertex_class="TwoInputStreamTask",
    strategy_in=lambda release: release.two_input_strategy,
)
_keyed = partial(Kind, keyed=True, state="keyed state", certainty="known")
_two_keyed_inputs = partial(_two_inputs, keyed=True, state="keyed state", certainty="known")
# ``CoGroupedStreams.WithWindow.apply`` tags each input in a map and keys their union again.
_windowed_join = partial(
    Kind,
    inputs=(2, 2),
    hidden=((0, "HASH"), (1, "HASH")),
    tagger="map",
    key_selector="own",
    needs=(_WINDOW,),
    window_function="CoGroupWindowFunction",
    state="keyed state",
    certainty="known",
)
_windows = partial(
    Kind,
    thins=True,
    fields=("window", "function", "aggregate"),
    needs=(_WINDOW,),
    side_outputs=True,
    gives="windows",
    operator="window",
    state="keyed state",
    certainty="known",
)
_ROW_FUNCTION: Final = "select, as in select: {n: n + 1}, for a function that emits a row per row"
_SORT: Final = "sort, as in sort: {column: n, order: ASCENDING}"
_partition_window = partial(
    Kind,
    exists=lambda release: release.partition_windows,
    at_end=True,
    strategy_in=lambda release: release.partition_window_strategy,
)
"""``fullWindowPartition``: all rows of a subtask, or of a key, in one window."""
_subtask_window = partial(
    _partition_window,
    unkeyed=True,
    key_selector="none",
    input_parallelism=True,
    sets_parallelism=True,
    certainty="none",
)
_key_window = partial(
    _partition_window,
    keyed=True,
    name="GlobalWindows",
    strategy_in=None,
    state="keyed state",
)
_virtual = partial(Kind, node=False, input_parallelism=True)
_split = partial(
    _virtual,
    exists=lambda release: release.split,
    absence='Flink 1.12 removed split and select (FLINK-19083): "Splits are deprecated. Please '
    'use side-outputs."',
)

_NO_SETTER: Final = ("max_parallelism", "buffer_timeout", "managed_memory_weight")
"""The fields for which ``DataStreamSink`` has no setter."""


_ROWS: Final = (
    Kind(
        type="source",
        call="fromSource",
        exists=lambda release: release.flip27_sources,
        inputs=(0, 0),
        name="Custom Source",
        prefix=SOURCE_PREFIX,
        vertex_class="SourceOperatorStreamTask",
        fields=("rows", "timestamps"),
        gives="rows",
        state="read position",
        certainty="known",
    ),
    Kind(
        type="legacy_source",
        call="addSource",
        inputs=(0, 0),
        name="Custom Source",
        prefix=SOURCE_PREFIX,
        vertex_class="SourceStreamTask",
        # ``StreamSource`` sets it: nothing chains before a source.
        strategy="HEAD",
        successor="source",
        fields=("rows", "parallel", "input_format"),
        gives="rows",
        state="read position",
    ),
    Kind(
        type="map",
        call="map",
        name="Map",
        fields=("select", "mutates"),
        gives="select",
        operator="map",
    ),
    Kind(
        type="filter",
        call="filter",
        thins=True,
        name="Filter",
        fields=("where",),
        operator="filter",
    ),
    Kind(
        type="flat_map",
        call="flatMap",
        name="Flat Map",
        fields=("split",),
        gives="split",
        operator="flat_map",
    ),
    Kind(
        type="process",
        operator="process",
        call="process",
        name="Process",
        fields=("side_outputs",),
        side_outputs=True,
        timers=lambda release: release.process_has_timers,
    ),
    Kind(
        type="async",
        operator="wait",
        call="AsyncDataStream.unorderedWait",
        name="async wait operator",
        fields=("wait",),
        strategy_in=lambda release: release.async_strategy,
        yields=True,
        # ``AsyncWaitOperator.initializeState`` registers its queue with every program.
        certainty="known",
    ),
    Kind(
        type="timestamps",
        operator="assign_timestamps",
        call="assignTimestampsAndWatermarks",
        exists=lambda release: release.timestamps,
        name="Timestamps/Watermarks",
        fields=("timestamps",),
        key_selector="none",
        input_parallelism=True,
        certainty="none",
    ),
    _keyed(
        type="reduce",
        call="keyBy.reduce",
        name="Keyed Reduce",
        strategy_in=lambda release: release.reduce_strategy,
        fields=("aggregate",),
        gives="reduced",
        operator="reduce",
    ),
    _keyed(
        type="keyed_process",
        call="keyBy.process",
        name="KeyedProcess",
        fields=("state",),
        side_outputs=True,
        gives="keyed state",
        operator="keyed_process",
    ),
    _windows(type="window", call="keyBy.window.reduce", keyed=True),
    _windows(
        type="window_all",
        call="windowAll.reduce",
        # ``AllWindowedStream`` keys its input by ``NullByteKeySelector`` and has one subtask.
        hidden=((0, "HASH"),),
        key_selector="constant",
        alone=True,
    ),
    _subtask_window(
        type="map_partition",
        call="fullWindowPartition.mapPartition",
        name="MapPartition",
        strategy="NEVER",
        strategy_in=None,
        fields=("select",),
        run_needs=_ROW_FUNCTION,
        gives="select",
        operator="end_rows",
    ),
    _subtask_window(
        type="sort_partition",
        call="fullWindowPartition.sortPartition",
        name="SortPartition",
        # ``NonKeyedPartitionWindowedStream.sortPartition`` declares it by an option's default.
        memory_weight=128,
        fields=("sort",),
        run_needs=_SORT,
        operator="end_rows",
    ),
    _subtask_window(
        type="aggregate_partition",
        call="fullWindowPartition.aggregate",
        thins=True,
        fields=("aggregate",),
        gives="windows",
        operator="window",
        name="PartitionAggregate",
    ),
    _subtask_window(
        type="reduce_partition",
        call="fullWindowPartition.reduce",
        thins=True,
        fields=("aggregate",),
        gives="windows",
        operator="window",
        name="PartitionReduce",
    ),
    _key_window(
        type="keyed_map_partition",
        call="keyBy.fullWindowPartition.mapPartition",
        window_function="KeyedMapPartitionWindowFunction",
        fields=("select",),
        run_needs=_ROW_FUNCTION,
        gives="select",
        operator="end_rows",
    ),
    _subtask_window(
        type="keyed_sort_partition",
        call="keyBy.fullWindowPartition.sortPartition",
        unkeyed=False,
        keyed=True,
        key_selector="inputs",
        # ``KeyedSortPartitionOperator`` has a sorter of its own.
        sorts_itself=True,
        state="keyed state",
        name="KeyedSortPartition",
        # ``KeyedPartitionWindowedStream.sortPartition``, as above.
        memory_weight=128,
        fields=("sort",),
        run_needs=_SORT,
        operator="end_rows",
    ),
    _key_window(
        type="keyed_aggregate_partition",
        call="keyBy.fullWindowPartition.aggregate",
        thins=True,
        fields=("function", "aggregate"),
        gives="windows",
        operator="window",
    ),
    _key_window(
        type="keyed_reduce_partition",
        call="keyBy.fullWindowPartition.reduce",
        thins=True,
        fields=("function", "aggregate"),
        gives="windows",
        operator="window",
    ),
    _two_inputs(
        type="co_map",
        call="connect.map",
        name="Co-Map",
        fields=("select1", "select2", "input_selectable"),
        gives="selects",
        operator="co_map",
    ),
    _two_inputs(
        type="broadcast_connect",
        call="connect(broadcast).process",
        # ``DataStream.broadcast`` makes the second input's partition before ``connect``.
        hidden=((1, "BROADCAST"),),
        hides_inputs=lambda release: release.broadcast_connect_hides_inputs,
        key_selector="first input",
        name="Co-Process-Broadcast",
        keyed_name="Co-Process-Broadcast-Keyed",
        applies_strategy=lambda release: release.broadcast_connect_applies_strategy,
        fields=("lookup", "select"),
        side_outputs=True,
        gives="looked up",
        operator="lookup",
        state="broadcast state",
        certainty="known",
    ),
    _two_keyed_inputs(
        type="keyed_co_process",
        call="keyBy.connect(keyBy).process",
        name="Co-Keyed-Process",
        fields=("input_selectable", "select"),
        side_outputs=True,
        gives="looked up",
        operator="lookup",
    ),
    _two_keyed_inputs(
        type="interval_join",
        call="keyBy.intervalJoin",
        # ``KeyedStream.IntervalJoined.process`` connects both streams and keys them again.
        hidden=((0, "HASH"), (1, "HASH")),
        needs_event_time_setting=lambda release: release.interval_join_needs_event_time_setting,
        name="Interval Join",
        fields=("between", "select"),
        gives="pairs",
        operator="interval_join",
        # ``IntervalJoinOperator.processElement`` registers the removal of each buffered row.
        event_timers=True,
    ),
    _windowed_join(
        type="join",
        call="join.where.equalTo.window.apply",
        fields=("keys", "equal_to", "window", "select"),
        gives="windowed pairs",
        operator="windowed_join",
    ),
    _windowed_join(
        type="co_group",
        call="coGroup.where.equalTo.window.apply",
        fields=("keys", "equal_to", "window", "group", "select"),
        gives="groups",
        operator="windowed_join",
    ),
    Kind(
        type="multiple_input",
        call="MultipleInputTransformation",
        exists=lambda release: release.multiple_input,
        inputs=(1, None),
        key_selector="field",
        sets_parallelism=True,
        name="Multi",
        vertex_class="MultipleInputStreamTask",
        # ``ChainingStrategy.HEAD_WITH_SOURCES``: it alone may have sources in its task.
        strategy="HEAD_WITH_SOURCES",
        strategies=("ALWAYS", "HEAD_WITH_SOURCES", "HEAD", "NEVER"),
        fields=("keyed", "input_selectable", "selects"),
        gives="by input",
        operator="multiple_input",
    ),
    Kind(
        type="sink",
        call="print",
        ends=True,
        name="Print to Std. Out",
        prefix=SINK_PREFIX,
        fields=("write", "output_format"),
        ignored=_NO_SETTER,
        data_sink=True,
        certainty="none",
    ),
    Kind(
        type="sink_v2",
        call="sinkTo",
        exists=lambda release: release.sink_v2,
        ends=True,
        name="Sink",
        fields=("write", "committer", "global_committer"),
        ignored=(*_NO_SETTER, "resources"),
        # ``DataStreamSink.setUidHash`` throws for a sink of several operators.
        uid_hash=False,
    ),
    _virtual(type="key_by", call="keyBy", partitioner="HASH", fields=("keys",)),
    _virtual(type="rebalance", call="rebalance", partitioner="REBALANCE"),
    _virtual(type="rescale", call="rescale", partitioner="RESCALE"),
    _virtual(type="shuffle", call="shuffle", partitioner="SHUFFLE"),
    _virtual(type="broadcast", call="broadcast", partitioner="BROADCAST"),
    _virtual(type="global", call="global", partitioner="GLOBAL"),
    _virtual(type="forward", call="forward", partitioner="FORWARD"),
    _virtual(type="partition_custom", call="partitionCustom", partitioner="CUSTOM"),
    _virtual(
        type="partition",
        call="PartitionTransformation",
        fields=("partitioner", "exchange_mode"),
        needs=(("partitioner", "REBALANCE"),),
    ),
    _virtual(type="side_output", call="getSideOutput", fields=("tag",), needs=(("tag", "late"),)),
    _split(type="split", call="split", fields=("outputs",)),
    _split(type="select", call="select", fields=("names",), needs=(("names", "[even]"),)),
    _virtual(
        type="cache",
        call="cache",
        exists=lambda release: release.caches,
        caches=True,
    ),
    _virtual(type="union", call="union", inputs=(2, None), joins=True),
    _virtual(
        type="iterate",
        call="iterate",
        exists=lambda release: release.iterations,
        fields=("max_wait",),
        iterates=True,
    ),
    _virtual(
        type="close_iteration",
        call="closeWith",
        # ``FeedbackTransformation.addFeedbackEdge``, not a transformation of its own.
        numbered=False,
        ends=True,
        fields=("iteration",),
        needs=(("iteration", "the id of an iterate"),),
    ),
)

KINDS: Final[dict[str, Kind]] = {kind.type: kind for kind in _ROWS}
"""Every transformation type, in the order in which a form offers them."""


def types_with(trait: Callable[[Kind], object], pipeline: Pipeline) -> frozenset[str]:
    """The types with a trait among those of a program, which has far more transformations."""
    return frozenset(filter(lambda type: trait(KINDS[type]), pipeline.types))


def assigns_timestamps(transformation: Transformation) -> bool:
    """Whether event time begins behind such a transformation: a source may have a strategy."""
    return transformation.type == "timestamps" or transformation.timestamps is not None


def runs_alone(transformation: Transformation) -> bool:
    """Whether an operator has one subtask, whatever the environment's parallelism."""
    return not transformation.parallel or KINDS[transformation.type].alone


def emits_at_end(transformation: Transformation, release: Release) -> bool:
    """Whether ``isOutputOnlyAfterEndOfStream`` holds: no row comes before its input has ended."""
    kind, window = KINDS[transformation.type], transformation.window
    if window is None or window.assigner != "end_of_stream":
        return kind.at_end
    return not kind.alone or release.window_all_marks_end


def own_keys(transformation: Transformation, position: int) -> tuple[str, ...] | None:
    """The key columns that it names itself for the input at ``position``, counted from 0.

    None: the whole row is the key.
    """
    second = transformation.equal_to if position else None
    return second or transformation.keys
