"""Compares a running job with a compilation, task by task with equal IDs.

A job vertex has the operator ID of its chain's head, on a cluster as in a compilation. Equal IDs
do not make the job this program: a cluster reports neither functions nor types.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

import msgspec

from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation, as_reported, compile_program
from explorer.model.document import DataSetDocument, Document, JobGraphDocument
from explorer.model.job_graph import JobEdge, JobVertex
from explorer.model.running_job import RunningJob, RunningTask, TaskEdge
from explorer.model.stream_graph import NodeId, StreamGraph
from explorer.running.adaptive import ships_as_decided
from explorer.wording import counted, quoted

NOT_COMPARED: Final = (
    "Not compared, because a cluster does not report them: function classes, types, options."
)


class TaskMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A task by its ID; a name is None where that side has no such task."""

    id: str
    running: str | None
    compiled: str | None
    differences: tuple[str, ...] = ()

    @property
    def is_shared(self) -> bool:
        """Whether the job and the compilation both have the task."""
        return None not in {self.running, self.compiled}


class JobMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A job compared with a program."""

    verdict: str
    """``same operator IDs``, ``some operator IDs`` or ``other operator IDs``; of a DataSet program
    ``same task names`` and its like."""
    flink_version: str
    """The release that the program was compiled for."""
    tasks: tuple[TaskMatch, ...]
    """The job's tasks in their order, then the program's that the job does not have."""
    pending: bool = False
    """Whether the job's scheduler still has tasks to make, as for a batch job."""
    in_another_order: bool = False
    """Whether the job's tasks finished in another order than is assumed, which decides IDs."""
    by_name: bool = False
    """Whether tasks are compared by their names, as those of a DataSet program."""

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON-ready members."""
        members: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        members["flink"] = self.flink_version
        return {"sentence": self.sentence, "differences": list(self.differences), **members}

    @property
    def differences(self) -> tuple[str, ...]:
        """All differences, task by task, a sentence each."""
        result = []
        for task in self.tasks:
            place = f"{quoted(task.running or task.compiled)} ({task.id})"
            if task.compiled is None:
                result.append(f"{place} runs, and is no task of this program")
            elif task.running is None and not self.pending:
                result.append(f"{place} is a task of this program, and does not run")
            result += [f"{place}: {difference}" for difference in task.differences]
        return tuple(result)

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        shared = sum(task.is_shared for task in self.tasks)
        own = counted(sum(task.running is not None for task in self.tasks), "task")
        number = len(self.differences)
        rest = f", with {counted(number, 'difference')}" if number else ""
        if self.by_name:
            return (
                f"{self.verdict.capitalize()}: {shared} of the job's {own} have names of this "
                f"program's tasks{rest}. Flink gives the tasks of a DataSet program IDs at random: "
                f"names are compared. {NOT_COMPARED}"
            )
        if self.verdict == "same operator IDs":
            so_far = " that there are so far" if self.pending else ""
            order = (
                " The job's tasks finished in another order than a compilation assumes; these are "
                "the IDs of that order."
                if self.in_another_order
                else ""
            )
            return (
                f"Same operator IDs: all {counted(shared, 'task')} of the job{so_far} have the IDs "
                f"of this program{rest}.{order} {NOT_COMPARED}"
            )
        if self.verdict == "other operator IDs":
            return (
                f"Other operator IDs: under Flink {self.flink_version} no task of the job has an "
                "ID of this program."
            )
        return (
            f"Some operator IDs: {shared} of the job's {own} have IDs of this program; it may be "
            "another version of it."
        )


def match_document(
    job: JobGraphDocument, document: Document, program: Compilation | None = None
) -> JobMatch:
    """Compare a job with a document, compiled for the cluster's release.

    ``program``: the document's compilation for its own release, used where the cluster's release
    refuses it. Raises ``ExplorerError`` where neither accepts it.
    """
    if isinstance(document, DataSetDocument):
        return _match_names(job.job, document)
    if job.flink is not None and (program is None or program.release.version != job.flink):
        # Its own release reports the problem where the cluster's refuses it.
        with suppress(ExplorerError):
            program = compile_program(document.under(job.flink))
    return match_job(job.job, program or compile_program(document))


def _match_names(job: RunningJob, program: DataSetDocument) -> JobMatch:
    """Compare a job with a DataSet program; tasks with equal names are matched in their order."""
    ids: defaultdict[str, deque[str]] = defaultdict(deque)
    for task in program.job.tasks:
        ids[task.name].append(task.id)
    result = {
        task.id: ids[task.name].popleft() if ids[task.name] else task.id for task in job.tasks
    }
    outcome = compile_program(program)
    # A drawing leaves out what ``JobGraphGenerator`` puts in front of a chain's name.
    names = {vertex.id: vertex.name for vertex in outcome.job_graph.vertices}
    tasks = tuple(
        msgspec.structs.replace(
            task, id=result[task.id], name=names.get(result[task.id], task.name)
        )
        for task in job.tasks
    )
    edges = tuple(
        msgspec.structs.replace(edge, source=result[edge.source], target=result[edge.target])
        for edge in job.edges
    )
    match = match_job(msgspec.structs.replace(job, tasks=tasks, edges=edges), outcome)
    verdict = match.verdict.replace("operator IDs", "task names")
    return msgspec.structs.replace(match, verdict=verdict, by_name=True)


def match_job(job: RunningJob, result: Compilation) -> JobMatch:
    """Compare a job with a compilation, preferably one for the cluster's release."""
    running = {task.id: task for task in job.tasks}
    is_as_assumed = running.keys() <= {vertex.id for vertex in result.job_graph.vertices}
    reordered = None if is_as_assumed else as_reported(result, running)
    result = reordered or result
    compiled = {vertex.id: vertex for vertex in result.job_graph.vertices}
    late = {edge.target for edge in result.job_graph.edges if not ships_as_decided(result, edge)}
    inputs = _inputs(job.edges, late), _inputs(result.job_graph.edges, late)
    tasks = []
    for id in dict.fromkeys((*running, *compiled)):
        task, vertex = running.get(id), compiled.get(id)
        differences: tuple[str, ...] = ()
        if task is not None and vertex is not None:
            differences = (
                *_differences(task, vertex, inputs[0].get(id, []), inputs[1].get(id, [])),
                *_descriptions(task, vertex, result.stream_graph),
            )
        tasks.append(
            TaskMatch(
                id=id,
                running=task.name if task else None,
                compiled=vertex.name if vertex else None,
                differences=differences,
            )
        )
    pending = any(stream_operator.task is None for stream_operator in job.stream_graph)
    return JobMatch(
        verdict=_verdict(set(running), set(compiled), pending=pending),
        flink_version=result.release.version,
        tasks=tuple(tasks),
        pending=pending,
        in_another_order=reordered is not None,
    )


def _verdict(running: set[str], compiled: set[str], *, pending: bool) -> str:
    if running == compiled or (pending and running and running < compiled):
        return "same operator IDs"
    return "some operator IDs" if running & compiled else "other operator IDs"


_Inputs: TypeAlias = Sequence[tuple[str, str]]
"""The sender's ID and the ship strategy of each input of a task."""


def _inputs(edges: Iterable[TaskEdge | JobEdge], late: Collection[str]) -> Mapping[str, _Inputs]:
    """Map tasks to their inputs, without ship strategies for the tasks in ``late``."""
    result: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for edge in sorted(edges, key=lambda edge: edge.input):
        ship = "" if edge.target in late else edge.ship_strategy
        result[edge.target].append((edge.source, ship))
    return result


def _differences(
    task: RunningTask, vertex: JobVertex, runs: _Inputs, pairs: _Inputs
) -> Iterator[str]:
    if task.name != vertex.name:
        yield f"it is called {quoted(task.name)} in the job and {quoted(vertex.name)} here"
    # A parallelism of -1 is left to the scheduler, which has decided in a job that runs.
    if vertex.parallelism not in {task.parallelism, -1}:
        yield f"it runs with parallelism {task.parallelism}, and here has {vertex.parallelism}"
    maximum = task.max_parallelism
    if maximum is not None and vertex.max_parallelism not in {maximum, -1}:
        here_most = vertex.max_parallelism
        yield f"its maximum parallelism is {maximum} in the job and {here_most} here"
    if runs != pairs:
        texts = [
            ", ".join(f"{source[:8]} by {ship}" for source, ship in side) or "nothing"
            for side in (runs, pairs)
        ]
        yield f"it reads {texts[0]} in the job and {texts[1]} here"


def _descriptions(task: RunningTask, vertex: JobVertex, graph: StreamGraph) -> Iterator[str]:
    """Compare descriptions of operators with one name, such as another plan node of SQL."""
    ours = [graph.by_id[node] for node, _ in chain_order(vertex)]
    if [our.name for our in ours] != [running_operator.name for running_operator in task.operators]:
        return
    for stream_node, running in zip(ours, task.operators, strict=True):
        ours_text = stream_node.description or stream_node.name
        running_text = running.description or running.name
        if ours_text != running_text:
            yield (
                f"{quoted(stream_node.name)} is described as {quoted(running_text)} in the job "
                f"and as {quoted(ours_text)} here"
            )


def chain_order(vertex: JobVertex) -> list[tuple[NodeId, str]]:
    """Return the operators depth first from the head, the order of the vertex's texts."""
    by_node = {item.node: item for item in vertex.operators}
    stack = [vertex.head]
    pairs = []
    while stack:
        chained_operator = by_node[stack.pop()]
        pairs.append((chained_operator.node, chained_operator.name))
        stack += reversed(chained_operator.chained_outputs)
    return pairs
