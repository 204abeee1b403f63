"""A visual explorer for Flink pipeline graphs: from pipeline to StreamGraph to JobGraph.

A pipeline is a document, or is built with calls that read like Flink's DataStream API; see
``explorer.environment``.

>>> import explorer
>>> lines = {"id": "lines", "type": "legacy_source"}
>>> out = {"id": "out", "type": "sink", "inputs": ["lines"]}
>>> done = explorer.compile_graph({"transformations": [lines, out]}, flink_version="1.20")
>>> done.job_graph.vertices[0].name
'Source: Custom Source -> Sink: Print to Std. Out'
"""

from typing import TYPE_CHECKING, Any

from explorer.datastream import (
    CompiledGraph,
    DataStream,
    DataStreamSink,
    StreamExecutionEnvironment,
    compile_graph,
    environment,
)
from explorer.documents import load_document
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation

if TYPE_CHECKING:
    from explorer.trial import TrialReport, run_trial

__all__ = [
    "Compilation",
    "CompiledGraph",
    "DataStream",
    "DataStreamSink",
    "ExplorerError",
    "StreamExecutionEnvironment",
    "TrialReport",
    "compile_graph",
    "environment",
    "load_document",
    "run_trial",
]


def __getattr__(name: str) -> Any:
    """Load what needs the engine's libraries only when it is asked for."""
    if name in {"TrialReport", "run_trial"}:
        from explorer import trial

        return getattr(trial, name)
    msg = f"module 'explorer' has no attribute {name!r}"
    raise AttributeError(msg)
