"""A submitted job as data: what a cluster told of it, and the StreamGraph that its tasks speak of.

A cluster tells tasks, not operators: of a chain it gives one text. The StreamGraph is built so that
the chaining rules make the same tasks of it, and what is assumed for that is said in the warnings.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace

from explorer.documents.faults import node_hash_problem
from explorer.documents.flink_plans import ASSUMPTIONS, from_execution_plan
from explorer.documents.records import to_record
from explorer.errors import DocumentError
from explorer.flink.releases import LATEST, VERSIONS
from explorer.model.chains import JobSettings
from explorer.model.document import JobGraphDocument, StreamGraphDocument
from explorer.model.pipeline import ExchangeMode
from explorer.model.running_job import RunningJob, Task, TaskEdge, TaskFigures, TaskOperator
from explorer.model.stream_graph import SINK_PREFIX, NodeId, StreamEdge, StreamGraph, StreamNode
from explorer.wording import listed, quoted

_IDS: Final = (
    "A cluster tells the IDs of tasks, which are those of their first operators: the IDs of the "
    "operators chained behind them are computed as ones without a uid."
)
_HEADS: Final = (
    "A cluster does not tell why its tasks are separate: each task's first operator is taken for "
    "one that begins a chain."
)
_LEAVING: Final = (
    "A cluster does not tell which operator of a task an edge leaves: of {names} it is taken to be "
    "the last one that is no sink."
)
_UNSUPPORTED: Final = (
    "The cluster runs Flink {version}, whose rules are not known here: those of {latest} stand in."
)
_NAMED: Final = 3
_EXCHANGES: Final[Mapping[str, ExchangeMode]] = {
    "BLOCKING": "BATCH",
    "BLOCKING_PERSISTENT": "BATCH",
    "HYBRID_FULL": "HYBRID_FULL",
    "HYBRID_SELECTIVE": "HYBRID_SELECTIVE",
}
"""By result type, the exchange mode of the edge; any other is pipelined."""


class _Graph(msgspec.Struct, kw_only=True):
    job_type: str = "STREAMING"
    vertices: tuple[Task, ...]
    edges: tuple[TaskEdge, ...] = ()


class _Job(msgspec.Struct, kw_only=True, omit_defaults=True):
    id: str
    state: str | None = None
    version: str | None = None
    taken: int | None = None
    start_time: int | None = None
    end_time: int | None = None
    configuration: dict[str, str] = {}


class _Figures(msgspec.Struct, frozen=True, kw_only=True):
    vertices: tuple[TaskFigures, ...] = ()


class _Document(msgspec.Struct, kw_only=True):
    name: str
    flink: str | None = None
    chaining: bool = True
    job: _Job
    job_graph: _Graph
    figures: _Figures = _Figures()
    baseline: dict[str, Any] | None = None


def to_job_graph_document(values: Mapping[str, Any], *, limit: int | None) -> JobGraphDocument:
    """Build the document that plain values spell; raises ``DocumentError`` for the first fault."""
    given = to_record(values, _Document)
    graph = given.job_graph
    job = RunningJob(
        name=given.name,
        type=graph.job_type,
        tasks=graph.vertices,
        edges=graph.edges,
        figures=given.figures.vertices,
        **asdict(given.job),
    )
    made = job_document(job, limit=limit)
    if given.flink is not None and given.flink != made.flink:
        made = made.under(given.flink)
    if given.baseline is not None:
        made = made.with_baseline(given.baseline)
    return made if given.chaining else made.with_chaining(on=False)


def job_graph_json(document: JobGraphDocument) -> str:
    """Write the document of a submitted job as JSON."""
    return json.dumps(job_graph_values(document), ensure_ascii=False, indent=2) + "\n"


def job_graph_values(document: JobGraphDocument) -> dict[str, Any]:
    """The document of a submitted job as the plain values that its JSON holds.

    Tasks and edges are spelled as a compilation's ``job_graph``; what is not told is absent. Each
    task's figures have the sums of its subtasks beside them, which are not read back.
    """
    job = document.job
    members = {name: getattr(job, name) for name in _Job.__struct_fields__}
    values: dict[str, Any] = {"name": job.name}
    if document.flink is not None:
        values["flink"] = document.flink
    if not document.chaining:
        values["chaining"] = False
    values["job"] = msgspec.to_builtins(_Job(**members))
    values["job_graph"] = {
        "job_type": job.type,
        "vertices": msgspec.to_builtins(job.tasks),
        "edges": msgspec.to_builtins(job.edges),
    }
    if job.figures:
        values["figures"] = {"vertices": [figure_values(one) for one in job.figures]}
    if document.baseline is not None:
        values["baseline"] = document.baseline
    return values


def figure_values(figures: TaskFigures) -> dict[str, Any]:
    """A task's figures as plain values, the sums of its subtasks first."""
    sums = {
        name: getattr(figures, name)
        for name in ("records_in", "records_out", "bytes_in", "bytes_out")
    }
    own = msgspec.to_builtins(figures)
    return {"id": own.pop("id"), "state": own.pop("state"), **sums, **own}


def job_document(job: RunningJob, *, limit: int | None) -> JobGraphDocument:
    """A submitted job with the StreamGraph that its tasks speak of.

    Raises ``DocumentError`` where the tasks and edges cannot be a job's.
    """
    _check_tasks(job)
    _check_edges(job)
    _check_figures(job)
    leaving = {task.id: _leaving(task) for task in job.tasks}
    plan = from_execution_plan({"nodes": list(_plan_nodes(job, leaving))}, limit=limit)
    warnings = (*_warnings(job), *(one for one in plan.warnings if one not in ASSUMPTIONS))
    program = StreamGraphDocument(
        name=job.name,
        flink=_release(job.version),
        stream_graph=_as_submitted(plan.stream_graph, job),
        settings=_settings(job),
        warnings=warnings,
    )
    return JobGraphDocument(job=job, program=program)


def _release(version: str | None) -> str | None:
    """The release of a version: 1.20 of 1.20.5; None where it is not known here."""
    short = ".".join((version or "").replace("-", ".").split(".")[:2])
    return short if short in VERSIONS else None


def _check_tasks(job: RunningJob) -> None:
    if not job.tasks:
        problem = "the job has no tasks; give what the cluster answers once it was submitted"
        raise DocumentError(path="job_graph.vertices", problem=problem)
    seen: dict[str, int] = {}
    for position, task in enumerate(job.tasks):
        path = f"job_graph.vertices[{position}]"
        if node_hash_problem(task.id):
            problem = f"must be a task's ID, 32 hex digits, but is {quoted(task.id)}"
            raise DocumentError(path=f"{path}.id", problem=problem)
        if seen.setdefault(task.id, position) != position:
            problem = f"is the ID of vertices[{seen[task.id]}] already"
            raise DocumentError(path=f"{path}.id", problem=problem)
        _check_chain(task, path)


def _check_chain(task: Task, path: str) -> None:
    """Operators, head first, each of the others chained to one before it."""
    if not task.operators:
        problem = "must name at least one operator"
        raise DocumentError(path=f"{path}.operators", problem=problem)
    own = {one.node for one in task.operators}
    below = Counter(node for one in task.operators for node in one.chained_outputs)
    for position, one in enumerate(task.operators):
        place = f"{path}.operators[{position}]"
        strange = next((node for node in one.chained_outputs if node not in own), None)
        if strange is not None:
            problem = f"there is no operator {strange} in this task"
            raise DocumentError(path=f"{place}.chained_outputs", problem=problem)
        if below[one.node] != (position > 0):
            problem = "must be chained behind one operator of its task; the first one behind none"
            raise DocumentError(path=f"{place}.node", problem=problem)


def _check_edges(job: RunningJob) -> None:
    known = {task.id for task in job.tasks}
    for position, edge in enumerate(job.edges):
        for end in ("source", "target"):
            id = getattr(edge, end)
            if id not in known:
                path = f"job_graph.edges[{position}].{end}"
                raise DocumentError(path, f"there is no task {quoted(id)}")


def _check_figures(job: RunningJob) -> None:
    known = {task.id: task for task in job.tasks}
    for position, one in enumerate(job.figures):
        path = f"figures.vertices[{position}]"
        if one.id not in known:
            problem = f"there is no task {quoted(one.id)}"
            raise DocumentError(path=f"{path}.id", problem=problem)
        nodes = {operator.node for operator in known[one.id].operators}
        for counts in one.operators:
            if counts.node not in nodes:
                problem = f"the task has no operator {counts.node}"
                raise DocumentError(path=f"{path}.operators", problem=problem)


def _leaving(task: Task) -> NodeId:
    """The operator that a task's edges leave: the last that is no sink, else the last."""
    senders = [one.node for one in task.operators if not one.name.startswith(SINK_PREFIX)]
    return senders[-1] if senders else task.operators[-1].node


def _plan_nodes(job: RunningJob, leaving: Mapping[str, NodeId]) -> Iterator[dict[str, Any]]:
    """The operators as ``env.getExecutionPlan()`` would print them, as far as they are known."""
    read: defaultdict[str, list[TaskEdge]] = defaultdict(list)
    for edge in job.edges:
        read[edge.target].append(edge)
    for task in job.tasks:
        inputs = sorted(read[task.id], key=lambda edge: edge.input)
        fed = [{"id": leaving[e.source], "ship_strategy": e.ship_strategy} for e in inputs]
        before = {
            node: [{"id": one.node, "ship_strategy": "FORWARD"}]
            for one in task.operators
            for node in one.chained_outputs
        }
        for one in task.operators:
            predecessors = before.get(one.node, fed)
            yield _plan_node(one, task.parallelism, predecessors)


def _plan_node(
    one: TaskOperator, parallelism: int, predecessors: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    ends = not one.chained_outputs and one.name.startswith(SINK_PREFIX)
    return {
        "id": one.node,
        "type": one.name,
        "pact": "Data Source" if not predecessors else "Data Sink" if ends else "Operator",
        "contents": one.description or one.name,
        "parallelism": parallelism,
        "predecessors": predecessors,
    }


def _as_submitted(graph: StreamGraph, job: RunningJob) -> StreamGraph:
    """The graph so that its chains are the job's tasks, and its edges send as the job's do."""
    groups = {
        name: "default" if not at else f"group {at + 1}"
        for at, name in enumerate(dict.fromkeys(task.slot_sharing_group for task in job.tasks))
    }
    task_of = {one.node: task for task in job.tasks for one in task.operators}
    nodes = tuple(
        _in_its_task(node, task_of[node.id], groups[task_of[node.id].slot_sharing_group])
        for node in graph.nodes
    )
    sent = {(edge.source, edge.target, edge.input): edge.result_type for edge in job.edges}
    ends = [(task_of[edge.source].id, task_of[edge.target].id) for edge in graph.edges]
    turns: Counter[str] = Counter()
    edges = []
    for edge, (source, target) in zip(graph.edges, ends, strict=True):
        if source != target:
            edges.append(_sending(edge, sent.get((source, target, turns[target]))))
            turns[target] += 1
        else:
            edges.append(edge)
    return replace(graph, nodes=nodes, edges=tuple(edges), by_id={one.id: one for one in nodes})


def _in_its_task(node: StreamNode, task: Task, group: str) -> StreamNode:
    """A head begins a chain, whatever it is; whoever is chained in the job can be chained."""
    shared = replace(node, slot_sharing_group=group, max_parallelism=task.max_parallelism or -1)
    if node.id == task.operators[0].node:
        strategy = node.chaining_strategy and "HEAD"
        return replace(shared, chaining_strategy=strategy, operator_id=task.id)
    return replace(shared, yielding=False)


def _sending(edge: StreamEdge, result_type: str | None) -> StreamEdge:
    """What cannot be read while it is written is flushed by full buffers only, or Flink refuses."""
    mode = _EXCHANGES.get(result_type or "")
    return edge if mode is None else replace(edge, exchange_mode=mode, buffer_timeout=-1)


def _settings(job: RunningJob) -> JobSettings:
    if job.type != "BATCH":
        return JobSettings()
    return JobSettings(batch=True, slot_groups_by_region=True)


def _warnings(job: RunningJob) -> Iterator[str]:
    if job.version is not None and _release(job.version) is None:
        yield _UNSUPPORTED.format(version=quoted(job.version), latest=LATEST)
    if any(len(task.operators) > 1 for task in job.tasks):
        yield _IDS
    if len(job.tasks) > 1:
        yield _HEADS
    sending = {edge.source for edge in job.edges}
    branched = [quoted(task.name) for task in job.tasks if task.id in sending and _branches(task)]
    if branched:
        more = ["others"] if len(branched) > _NAMED else []
        yield _LEAVING.format(names=listed([*branched[:_NAMED], *more]))


def _branches(task: Task) -> bool:
    return any(len(one.chained_outputs) > 1 for one in task.operators)
