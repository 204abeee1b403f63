"""State that a savepoint holds of an operator, and how certain that is without a savepoint.

Mirrors what the operators of Flink's own register: timers, window contents, a queue of requests, a
reader's splits. State that the program's functions register is unknown, so it is ``possible``.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.flink.kinds import KINDS, Certainty
from explorer.flink.partitioners import KEYED
from explorer.flink.releases import Release
from explorer.flink.sql_operators import is_planned_name
from explorer.model.pipeline import Pipeline, Transformation
from explorer.model.stream_graph import NodeId, OperatorFacts, StreamGraph, StreamNode

TimeDomain: TypeAlias = Literal["event", "processing"]


class HeldState(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What an operator leaves in a savepoint."""

    certainty: Certainty
    what: str
    """In words, such as ``keyed state``."""
    coordinator: bool = False
    """Whether a coordinator on the job manager leaves some, too."""
    timers: TimeDomain | None = None
    """The time of the timers that the operator itself registers for its keys."""


NO_STATE: Final = HeldState(certainty="none", what="no state")
_READER: Final = HeldState(certainty="known", what="read position", coordinator=True)
_KEYED: Final = HeldState(certainty="known", what="keyed state")
_MAYBE: Final = HeldState(certainty="possible", what="state")
_COMMITTER: Final = HeldState(certainty="known", what="commit state")

_STATELESS: Final = frozenset(
    {
        "ConstraintEnforcer",
        "LocalSlicingWindowAggOperator",
        "MapBundleOperator",
        "ProcTimeMiniBatchAssignerOperator",
        "RowTimeMiniBatchAssginerOperator",
        "StreamRecordTimestampInserter",
        "TimestampsAndWatermarksOperator",
        "WatermarkAssignerOperator",
    }
)
"""Flink's own operators that register no state, by their class. SQL's local aggregates flush
their buffers before a checkpoint."""
_PLAIN: Final = frozenset({"StreamFilter", "StreamFlatMap", "StreamMap", "StreamSink"})
"""Flink's own operators with no state but their function's."""
_LAMBDA: Final = "Lambda"
"""The class of a Java lambda, which is neither a rich nor a checkpointed function."""
_BY_KEY: Final = (
    *("AggregateWindowOperator", "TableAggregateWindowOperator"),
    *("QueryableAppendingStateOperator", "QueryableValueStateOperator"),
    *("AsyncEvictingWindowOperator", "AsyncIntervalJoinOperator", "AsyncKeyedCoProcessOperator"),
    *("AsyncKeyedProcessOperator", "AsyncStateStreamingJoinOperator"),
    *("AsyncStateWindowAggOperator", "AsyncStateWindowJoinOperator", "AsyncWindowOperator"),
    *("CepOperator", "EvictingWindowOperator", "IntervalJoinOperator", "KeyedCoProcessOperator"),
    *("KeyedCoProcessOperatorWithWatermarkDelay", "KeyedMapBundleOperator", "KeyedProcessOperator"),
    *("KeyedTwoInputBroadcastProcessOperator", "KeyedTwoInputNonBroadcastProcessOperator"),
    *("KeyedTwoOutputProcessOperator", "LegacyKeyedCoProcessOperator"),
    *("LegacyKeyedProcessOperator", "OneInputWindowProcessOperator", "ProcTimeSortOperator"),
    *("RowTimeSortOperator", "SinkUpsertMaterializer", "SlicingWindowOperator"),
    *("StreamGroupedReduceAsyncStateOperator", "StreamGroupedReduceOperator"),
    *("StreamingJoinOperator", "StreamingMultiJoinOperator", "StreamingSemiAntiJoinOperator"),
    *("TemporalProcessTimeJoinOperator", "TemporalRowTimeJoinOperator"),
    *("TwoInputNonBroadcastJoinProcessOperator", "TwoInputNonBroadcastWindowProcessOperator"),
    *("TwoOutputWindowProcessOperator", "UnalignedWindowTableFunctionOperator"),
    *("WindowAggOperator", "WindowJoinOperator", "WindowOperator"),
    # Nested classes of WindowJoinOperator and MiniBatchStreamingJoinOperator.
    *("InnerJoinOperator", "LeftOuterJoinOperator", "RightOuterJoinOperator"),
    *("FullOuterJoinOperator", "SemiAntiJoinOperator", "MiniBatchInnerJoinStreamOperator"),
    *("MiniBatchLeftOuterJoinStreamOperator", "MiniBatchRightOuterJoinStreamOperator"),
    "MiniBatchFullOuterJoinStreamOperator",
    # PyFlink's.
    *("EmbeddedPythonKeyedCoProcessOperator", "EmbeddedPythonKeyedProcessOperator"),
    *("EmbeddedPythonWindowOperator", "ExternalPythonKeyedCoProcessOperator"),
    *("ExternalPythonKeyedProcessOperator", "PythonKeyedCoProcessOperator"),
    *("PythonKeyedProcessOperator", "PythonStreamGroupAggregateOperator"),
    *("PythonStreamGroupTableAggregateOperator", "PythonStreamGroupWindowAggregateOperator"),
    "StreamArrowPythonGroupWindowAggregateFunctionOperator",
    *(
        "StreamArrowPythonProcTimeBoundedRangeOperator",
        "StreamArrowPythonProcTimeBoundedRowsOperator",
    ),
    *(
        "StreamArrowPythonRowTimeBoundedRangeOperator",
        "StreamArrowPythonRowTimeBoundedRowsOperator",
    ),
)
_STATEFUL: Final[Mapping[str, str]] = {
    **dict.fromkeys(_BY_KEY, "keyed state"),
    "AsyncWaitOperator": "operator state",
    "CoBroadcastWithKeyedOperator": "broadcast state",
    "CoBroadcastWithNonKeyedOperator": "broadcast state",
    "CommitterOperator": "commit state",
    "ContinuousFileReaderOperator": "operator state",
    "GlobalCommitterOperator": "commit state",
    "StreamingDeltaJoinOperator": "operator state",
    "TableKeyedAsyncWaitOperator": "operator state",
}
"""Flink's own operators that register state whatever the function does, by their class."""
_KEYED_NAMES: Final = frozenset(
    {
        *(name for kind in KINDS.values() if kind.keyed for name in (kind.name, kind.keyed_name)),
        "Keyed Aggregation",
        "CepOperator",
        # PyFlink's; those of its keyed map, flat map and filter are also those without a key.
        *("KEYED PROCESS", "Keyed Co-Process", "Reduce"),
        *("CountTumblingWindowAssigner", "CountSlidingWindowAssigner"),
    }
)
"""Default names of operators with keyed inputs that register keyed state."""
_BROADCAST_NAMES: Final = frozenset(
    {
        *(KINDS["broadcast_connect"].name, KINDS["broadcast_connect"].keyed_name),
        "Keyed-Co-Process-Broadcast",  # PyFlink's
    }
)
_DECLARING: Final = ("ProcessTableFunction[", "ProcessTableFunction(")
"""Beginnings of the names of SQL operators that have state only if their function declares it."""
_WINDOW_NAME: Final = re.compile(
    r"(?:Tumbling|Sliding)(?:Event|Processing)TimeWindows|GlobalWindows"
    r"|(?:Dynamic)?(?:Event|Processing)TimeSessionWindows|(?:Trigger)?Window\(.*",
    re.DOTALL,
)
"""Default names of window operators: their assigner's, before 1.15 also their trigger's."""
_SINKS_WITHOUT: Final = frozenset(
    {"DiscardingSink", "PrintSink", "PrintSinkFunction", "RowDataPrintFunction"}
)
"""Flink's own sinks without state, by their class."""


def registered_states(
    graph: StreamGraph, pipeline: Pipeline | None, release: Release
) -> dict[NodeId, HeldState]:
    """By node, in the graph's order; ``pipeline``: its source, where that is known."""
    by_id = (
        {transformation.id: transformation for transformation in pipeline.transformations}
        if pipeline
        else {}
    )
    return {
        node.id: _state_by_kind(node, by_id, release)
        if node.transformation in by_id
        else _state_by_class(node, graph)
        for node in graph.nodes
    }


def _state_by_kind(
    node: StreamNode, by_id: Mapping[str, Transformation], release: Release
) -> HeldState:
    transformation = by_id[node.transformation or ""]
    kind = KINDS[transformation.type]
    if node.chaining_strategy is None or node.tags:
        # The ends of an iteration have no operator, and a tagger is a map of Flink's own.
        return NO_STATE
    if node.new_source:
        return _READER
    if kind.commits and node.name.endswith(_COMMITTERS):
        return _COMMITTER
    keyed = any(KINDS[by_id[id].type].keyed_stream for id in transformation.inputs)
    if keyed and kind.timers is not None and kind.timers(release):
        return _KEYED
    if kind.certainty == "none":
        return NO_STATE
    timers: TimeDomain | None = "event" if kind.event_timers else None
    if transformation.window is not None:
        timers = transformation.window.time
    return HeldState(certainty=kind.certainty, what=kind.state, timers=timers)


_COMMITTERS: Final = (": Committer", ": Global Committer")
"""Endings of the names of a sink's later parts."""


def _state_by_class(node: StreamNode, graph: StreamGraph) -> HeldState:
    """Judge an operator without a known transformation by its classes, else by its name."""
    if node.new_source:
        return _READER
    if node.chaining_strategy is None:
        return NO_STATE
    facts = node.operator or OperatorFacts()
    class_name = operator_class(facts)
    if class_name in _STATEFUL:
        return HeldState(
            certainty="known",
            what=_STATEFUL[class_name],
            timers=_timers(class_name, node.name),
        )
    function = _bare(facts.function)
    if class_name in _PLAIN and function == _LAMBDA:
        return NO_STATE
    if class_name in _STATELESS or class_name == "StreamExecCalc" or function in _SINKS_WITHOUT:
        return NO_STATE
    return _MAYBE if class_name else _state_by_name(node, graph)


def _state_by_name(node: StreamNode, graph: StreamGraph) -> HeldState:
    """Judge an operator of a plan, which shows no classes, by the name that Flink gives it.

    A function that a program gives such a name is not keyed, which the plan does show.
    """
    # PyFlink joins the names of the operators that it runs in one Python process.
    name = node.name.partition(", ")[0]
    edges = (graph.edges[edge] for edge in graph.in_edges[node.id])
    is_keyed = any(edge.partitioner_class == KEYED for edge in edges)
    if is_keyed and (name in _KEYED_NAMES or _WINDOW_NAME.fullmatch(node.name)):
        return _KEYED
    if is_planned_name(node.name):
        return _MAYBE if node.name.startswith(_DECLARING) else _KEYED
    if node.name in _BROADCAST_NAMES:
        return HeldState(certainty="known", what="broadcast state")
    if node.name == KINDS["async"].name:
        return HeldState(certainty="known", what="operator state")
    return _MAYBE


def _timers(operator: str, name: str) -> TimeDomain | None:
    """Judge by the class, and by the assigner that the default name of a window operator shows."""
    if operator in {"EvictingWindowOperator", "WindowOperator"}:
        return "processing" if "ProcessingTime" in name else "event"
    return "event" if operator == "IntervalJoinOperator" else None


_RENAMED: Final[Mapping[str, str]] = {"StreamGroupedReduce": "StreamGroupedReduceOperator"}
"""Names in later releases by operator class of earlier releases."""


def operator_class(facts: OperatorFacts) -> str:
    """The simple name of an operator's class, without numbers of generated code; empty: unknown.

    A class that Flink renamed has its newest name.
    """
    own = _bare(facts.class_name) or _bare(facts.factory).removesuffix("Factory")
    return _RENAMED.get(own, own)


def _bare(class_name: str | None) -> str:
    """The class name without package, outer class and number of generated code."""
    parts = (class_name or "").rpartition(".")[2].split("$")
    return next((part for part in reversed(parts) if part and not part.isdigit()), "")
