"""The public API: pipelines built with chained calls, compilations that draw and explain."""

from explorer.library.compiled import CompiledGraph, Explanations, compile_graph
from explorer.library.execution_environment import StreamExecutionEnvironment, environment
from explorer.library.streams import DataStream, DataStreamSink

__all__ = [
    "CompiledGraph",
    "DataStream",
    "DataStreamSink",
    "Explanations",
    "StreamExecutionEnvironment",
    "compile_graph",
    "environment",
]
