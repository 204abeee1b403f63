"""An operator's event time: its ``WatermarkStrategy``, offset and lateness of its windows.

Mirrors ``WatermarkStrategy``, which wraps another one for each of its settings, and the fields of
``WindowOperator``.
"""

from collections.abc import Iterator
from typing import Any, Final

from py4j.java_gateway import JavaObject

from explorer.capture.jvm.java_objects import JavaObjects

_WRAPPED: Final = ("baseStrategy", "strategy")
"""The fields of Flink's strategies that hold another strategy."""
_IDLE: Final = "WatermarkStrategyWithIdleness"
_HYBRID: Final = "org.apache.flink.connector.base.source.hybrid.HybridSource"
_DEEPEST: Final = 20
_OFFSETS: Final = ("globalOffset", "offset")
"""A tumbling assigner calls its offset global: its stagger is another one."""


def event_time(objects: JavaObjects, factory: Any) -> dict[str, Any]:
    """The members of a node's ``event_time``; empty where the program sets none of them."""
    operator = objects.call(factory, "getOperator")
    members = {
        **_strategy_members(objects, factory, operator),
        **_window_members(objects, operator),
    }
    return {name: value for name, value in members.items() if value}


def hybrid_sources(objects: JavaObjects, factory: Any) -> list[str]:
    """The classes of a ``HybridSource``'s sources; empty for one that is made at its turn."""
    source = objects.field(factory, "source")
    if not isinstance(source, JavaObject) or objects.class_name(source) != _HYBRID:
        return []
    factories = [
        objects.field(entry, "factory") for entry in objects.each(objects.field(source, "sources"))
    ]
    parts = [objects.field(factory, "source") for factory in factories]
    return [
        (objects.class_name(part) or "") if isinstance(part, JavaObject) else "" for part in parts
    ]


def _strategy_members(objects: JavaObjects, factory: Any, operator: Any) -> dict[str, Any]:
    strategies = list(_strategies(objects, factory, operator))
    # A program's own strategy may have a field of that name and of any type.
    timeouts = (
        objects.field(strategy, "idlenessTimeout")
        for strategy in strategies
        if objects.simple_name(strategy) == _IDLE
    )
    idleness = next((int(timeout.toMillis()) for timeout in timeouts), None)
    # SQL's assigner of watermarks has no strategy.
    sql_idleness = max(
        _milliseconds(objects, owner, "idleTimeout") for owner in (factory, operator)
    )
    return {
        "idleness": idleness or max(sql_idleness, 0),
        "alignment": _alignment(objects, strategies[0]) if strategies else None,
    }


def _strategies(objects: JavaObjects, factory: Any, operator: Any) -> Iterator[Any]:
    """Yield the operator's strategy, then the one that each wraps."""
    owners = (factory, operator)
    fields = (objects.field(owner, "watermarkStrategy") for owner in owners)
    strategy = next((value for value in fields if isinstance(value, JavaObject)), None)
    for _ in range(_DEEPEST):
        if strategy is None:
            return
        yield strategy
        wrapped = (objects.field(strategy, name) for name in _WRAPPED)
        strategy = next((inner for inner in wrapped if isinstance(inner, JavaObject)), None)


def _alignment(objects: JavaObjects, strategy: Any) -> dict[str, Any] | None:
    """The ``WatermarkAlignmentParams`` of a strategy; None: it aligns nothing, as up to 1.14."""
    parameters = objects.call(strategy, "getAlignmentParameters")
    if parameters is None or not parameters.isEnabled():
        return None
    return {
        "group": str(parameters.getWatermarkGroup()),
        "max_drift": int(parameters.getMaxAllowedWatermarkDrift()),
        "update_interval": int(parameters.getUpdateInterval()),
    }


def _window_members(objects: JavaObjects, operator: Any) -> dict[str, Any]:
    if operator is None or not objects.simple_name(operator).endswith("WindowOperator"):
        return {}
    assigner = objects.field(operator, "windowAssigner")
    offsets = (_milliseconds(objects, assigner, name) for name in _OFFSETS)
    return {
        "window_offset": next(filter(None, offsets), 0),
        "allowed_lateness": _milliseconds(objects, operator, "allowedLateness"),
    }


def _milliseconds(objects: JavaObjects, owner: Any, field: str) -> int:
    """A field of a number; 0 where the object has none, or one of another type."""
    value = objects.field(owner, field)
    return value if isinstance(value, int) else 0
