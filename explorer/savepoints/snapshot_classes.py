"""The snapshot classes of the supported releases by name, as the jars of all releases have them."""

from typing import Final

BASE: Final = "org.apache.flink.api.common.typeutils.base."
JAVA: Final = "org.apache.flink.api.java.typeutils.runtime."
SCALA: Final = "org.apache.flink.api.scala.typeutils."
TABLE: Final = "org.apache.flink.table.runtime.typeutils."
STATE: Final = "org.apache.flink.runtime.state."
CEP: Final = "org.apache.flink.cep.nfa."
STREAMING: Final = "org.apache.flink.streaming.api."

_OPERATORS: Final = "org.apache.flink.table.runtime.operators."
_PLAIN: Final = {
    **{
        name: name
        for name in (
            *("Boolean", "Byte", "Double", "Float", "Long", "Short", "String", "Void"),
            *("Bitmap", "Date", "Instant", "LocalDate", "LocalDateTime", "LocalTime", "SqlDate"),
            *("SqlTime", "SqlTimestamp", "Variant", "BooleanValue", "ByteValue", "CharValue"),
            *("DoubleValue", "FloatValue", "IntValue", "LongValue", "NullValue", "ShortValue"),
            "StringValue",
        )
    },
    "Int": "Integer",
    "Char": "Character",
    "BigDec": "BigDecimal",
    "BigInt": "BigInteger",
}
_NESTED_CLASSES: Final = {
    BASE: _PLAIN,
    f"{BASE}array.": {
        "StringArray": "String[]",
        **{
            f"{name}PrimitiveArray": f"{name.lower()}[]"
            for name in ("Boolean", "Byte", "Char", "Double", "Float", "Int", "Long", "Short")
        },
    },
    SCALA: {"Unit": "Unit"},
    f"{CEP}DeweyNumber$": {"DeweyNumber": "DeweyNumber"},
    f"{CEP}sharedbuffer.EventId$": {"EventId": "EventId"},
    "org.apache.flink.queryablestate.client.": {"VoidNamespace": "VoidNamespace"},
    STATE: {"Java": "Serializable", "VoidNamespace": "VoidNamespace"},
    "org.apache.flink.table.dataview.": {"Null": "NULL"},
    f"{_OPERATORS}sink.": {"SortedLong": "BIGINT in order"},
    TABLE: {"BinaryString": "STRING", "StringData": "STRING"},
}
"""Serializers with a nested snapshot class and their types, by package or outer class."""
SIMPLE: Final[dict[str, tuple[str, str]]] = {
    **{
        f"{place}{name}Serializer${name}SerializerSnapshot": (f"{name}Serializer", type_name)
        for place, type_names in _NESTED_CLASSES.items()
        for name, type_name in type_names.items()
    },
    f"{JAVA}Tuple0SerializerSnapshot": ("Tuple0Serializer", "Tuple0"),
    f"{SCALA}NothingSerializerSnapshot": ("NothingSerializer", "Nothing"),
    **{
        f"{STREAMING}windowing.windows.{name}$Serializer${name}SerializerSnapshot": (
            f"{name}Serializer",
            name,
        )
        for name in ("GlobalWindow", "TimeWindow")
    },
    **{
        f"{_OPERATORS}window.{name}$Serializer${name}SerializerSnapshot": (
            f"table.{name}Serializer",
            f"table.{name}",
        )
        for name in ("CountWindow", "GlobalWindow", "TimeWindow")
    },
}
"""Serializer and type of snapshot classes that write nothing but their class."""

COLLECTIONS: Final = {
    f"{BASE}ListSerializerSnapshot": "List",
    f"{BASE}MapSerializerSnapshot": "Map",
    f"{BASE}SetSerializerSnapshot": "Set",
    f"{BASE}GenericArraySerializerSnapshot": "Array",
    f"{JAVA}JavaEitherSerializerSnapshot": "Either",
    f"{JAVA}RowSerializer$RowSerializerSnapshot": "Row",
    f"{JAVA}NullableSerializer$NullableSerializerSnapshot": "Nullable",
    f"{SCALA}ScalaEitherSerializerSnapshot": "Either",
    f"{SCALA}ScalaOptionSerializerSnapshot": "Option",
    f"{SCALA}ScalaTrySerializerSnapshot": "Try",
    f"{SCALA}TraversableSerializerSnapshot": "Traversable",
    f"{STATE}ArrayListSerializerSnapshot": "ArrayList",
    f"{TABLE}LinkedListSerializer$LinkedListSerializerSnapshot": "LinkedList",
    f"{TABLE}WindowKeySerializer$WindowKeySerializerSnapshot": "WindowKey",
    f"{STREAMING}operators.TimerSerializerSnapshot": "Timer",
    "org.apache.flink.table.dataview.ListViewSerializerSnapshot": "ListView",
    "org.apache.flink.table.dataview.MapViewSerializerSnapshot": "MapView",
    "org.apache.flink.table.dataview.NullAwareMapSerializerSnapshot": "Map",
}
"""Type names of composites, by snapshot class."""
KNOWN_COMPOSITES: Final = frozenset(
    {
        *COLLECTIONS,
        f"{JAVA}TupleSerializerSnapshot",
        f"{SCALA}ScalaCaseClassSerializerSnapshot",
        f"{SCALA}Tuple2CaseClassSerializerSnapshot",
        f"{STATE}ttl.TtlStateFactory$TtlSerializerSnapshot",
        f"{STATE}v2.ttl.TtlStateFactory$TtlSerializerSnapshot",
        f"{STREAMING}datastream.CoGroupedStreams$UnionSerializerSnapshot",
        f"{STREAMING}functions.sink.TwoPhaseCommitSinkFunction$StateSerializerSnapshot",
        f"{STREAMING}functions.sink.legacy.TwoPhaseCommitSinkFunction$StateSerializerSnapshot",
        f"{STREAMING}operators.co.IntervalJoinOperator$BufferEntrySerializerSnapshot",
        "org.apache.flink.streaming.runtime.streamrecord.StreamElementSerializer"
        "$StreamElementSerializerSnapshot",
        "org.apache.flink.api.common.typeutils.SingleThreadAccessCheckingTypeSerializer"
        "$SingleThreadAccessCheckingTypeSerializerSnapshot",
        f"{CEP}NFAStateSerializerSnapshot",
        f"{CEP}sharedbuffer.LockableTypeSerializerSnapshot",
        f"{CEP}sharedbuffer.NodeId$NodeIdSerializer$NodeIdSerializerSnapshot",
        f"{CEP}sharedbuffer.SharedBufferEdge$SharedBufferEdgeSerializer"
        "$SharedBufferEdgeSerializerSnapshot",
        f"{CEP}sharedbuffer.SharedBufferNode$SharedBufferNodeSerializer"
        "$SharedBufferNodeSerializerSnapshot",
        f"{TABLE}BinaryGenericSerializer$BinaryGenericSerializerSnapshot",
        f"{TABLE}RawValueDataSerializer$RawValueDataSerializerSnapshot",
        *(
            f"org.apache.flink.table.runtime.sequencedmultisetstate.linked.{name}Serializer"
            f"${name}SerializerSnapshot"
            for name in ("MetaSqnInfo", "Node", "RowSqnInfo")
        ),
    }
)
"""Composites of Flink; another one is read by its magic number and counts as unknown."""
RENAMED: Final = {
    f"{STATE}v2.ttl.TtlStateFactory$TtlSerializerSnapshot": "v2.TtlSerializer",
    f"{SCALA}ScalaEitherSerializerSnapshot": "ScalaEitherSerializer",
    f"{TABLE}DecimalDataSerializer$DecimalSerializerSnapshot": "DecimalDataSerializer",
}
"""Serializers with a snapshot class that does not imply their name."""
