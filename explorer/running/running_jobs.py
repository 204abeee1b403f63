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
    flink: str
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
        return {"sentence": self.sentence, "differences": list(self.differences), **members}

    @property
    def differences(self) -> tuple[str, ...]:
        """All differences, task by task, a sentence each."""
        found = []
        for task in self.tasks:
            place = f"{quoted(task.running or task.compiled)} ({task.id})"
            if task.compiled is None:
                found.append(f"{place} runs, and is no task of this program")
            elif task.running is None and not self.pending:
                found.append(f"{place} is a task of this program, and does not run")
            found += [f"{place}: {one}" for one in task.differences]
        return tuple(found)

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
                f"Other operator IDs: under Flink {self.flink} no task of the job has an ID of "
                "this program."
            )
        return (
            f"Some operator IDs: {shared} of the job's {own} have IDs of this program; it may be "
            "another version of it."
        )


def match_document(
    job: JobGraphDocument, document: Document, done: Compilation | None = None
) -> JobMatch:
    """Compare a job with a document, compiled for the cluster's release.

    ``done``: the document's compilation for its own release, used where the cluster's release
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
    """Compare a job with a compilation, preferably one for the cluster's release."""
    running = {task.id: task for task in job.tasks}
    is_as_assumed = running.keys() <= {vertex.id for vertex in done.job_graph.vertices}
    reordered = None if is_as_assumed else as_reported(done, running)
    done = reordered or done
    compiled = {vertex.id: vertex for vertex in done.job_graph.vertices}
    late = {edge.target for edge in done.job_graph.edges if not ships_as_decided(done, edge)}
    inputs = _inputs(job.edges, late), _inputs(done.job_graph.edges, late)
    tasks = []
    for id in dict.fromkeys((*running, *compiled)):
        task, vertex = running.get(id), compiled.get(id)
        differences: tuple[str, ...] = ()
        if task is not None and vertex is not None:
            differences = (
                *_differences(task, vertex, inputs[0].get(id, []), inputs[1].get(id, [])),
                *_descriptions(task, vertex, done.stream_graph),
            )
        tasks.append(
            TaskMatch(
                id=id,
                running=task.name if task else None,
                compiled=vertex.name if vertex else None,
                differences=differences,
            )
        )
    pending = any(one.task is None for one in job.stream_graph)
    return JobMatch(
        verdict=_verdict(set(running), set(compiled), pending=pending),
        flink=done.release.version,
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
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for edge in sorted(edges, key=lambda edge: edge.input):
        ship = "" if edge.target in late else edge.ship_strategy
        found[edge.target].append((edge.source, ship))
    return found


def _differences(
    task: RunningTask, vertex: JobVertex, runs: _Inputs, here: _Inputs
) -> Iterator[str]:
    if task.name != vertex.name:
        yield f"it is called {quoted(task.name)} in the job and {quoted(vertex.name)} here"
    # A parallelism of -1 is left to the scheduler, which has decided in a job that runs.
    if vertex.parallelism not in {task.parallelism, -1}:
        yield f"it runs with parallelism {task.parallelism}, and here has {vertex.parallelism}"
    most = task.max_parallelism
    if most is not None and vertex.max_parallelism not in {most, -1}:
        here_most = vertex.max_parallelism
        yield f"its maximum parallelism is {most} in the job and {here_most} here"
    if runs != here:
        texts = [
            ", ".join(f"{source[:8]} by {ship}" for source, ship in side) or "nothing"
            for side in (runs, here)
        ]
        yield f"it reads {texts[0]} in the job and {texts[1]} here"


def _descriptions(task: RunningTask, vertex: JobVertex, graph: StreamGraph) -> Iterator[str]:
    """Compare descriptions of operators with one name, such as another plan node of SQL."""
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
    """Return the operators depth first from the head, the order of the vertex's texts."""
    by_node = {one.node: one for one in vertex.operators}
    stack = [vertex.head]
    found = []
    while stack:
        one = by_node[stack.pop()]
        found.append((one.node, one.name))
        stack += reversed(one.chained_outputs)
    return found
