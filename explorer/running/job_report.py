"""Figures of a running job at the vertices and operators of a compilation.

Vertices are matched by their IDs; the operators of a vertex by their place in its chain, which must
hold the same names. A figure that the cluster does not report is None.
"""

import csv
import io
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from explorer.flink.compiler import Compilation
from explorer.model.job_graph import JobVertex
from explorer.model.run_figures import OperatorFigures, TaskFigures
from explorer.model.running_job import RunningJob, RunningTask
from explorer.model.stream_graph import NodeId
from explorer.running.running_jobs import JobMatch, chain_order, match_job
from explorer.wording import spreadsheet_cell

_CSV_COLUMNS: Final = (
    "kind",
    "id",
    "name",
    "records_in",
    "records_out",
    "bytes_in",
    "bytes_out",
    "busy_ms",
    "idle_ms",
    "back_pressured_ms",
)


class JobVertexReport(msgspec.Struct, frozen=True, kw_only=True):
    """A job vertex that runs."""

    id: str
    name: str
    parallelism: int
    """The parallelism in the job."""
    figures: TaskFigures
    operators: tuple[OperatorFigures, ...]
    """In the order of their nodes."""

    @property
    def times(self) -> tuple[int | None, int | None, int | None]:
        """Milliseconds busy, idle and back-pressured, all subtasks together."""
        task_figures = self.figures
        return (
            task_figures.of_all(lambda subtask_figures: subtask_figures.busy_ms),
            task_figures.of_all(lambda subtask_figures: subtask_figures.idle_ms),
            task_figures.of_all(lambda subtask_figures: subtask_figures.back_pressured_ms),
        )

    @property
    def shares(self) -> tuple[float | None, float | None, float | None]:
        """Shares of the latest second busy, idle and back-pressured, the subtasks' mean."""
        task_figures = self.figures
        return (
            task_figures.share(lambda subtask_figures: subtask_figures.busy),
            task_figures.share(lambda subtask_figures: subtask_figures.idle),
            task_figures.share(lambda subtask_figures: subtask_figures.back_pressured),
        )


class JobReport(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a running job at one moment, for the compilation's vertices."""

    name: str
    job_id: str
    flink_version: str
    state: str
    taken: int | None
    """Milliseconds since 1970."""
    wall_ms: float
    """Since the job began, to the moment or to its end."""
    vertices: tuple[JobVertexReport, ...]
    """The vertices with one ID in both, in the JobGraph's order."""
    match: JobMatch

    @property
    def operators(self) -> tuple[OperatorFigures, ...]:
        """All operators, vertex by vertex."""
        return tuple(operator for vertex in self.vertices for operator in vertex.operators)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready members."""
        members: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        members["match"] = self.match.to_dict()
        for vertex in members["vertices"]:
            # A cluster may report no count of an operator; its member stays, as null.
            unreported = {"records_in": None, "records_out": None}
            vertex["operators"] = [unreported | operator for operator in vertex["operators"]]
        return members

    def to_csv(self) -> str:
        """Return a line for each vertex, subtask and operator; unreported values are empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(_CSV_COLUMNS)
        for vertex in self.vertices:
            figures, name = vertex.figures, spreadsheet_cell(vertex.name)
            sums = (figures.records_in, figures.records_out, figures.bytes_in, figures.bytes_out)
            writer.writerow(("vertex", vertex.id, name, *sums, *vertex.times))
            for subtask in figures.subtasks:
                counts = (
                    subtask.records_in,
                    subtask.records_out,
                    subtask.bytes_in,
                    subtask.bytes_out,
                )
                times = (subtask.busy_ms, subtask.idle_ms, subtask.back_pressured_ms)
                writer.writerow(("subtask", subtask.subtask, name, *counts, *times))
            for operator in vertex.operators:
                called = spreadsheet_cell(operator.name)
                sent = (operator.records_in, operator.records_out)
                writer.writerow(("operator", operator.node, called, *sent))
        return text.getvalue()


def job_report(job: RunningJob, result: Compilation, match: JobMatch | None = None) -> JobReport:
    """Return a job's figures for the vertices of ``result`` with the same IDs.

    ``match``: the comparison, if it was computed under another release than that of ``result``.
    """
    tasks = {task.id: task for task in job.tasks}
    figures = {figure.id: figure for figure in job.figures}
    vertices = tuple(
        JobVertexReport(
            id=vertex.id,
            name=vertex.name,
            parallelism=tasks[vertex.id].parallelism,
            figures=figures[vertex.id],
            operators=tuple(_operators(vertex, tasks[vertex.id], figures[vertex.id])),
        )
        for vertex in result.job_graph.vertices
        if vertex.id in tasks and vertex.id in figures
    )
    end = job.end_time if job.has_ended and job.end_time else job.taken
    return JobReport(
        name=job.name,
        job_id=job.id,
        flink_version=job.version or result.release.version,
        state=job.state or "",
        taken=job.taken,
        wall_ms=float(max((end or 0) - (job.start_time or end or 0), 0)),
        vertices=vertices,
        match=match or match_job(job, result),
    )


def _operators(
    vertex: JobVertex, task: RunningTask, figures: TaskFigures
) -> Iterator[OperatorFigures]:
    """Return the vertex's operators, with counts if the job's chain has the same names."""
    ours, counts = chain_order(vertex), dict[NodeId, OperatorFigures]()
    if [name for _, name in ours] == [running_operator.name for running_operator in task.operators]:
        node_of = {item.node: node for (node, _), item in zip(ours, task.operators, strict=True)}
        counts = {
            node_of[counts_of_node.node]: counts_of_node
            for counts_of_node in figures.operators
            if counts_of_node.node in node_of
        }
    for operator in vertex.operators:
        operator_counts = counts.get(operator.node)
        yield OperatorFigures(
            node=operator.node,
            name=operator.name,
            records_in=operator_counts.records_in if operator_counts else None,
            records_out=operator_counts.records_out if operator_counts else None,
        )
