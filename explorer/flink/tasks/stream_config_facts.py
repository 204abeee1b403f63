"""Facts of an operator that its StreamConfig needs: keys, types, waits, slot memory use cases."""

from collections.abc import Mapping
from typing import Final

from explorer.flink.compiler import Compilation
from explorer.flink.kinds import KINDS
from explorer.flink.partitioners import KEYED
from explorer.flink.passes.generation.nodes import is_keyed
from explorer.model.pipeline import Transformation
from explorer.model.stream_graph import ITERATION_TAIL, WRITER_ENDING, StreamNode

STATE_BACKEND: Final = "STATE_BACKEND"

_SERIALIZERS: Final[Mapping[str, str]] = {
    "Long": "LongSerializer",
    "Integer": "IntSerializer",
    "String": "StringSerializer",
    "Double": "DoubleSerializer",
    "Boolean": "BooleanSerializer",
    "Float": "FloatSerializer",
    "Short": "ShortSerializer",
    "Byte": "ByteSerializer",
}
"""Serializer classes by type, as a captured program prints types."""
_COMPOSED: Final[Mapping[str, str]] = {
    "Tuple": "TupleSerializer",
    "PojoType<": "PojoSerializer",
    "GenericType<": "KryoSerializer",
    "Row(": "RowSerializer",
}
"""Serializer classes by the beginning of a type's text."""


def serializer_of(type_text: str | None) -> str | None:
    """The serializer class of a type as a captured program prints it; None: it is not known."""
    if type_text is None:
        return None
    composed = (name for text, name in _COMPOSED.items() if type_text.startswith(text))
    return _SERIALIZERS.get(type_text) or next(composed, None)


def output_serializer(node: StreamNode) -> str | None:
    """The serializer class of an operator's output, where a captured program shows its type."""
    return None if node.operator is None else serializer_of(node.operator.output_type)


def input_serializer(node: StreamNode, number: int) -> str | None:
    """The serializer class of input ``number``, counted from 1, where it is known."""
    types = () if node.operator is None else node.operator.input_types
    return serializer_of(types[number - 1]) if number <= len(types) else None


def _transformation(compilation: Compilation, node: StreamNode) -> Transformation | None:
    """The transformation that made the node; None for a StreamGraph document."""
    if compilation.pipeline is None or node.transformation is None:
        return None
    return compilation.pipeline.transformation(node.transformation)


def has_output_type(compilation: Compilation, node: StreamNode) -> bool:
    """Whether an operator gives a type; a ``SinkFunction`` and an iteration's tail give none."""
    t = _transformation(compilation, node)
    sink = node.sink if t is None else KINDS[t.type].data_sink
    return not sink and node.vertex_class != ITERATION_TAIL


def keyed_inputs(compilation: Compilation, node: StreamNode) -> tuple[bool, ...]:
    """By numbered input, whether the operator has a key selector for it."""
    edges = [
        compilation.stream_graph.edges[in_edge]
        for in_edge in compilation.stream_graph.in_edges[node.id]
    ]
    count = max((edge.type_number or 1 for edge in edges), default=0)
    hashed = {edge.type_number or 1 for edge in edges if edge.partitioner_class == KEYED}
    own = tuple(number in hashed for number in range(1, count + 1))
    return own if _has_key(compilation, node, own) else (False,) * count


def _has_key(compilation: Compilation, node: StreamNode, hashed: tuple[bool, ...]) -> bool:
    t = _transformation(compilation, node)
    if compilation.pipeline is None or t is None:
        facts = node.operator
        return any(hashed) and (facts is None or STATE_BACKEND in facts.slot_memory_use_cases)
    if node.tags or not t.inputs:
        return False
    inputs = tuple(
        KINDS[compilation.pipeline.transformation(id).type].keyed_stream for id in t.inputs
    )
    # ``SinkTransformationTranslator`` gives the key selector to the writer alone: a committer with
    # one would be sorted and keep keyed state.
    if KINDS[t.type].commits:
        return node.name.endswith(WRITER_ENDING) and inputs[0]
    return is_keyed(t, inputs)


def sorted_inputs(compilation: Compilation, node: StreamNode) -> tuple[int, ...]:
    """The numbers, from 1, of the inputs that Flink sorts by key before the operator reads them."""
    t = _transformation(compilation, node)
    class_name = (node.operator and node.operator.class_name) or ""
    sorting_class = ".KeyedSortPartitionOperator"
    sorts_itself = class_name.endswith(sorting_class) if t is None else KINDS[t.type].sorts_itself
    if sorts_itself or not (compilation.settings.batch or node.output_only_after_end_of_stream):
        return ()
    return tuple(place for place, keyed in enumerate(keyed_inputs(compilation, node), 1) if keyed)


def slot_use_cases(compilation: Compilation, node: StreamNode) -> tuple[str, ...]:
    """What an operator needs managed memory of its slot for."""
    if node.operator is not None:
        return node.operator.slot_memory_use_cases
    # In 1.12 BatchExecutionUtils clears the use cases of an operator whose input it sorts.
    if compilation.settings.batch and compilation.release.version == "1.12":
        return ()
    return (STATE_BACKEND,) if any(keyed_inputs(compilation, node)) else ()


def longest_wait(compilation: Compilation, node: StreamNode) -> int | None:
    """Milliseconds that an end of an iteration waits for a record; None: a StreamGraph hides it."""
    t = _transformation(compilation, node)
    return None if t is None else t.max_wait or 0


def is_configured(compilation: Compilation, option: str) -> bool:
    """Whether the document sets an option, so that its value is not the default."""
    return compilation.pipeline is None or option in compilation.pipeline.options
