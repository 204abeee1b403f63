"""Builds the report from the frames that reached the driver: sums over subtasks, rows of sinks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from explorer.engine import plan
from explorer.engine.counters import EdgeCounters, SubtaskReport
from explorer.engine.planning.flow import Sink
from explorer.engine.planning.outputs import SinkFolder
from explorer.engine.planning.trial_plan import TrialPlan
from explorer.engine.report.trial_report import (
    ChainedFigures,
    EdgeFigures,
    SinkRows,
    TrialReport,
    WrittenFile,
    WrittenFolder,
)
from explorer.engine.rows.sinks.part_files import part_name
from explorer.engine.task.frames import FrameKind, FramesLostError, read_columnar, unpack
from explorer.errors import BrokenInvariantError
from explorer.flink.compiler import Compilation
from explorer.model.run_figures import OperatorFigures, SubtaskFigures, TaskFigures
from explorer.model.stream_graph import NodeId
from explorer.wording import counted, quoted

_decode: Final = msgspec.msgpack.Decoder(SubtaskReport).decode


def _ms(nanoseconds: int) -> float:
    return round(nanoseconds / 1_000_000, 3)


def reports_in(frames: Iterable[bytes]) -> Iterator[SubtaskReport]:
    """Yield the reports of subtasks, in no order."""
    for frame in map(unpack, frames):
        if frame.kind is FrameKind.REPORT:
            yield _decode(frame.body)


class _Gathered:
    """The decoded frames that reached the driver."""

    def __init__(self, planned: TrialPlan, frames: Sequence[bytes]) -> None:
        self.reports: dict[tuple[int, int], SubtaskReport] = {}
        self.rows: dict[str, list[tuple[Any, ...]]] = {sink.id: [] for sink in planned.sinks}
        sinks = {sink.node: sink for sink in planned.sinks}
        for frame in sorted(map(unpack, frames), key=lambda item: item.place):
            if frame.kind is FrameKind.REPORT:
                report = _decode(frame.body)
                key = (report.task, report.subtask)
                if key in self.reports:
                    msg = f"subtask {key} reported twice"
                    raise BrokenInvariantError(msg)
                self.reports[key] = report
            else:
                sink = sinks[frame.edge]
                batch = read_columnar(frame.body, sink.row_types[frame.row_type], timed=False)
                columns = [column.to_pylist() for column in batch.columns]
                self.rows[sink.id] += zip(*columns, strict=True)
        expected = sum(task.parallelism for task in planned.job.tasks)
        if len(self.reports) != expected:
            msg = f"{len(self.reports)} subtasks reported, and there are {expected}"
            raise FramesLostError(msg)

    def of(self, task: plan.Task) -> list[SubtaskReport]:
        """Return the reports of a task's subtasks, in order."""
        return [self.reports[task.number, subtask] for subtask in range(task.parallelism)]


def make_report(
    compilation: Compilation,
    planned: TrialPlan,
    frames: Sequence[bytes],
    *,
    master: str,
    wall_ms: float,
    limit: int | None,
) -> TrialReport:
    """Add up the reports of all subtasks; raises ``BrokenInvariantError`` if one is missing.

    ``limit``: the number of rows of each sink in the report; None: all, 0: none.
    """
    gathered = _Gathered(planned, frames)
    job = planned.job
    outputs = {output.sink: output for output in planned.outputs}
    sinks = {sink.id: _sink(sink, gathered, limit, outputs.get(sink.id)) for sink in planned.sinks}
    by_id = {task.id: task for task in job.tasks}
    tasks = [by_id[vertex.id] for vertex in compilation.job_graph.vertices]
    begun = min(report.begun for report in gathered.reports.values())
    vertices = tuple(_vertex(task, gathered.of(task), begun) for task in tasks)
    return TrialReport(
        name=job.name,
        flink_version=compilation.release.version,
        master=master,
        wall_ms=round(wall_ms, 3),
        vertices=vertices,
        edges=tuple(_edges(compilation, gathered)),
        chained=tuple(
            figures for task in tasks for figures in _chained_figures(task.id, gathered.of(task))
        ),
        sinks=sinks,
        warnings=(*compilation.warnings, *planned.warnings, *_warnings(sinks, vertices)),
    )


def partial_sinks(sinks: Mapping[str, SinkRows]) -> Iterator[str]:
    """Yield a warning for each sink of which a report holds the first rows alone."""
    for sink_name, sink in sinks.items():
        if sink.data and len(sink.data) < sink.rows:
            yield f"sink {sink_name!r} took {sink.rows:,} rows; the report holds {len(sink.data):,}"


def _warnings(sinks: Mapping[str, SinkRows], vertices: Sequence[TaskFigures]) -> Iterator[str]:
    yield from partial_sinks(sinks)
    for figures in (operator for vertex in vertices for operator in vertex.operators):
        if figures.late_dropped:
            name, records = quoted(figures.transformation or figures.name), figures.late_dropped
            yield (
                f"{name} dropped {counted(records, 'record')} that came when all their windows "
                "were over (numLateRecordsDropped); more out_of_orderness or allowed_lateness lets "
                "such records in"
            )


def _vertex(task: plan.Task, reports: Sequence[SubtaskReport], begun: int) -> TaskFigures:
    """Sum up one vertex; ``begun``: the begin of the trial's first subtask."""
    return TaskFigures(
        id=task.id,
        name=task.name,
        state="finished",
        subtasks=tuple(
            SubtaskFigures(
                subtask=number,
                state="finished",
                records_in=report.records_in,
                records_out=report.records_out,
                bytes_out=report.bytes_out,
                operator_ms=_ms(sum(counters.nanoseconds for counters in report.operators)),
                begun_ms=_ms(report.begun - begun),
                ended_ms=_ms(report.ended - begun),
            )
            for number, report in enumerate(reports)
        ),
        operators=_operators(task, reports),
        write_ms=_ms(sum(edge.nanoseconds for report in reports for edge in report.edges)),
        read_ms=_ms(sum(report.decode_nanoseconds for report in reports)),
        wait_ms=_ms(sum(report.wait_nanoseconds for report in reports)),
        copy_ms=_ms(sum(counters.nanoseconds for report in reports for counters in report.chained)),
    )


def _operators(task: plan.Task, reports: Sequence[SubtaskReport]) -> tuple[OperatorFigures, ...]:
    by_operator = zip(*(report.operators for report in reports), strict=True)
    return tuple(
        OperatorFigures(
            node=NodeId(operator.node),
            name=operator.name,
            transformation=operator.transformation,
            records_in=sum(counter.records_in for counter in counters),
            records_out=sum(counter.records_out for counter in counters),
            operator_ms=_ms(sum(counter.nanoseconds for counter in counters)),
            late_dropped=sum(counter.late_dropped for counter in counters),
        )
        for operator, counters in zip(task.operators, by_operator, strict=True)
    )


def _chained_figures(vertex: str, reports: Sequence[SubtaskReport]) -> Iterator[ChainedFigures]:
    for mine in zip(*(report.chained for report in reports), strict=True):
        yield ChainedFigures(
            vertex=vertex,
            source_node=mine[0].source,
            target_node=mine[0].target,
            records=sum(value.records for value in mine),
            copied=sum(item.copied for item in mine),
            copy_ms=_ms(sum(one.nanoseconds for one in mine)),
        )


def _edges(compilation: Compilation, gathered: _Gathered) -> Iterator[EdgeFigures]:
    """Yield the figures of edges in the JobGraph's order, by which a plan numbers edges."""
    by_edge: dict[int, list[EdgeCounters]] = {}
    for report in gathered.reports.values():
        for counters in report.edges:
            by_edge.setdefault(counters.edge, []).append(counters)
    for number, edge in enumerate(compilation.job_graph.edges):
        stream_edge = compilation.stream_graph.edges[edge.stream_edge]
        mine = by_edge.get(number, [])
        yield EdgeFigures(
            source=edge.source,
            target=edge.target,
            source_node=stream_edge.source,
            target_node=stream_edge.target,
            ship_strategy=edge.ship_strategy,
            records=sum(edge_counters.records for edge_counters in mine),
            bytes=sum(edge_counters.bytes for edge_counters in mine),
            write_ms=_ms(sum(edge_counters.nanoseconds for edge_counters in mine)),
        )


def _sink(
    sink: Sink, gathered: _Gathered, limit: int | None, output: SinkFolder | None
) -> SinkRows:
    counted = sum(report.sinks.get(sink.node, 0) for report in gathered.reports.values())
    rows = gathered.rows[sink.id]
    return SinkRows(
        rows=counted,
        columns=sink.row_types[0].columns if len(sink.row_types) == 1 else (),
        data=None if limit == 0 else tuple(rows if limit is None else rows[:limit]),
        written=None if output is None else _list_written_files(output, gathered),
    )


def _list_written_files(output: SinkFolder, gathered: _Gathered) -> WrittenFolder:
    """List the files in a sink's folder; parts that were too large are only counted."""
    parts = [
        (subtask, report.parts[output.node])
        for (_, subtask), report in sorted(gathered.reports.items())
        if output.node in report.parts
    ]
    return WrittenFolder(
        path=str(output.target),
        format=output.format,
        files=tuple(
            WrittenFile(name=part_name(at, output.format), rows=part.rows, bytes=part.bytes)
            for at, part in parts
            if not part.too_large
        ),
        left_out=sum(part.rows for _, part in parts if part.too_large),
    )
