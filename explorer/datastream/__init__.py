"""The public API: pipelines built with chained calls, compilations that draw and explain."""

from explorer.datastream.compiled import CompiledGraph, Explanations, compile_graph
from explorer.datastream.execution_environment import StreamExecutionEnvironment, environment
from explorer.datastream.streams import DataStream, DataStreamSink

__all__ = [
    "CompiledGraph",
    "DataStream",
    "DataStreamSink",
    "Explanations",
    "StreamExecutionEnvironment",
    "compile_graph",
    "environment",
]
