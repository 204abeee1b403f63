"""Serializers that an operator declares: of its key, and of the states that Flink itself registers.

A serializer describes itself by its snapshot (``TypeSerializer.snapshotConfiguration``), which is
written as a savepoint holds it and read by the same reader. States that a user's function asks for
in ``open`` are not known here: they need a rehearsal.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
from py4j.protocol import Py4JError

from explorer.capture.jvm.java_objects import JavaObjects
from explorer.capture.jvm.object_tables import NO_ANSWER, TabledObject
from explorer.capture.recording.sql_states import SqlStates
from explorer.model.serializer_types import (
    DeclaredState,
    DeclaredTypes,
    SerializerType,
    TypeField,
)
from explorer.savepoints.data_input import DataInput, SavepointError
from explorer.savepoints.serializer_snapshots import SnapshotReader
from explorer.savepoints.snapshot_classes import BASE

_LONG: Final = SerializerType(serializer="LongSerializer", type_name="Long")
_BYTES: Final = SerializerType(serializer="BytePrimitiveArraySerializer", type_name="byte[]")


class _DeclaringOperator(NamedTuple):
    """A ``StreamNode``'s operator, and what reads its serializers."""

    objects: JavaObjects
    operator: Any
    """The operator where the factory holds it, else the factory."""
    function: Any
    inputs: list[SerializerType | None]


def declared_types(objects: JavaObjects, node: Any, inputs: list[Any]) -> dict[str, Any] | None:
    """The members of ``operator.declared``; None where the operator declares nothing.

    Args:
        objects: Access to the JVM.
        node: A ``StreamNode``.
        inputs: The serializers of its inputs.
    """
    factory = node.getOperatorFactory()
    if factory is None:
        return None
    key = serializer_type(objects, objects.call(node, "getStateKeySerializer"))
    held_value = objects.call(factory, "getOperator")
    operator = factory if held_value is None else held_value
    called = str(operator.getClass().getSimpleName())
    reader = _READERS.get(called)
    states: tuple[DeclaredState, ...] = ()
    if reader is not None:
        with suppress(Py4JError):
            function = objects.call(operator, "getUserFunction")
            types = [serializer_type(objects, input_) for input_ in inputs]
            states = reader.read(_DeclaringOperator(objects, operator, function, types))
    if key is None and not states:
        return None
    complete = reader is not None and reader.complete and bool(states)
    declared = DeclaredTypes(key=key, states=states, complete=complete)
    return dict(msgspec.to_builtins(declared))


def serializer_type(objects: JavaObjects, serializer: Any) -> SerializerType | None:
    """The serializer's snapshot as a record; None where it cannot be written or read."""
    if serializer is None:
        return None
    spelled = str(serializer.toString())
    # Serializers of this package print their class and nothing that differs.
    if not spelled.startswith(BASE):
        return _snapshot(objects, serializer)
    remembered = objects.remembered("serializer type")
    if spelled not in remembered:
        remembered[spelled] = _snapshot(objects, serializer)
    result: SerializerType | None = remembered[spelled]
    return result


def _snapshot(objects: JavaObjects, serializer: Any) -> SerializerType | None:
    if isinstance(serializer, TabledObject):
        written = serializer.ask("snapshot", "")
        return None if written is NO_ANSWER else _read_snapshot(written)
    flink = objects.java.org.apache.flink
    try:
        written = flink.core.memory.DataOutputSerializer(256)
        snapshots = flink.api.common.typeutils.TypeSerializerSnapshot
        snapshots.writeVersionedSnapshot(written, serializer.snapshotConfiguration())
        return _read_snapshot(bytes(written.getCopyOfBuffer()).hex())
    except Py4JError:
        return None


@lru_cache(maxsize=256)
def _read_snapshot(digits: str) -> SerializerType | None:
    """The record of a snapshot in hexadecimal digits; None where it cannot be read."""
    try:
        return SnapshotReader(DataInput(bytes.fromhex(digits))).read()
    except SavepointError:
        return None


def _window(of: _DeclaringOperator) -> tuple[DeclaredState, ...]:
    """Return the contents of windows; a trigger's own states are not known."""
    objects = of.objects
    descriptor = objects.field(of.operator, "evictingWindowStateDescriptor")
    if descriptor is None:
        descriptor = objects.call(of.operator, "getStateDescriptor")
    if descriptor is None:
        descriptor = objects.field(of.operator, "windowStateDescriptor")
    if descriptor is None:
        return ()
    namespace = serializer_type(objects, objects.field(of.operator, "windowSerializer"))
    return (_describe_state(objects, descriptor, namespace),)


def _describe_state(
    objects: JavaObjects, descriptor: Any, namespace: SerializerType | None
) -> DeclaredState:
    """Return the state of a ``StateDescriptor`` with an existing serializer."""
    result = objects.call(descriptor, "isSerializerInitialized", default=False)
    value = serializer_type(objects, descriptor.getSerializer()) if result else None
    settings = objects.call(descriptor, "getTtlConfig")
    has_ttl = settings is not None and bool(settings.isEnabled())
    return DeclaredState(
        name=str(descriptor.getName()),
        kind=str(descriptor.getType().name()),
        value=with_ttl(value) if has_ttl else value,
        namespace=namespace,
    )


def with_ttl(value: SerializerType | None) -> SerializerType | None:
    """``TtlSerializer``: the time of the last access, then the value."""
    if value is None:
        return None
    fields = (TypeField(type=_LONG), TypeField(type=value))
    return SerializerType(serializer="TtlSerializer", fields=fields)


def _reduce(of: _DeclaringOperator) -> tuple[DeclaredState, ...]:
    value = serializer_type(of.objects, of.objects.field(of.operator, "serializer"))
    return (DeclaredState(name="_op_state", kind="VALUE", value=value),)


def _async_wait(of: _DeclaringOperator) -> tuple[DeclaredState, ...]:
    """Return the queue of elements that wait for answers, typed as the input."""
    value = SerializerType(
        serializer="StreamElementSerializer",
        type_name="StreamElement",
        fields=(TypeField(type=of.inputs[0]),) if of.inputs else (),
    )
    return (
        DeclaredState(name="_async_wait_operator_state_", kind="SPLIT_DISTRIBUTE", value=value),
    )


def _interval_join(of: _DeclaringOperator) -> tuple[DeclaredState, ...]:
    """Return both buffers of records, by time, that may still find a partner."""
    states = []
    for name, side in (("left-buffer", "left"), ("right-buffer", "right")):
        held_value = of.objects.field(of.operator, f"{side}TypeSerializer")
        entry = SerializerType(
            serializer="BufferEntrySerializer",
            fields=(TypeField(type=serializer_type(of.objects, held_value)),),
        )
        entries = SerializerType(
            serializer="ListSerializer", type_name="List", fields=(TypeField(type=entry),)
        )
        value = SerializerType(
            serializer="MapSerializer",
            type_name="Map",
            fields=(TypeField(type=_LONG), TypeField(type=entries)),
        )
        states.append(DeclaredState(name=name, kind="MAP", value=value))
    return tuple(states)


def _opaque(name: str) -> Callable[[_DeclaringOperator], tuple[DeclaredState, ...]]:
    """Return the reader of a state of bytes, which the source's or sink's own serializer reads."""
    state = DeclaredState(name=name, kind="SPLIT_DISTRIBUTE", value=_BYTES)
    return lambda _: (state,)


def _keyed_function(of: _DeclaringOperator) -> tuple[DeclaredState, ...]:
    """Return the states of SQL's functions: Top-N, deduplication, and ``GROUP BY``."""
    if of.function is None:
        return ()
    if of.objects.simple_name(of.function) in _AGGREGATES:
        return _accumulators(of.objects, of.function)
    return _sql_states(of.objects, SqlStates(of.objects, of.operator, of.function).function())


def _sql_states(
    objects: JavaObjects, described: list[tuple[Any, bool]]
) -> tuple[DeclaredState, ...]:
    """Return the states of descriptors, each with whether its state has a TTL."""
    states = []
    for descriptor, has_ttl in described:
        state = _describe_state(objects, descriptor, None)
        value = state.value
        if has_ttl and value is not None and state.kind in {"MAP", "LIST"}:
            # Of a map and a list the TTL is that of each entry.
            *keys, entry = value.fields
            timed = msgspec.structs.replace(entry, type=with_ttl(entry.type))
            value = msgspec.structs.replace(value, fields=(*keys, timed))
        elif has_ttl:
            value = with_ttl(value)
        states.append(msgspec.structs.replace(state, value=value))
    return tuple(states)


def _join(of: _DeclaringOperator) -> tuple[DeclaredState, ...]:
    """Return the rows of both inputs of a regular join."""
    return _sql_states(of.objects, SqlStates(of.objects, of.operator, None).join())


def _upserts(of: _DeclaringOperator) -> tuple[DeclaredState, ...]:
    """Return the rows of a primary key, in the order of their arrival."""
    row = serializer_type(of.objects, of.objects.field(of.operator, "serializer"))
    rows = SerializerType(
        serializer="ListSerializer", type_name="List", fields=(TypeField(type=row),)
    )
    settings = of.objects.field(of.operator, "ttlConfig")
    has_ttl = settings is not None and bool(settings.isEnabled())
    value = with_ttl(rows) if has_ttl else rows
    return (DeclaredState(name="materializedState", kind="VALUE", value=value),)


def _sql_window(of: _DeclaringOperator) -> tuple[DeclaredState, ...]:
    """Return the accumulators of SQL's windows, and the watermark."""
    objects = of.objects
    processor = objects.field(of.operator, "windowProcessor")
    accumulators = serializer_type(objects, objects.field(processor, "accSerializer"))
    if accumulators is None:
        return ()
    namespace = serializer_type(objects, processor.createWindowSerializer())
    contents = DeclaredState(
        name="window-aggs", kind="VALUE", value=accumulators, namespace=namespace
    )
    return (contents, DeclaredState(name="watermark", kind="UNION", value=_LONG))


_AGGREGATES: Final = frozenset({"GroupAggFunction", "MiniBatchGroupAggFunction"})


def _bundle(of: _DeclaringOperator) -> tuple[DeclaredState, ...]:
    """Return the accumulators of a ``GROUP BY`` in mini-batches; no bundle is saved."""
    function = of.objects.field(of.operator, "function")
    if function is None or of.objects.simple_name(function) not in _AGGREGATES:
        return ()
    return _accumulators(of.objects, function)


def _accumulators(objects: JavaObjects, function: Any) -> tuple[DeclaredState, ...]:
    """Return the state of SQL's ``GROUP BY``: a row of the accumulators' columns."""
    columns = objects.field(function, "accTypes")
    if columns is None:
        return ()
    rows = objects.java.org.apache.flink.table.runtime.typeutils.RowDataSerializer(columns)
    value = serializer_type(objects, rows)
    settings = objects.field(function, "ttlConfig")
    retention = objects.field(function, "stateRetentionTime", default=0)
    has_ttl = settings.isEnabled() if settings is not None else retention > 0
    return (
        DeclaredState(name="accState", kind="VALUE", value=with_ttl(value) if has_ttl else value),
    )


class _StateReader(NamedTuple):
    """A row: how an operator's own states are read, and whether it can have no others."""

    read: Callable[[_DeclaringOperator], tuple[DeclaredState, ...]]
    complete: bool = True


_READERS: Final[dict[str, _StateReader]] = {
    "WindowOperator": _StateReader(_window, complete=False),
    "EvictingWindowOperator": _StateReader(_window, complete=False),
    "StreamGroupedReduce": _StateReader(_reduce),
    "StreamGroupedReduceOperator": _StateReader(_reduce),
    "AsyncWaitOperator": _StateReader(_async_wait),
    "AsyncWaitOperatorFactory": _StateReader(_async_wait),
    "IntervalJoinOperator": _StateReader(_interval_join),
    "SourceOperatorFactory": _StateReader(_opaque("SourceReaderState")),
    "SinkWriterOperatorFactory": _StateReader(_opaque("writer_raw_states"), complete=False),
    "CommitterOperatorFactory": _StateReader(
        _opaque("streaming_committer_raw_states"), complete=False
    ),
    "KeyedMapBundleOperator": _StateReader(_bundle, complete=False),
    "KeyedProcessOperator": _StateReader(_keyed_function, complete=False),
    "SinkUpsertMaterializer": _StateReader(_upserts),
    "StreamingJoinOperator": _StateReader(_join),
    "StreamingSemiAntiJoinOperator": _StateReader(_join),
    "SlicingWindowOperator": _StateReader(_sql_window),
    "WindowAggOperator": _StateReader(_sql_window),
}
"""By class of the operator or factory; others declare their states when they open."""
