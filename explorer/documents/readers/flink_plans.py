"""Flink's own plan, as ``env.getExecutionPlan()`` prints it, as a StreamGraph document.

The plan holds names, parallelism and ship strategies, and nothing of uids, chaining strategies,
slot sharing groups or maximum parallelism. What is assumed instead is listed in the warnings.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from explorer.documents.checks.graph_rules import check_count, check_graph
from explorer.documents.readers.stream_edges import edge_assumptions
from explorer.documents.readers.stream_graphs import has_yielding_name
from explorer.documents.records import to_record
from explorer.errors import DocumentError
from explorer.flink.kinds import KINDS
from explorer.flink.partitioners import class_printing
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import (
    DEFAULT_BUFFER_TIMEOUT,
    ITERATION_HEAD,
    ITERATION_TAIL,
    SOURCE_PREFIX,
    NodeId,
    StreamEdge,
    StreamGraph,
    StreamNode,
)
from explorer.wording import quoted

_LEGACY_SOURCES: Final = frozenset(
    SOURCE_PREFIX + name
    for name in ("Custom Source", "Collection Source", "Sequence Source", "Socket Stream")
)
_BOTH: Final = 2
_TWO_INPUTS: Final = frozenset({"Co-Flat Map", "Co-Process"}).union(
    *((kind.name, kind.keyed_name) for kind in KINDS.values() if kind.inputs == (_BOTH, _BOTH))
)
"""Default names of the operators with two inputs."""
ASSUMPTIONS: Final = (
    "The plan names no uids: every operator ID is computed as one without a uid.",
    "The plan names no chaining strategies: operators are assumed to chain, legacy sources to "
    "begin a chain.",
    "The plan names no slot sharing groups and no maximum parallelism: all operators are assumed "
    "in the group 'default', with none set.",
    "The plan names no buffer timeout and no runtime mode: "
    f"{DEFAULT_BUFFER_TIMEOUT} ms and STREAMING are assumed.",
)
_KIND_ASSUMPTION: Final = (
    "The plan does not mark legacy sources: those with a default name of "
    "addSource are treated as legacy sources, all others as FLIP-27 sources."
)
_INPUT_ASSUMPTION: Final = (
    "The plan does not mark unions: {names} read several streams and are "
    "treated as operators after a union."
)

_NAMED: Final = 5
"""Number of operators that a warning names."""
_EDGE: Final = re.compile(r"stream_graph\.edges\[(\d+)\]\.(\w+)")


class _Predecessor(msgspec.Struct, kw_only=True):
    id: NodeId
    ship_strategy: str


class _PlanNode(msgspec.Struct, kw_only=True):
    id: NodeId
    type: str
    parallelism: int
    pact: str = "Operator"
    contents: str | None = None
    predecessors: tuple[_Predecessor, ...] = ()


class _ExecutionPlan(msgspec.Struct, kw_only=True):
    nodes: tuple[_PlanNode, ...]


def from_execution_plan(document: Mapping[str, Any], *, limit: int | None) -> StreamGraphDocument:
    """Build a StreamGraph from a plan; raises ``DocumentError`` for the first fault."""
    try:
        check_count(document["nodes"], limit)
    except DocumentError as error:
        raise DocumentError(path="nodes", problem=error.problem) from None
    plan = to_record({"nodes": document["nodes"]}, _ExecutionPlan)
    order = sorted(range(len(plan.nodes)), key=lambda position: plan.nodes[position].id)
    links = [(at, number) for at in order for number in range(len(plan.nodes[at].predecessors))]
    nodes = tuple(_node(node) for node in plan.nodes)
    edges = tuple(_edge(plan.nodes[at], number) for at, number in links)
    try:
        check_graph(nodes, edges, None, limit=limit)
    except DocumentError as error:
        raise DocumentError(_place(error.path, links), error.problem) from None
    fed = {edge.target for edge in edges}
    ordered = tuple(nodes[position] for position in order)
    sources = tuple(node.id for node in ordered if node.id not in fed)
    graph = StreamGraph.of(ordered, edges, sources)
    return StreamGraphDocument(
        name="execution plan",
        stream_graph=graph,
        warnings=(
            *_warnings(plan),
            *(f"{_place(path, links)}: {sentence}" for path, sentence in edge_assumptions(edges)),
        ),
    )


def _node(node: _PlanNode) -> StreamNode:
    """Build a node with the defaults of the operator that its name suggests."""
    legacy = node.type in _LEGACY_SOURCES
    source = node.pact == "Data Source"
    iteration = node.type.startswith(("IterationSource-", "IterationSink-"))
    return StreamNode(
        id=node.id,
        name=node.type,
        description=None if node.contents == node.type else node.contents,
        parallelism=node.parallelism,
        chaining_strategy=None if iteration else "HEAD" if legacy else "ALWAYS",
        strategy_is_assumed=not iteration,
        yielding=has_yielding_name(node.type),
        legacy_source=legacy,
        vertex_class=_vertex_class(node, source=source, legacy=legacy),
        sink=node.pact == "Data Sink",
    )


def _vertex_class(node: _PlanNode, *, source: bool, legacy: bool) -> str:
    if node.type.startswith("IterationSource-"):
        return ITERATION_HEAD
    if node.type.startswith("IterationSink-"):
        return ITERATION_TAIL
    if source:
        return "SourceStreamTask" if legacy else "SourceOperatorStreamTask"
    return "TwoInputStreamTask" if _has_two_inputs(node) else "OneInputStreamTask"


def _has_two_inputs(node: _PlanNode) -> bool:
    return node.type in _TWO_INPUTS and len(node.predecessors) == _BOTH


def _edge(node: _PlanNode, number: int) -> StreamEdge:
    """Build an input's edge; the ship strategy begins with the partitioner's name."""
    predecessor = node.predecessors[number]
    earlier = [other_predecessor.id for other_predecessor in node.predecessors[:number]]
    return StreamEdge(
        source=predecessor.id,
        target=node.id,
        type_number=number + 1 if _has_two_inputs(node) else 0,
        partitioner=predecessor.ship_strategy,
        partitioner_class=class_printing(predecessor.ship_strategy),
        unique_id=earlier.count(predecessor.id),
    )


def _place(path: str, links: list[tuple[int, int]]) -> str:
    """Translate a path in the graph into a path in the plan."""
    match = _EDGE.fullmatch(path)
    if not match:
        return path.removeprefix("stream_graph.").replace("edges", "nodes")
    at, number = links[int(match[1])]
    field = "ship_strategy" if match[2] == "partitioner" else "id"
    return f"nodes[{at}].predecessors[{number}].{field}"


def _warnings(plan: _ExecutionPlan) -> Iterator[str]:
    yield from ASSUMPTIONS
    if any(node.pact == "Data Source" for node in plan.nodes):
        yield _KIND_ASSUMPTION
    several = [
        quoted(node.type)
        for node in plan.nodes
        if len(node.predecessors) > 1 and not _has_two_inputs(node)
    ]
    if several:
        names = ", ".join(several[:_NAMED]) + (" and others" if len(several) > _NAMED else "")
        yield _INPUT_ASSUMPTION.format(names=names)
