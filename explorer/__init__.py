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
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from explorer.capture import capture
    from explorer.checks import Finding, Findings, check
    from explorer.datastream.compiled import CompiledGraph, compile_graph
    from explorer.datastream.execution_environment import (
        StreamExecutionEnvironment,
        environment,
    )
    from explorer.datastream.streams import DataStream, DataStreamSink
    from explorer.datastream.widgets import widget
    from explorer.deployment import ClusterResources, resources, task_manager_memory
    from explorer.documents import load_document
    from explorer.engine.preview.preview import Preview
    from explorer.engine.preview.record_tracing import RecordRoute
    from explorer.engine.report.trial_report import TrialReport
    from explorer.engine.starting import follow, preview, run_trial
    from explorer.errors import ExplorerError
    from explorer.flink.compiler import Compilation
    from explorer.lookup.exchange_lookup import exchange
    from explorer.plans import Plan
    from explorer.rehearsal import Rehearsal, rehearse
    from explorer.restore.verdict import RestoreVerdict, check_restore
    from explorer.savepoints import Savepoint, load_savepoint
    from explorer.targets.deploy_plan import plan

    deploy = resources
    Deployment = ClusterResources
    Restore = RestoreVerdict

__all__ = [
    "ClusterResources",
    "Compilation",
    "CompiledGraph",
    "DataStream",
    "DataStreamSink",
    "ExplorerError",
    "Finding",
    "Findings",
    "Plan",
    "Preview",
    "RecordRoute",
    "Rehearsal",
    "RestoreVerdict",
    "Savepoint",
    "StreamExecutionEnvironment",
    "TrialReport",
    "capture",
    "check",
    "check_restore",
    "compile_graph",
    "environment",
    "exchange",
    "follow",
    "load_document",
    "load_savepoint",
    "plan",
    "preview",
    "rehearse",
    "resources",
    "run_trial",
    "task_manager_memory",
    "widget",
]

_PUBLIC: Final = {
    "checks": ("Finding", "Findings", "check"),
    "plans": ("Plan",),
    "restore.verdict": ("RestoreVerdict", "check_restore"),
    "capture": ("capture",),
    "targets.deploy_plan": ("plan",),
    "datastream.compiled": ("CompiledGraph", "compile_graph"),
    "datastream.execution_environment": ("StreamExecutionEnvironment", "environment"),
    "datastream.streams": ("DataStream", "DataStreamSink"),
    "datastream.widgets": ("widget",),
    "deployment": ("ClusterResources", "resources", "task_manager_memory"),
    "lookup.exchange_lookup": ("exchange",),
    "documents": ("load_document",),
    "errors": ("ExplorerError",),
    "flink.compiler": ("Compilation",),
    "rehearsal": ("Rehearsal", "rehearse"),
    "savepoints": ("Savepoint", "load_savepoint"),
    "engine.preview.preview": ("Preview",),
    "engine.preview.record_tracing": ("RecordRoute",),
    "engine.report.trial_report": ("TrialReport",),
    "engine.starting": ("follow", "preview", "run_trial"),
}
_HOMES: Final = {name: home for home, names in _PUBLIC.items() for name in names}
"""Module of each public name, imported at the name's first use."""
_FORMER: Final = {
    "deploy": "resources",
    "Deployment": "ClusterResources",
    "Restore": "RestoreVerdict",
}
"""Former names, which work for one release."""


if not TYPE_CHECKING:  # A type checker that saw it would treat every name as one of ours.

    def __getattr__(name: str) -> Any:
        """Load a public name's module on its first use."""
        current = _FORMER.get(name, name)
        if current not in _HOMES:
            msg = f"module 'explorer' has no attribute {name!r}"
            raise AttributeError(msg)
        from explorer.extras import optional_libraries

        with optional_libraries():
            value = getattr(import_module(f"explorer.{_HOMES[current]}"), current)
        globals()[name] = value  # From now on it is found without asking here.
        return value


def __dir__() -> list[str]:
    """List the public names alone, for completion."""
    return sorted(__all__)
