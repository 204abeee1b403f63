"""An operator's parts, in words: factory, function, types, resources."""

import re
from typing import Any, Final

from explorer.capture.jvm.java_objects import JavaObjects
from explorer.capture.recording.declared_types import declared_types
from explorer.capture.recording.event_patterns import event_pattern
from explorer.capture.recording.event_times import hybrid_sources
from explorer.capture.recording.type_words import type_words

_SPEC: Final = "org.apache.flink.api.common.operators.ResourceSpec"
_LAMBDA: Final = re.compile(r"\$\$Lambda.*", re.DOTALL)


def operator_facts(objects: JavaObjects, node: Any) -> dict[str, Any]:
    """The classes of a ``StreamNode``'s operator, and its types in words."""
    factory = node.getOperatorFactory()
    inputs = _inputs(objects, node)
    declared = declared_types(objects, node, inputs)
    windows, pattern = _windows(objects, factory), event_pattern(objects, factory)
    sources = hybrid_sources(objects, factory)
    return {
        "factory": objects.class_name(factory),
        "class_name": _operator_class(objects, factory),
        "function": _function(objects, factory),
        "input_types": [type_words(objects, input_) for input_ in inputs],
        "output_type": type_words(objects, node.getTypeSerializerOut()),
        "slot_memory_use_cases": _slot_use_cases(objects, node),
        **({"windows": windows} if windows is not None else {}),
        **({"pattern": pattern} if pattern is not None else {}),
        **({"hybrid_sources": sources} if sources else {}),
        **({"declared": declared} if declared is not None else {}),
    }


_IDENTITY: Final = re.compile(r"(?:[a-z]\w*\.)*(\w+\$)?(\w+)@[0-9a-f]+")
"""The text of an object without a text of its own; the number is another in each run."""


def _windows(objects: JavaObjects, factory: Any) -> str | None:
    """The assigner, trigger and evictor of a window operator."""
    operator = objects.call(factory, "getOperator") if factory is not None else None
    if operator is None or not objects.simple_name(operator).endswith("WindowOperator"):
        return None
    parts = (objects.field(operator, name) for name in ("windowAssigner", "trigger"))
    texts = [str(part.toString()) for part in parts if part is not None]
    evictor = objects.field(operator, "evictor")
    texts += [] if evictor is None else [_evictor_text(objects, evictor)]
    return _IDENTITY.sub(r"\2", ", ".join(texts)) or None


def _evictor_text(objects: JavaObjects, evictor: Any) -> str:
    """``CountEvictor`` has no text of its own, and none shows whether it evicts after a firing."""
    text = str(evictor.toString())
    if objects.simple_name(evictor) == "CountEvictor":
        text = f"CountEvictor({objects.field(evictor, 'maxCount')})"
    return f"{text} after" if objects.field(evictor, "doEvictAfter") else text


def _operator_class(objects: JavaObjects, factory: Any) -> str | None:
    """The operator's class, where the factory holds the operator itself or its generated code."""
    if factory is None:
        return None
    if objects.has(factory, "getGeneratedClass"):
        return str(factory.getGeneratedClass().getClassName())
    return objects.class_name(objects.call(factory, "getOperator"))


def _function(objects: JavaObjects, factory: Any) -> str | None:
    """Return the class of the program's own function, or of its source or sink."""
    function_class = _function_class(objects, factory)
    # What follows is a number that Java gives anew in each run.
    return None if function_class is None else _LAMBDA.sub("$$Lambda", function_class)


def _function_class(objects: JavaObjects, factory: Any) -> str | None:
    if factory is None:
        return None
    if objects.has(factory, "getUserFunctionClassName"):
        return str(factory.getUserFunctionClassName())
    for name in ("source", "sink"):
        if (held_value := objects.field(factory, name)) is not None:
            return objects.class_name(held_value)
    operator = objects.call(factory, "getOperator")
    if operator is None or not objects.has(operator, "getUserFunction"):
        return None
    return objects.class_name(operator.getUserFunction())


def _inputs(objects: JavaObjects, node: Any) -> list[Any]:
    """Return the serializers of the inputs; up to 1.11 there are two at the most."""
    if objects.has(node, "getTypeSerializersIn"):
        listed = list(node.getTypeSerializersIn() or ())
    else:
        listed = [node.getTypeSerializerIn1(), node.getTypeSerializerIn2()]
    return [value for value in listed if value is not None]


def _slot_use_cases(objects: JavaObjects, node: Any) -> list[str]:
    declared = str(objects.call(node, "getManagedMemorySlotScopeUseCases", default="[]"))
    return sorted(name for name in declared.strip("[]").split(", ") if name)


def memory_weight(objects: JavaObjects, node: Any) -> int | None:
    """The weight for the OPERATOR use case; in 1.11 the node's only weight; None: none."""
    declared = objects.call(node, "getManagedMemoryOperatorScopeUseCaseWeights")
    if declared is not None:
        pairs = (pair.partition("=") for pair in str(declared).strip("{}").split(", "))
        return {case: int(own) for case, _, own in pairs if case}.get("OPERATOR")
    weight: int | None = objects.call(node, "getManagedMemoryWeight")
    return weight


def has_resources(objects: JavaObjects, holder: Any) -> bool:
    """Whether the minimal resources of a node or a vertex may be known."""
    unknown = _unknown_resources(objects)
    spec = objects.java_class(_SPEC).DEFAULT if unknown is None else unknown
    text = objects.constant("resources", lambda: str(spec.toString()))
    return str(holder.getMinResources()) != text


def _unknown_resources(objects: JavaObjects) -> Any:
    """``ResourceSpec.UNKNOWN``; None up to 1.9, which calls it the default."""
    kind = objects.java_class(_SPEC)
    newer = objects.constant(
        "resource spec", lambda: objects.has(kind.DEFAULT, "getTaskHeapMemory")
    )
    return objects.constant("unknown resources", lambda: kind.UNKNOWN) if newer else None


def resources(objects: JavaObjects, spec: Any) -> dict[str, Any] | None:
    """A ``ResourceSpec``; None where it is not known."""
    unknown = _unknown_resources(objects)
    if spec.equals(objects.java_class(_SPEC).DEFAULT if unknown is None else unknown):
        return None
    cores = spec.getCpuCores()
    if unknown is None:
        return {"cpu": float(cores), "heap_mb": spec.getHeapMemory()}
    return {
        "cpu": float(cores.getValue().doubleValue()),
        "heap_mb": spec.getTaskHeapMemory().getMebiBytes(),
    }
