"""Calls of DataStream V2 behind the operators of a program.

Mirrors ``org.apache.flink.datastream.impl.operators`` and the streams of ``flink-datastream-api``:
an operator's class states which process function it calls and on which kind of stream.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.model.stream_graph import StreamGraph, StreamNode

_PACKAGE: Final = "org.apache.flink.datastream.impl."
_ATTRIBUTE: Final = "@NoOutputUntilEndOfInput"
_ONE: Final = "OneInputStreamProcessFunction"
_TWO: Final = "TwoInputNonBroadcastStreamProcessFunction"
_BROADCAST: Final = "TwoInputBroadcastStreamProcessFunction"
_CONNECT: Final = "{}.connectAndProcess"
_OUTPUTS: Final = "TwoOutputStreamProcessFunction"


class ProcessCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call of DataStream V2."""

    function: str
    """The interface that the function implements."""
    call: str
    """The stream and its method, as in ``KeyedPartitionStream.process``."""
    attributes: tuple[str, ...] = ()
    """The annotations of the function that Flink reads."""


class _ProcessFunction(msgspec.Struct, frozen=True):
    function: str
    method: str = "{}.process"
    """With the stream's interface for the braces."""
    keyed: bool = False


_OPERATORS: Final[Mapping[str, _ProcessFunction]] = {
    "ProcessOperator": _ProcessFunction(_ONE),
    "KeyedProcessOperator": _ProcessFunction(_ONE, keyed=True),
    "TwoOutputProcessOperator": _ProcessFunction(_OUTPUTS),
    "KeyedTwoOutputProcessOperator": _ProcessFunction(_OUTPUTS, keyed=True),
    "TwoInputNonBroadcastProcessOperator": _ProcessFunction(_TWO, _CONNECT),
    "KeyedTwoInputNonBroadcastProcessOperator": _ProcessFunction(_TWO, _CONNECT, keyed=True),
    "TwoInputBroadcastProcessOperator": _ProcessFunction(_BROADCAST, _CONNECT),
    "KeyedTwoInputBroadcastProcessOperator": _ProcessFunction(_BROADCAST, _CONNECT, keyed=True),
    "OneInputWindowProcessOperator": _ProcessFunction(
        "OneInputWindowStreamProcessFunction", keyed=True
    ),
    "TwoOutputWindowProcessOperator": _ProcessFunction(
        "TwoOutputWindowStreamProcessFunction", keyed=True
    ),
    "TwoInputNonBroadcastWindowProcessOperator": _ProcessFunction(
        "TwoInputNonBroadcastWindowStreamProcessFunction", _CONNECT, keyed=True
    ),
    "TwoInputNonBroadcastJoinProcessOperator": _ProcessFunction(
        "JoinFunction", _CONNECT, keyed=True
    ),
}
"""Function and method of the stream by operator class."""


def process_call(graph: StreamGraph, node: StreamNode) -> ProcessCall | None:
    """The DataStream V2 call that made an operator; None for operators of other APIs."""
    class_name = (node.operator.class_name if node.operator else None) or ""
    process_function = _OPERATORS.get(class_name.rpartition(".")[2])
    if process_function is None or not class_name.startswith(_PACKAGE):
        return None
    stream = "KeyedPartitionStream" if process_function.keyed else "NonKeyedPartitionStream"
    inputs = [graph.edges[position].partitioner for position in graph.in_edges[node.id]]
    if not process_function.keyed and inputs and set(inputs) == {"GLOBAL"}:
        stream = "GlobalStream"
    argument = "(BroadcastStream)" if process_function.function == _BROADCAST else ""
    return ProcessCall(
        function=process_function.function,
        call=f"{process_function.method.format(stream)}{argument}",
        attributes=(_ATTRIBUTE,) if node.output_only_after_end_of_stream else (),
    )
