"""State that a savepoint holds of an operator, and how certain that is without a savepoint.

Mirrors what the operators of Flink's own register: timers, window contents, a queue of requests, a
reader's splits. State that the program's functions register is unknown, so it is ``possible``.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.flink.kinds import KINDS, Certainty
from explorer.flink.releases import Release
from explorer.model.pipeline import Pipeline, Transformation
from explorer.model.stream_graph import NodeId, OperatorFacts, StreamGraph, StreamNode


class HeldState(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What an operator leaves in a savepoint."""

    certainty: Certainty
    what: str
    """In words, such as ``keyed state``."""
    coordinator: bool = False
    """Whether a coordinator on the job manager leaves some, too."""


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
_STATEFUL: Final[Mapping[str, str]] = {
    "AsyncWaitOperator": "operator state",
    "CoBroadcastWithKeyedOperator": "broadcast state",
    "CoBroadcastWithNonKeyedOperator": "broadcast state",
    "CommitterOperator": "commit state",
    "EvictingWindowOperator": "keyed state",
    "IntervalJoinOperator": "keyed state",
    "KeyedCoProcessOperatorWithWatermarkDelay": "keyed state",
    "KeyedMapBundleOperator": "keyed state",
    "KeyedCoProcessOperator": "keyed state",
    "KeyedProcessOperator": "keyed state",
    "LegacyKeyedCoProcessOperator": "keyed state",
    "LegacyKeyedProcessOperator": "keyed state",
    "SinkUpsertMaterializer": "keyed state",
    "SlicingWindowOperator": "keyed state",
    "StreamGroupedReduceOperator": "keyed state",
    "StreamingJoinOperator": "keyed state",
    "StreamingSemiAntiJoinOperator": "keyed state",
    "TemporalProcessTimeJoinOperator": "keyed state",
    "TemporalRowTimeJoinOperator": "keyed state",
    "WindowAggOperator": "keyed state",
    "WindowJoinOperator": "keyed state",
    "WindowOperator": "keyed state",
}
"""Flink's own operators that register state whatever the function does, by their class."""
_SINKS_WITHOUT: Final = frozenset(
    {"DiscardingSink", "PrintSink", "PrintSinkFunction", "RowDataPrintFunction"}
)
"""Flink's own sinks without state, by their class."""


def registered_states(
    graph: StreamGraph, pipeline: Pipeline | None, release: Release
) -> dict[NodeId, HeldState]:
    """By node, in the graph's order; ``pipeline``: its source, where that is known."""
    by_id = {one.id: one for one in pipeline.transformations} if pipeline else {}
    return {
        node.id: _state_by_kind(node, by_id, release)
        if node.transformation in by_id
        else _state_by_class(node)
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
    return HeldState(certainty=kind.certainty, what=kind.state)


_COMMITTERS: Final = (": Committer", ": Global Committer")
"""Endings of the names of a sink's later parts."""


def _state_by_class(node: StreamNode) -> HeldState:
    """Judge an operator without a known transformation by its classes."""
    if node.new_source:
        return _READER
    if node.chaining_strategy is None:
        return NO_STATE
    facts = node.operator or OperatorFacts()
    own = operator_class(facts)
    if own in _STATEFUL:
        return HeldState(certainty="known", what=_STATEFUL[own])
    function = _bare(facts.function)
    if own in _STATELESS or own == "StreamExecCalc" or function in _SINKS_WITHOUT:
        return NO_STATE
    return _MAYBE


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
