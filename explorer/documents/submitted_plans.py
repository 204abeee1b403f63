"""What REST answers of a job's tasks: ``/jobs/ID``, ``/jobs/ID/plan``, and either saved.

Mirrors ``JobPlanInfo``, as ``JsonPlanGenerator`` fills it, and ``JobDetailsInfo``. Members that are
not needed are left alone: each release adds some.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import msgspec

from explorer.documents.job_graphs import job_document
from explorer.documents.records import to_record
from explorer.errors import DocumentError
from explorer.flink.chain_texts import ChainText, chain_name, chained_operators, plain_description
from explorer.model.document import JobGraphDocument
from explorer.model.running_job import RunningJob, Task, TaskEdge, TaskOperator
from explorer.model.stream_graph import NodeId
from explorer.wording import described

Known = Mapping[str, Collection[str]]
"""By task, its operators' names as metrics carry them."""
_NO_METRICS: Final[Known] = {}


class _Input(msgspec.Struct, kw_only=True):
    id: str
    ship_strategy: str = ""
    exchange: str | None = None


class _Node(msgspec.Struct, kw_only=True):
    id: str
    parallelism: int
    description: str = ""
    inputs: tuple[_Input, ...] = ()


class _Plan(msgspec.Struct, kw_only=True):
    jid: str
    name: str = "job"
    type: str | None = None
    nodes: tuple[_Node, ...]


class _Vertex(msgspec.Struct, kw_only=True):
    id: str
    name: str
    parallelism: int
    max_parallelism: int | None = msgspec.field(name="maxParallelism", default=None)
    slot_sharing_group: str | None = msgspec.field(name="slotSharingGroupId", default=None)


class _Details(msgspec.Struct, kw_only=True):
    plan: _Plan
    type: str | None = msgspec.field(name="job-type", default=None)
    state: str | None = None
    now: int | None = None
    start_time: int | None = msgspec.field(name="start-time", default=None)
    end_time: int | None = msgspec.field(name="end-time", default=None)
    vertices: tuple[_Vertex, ...] = ()


def from_submitted_plan(values: Mapping[str, Any], *, limit: int | None) -> JobGraphDocument:
    """Build the document of a saved answer; raises ``DocumentError`` for the first fault."""
    return job_document(submitted_job(values), limit=limit)


def submitted_job(values: Mapping[str, Any], known: Known = _NO_METRICS) -> RunningJob:
    """The job that an answer tells of, without figures; ``known`` helps to read chains.

    ``values``: the answer of ``/jobs/ID``, of ``/jobs/ID/plan``, or the plan within.
    """
    details = to_record(_with_plan(values), _Details)
    plan, order = details.plan, {one.id: one for one in details.vertices}
    nodes = {one.id: one for one in plan.nodes}
    rest = [id for id in _sorted(plan) if id not in order]
    listed = [*(id for id in order if id in nodes), *rest]
    tasks, first = [], 1
    for id in listed:
        tasks.append(_task(nodes[id], order.get(id), known.get(id, ()), first))
        first += len(tasks[-1].operators)
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
    )


def _with_plan(values: Mapping[str, Any]) -> Mapping[str, Any]:
    if "plan" not in values:
        return {"plan": values}
    if not isinstance(values["plan"], Mapping):
        problem = f"must be a mapping, but is {described(values['plan'])}"
        raise DocumentError(path="plan", problem=problem)
    return values


def _sorted(plan: _Plan) -> list[str]:
    """The nodes, each behind those that it reads, else in the plan's own order."""
    nodes = {node.id: node for node in plan.nodes}
    found: dict[str, None] = {}
    for start in nodes:
        stack = [(start, False)]
        entered: set[str] = set()
        while stack:
            id, read = stack.pop()
            if read:
                found.setdefault(id)
            elif id in nodes and id not in found and id not in entered:
                entered.add(id)
                stack.append((id, True))
                stack += [(one.id, False) for one in reversed(nodes[id].inputs)]
    return list(found)


def _task(node: _Node, vertex: _Vertex | None, known: Collection[str], first: int) -> Task:
    """A task; its operators are numbered from ``first`` on."""
    description = plain_description(node.description)
    named = vertex.name if vertex else ""
    chain = list(chained_operators(named, description, known))
    operators = tuple(
        TaskOperator(
            node=NodeId(first + at),
            name=name,
            description=said,
            chained_outputs=tuple(NodeId(first + child) for child in below),
        )
        for at, (name, said, below) in enumerate(chain)
    )
    return Task(
        id=node.id,
        name=named or chain_name([ChainText(name, below) for name, _, below in chain]),
        parallelism=vertex.parallelism if vertex else node.parallelism,
        max_parallelism=vertex.max_parallelism if vertex else None,
        slot_sharing_group=vertex.slot_sharing_group if vertex else None,
        operators=operators,
    )


def _edges(node: _Node) -> Iterator[TaskEdge]:
    for number, one in enumerate(node.inputs):
        yield TaskEdge(
            source=one.id,
            target=node.id,
            input=number,
            ship_strategy=one.ship_strategy,
            result_type=one.exchange.upper() if one.exchange else None,
        )
