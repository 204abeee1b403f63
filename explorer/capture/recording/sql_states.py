"""States that SQL's operators register when they open, read from their fields before they do.

Mirrors ``open`` of the join, Top-N, deduplication, window and upsert-materialisation operators of
``flink-table-runtime``, as their golden savepoints show.
"""

from typing import Any, Final

from explorer.capture.jvm.java_objects import JavaObjects

_STATE: Final = "org.apache.flink.api.common.state"
_TYPES: Final = "org.apache.flink.api.common.typeinfo.Types"
_TUPLE: Final = "org.apache.flink.api.java.typeutils.TupleTypeInfo"
_LIST: Final = "org.apache.flink.api.java.typeutils.ListTypeInfo"
_CONFIG: Final = "org.apache.flink.api.common.ExecutionConfig"


class SqlStates:
    """Makes the descriptors of the states that an operator's ``open`` would register."""

    def __init__(self, objects: JavaObjects, operator: Any, function: Any) -> None:
        self._objects, self._operator, self._function = objects, operator, function

    @property
    def types(self) -> Any:
        """Flink's ``Types``."""
        return self._objects.java_class(_TYPES)

    def join(self) -> list[tuple[Any, bool]]:
        """``left-records`` and ``right-records``, by what is unique on either side."""
        has_left = self._objects.is_a(self._operator, "StreamingSemiAntiJoinOperator")
        pairs = []
        for side in ("left", "right"):
            outer = bool(self._objects.field(self._operator, f"{side}IsOuter", default=False))
            counts = outer or (has_left and side == "left")
            pairs.append((self._side(side, counts=counts), self._expires(side)))
        return pairs

    def _side(self, side: str, *, counts: bool) -> Any:
        """Return the state of one input; ``counts``: with the number of each record's partners."""
        objects = self._objects
        name = f"{side}-records"
        row = objects.field(self._operator, f"{side}Type")
        spec = objects.field(self._operator, f"{side}InputSideSpec")
        number = self.types.INT
        value = self._tuple(row, number) if counts else row
        if not spec.hasUniqueKey():
            counted = self._tuple(number, number) if counts else number
            return self._map(name, row, counted)
        if spec.joinKeyContainsUniqueKey():
            return self._value(name, value)
        return self._map(name, spec.getUniqueKeyType(), value)

    def _expires(self, side: str) -> bool:
        """Whether a TTL is set; up to 1.17 it is one for both sides."""
        names = (f"{side}StateRetentionTime", "stateRetentionTime")
        times = (self._objects.field(self._operator, name) for name in names)
        return any(int(time) > 0 for time in times if time is not None)

    def function(self) -> list[tuple[Any, bool]]:
        """States of the function of a ``KeyedProcessOperator``; empty: another function's."""
        kind = self._objects.simple_name(self._function)
        read = {
            "AppendOnlyTopNFunction": lambda: self._top("data-state-with-append"),
            "FastTop1Function": self._first,
            # The generated comparator of its sorted map is only read from a savepoint.
            "RetractableTopNFunction": lambda: self._top("data-state"),
            "RowTimeDeduplicateFunction": self._deduplicate,
            "RowTimeDeduplicateKeepFirstRowFunction": self._deduplicate_first,
            "ProcTimeDeduplicateKeepFirstRowFunction": self._deduplicate,
            "ProcTimeDeduplicateKeepLastRowFunction": self._deduplicate,
        }.get(kind)
        if read is None or (states := read()) is None:
            return []
        return [(state, self._function_has_ttl()) for state in states]

    def _function_has_ttl(self) -> bool:
        settings = self._objects.field(self._function, "ttlConfig")
        if settings is not None:
            return bool(settings.isEnabled())
        return int(self._objects.field(self._function, "stateRetentionTime", default=0)) > 0

    def _top(self, name: str) -> list[Any] | None:
        row, key = self._of_function("inputRowType"), self._of_function("sortKeyType")
        rows = self._objects.java_class(_LIST)(row)
        return self._with_constant_end(self._map(name, key, rows))

    def _first(self) -> list[Any] | None:
        row = self._of_function("inputRowType")
        return self._with_constant_end(self._value("Top1-Rank-State", row))

    def _with_constant_end(self, state: Any) -> list[Any] | None:
        """A rank with a column as its end also stores the end."""
        constant = self._objects.field(self._function, "isConstantRankEnd", default=False)
        return [state] if constant else None

    def _deduplicate(self) -> list[Any]:
        return [self._value("deduplicate-state", self._of_function("typeInfo"))]

    def _deduplicate_first(self) -> list[Any]:
        row = self._of_function("typeInfo")
        return [
            self._value("waiting-to-emit-on-timer", row),
            self._value("already-emitted-state-boolean", self.types.BOOLEAN),
        ]

    def _of_function(self, field: str) -> Any:
        return self._objects.field(self._function, field)

    def _tuple(self, *types: Any) -> Any:
        array = self._objects.java.java.lang.reflect.Array
        kind = self._objects.java_class("java.lang.Class")
        info = kind.forName("org.apache.flink.api.common.typeinfo.TypeInformation")
        value = array.newInstance(info, len(types))
        for position, one in enumerate(types):
            array.set(value, position, one)
        return self._objects.java_class(_TUPLE)(value)

    def _value(self, name: str, type: Any) -> Any:
        kind = self._objects.java_class(f"{_STATE}.ValueStateDescriptor")
        return self._initialize_descriptor(kind(name, type))

    def _map(self, name: str, key: Any, value: Any) -> Any:
        kind = self._objects.java_class(f"{_STATE}.MapStateDescriptor")
        return self._initialize_descriptor(kind(name, key, value))

    def _initialize_descriptor(self, descriptor: Any) -> Any:
        """The descriptor with its serializer."""
        config = self._objects.constant("execution config", self._objects.java_class(_CONFIG))
        descriptor.initializeSerializerUnlessSet(config)
        return descriptor
