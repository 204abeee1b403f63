"""One row a transformation type: the Flink call, what it becomes, which fields it takes.

The translation, the documents' checks and the page's forms all read this table, so a type is
described once.
"""

from typing import Final

import msgspec

from explorer.model.stream_graph import ChainingStrategy


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """What Flink knows of a transformation type."""

    type: str
    call: str
    """The DataStream call, for a reader."""
    node: bool = True
    """Whether it becomes a StreamNode; the others become virtual nodes or none."""
    inputs: tuple[int, int | None] = (1, 1)
    """Fewest and most inputs; None: no limit."""
    keyed: bool = False
    """Whether each input must be a ``key_by``."""
    name: str | None = None
    """The default operator name."""
    vertex_class: str = "OneInputStreamTask"
    strategy: ChainingStrategy = "ALWAYS"
    """The operator's own chaining strategy."""
    fields: tuple[str, ...] = ()
    """The fields it takes besides those that every node takes."""
    unheard: tuple[str, ...] = ()
    """The fields of a node for which its API class has no setter: they may be given, and do
    nothing."""


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
"""The fields that every transformation with a node takes."""


def _virtual(type: str, call: str, *fields: str, inputs: tuple[int, int | None] = (1, 1)) -> Kind:
    return Kind(type=type, call=call, node=False, fields=fields, inputs=inputs)


def _two_inputs(
    type: str, call: str, *fields: str, name: str | None = None, keyed: bool = False
) -> Kind:
    return Kind(
        type=type,
        call=call,
        name=name,
        keyed=keyed,
        inputs=(2, 2),
        vertex_class="TwoInputStreamTask",
        fields=fields,
    )


_NO_SETTER: Final = ("max_parallelism", "buffer_timeout", "managed_memory_weight")
"""The fields for which ``DataStreamSink`` has no setter."""


_ROWS: Final = (
    Kind(
        type="source",
        call="fromSource",
        inputs=(0, 0),
        name="Custom Source",
        vertex_class="SourceOperatorStreamTask",
        fields=("rows",),
    ),
    Kind(
        type="legacy_source",
        call="addSource",
        inputs=(0, 0),
        name="Custom Source",
        vertex_class="SourceStreamTask",
        strategy="HEAD",
        fields=("rows", "parallel", "input_format"),
    ),
    Kind(type="map", call="map", name="Map", fields=("select",)),
    Kind(type="filter", call="filter", name="Filter", fields=("where",)),
    Kind(type="flat_map", call="flatMap", name="Flat Map", fields=("split",)),
    Kind(type="process", call="process", name="Process", fields=("side_outputs",)),
    Kind(type="async", call="AsyncDataStream.unorderedWait", name="async wait operator"),
    Kind(
        type="timestamps",
        call="assignTimestampsAndWatermarks",
        name="Timestamps/Watermarks",
        fields=("timestamps",),
    ),
    Kind(
        type="reduce", call="keyBy.reduce", keyed=True, name="Keyed Reduce", fields=("aggregate",)
    ),
    Kind(type="keyed_process", call="keyBy.process", keyed=True, name="KeyedProcess"),
    Kind(
        type="window",
        call="keyBy.window.reduce",
        keyed=True,
        fields=("window", "function", "aggregate"),
    ),
    Kind(type="window_all", call="windowAll.reduce", fields=("window", "function", "aggregate")),
    _two_inputs("co_map", "connect.map", "select1", "select2", "input_selectable", name="Co-Map"),
    _two_inputs("broadcast_connect", "connect(broadcast).process"),
    _two_inputs(
        "keyed_co_process",
        "keyBy.connect(keyBy).process",
        "input_selectable",
        name="Co-Keyed-Process",
        keyed=True,
    ),
    _two_inputs("interval_join", "keyBy.intervalJoin", name="Interval Join", keyed=True),
    Kind(
        type="multiple_input",
        call="MultipleInputTransformation",
        inputs=(1, None),
        name="Multi",
        vertex_class="MultipleInputStreamTask",
        strategy="HEAD_WITH_SOURCES",
        fields=("keyed", "input_selectable"),
    ),
    Kind(
        type="sink",
        call="print",
        name="Print to Std. Out",
        fields=("output_format",),
        unheard=_NO_SETTER,
    ),
    Kind(
        type="sink_v2",
        call="sinkTo",
        name="Sink",
        fields=("committer", "global_committer"),
        unheard=(*_NO_SETTER, "resources"),
    ),
    _virtual("key_by", "keyBy", "keys"),
    _virtual("rebalance", "rebalance"),
    _virtual("rescale", "rescale"),
    _virtual("shuffle", "shuffle"),
    _virtual("broadcast", "broadcast"),
    _virtual("global", "global"),
    _virtual("forward", "forward"),
    _virtual("partition_custom", "partitionCustom"),
    _virtual("partition", "PartitionTransformation", "partitioner", "exchange_mode"),
    _virtual("side_output", "getSideOutput", "tag"),
    _virtual("union", "union", inputs=(2, None)),
    _virtual("iterate", "iterate", "max_wait"),
    _virtual("close_iteration", "closeWith", "iteration"),
)

KINDS: Final[dict[str, Kind]] = {kind.type: kind for kind in _ROWS}
"""Every transformation type, in the order in which a form offers them."""

PARTITIONERS: Final = {
    "key_by": "HASH",
    "rebalance": "REBALANCE",
    "rescale": "RESCALE",
    "shuffle": "SHUFFLE",
    "broadcast": "BROADCAST",
    "global": "GLOBAL",
    "forward": "FORWARD",
    "partition_custom": "CUSTOM",
}
"""The partitioner that each partitioning type sets; ``partition`` names its own."""

PARTITIONER_CLASSES: Final = {
    "FORWARD": "ForwardPartitioner",
    "REBALANCE": "RebalancePartitioner",
    "RESCALE": "RescalePartitioner",
    "SHUFFLE": "ShufflePartitioner",
    "BROADCAST": "BroadcastPartitioner",
    "GLOBAL": "GlobalPartitioner",
    "HASH": "KeyGroupStreamPartitioner",
    "CUSTOM": "CustomPartitionerWrapper",
}
"""By what a partitioner prints, its class."""

CALLING: Final = frozenset({"HASH", "CUSTOM"})
"""The partitioners that call the program: its key selector, its custom partitioner."""

SIDE_OUTPUT_TYPES: Final = frozenset(
    {"process", "keyed_process", "broadcast_connect", "keyed_co_process", "window", "window_all"}
)
"""The types whose functions have a ``Context`` that can emit to an ``OutputTag``."""


def allowed_fields(kind: Kind) -> tuple[str, ...]:
    """The document fields that a transformation of this kind may have, besides id and type."""
    inputs = () if kind.inputs[1] == 0 else ("inputs",)
    return (*inputs, *(NODE_FIELDS if kind.node else ()), *kind.fields)
