"""A running job compared with a compilation: tasks by their IDs, and what differs between them.

A job vertex has the operator ID of its chain's head, on a cluster as in a compilation. Equal IDs
do not make the job this program: a cluster reports neither functions nor types.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from explorer.analysis.adaptive import ships_as_decided
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation, as_reported, compile_program
from explorer.model.document import DataSetDocument, Document, JobGraphDocument
from explorer.model.job_graph import JobEdge, JobVertex
from explorer.model.running_job import RunningJob, RunningTask, TaskEdge
from explorer.model.stream_graph import NodeId, StreamGraph
from explorer.wording import counted, quoted

NOT_COMPARED: Final = (
    "Not compared, because a cluster does not report them: function classes, types, options."
)

NAMES_COMPARED: Final = (
    "Flink gives the tasks of a DataSet program IDs at random: names are compared."
)


class TaskMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A task by its ID; a name is None where that side has no such task."""

    id: str
    running: str | None
    """The task's name in the job."""
    compiled: str | None
    """The vertex's name in the compilation."""
    differences: tuple[str, ...] = ()
    """What the two do not share, a sentence each."""

    @property
    def is_shared(self) -> bool:
        """Whether the job and the compilation both have the task."""
        return None not in {self.running, self.compiled}


class JobMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A job compared with a program."""

    verdict: str
    """``same operator IDs``, ``some operator IDs`` or ``other operator IDs``; of a DataSet program
    ``same task names`` and its like."""
    flink: str
    """The release that the program was compiled for."""
    tasks: tuple[TaskMatch, ...]
    """The job's tasks in their order, then the program's that the job does not have."""
    pending: bool = False
    """Whether the job's scheduler is still to make tasks, as it does of a batch job."""
    in_another_order: bool = False
    """Whether the job's tasks finished in another order than is assumed, which decides IDs."""
    by_name: bool = False
    """Whether tasks are compared by their names, as those of a DataSet program."""

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON-ready members."""
        members: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return {
            "sentence": self.sentence,
            "differences": list(self.differences),
            **members,
        }

    @property
    def differences(self) -> tuple[str, ...]:
        """All that differs, task by task, a sentence each."""
        return tuple(one for task in self.tasks for one in _text(task, pending=self.pending))

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        if self.by_name:
            return self._of_names()
        shared = self._shared
        if self.verdict == "same operator IDs":
            more = counted(len(self.differences), "difference")
            rest = f", with {more}" if self.differences else ""
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
                f"Other operator IDs: under Flink {self.flink} no task of the job has an ID of "
                "this program."
            )
        own = sum(task.running is not None for task in self.tasks)
        return (
            f"Some operator IDs: {shared} of the job's {counted(own, 'task')} have IDs of this "
            "program; it may be another version of it."
        )

    @property
    def _shared(self) -> int:
        """Number of tasks that both the job and the compilation have."""
        return sum(task.is_shared for task in self.tasks)

    def _of_names(self) -> str:
        shared = self._shared
        own = sum(task.running is not None for task in self.tasks)
        head = self.verdict.capitalize()
        differ = counted(len(self.differences), "difference") if self.differences else ""
        rest = f", with {differ}" if differ else ""
        return (
            f"{head}: {shared} of the job's {counted(own, 'task')} have names of this program's "
            f"tasks{rest}. {NAMES_COMPARED} {NOT_COMPARED}"
        )


def match_document(
    job: JobGraphDocument, document: Document, done: Compilation | None = None
) -> JobMatch:
    """Compare a job with a document, compiled for the cluster's release.

    ``done``: what became of the document under its own, which stands in where the cluster's
    refuses it. Raises ``ExplorerError`` where neither accepts it.
    """
    if isinstance(document, DataSetDocument):
        return _match_names(job.job, document)
    if job.flink is not None and (done is None or done.release.version != job.flink):
        # Its own release reports the problem where the cluster's refuses it.
        with suppress(ExplorerError):
            done = compile_program(document.under(job.flink))
    return match_job(job.job, done or compile_program(document))


def _match_names(job: RunningJob, program: DataSetDocument) -> JobMatch:
    """Compare a job with a DataSet program; tasks with equal names are matched in their order."""
    ids: defaultdict[str, deque[str]] = defaultdict(deque)
    for task in program.job.tasks:
        ids[task.name].append(task.id)
    found = {task.id: ids[task.name].popleft() if ids[task.name] else task.id for task in job.tasks}
    done = compile_program(program)
    # A drawing leaves out what ``JobGraphGenerator`` puts in front of a chain's name.
    drawn = {vertex.id: vertex.name for vertex in done.job_graph.vertices}
    tasks = tuple(
        msgspec.structs.replace(task, id=found[task.id], name=drawn.get(found[task.id], task.name))
        for task in job.tasks
    )
    edges = tuple(
        msgspec.structs.replace(edge, source=found[edge.source], target=found[edge.target])
        for edge in job.edges
    )
    match = match_job(msgspec.structs.replace(job, tasks=tasks, edges=edges), done)
    verdict = match.verdict.replace("operator IDs", "task names")
    return msgspec.structs.replace(match, verdict=verdict, by_name=True)


def match_job(job: RunningJob, done: Compilation) -> JobMatch:
    """Compare a job with a compilation, which is best one for the cluster's release."""
    reordered = _in_the_jobs_order(job, done)
    done = reordered or done
    compiled = {vertex.id: vertex for vertex in done.job_graph.vertices}
    late = {edge.target for edge in done.job_graph.edges if not ships_as_decided(done, edge)}
    running = {task.id: task for task in job.tasks}
    ids = dict.fromkeys((*running, *compiled))
    inputs = _inputs(job.edges), _inputs(done.job_graph.edges)
    tasks = [
        _match(id, running.get(id), compiled.get(id), inputs, ships_late=id in late) for id in ids
    ]
    described = {
        id: tuple(_descriptions(running[id], vertex, done.stream_graph))
        for id, vertex in compiled.items()
        if id in running
    }
    tasks = [
        msgspec.structs.replace(one, differences=(*one.differences, *described.get(one.id, ())))
        for one in tasks
    ]
    pending = any(one.task is None for one in job.stream_graph)
    return JobMatch(
        verdict=_verdict(set(running), set(compiled), pending=pending),
        flink=done.release.version,
        tasks=tuple(tasks),
        pending=pending,
        in_another_order=reordered is not None,
    )


def _in_the_jobs_order(job: RunningJob, done: Compilation) -> Compilation | None:
    """The same program, its tasks made in the order that the job's IDs imply; None: as assumed."""
    running = {task.id for task in job.tasks}
    if running <= {vertex.id for vertex in done.job_graph.vertices}:
        return None
    return as_reported(done, running)


def _verdict(running: set[str], compiled: set[str], *, pending: bool) -> str:
    """What the IDs say; one task at least must be there to say it."""
    if running == compiled or (pending and running and running < compiled):
        return "same operator IDs"
    return "some operator IDs" if running & compiled else "other operator IDs"


Inputs = Mapping[str, Sequence[tuple[str, str]]]
"""By task, what it reads: the sender's ID and the ship strategy."""


def _inputs(edges: Iterable[TaskEdge | JobEdge]) -> Inputs:
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for edge in sorted(edges, key=lambda edge: edge.input):
        found[edge.target].append((edge.source, edge.ship_strategy))
    return found


def _match(
    id: str,
    task: RunningTask | None,
    vertex: JobVertex | None,
    inputs: tuple[Inputs, Inputs],
    *,
    ships_late: bool,
) -> TaskMatch:
    """``ships_late``: whether its inputs' ship strategies are decided while the job runs."""
    if ships_late:
        inputs = _without_strategies(inputs[0]), _without_strategies(inputs[1])
    both = () if task is None or vertex is None else _differences(task, vertex, inputs)
    return TaskMatch(
        id=id,
        running=task.name if task else None,
        compiled=vertex.name if vertex else None,
        differences=tuple(both),
    )


def _without_strategies(inputs: Inputs) -> Inputs:
    return {task: [(source, "") for source, _ in read] for task, read in inputs.items()}


def _differences(
    task: RunningTask, vertex: JobVertex, inputs: tuple[Inputs, Inputs]
) -> Iterator[str]:
    if task.name != vertex.name:
        yield f"it is called {quoted(task.name)} in the job and {quoted(vertex.name)} here"
    # A parallelism of -1 is left to the scheduler, which has decided in a job that runs.
    if vertex.parallelism not in {task.parallelism, -1}:
        yield f"it runs with parallelism {task.parallelism}, and here has {vertex.parallelism}"
    if task.max_parallelism is not None and vertex.max_parallelism not in {
        task.max_parallelism,
        -1,
    }:
        yield (
            f"its maximum parallelism is {task.max_parallelism} in the job and "
            f"{vertex.max_parallelism} here"
        )
    runs, here = (side.get(task.id, ()) for side in inputs)
    if list(runs) != list(here):
        yield f"it reads {_reported(runs)} in the job and {_reported(here)} here"


def _descriptions(task: RunningTask, vertex: JobVertex, graph: StreamGraph) -> Iterator[str]:
    """Operators of one name with different descriptions, such as another plan node of SQL."""
    ours = [graph.by_id[node] for node, _ in chain_order(vertex)]
    if [one.name for one in ours] != [one.name for one in task.operators]:
        return
    for one, running in zip(ours, task.operators, strict=True):
        here, there = one.description or one.name, running.description or running.name
        if here != there:
            yield (
                f"{quoted(one.name)} is described as {quoted(there)} in the job and as "
                f"{quoted(here)} here"
            )


def chain_order(vertex: JobVertex) -> list[tuple[NodeId, str]]:
    """The operators depth first from the head, as the vertex's texts name them."""
    by_node = {one.node: one for one in vertex.operators}
    stack = [vertex.head]
    found = []
    while stack:
        one = by_node[stack.pop()]
        found.append((one.node, one.name))
        stack += reversed(one.chained_outputs)
    return found


def _reported(inputs: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{source[:8]} by {ship}" for source, ship in inputs) or "nothing"


def _text(task: TaskMatch, *, pending: bool) -> Iterator[str]:
    """The differences of one task, each with the task's name."""
    if task.compiled is None:
        yield f"{quoted(task.running)} ({task.id}) runs, and is no task of this program"
    elif task.running is None and not pending:
        yield f"{quoted(task.compiled)} ({task.id}) is a task of this program, and does not run"
    for one in task.differences:
        yield f"{quoted(task.running)} ({task.id}): {one}"
