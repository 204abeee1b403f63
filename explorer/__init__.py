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

from importlib import import_module
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
    from explorer.deployment import task_manager_memory
    from explorer.savepoints import Restore, Savepoint, check_restore, load_savepoint
    from explorer.trial import TrialReport, run_trial

__all__ = [
    "Compilation",
    "CompiledGraph",
    "DataStream",
    "DataStreamSink",
    "ExplorerError",
    "Restore",
    "Savepoint",
    "StreamExecutionEnvironment",
    "TrialReport",
    "check_restore",
    "compile_graph",
    "environment",
    "load_document",
    "load_savepoint",
    "run_trial",
    "task_manager_memory",
]


_LATER = {
    "Restore": "explorer.savepoints",
    "Savepoint": "explorer.savepoints",
    "TrialReport": "explorer.trial",
    "check_restore": "explorer.savepoints",
    "load_savepoint": "explorer.savepoints",
    "run_trial": "explorer.trial",
    "task_manager_memory": "explorer.deployment",
}
"""By name, the package that is loaded when the name is first asked for."""


def __getattr__(name: str) -> Any:
    """Load what a compilation does not need only when it is asked for."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    msg = f"module 'explorer' has no attribute {name!r}"
    raise AttributeError(msg)
