"""Reads the REST answers ``/jobs/ID`` and ``/jobs/ID/plan``, live or saved.

Mirrors ``JobPlanInfo`` and the ``stream-graph`` of ``JobDetailsInfo``, which ``JsonPlanGenerator``
writes. Members that are not needed are left alone: each release adds some.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import asdict

from explorer.documents.readers.job_graphs import job_document
from explorer.documents.records import to_record
from explorer.errors import DocumentError, TooLargeError
from explorer.flink.chain_texts import ChainText, chain_name, chained_operators, plain_description
from explorer.model.document import JobGraphDocument
from explorer.model.running_job import (
    RunningJob,
    RunningOperator,
    RunningTask,
    StreamInput,
    StreamOperator,
    TaskEdge,
)
from explorer.model.stream_graph import NodeId
from explorer.wording import quoted

Known = Mapping[str, Collection[str]]
"""Names of each task's operators, as metrics have them."""
_NO_METRICS: Final[Known] = {}
_NUMBER: Final = re.compile(r"-?\d{1,10}")


class _Input(msgspec.Struct, kw_only=True):
    id: str
    ship_strategy: str = ""
    exchange: str | None = None


class _SubmittedNode(msgspec.Struct, kw_only=True):
    id: str
    parallelism: int
    description: str = ""
    inputs: tuple[_Input, ...] = ()


class _SubmittedPlan(msgspec.Struct, kw_only=True):
    jid: str
    name: str = "job"
    type: str | None = None
    nodes: tuple[_SubmittedNode, ...]


class _StreamNode(msgspec.Struct, kw_only=True):
    id: str
    operator: str
    description: str = ""
    parallelism: int = -1
    task: str | None = msgspec.field(name="job_vertex_id", default=None)
    inputs: tuple[_Input, ...] = ()


class _StreamGraph(msgspec.Struct, frozen=True, kw_only=True):
    nodes: tuple[_StreamNode, ...] = ()


class _SubmittedVertex(msgspec.Struct, kw_only=True):
    id: str
    name: str
    parallelism: int
    max_parallelism: int | None = msgspec.field(name="maxParallelism", default=None)
    slot_sharing_group: str | None = msgspec.field(name="slotSharingGroupId", default=None)


class _Details(msgspec.Struct, kw_only=True):
    plan: _SubmittedPlan
    type: str | None = msgspec.field(name="job-type", default=None)
    state: str | None = None
    now: int | None = None
    start_time: int | None = msgspec.field(name="start-time", default=None)
    end_time: int | None = msgspec.field(name="end-time", default=None)
    vertices: tuple[_SubmittedVertex, ...] = ()
    stream_graph: _StreamGraph | None = msgspec.field(name="stream-graph", default=None)


def from_submitted_plan(values: Mapping[str, Any], *, limit: int | None) -> JobGraphDocument:
    """Build the document of a saved answer; raises ``DocumentError`` for the first fault."""
    return job_document(submitted_job(values, limit=limit), limit=limit)


def submitted_job(
    values: Mapping[str, Any], known: Known = _NO_METRICS, *, limit: int | None = None
) -> RunningJob:
    """The job in an answer, without figures; ``known`` helps to read chains.

    ``values``: the answer of ``/jobs/ID``, of ``/jobs/ID/plan``, or the plan within. Raises
    ``DocumentError`` for more than ``limit`` operators, before these are made.
    """
    details = to_record(values if "plan" in values else {"plan": values}, _Details)
    plan, order = (
        details.plan,
        {submitted_vertex.id: submitted_vertex for submitted_vertex in details.vertices},
    )
    nodes = {node.id: node for node in plan.nodes}
    remainder = [id for id in _sort_nodes(plan) if id not in order]
    listed = [*(id for id in order if id in nodes), *remainder]
    stream_graph = tuple(_stream_operators(details.stream_graph))
    chains = _chains(stream_graph)
    tasks, first = [], 1
    for id in listed:
        vertex = order.get(id)
        maximum = None if limit is None else limit - first + 1
        chain = chains.get(id) or _chain(nodes[id], vertex, known.get(id, ()), first, maximum)
        tasks.append(_task(nodes[id], vertex, chain))
        first += len(chain)
    return RunningJob(
        id=plan.jid,
        name=plan.name,
        type=details.type or plan.type or "STREAMING",
        state=details.state,
        taken=details.now,
        start_time=details.start_time,
        end_time=details.end_time,
        tasks=tuple(tasks),
        edges=tuple(edge for id in listed for edge in _edges(nodes[id])),
        stream_graph=stream_graph,
    )


def _sort_nodes(plan: _SubmittedPlan) -> list[str]:
    """Sort node IDs so that producers come first, else in the plan's order."""
    nodes = {node.id: node for node in plan.nodes}
    result: dict[str, None] = {}
    for start in nodes:
        stack = [(start, False)]
        entered: set[str] = set()
        while stack:
            id, read = stack.pop()
            if read:
                result.setdefault(id)
            elif id in nodes and id not in result and id not in entered:
                entered.add(id)
                stack.append((id, True))
                stack += [(input_.id, False) for input_ in reversed(nodes[id].inputs)]
    return list(result)


def _stream_operators(graph: _StreamGraph | None) -> Iterator[StreamOperator]:
    """Sort by number: Flink's JSON has the order of a hash set."""
    for node in sorted(graph.nodes if graph else (), key=lambda node: _number(node.id)):
        description = plain_description(node.description)
        yield StreamOperator(
            node=_number(node.id),
            name=node.operator,
            description=None if description == node.operator else description,
            parallelism=node.parallelism,
            task=node.task,
            inputs=tuple(
                StreamInput(node=_number(input_.id), ship_strategy=input_.ship_strategy)
                for input_ in node.inputs
            ),
        )


def _number(text: str) -> NodeId:
    """Parse a node's number, which the StreamGraph's JSON holds as text."""
    if not _NUMBER.fullmatch(text):
        problem = f"{quoted(text)} is no node's number"
        raise DocumentError(path="stream-graph.nodes", problem=problem)
    return NodeId(int(text))


def _chains(graph: Sequence[StreamOperator]) -> dict[str, tuple[RunningOperator, ...]]:
    """Map each task to its operators in the StreamGraph, head first."""
    task_of = {operator.node: operator.task for operator in graph}
    below: defaultdict[NodeId, list[NodeId]] = defaultdict(list)
    heads: dict[str, NodeId] = {}
    for operator in graph:
        above = [
            input_.node for input_ in operator.inputs if task_of.get(input_.node) == operator.task
        ]
        if operator.task is not None and not above:
            heads.setdefault(operator.task, operator.node)
        for node in above:
            below[node].append(operator.node)
    by_node = {operator.node: operator for operator in graph}
    return {task: tuple(_from_head(head, by_node, below)) for task, head in heads.items()}


def _from_head(
    head: NodeId, by_node: Mapping[NodeId, StreamOperator], below: Mapping[NodeId, list[NodeId]]
) -> Iterator[RunningOperator]:
    """Yield a chain depth first; a malformed graph does not repeat an operator."""
    stack, visited = [head], {head}
    while stack:
        node = stack.pop()
        children = [child for child in below.get(node, ()) if child not in visited]
        visited.update(children)
        operator = by_node[node]
        yield RunningOperator(
            node=node,
            name=operator.name,
            description=operator.description,
            chained_outputs=tuple(children),
        )
        stack += reversed(children)


def _chain(
    node: _SubmittedNode,
    vertex: _SubmittedVertex | None,
    known: Collection[str],
    first: int,
    maximum: int | None,
) -> tuple[RunningOperator, ...]:
    description = plain_description(node.description)
    try:
        texts = chained_operators(vertex.name if vertex else "", description, known, maximum)
        chain = tuple(texts)
    except TooLargeError:
        problem = f"the tasks' texts name more than {first - 1 + (maximum or 0):,} operators"
        raise DocumentError(path="plan.nodes", problem=problem) from None
    return tuple(
        RunningOperator(
            node=NodeId(first + at),
            name=name,
            description=phrase,
            chained_outputs=tuple(NodeId(first + child) for child in below),
        )
        for at, (name, phrase, below) in enumerate(chain)
    )


def _task(
    node: _SubmittedNode, vertex: _SubmittedVertex | None, chain: Sequence[RunningOperator]
) -> RunningTask:
    place = {operator.node: at for at, operator in enumerate(chain)}
    texts = [
        ChainText(
            running_operator.name, tuple(place[node] for node in running_operator.chained_outputs)
        )
        for running_operator in chain
    ]
    reported = vertex or _SubmittedVertex(
        id=node.id, name=chain_name(texts), parallelism=node.parallelism
    )
    return RunningTask(**asdict(reported), operators=tuple(chain))


def _edges(node: _SubmittedNode) -> Iterator[TaskEdge]:
    for number, one in enumerate(node.inputs):
        yield TaskEdge(
            source=one.id,
            target=node.id,
            input=number,
            ship_strategy=one.ship_strategy,
            result_type=one.exchange.upper() if one.exchange else None,
        )
