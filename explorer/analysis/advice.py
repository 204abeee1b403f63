"""What is there to say where no change of a document mends a failed condition? A sentence each."""

from collections.abc import Callable
from typing import Final

import msgspec

from explorer.flink.compiler import Compilation
from explorer.model.stream_graph import StreamEdge, StreamNode


class _Edge(msgspec.Struct, frozen=True, kw_only=True):
    """What a row of the table looks at."""

    edge: StreamEdge
    source: StreamNode
    target: StreamNode


def advice(done: Compilation, edge: int, code: str) -> str:
    """Why nothing was proposed for the condition ``code`` of the edge at this position."""
    if done.pipeline is None:
        return "Only the StreamGraph is known: change the operator itself, or open its pipeline."
    graph = done.stream_graph
    stream_edge = graph.edges[edge]
    return _TABLE[code](
        _Edge(
            edge=stream_edge,
            source=graph.node(stream_edge.source),
            target=graph.node(stream_edge.target),
        )
    )


def _several_inputs(at: _Edge) -> str:
    return (
        f"No setting changes this: {at.target.name} reads several streams, so it starts a task of "
        "its own. Operators behind it can still chain to it."
    )


def _leads(at: _Edge) -> str:
    return f"{at.source.chaining_strategy} comes with the operator {at.source.name} itself."


def _follows(at: _Edge) -> str:
    strategy = at.target.chaining_strategy
    if strategy == "HEAD_WITH_SOURCES":
        return f"{at.target.name} takes FLIP-27 sources into its task, and no other operators."
    return f"{strategy} comes with the operator {at.target.name} itself."


def _legacy_source(_: _Edge) -> str:
    return "This release has no FLIP-27 source that could take the legacy source's place."


def _forward(at: _Edge) -> str:
    partitioner, target = at.edge.partitioner, at.target.name
    if not at.edge.via and at.source.parallelism != at.target.parallelism:
        return (
            f"Flink chose {partitioner} because the parallelism differs: what mends CH08 mends "
            "this too."
        )
    if partitioner == "HASH":
        return f"{target} works by key, so its records must come by key."
    return f"{target} cannot do without {partitioner}."


def _union(at: _Edge) -> str:
    return (
        f"A union ends in the network: {at.target.name} could chain if no other stream reached "
        "this input."
    )


def _no_operator(_: _Edge) -> str:
    return "Both ends of an iteration are tasks of their own; no setting changes this."


def _no_change(_: _Edge) -> str:
    return "No single change of the document makes it hold."


_TABLE: Final[dict[str, Callable[[_Edge], str]]] = {
    "CH01": _several_inputs,
    "CH02": _no_change,
    "CH03": _leads,
    "CH04": _follows,
    "CH05": _legacy_source,
    "CH06": _forward,
    "CH07": _no_change,
    "CH08": _no_change,
    "CH09": _no_change,
    "CH10": _no_change,
    "CH11": _no_operator,
    "CH12": _union,
}
