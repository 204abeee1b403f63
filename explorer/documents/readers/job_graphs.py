"""A submitted job as data: the report of a cluster, and the StreamGraph that its tasks imply.

A cluster reports tasks, not operators: of a chain it gives one text. The StreamGraph is built so
that the chaining rules make the same tasks of it, and what is assumed for that is listed in the
warnings.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace

from explorer.documents.checks.faults import Problem, node_hash_problem, refuse
from explorer.documents.readers.flink_plans import ASSUMPTIONS, from_execution_plan
from explorer.documents.readers.observed import Observed, imitations
from explorer.documents.records import to_record
from explorer.flink.chain_texts import INDEX_PREFIX
from explorer.flink.releases import LATEST, VERSIONS
from explorer.java_numbers import LONG_MAX
from explorer.model.chains import JobSettings
from explorer.model.document import JobGraphDocument
from explorer.model.pipeline import Checkpointing, ExchangeMode
from explorer.model.run_figures import TaskFigures
from explorer.model.running_job import (
    RunningJob,
    RunningOperator,
    RunningTask,
    StreamOperator,
    TaskEdge,
)
from explorer.model.stream_graph import (
    SINK_PREFIX,
    NodeId,
    StreamEdge,
    StreamGraph,
    StreamNode,
    Synthetic,
)
from explorer.wording import listed, quoted

_IDS: Final = (
    "A cluster reports the IDs of tasks, which are those of their first operators. The ID of a "
    "chained operator is computed as one without a uid and shown where a reported ID confirms it; "
    "else it is unknown."
)
_HEADS: Final = (
    "A cluster does not report why its tasks are separate: each task's first operator is "
    "treated as one that starts a chain."
)
_LEAVING: Final = (
    "A cluster does not report which operator of a task an edge leaves: of {names}, it is "
    "the last one that is no sink."
)
_UNSUPPORTED: Final = (
    "The cluster runs Flink {version}, with rules that are not known here: those of {latest} apply."
)
_NAMED: Final = 3
_BATCH: Final = "BATCH"
"""``JobType.BATCH``."""
_EXCHANGES: Final[Mapping[str, ExchangeMode]] = {
    "BLOCKING": "BATCH",
    "BLOCKING_PERSISTENT": "BATCH",
    "HYBRID_FULL": "HYBRID_FULL",
    "HYBRID_SELECTIVE": "HYBRID_SELECTIVE",
}
"""Exchange mode of an edge by its result type; any other type is pipelined."""


class _TaskGraph(msgspec.Struct, kw_only=True):
    job_type: str = "STREAMING"
    vertices: tuple[RunningTask, ...]
    edges: tuple[TaskEdge, ...] = ()


class _Job(msgspec.Struct, kw_only=True, omit_defaults=True):
    id: str
    state: str | None = None
    version: str | None = None
    taken: int | None = None
    start_time: int | None = None
    end_time: int | None = None
    configuration: dict[str, str] = {}
    stream_graph: tuple[StreamOperator, ...] = ()


class _Figures(msgspec.Struct, frozen=True, kw_only=True):
    vertices: tuple[TaskFigures, ...] = ()


class _JobGraphMembers(msgspec.Struct, kw_only=True):
    name: str
    flink: str | None = None
    chaining: bool = True
    job: _Job
    job_graph: _TaskGraph
    figures: _Figures = _Figures()
    baseline: dict[str, Any] | None = None


def to_job_graph_document(values: Mapping[str, Any], *, limit: int | None) -> JobGraphDocument:
    """Build the document that plain values spell; raises ``DocumentError`` for the first fault."""
    members = to_record(values, _JobGraphMembers)
    graph = members.job_graph
    job = RunningJob(
        name=members.name,
        type=graph.job_type,
        tasks=graph.vertices,
        edges=graph.edges,
        figures=members.figures.vertices,
        **asdict(members.job),
    )
    document = job_document(job, limit=limit)
    if members.flink is not None and members.flink != document.flink:
        document = document.under(members.flink)
    if members.baseline is not None:
        document = document.with_baseline(members.baseline)
    return document if members.chaining else document.with_chaining(on=False)


def job_graph_values(document: JobGraphDocument) -> dict[str, Any]:
    """The document of a submitted job as the plain values that its JSON holds.

    Tasks and edges are spelled as a compilation's ``job_graph``; an unreported value is absent.
    Each task's figures also have the sums of its subtasks, which are not read back.
    """
    job = document.job
    members = {name: getattr(job, name) for name in _Job.__struct_fields__}
    figures = {"vertices": [_figure_values(figure) for figure in job.figures]}
    values = {
        "name": job.name,
        "flink": document.flink,
        "chaining": None if document.chaining else False,
        "job": msgspec.to_builtins(_Job(**members)),
        "job_graph": {
            "job_type": job.type,
            "vertices": msgspec.to_builtins(job.tasks),
            "edges": msgspec.to_builtins(job.edges),
        },
        "figures": figures if job.figures else None,
        "baseline": document.baseline,
    }
    return {name: value for name, value in values.items() if value is not None}


def _figure_values(figures: TaskFigures) -> dict[str, Any]:
    """Return a task's figures as plain values, the sums of its subtasks first."""
    sums = {
        name: getattr(figures, name)
        for name in ("records_in", "records_out", "bytes_in", "bytes_out")
    }
    members = msgspec.to_builtins(figures)
    return {
        "id": members.pop("id"),
        "state": members.pop("state"),
        **sums,
        **members,
    }


def job_document(job: RunningJob, *, limit: int | None) -> JobGraphDocument:
    """Build the document of a job; raises ``DocumentError`` if tasks and edges do not fit."""
    refuse(_problems(job))
    nodes = _reported_nodes(job) if job.stream_graph else _plan_nodes(job)
    plan = from_execution_plan({"nodes": list(nodes)}, limit=limit)
    warnings = (
        *_warnings(job),
        *(warning for warning in plan.warnings if warning not in ASSUMPTIONS),
    )
    graph = _as_submitted(plan.stream_graph, job)
    synthetics = dict(pair for task in job.tasks for pair in _imitations(task, job, graph))
    return JobGraphDocument(
        job=job,
        name=job.name,
        flink=_release(job.version),
        stream_graph=graph.with_nodes(
            tuple(replace(node, synthetic=synthetics.get(node.id)) for node in graph.nodes)
        ),
        settings=_settings(job),
        warnings=warnings,
    )


def _release(version: str | None) -> str | None:
    """Return the release of a version, 1.20 of 1.20.5; None if it is unknown here."""
    short = ".".join((version or "").replace("-", ".").split(".")[:2])
    return short if short in VERSIONS else None


def _problems(job: RunningJob) -> Iterator[Problem]:
    yield from _of_tasks(job)
    tasks = {task.id: task for task in job.tasks}
    for position, edge in enumerate(job.edges):
        for end in ("source", "target"):
            id = getattr(edge, end)
            if id not in tasks:
                yield f"job_graph.edges[{position}].{end}", f"there is no task {quoted(id)}"
    yield from _of_figures(job, tasks)
    yield from _of_stream_graph(job, tasks)


def _of_tasks(job: RunningJob) -> Iterator[Problem]:
    if not job.tasks:
        problem = "the job has no tasks; give what the cluster answers once it was submitted"
        yield "job_graph.vertices", problem
    visited: dict[str, int] = {}
    for position, task in enumerate(job.tasks):
        path = f"job_graph.vertices[{position}]"
        if node_hash_problem(task.id):
            yield f"{path}.id", f"must be a task's ID, 32 hex digits, but is {quoted(task.id)}"
        if visited.setdefault(task.id, position) != position:
            yield f"{path}.id", f"is the ID of vertices[{visited[task.id]}] already"
        yield from _of_chain(task, path)


def _of_chain(task: RunningTask, path: str) -> Iterator[Problem]:
    """Require operators head first, each other one chained to one before it."""
    if not task.operators:
        yield f"{path}.operators", "must name at least one operator"
    task_nodes = {running_operator.node for running_operator in task.operators}
    below = Counter(
        node for running_operator in task.operators for node in running_operator.chained_outputs
    )
    for position, operator in enumerate(task.operators):
        place = f"{path}.operators[{position}]"
        strange = next((node for node in operator.chained_outputs if node not in task_nodes), None)
        if strange is not None:
            yield f"{place}.chained_outputs", f"there is no operator {strange} in this task"
        if below[operator.node] != (position > 0):
            problem = "must be chained behind one operator of its task; the first one behind none"
            yield f"{place}.node", problem


def _of_stream_graph(job: RunningJob, tasks: Container[str]) -> Iterator[Problem]:
    """Require every operator of a task in the StreamGraph, where that is reported."""
    for position, stream_operator in enumerate(job.stream_graph):
        if stream_operator.task is not None and stream_operator.task not in tasks:
            yield (
                f"job.stream_graph[{position}].task",
                f"there is no task {quoted(stream_operator.task)}",
            )
    nodes = {item.node: item.task for item in job.stream_graph}
    for position, task in enumerate(job.tasks):
        for operator in task.operators:
            if nodes and nodes.get(operator.node) != task.id:
                problem = f"operator {operator.node} is another task's in job.stream_graph"
                yield f"job_graph.vertices[{position}].operators", problem


def _of_figures(job: RunningJob, tasks: Mapping[str, RunningTask]) -> Iterator[Problem]:
    for position, figures in enumerate(job.figures):
        path = f"figures.vertices[{position}]"
        if figures.id not in tasks:
            yield f"{path}.id", f"there is no task {quoted(figures.id)}"
        nodes = {operator.node for operator in tasks[figures.id].operators}
        for counts in figures.operators:
            if counts.node not in nodes:
                yield f"{path}.operators", f"the task has no operator {counts.node}"


def _leaving(task: RunningTask) -> NodeId:
    """Return the operator that a task's edges leave: the last non-sink, else the last."""
    senders = [
        operator.node for operator in task.operators if not operator.name.startswith(SINK_PREFIX)
    ]
    return senders[-1] if senders else task.operators[-1].node


def _reported_nodes(job: RunningJob) -> Iterator[dict[str, Any]]:
    """Yield the reported StreamGraph's operators as a plan prints them."""
    width = {task.id: task.parallelism for task in job.tasks}
    fed = {input_.node for operator in job.stream_graph for input_ in operator.inputs}
    for operator in job.stream_graph:
        inputs = [
            {"id": stream_input.node, "ship_strategy": stream_input.ship_strategy}
            for stream_input in operator.inputs
        ]
        parallelism = operator.parallelism if operator.task is None else width[operator.task]
        last = operator.node not in fed
        yield _plan_node(operator, parallelism, inputs, last=last)


def _plan_nodes(job: RunningJob) -> Iterator[dict[str, Any]]:
    """Yield the operators as ``env.getExecutionPlan()`` prints them, as far as known."""
    leaving = {task.id: _leaving(task) for task in job.tasks}
    read: defaultdict[str, list[TaskEdge]] = defaultdict(list)
    for edge in job.edges:
        read[edge.target].append(edge)
    for task in job.tasks:
        inputs = sorted(read[task.id], key=lambda edge: edge.input)
        fed = [{"id": leaving[e.source], "ship_strategy": e.ship_strategy} for e in inputs]
        previous = {
            node: [{"id": operator.node, "ship_strategy": "FORWARD"}]
            for operator in task.operators
            for node in operator.chained_outputs
        }
        for operator in task.operators:
            predecessors = previous.get(operator.node, fed)
            last = not operator.chained_outputs
            yield _plan_node(operator, task.parallelism, predecessors, last=last)


def _plan_node(
    operator: RunningOperator | StreamOperator,
    parallelism: int,
    predecessors: Sequence[Mapping[str, Any]],
    *,
    last: bool,
) -> dict[str, Any]:
    ends = last and operator.name.startswith(SINK_PREFIX)
    return {
        "id": operator.node,
        "type": operator.name,
        "pact": "Data Source" if not predecessors else "Data Sink" if ends else "Operator",
        "contents": operator.description or operator.name,
        "parallelism": parallelism,
        "predecessors": predecessors,
    }


def _as_submitted(graph: StreamGraph, job: RunningJob) -> StreamGraph:
    """Adapt the graph so that its chains and edges are those of the job's tasks."""
    groups = {
        name: "default" if not at else f"group {at + 1}"
        for at, name in enumerate(dict.fromkeys(task.slot_sharing_group for task in job.tasks))
    }
    task_of = {operator.node: task for task in job.tasks for operator in task.operators}
    nodes = tuple(
        _in_its_task(node, task_of[node.id], groups[task_of[node.id].slot_sharing_group])
        if node.id in task_of
        else _pending(node, graph, task_of)
        for node in graph.nodes
    )
    edges = tuple(_sending(graph.edges, job, task_of))
    return replace(graph.with_nodes(nodes), edges=edges)


def _imitations(
    task: RunningTask, job: RunningJob, graph: StreamGraph
) -> Iterator[tuple[NodeId, Synthetic]]:
    figures = next((figure for figure in job.figures if figure.id == task.id), None)
    if figures is None:
        return iter(())
    counts = {operator.node: operator for operator in figures.operators}
    reported = [counts.get(running_operator.node) for running_operator in task.operators]
    chain = [
        Observed(
            node=item.node,
            records_in=count.records_in if count else None,
            records_out=count.records_out if count else None,
        )
        for item, count in zip(task.operators, reported, strict=True)
    ]
    busy = figures.of_all(lambda subtask_figures: subtask_figures.busy_ms)
    source = not graph.in_edges[chain[0].node]
    return imitations(chain, busy, subtasks=task.parallelism, source=source)


def _in_its_task(node: StreamNode, task: RunningTask, group: str) -> StreamNode:
    """Let a head begin a chain, and let any other operator of the task chain."""
    width = task.max_parallelism or -1
    shared = replace(node, slot_sharing_group=group, max_parallelism=width)
    if node.id == task.operators[0].node:
        strategy = node.chaining_strategy and "HEAD"
        return replace(shared, chaining_strategy=strategy, operator_id=task.id)
    return replace(shared, yielding=False)


def _pending(
    node: StreamNode, graph: StreamGraph, task_of: Mapping[NodeId, RunningTask]
) -> StreamNode:
    """Keep an operator without a task out of the chains of those with one."""
    read = [graph.edges[edge].source for edge in graph.in_edges[node.id]]
    strategy = "HEAD" if any(source in task_of for source in read) else node.chaining_strategy
    return replace(node, chaining_strategy=strategy, parallelism_configured=node.parallelism != -1)


def _sending(
    edges: Sequence[StreamEdge], job: RunningJob, task_of: Mapping[NodeId, RunningTask]
) -> Iterator[StreamEdge]:
    """Yield the edges with the job's exchange modes; a blocking one flushes full buffers only."""
    types = {(edge.source, edge.target, edge.input): edge.result_type for edge in job.edges}
    turns: Counter[str] = Counter()
    for edge in edges:
        ends = [task_of[node].id if node in task_of else "" for node in (edge.source, edge.target)]
        result_type = None
        if ends[0] != ends[1] or not ends[1]:
            result_type = types.get((ends[0], ends[1], turns[ends[1]]))
            turns[ends[1]] += 1
        mode = _EXCHANGES.get(result_type or "", edge.exchange_mode)
        timeout = -1 if job.type == _BATCH or mode != edge.exchange_mode else edge.buffer_timeout
        yield replace(edge, exchange_mode=mode, buffer_timeout=timeout)


def _checkpoints(job: RunningJob) -> dict[str, Any]:
    """Return the settings of checkpoints that a cluster reports; empty where they are off."""
    reported = job.configuration
    numbers = {
        name: int(value)
        for name in ("interval", "timeout", "min_pause", "max_concurrent", _TOLERABLE)
        if (value := reported.get(f"checkpoints.{name}", "")).isdecimal()
    }
    interval = numbers.pop("interval", LONG_MAX)
    if interval == LONG_MAX:
        return {}
    other_values: dict[str, Any] = {}
    if _TOLERABLE in numbers:
        other_values["tolerable_failures"] = numbers.pop(_TOLERABLE)
    mode = reported.get("checkpoints.mode", "exactly_once").upper()
    if reported.get("checkpoints.externalization.enabled") == "true":
        deleted = reported.get("checkpoints.externalization.delete_on_cancellation") == "true"
        other_values["retention"] = f"{'DELETE' if deleted else 'RETAIN'}_ON_CANCELLATION"
    names = [operator.name for task in job.tasks for operator in task.operators]
    # Flink started the job, so an iteration was forced.
    forced = any(name.startswith(_ITERATION) for name in names)
    checkpointing = to_record(
        {"mode": mode, "force": forced, **numbers, **other_values}, Checkpointing
    )
    return {"checkpoint_interval": interval, "checkpointing": checkpointing}


_ITERATION: Final = "IterationSource-"
_TOLERABLE: Final = "tolerable_failed_checkpoints"


def _settings(job: RunningJob) -> JobSettings:
    """Derive the settings from task names and from the data sets of edges."""
    prefixed = all(INDEX_PREFIX.match(task.name) for task in job.tasks)
    if job.type != _BATCH:
        return JobSettings(vertex_index_prefix=prefixed, **_checkpoints(job))
    return JobSettings(
        batch=True,
        dynamic=any(operator.parallelism == -1 for operator in job.stream_graph),
        exchange_mode="ALL_EDGES_BLOCKING" if job.stream_graph else "ALL_EDGES_PIPELINED",
        slot_groups_by_region=True,
        vertex_index_prefix=prefixed,
    )


def _warnings(job: RunningJob) -> Iterator[str]:
    if job.version is not None and _release(job.version) is None:
        yield _UNSUPPORTED.format(version=quoted(job.version), latest=LATEST)
    if any(len(task.operators) > 1 for task in job.tasks):
        yield _IDS
    if len(job.tasks) > 1:
        yield _HEADS
    if job.stream_graph:
        return
    sending = {edge.source for edge in job.edges}
    branched = [
        quoted(task.name)
        for task in job.tasks
        if task.id in sending
        and any(len(operator.chained_outputs) > 1 for operator in task.operators)
    ]
    if branched:
        more = ["others"] if len(branched) > _NAMED else []
        yield _LEAVING.format(names=listed([*branched[:_NAMED], *more]))
