"""A running job's figures in the page's words: tables, and figures on the graph."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from components.run.trial.figures import UNREPORTED, count_text, rows_by_chain, size, span
from components.widgets.escaping import cut
from components.widgets.table import Cell, Column, Row, numbers
from explorer.drawing.svg.palette import hue
from explorer.drawing.view.annotations import Figures
from explorer.drawing.view.elements import GraphView, VertexView
from explorer.model.run_figures import SubtaskFigures, TaskFigures
from explorer.running.job_report import JobReport, JobVertexReport

_COUNTS: Final = numbers("records in", "records out", "bytes in", "bytes out")
_BUSY: Final = numbers("busy", "idle", "backpressured")
VERTICES: Final = (
    Column("task"),
    Column("state"),
    Column("parallelism", "right"),
    *_COUNTS,
    *_BUSY,
    *numbers("state bytes"),
)
SUBTASKS: Final = (Column("subtask"), Column("state"), *_COUNTS, *_BUSY)
OPERATORS: Final = (
    Column("operator"),
    Column("task"),
    *numbers("records in", "records out", "out per in"),
)
MOST: Final = 500
"""Rows that are sent at once."""
_NAME: Final = 22
"""Characters of a task's name behind a subtask's number."""


def job_vertex_rows(view: GraphView, report: JobReport) -> list[Row]:
    """One row a job vertex that runs, by the number of its chain."""
    return [
        Row(
            vertex.key,
            (
                {"text": vertex.name, "hue": hue(vertex.colour)},
                job_vertex_report.figures.state,
                job_vertex_report.parallelism,
                *_counts(job_vertex_report.figures),
                *map(_share, job_vertex_report.shares, job_vertex_report.times),
                count_text(job_vertex_report.figures.state_bytes),
            ),
        )
        for vertex, job_vertex_report in _running_vertices(view, report)
    ]


def _share(share: float | None, milliseconds: int | None) -> str:
    """Return the current share of time; if it is not reported, the time since the start."""
    return _spent(share, None if share is not None else milliseconds)


def subtask_rows(view: GraphView, report: JobReport) -> list[Row]:
    """One row a subtask, vertex by vertex."""
    rows = [
        Row(
            vertex.key,
            (
                {
                    "text": f"{subtask.subtask + 1} of {cut(vertex.name, _NAME)}",
                    "hue": hue(vertex.colour),
                },
                subtask.state,
                *_counts(subtask),
                _spent(subtask.busy, subtask.busy_ms),
                _spent(subtask.idle, subtask.idle_ms),
                _spent(subtask.back_pressured, subtask.back_pressured_ms),
            ),
        )
        for vertex, job_vertex_report in _running_vertices(view, report)
        for subtask in job_vertex_report.figures.subtasks
    ]
    return rows[:MOST]


def _counts(figures: SubtaskFigures | TaskFigures) -> Iterator[str]:
    counts = (figures.records_in, figures.records_out, figures.bytes_in, figures.bytes_out)
    return map(count_text, counts)


def job_operator_rows(view: GraphView, report: JobReport) -> list[Row]:
    """One row an operator, by the number of its chain and its place there."""
    cells: dict[int, tuple[Cell, ...]] = {
        operator.node: (
            count_text(operator.records_in),
            count_text(operator.records_out),
            UNREPORTED
            if not operator.records_in or operator.records_out is None
            else f"{operator.records_out / operator.records_in:,.3g}",
        )
        for operator in report.operators
    }
    return rows_by_chain(view, [vertex for vertex, _ in _running_vertices(view, report)], cells)


def _spent(share: float | None, milliseconds: int | None) -> str:
    """A current share and a time since the start, as far as they are reported.

    >>> _spent(0.25, 4000), _spent(0.0, 0), _spent(None, 4000), _spent(None, None)
    ('25% · 4.0 s', '0%', '4.0 s', '—')
    """
    reported = [f"{share:.0%}"] if share is not None else []
    if milliseconds or (milliseconds is not None and not reported):
        reported.append(span(milliseconds))
    return " · ".join(reported) or UNREPORTED


def on_graph(view: GraphView, report: JobReport) -> Figures:
    """Return the bars on the vertices, by how busy they are, and the texts on the edges."""
    bars = {
        vertex.key: (round(_height(job_vertex_report), 3), _text(job_vertex_report), ())
        for vertex, job_vertex_report in _running_vertices(view, report)
    }
    # A cluster counts by task: it does not report one of several edges.
    into = Counter(edge.target for edge in view.job_edges)
    out_of = Counter(edge.source for edge in view.job_edges)
    figures = {vertex.key: item.figures for vertex, item in _running_vertices(view, report)}
    text = {}
    for edge in view.job_edges:
        if into[edge.target] == 1 and edge.target in figures:
            task_figures = figures[edge.target]
            text[edge.key] = f"{task_figures.records_in:,} records · {size(task_figures.bytes_in)}"
        elif out_of[edge.source] == 1 and edge.source in figures:
            task_figures = figures[edge.source]
            text[edge.key] = (
                f"{task_figures.records_out:,} records · {size(task_figures.bytes_out)}"
            )
    return Figures(bars=bars, edges=text)


def _height(report: JobVertexReport) -> float:
    """Return how busy a task is, or was on average; 0 where the cluster does not report it."""
    busy, _, _ = report.shares
    if busy is not None:
        return min(max(busy, 0.0), 1.0)
    reported = [milliseconds or 0 for milliseconds in report.times]
    return reported[0] / sum(reported) if sum(reported) else 0.0


def _text(report: JobVertexReport) -> str:
    read, sent = report.figures.records_in, report.figures.records_out
    counts = f"{read:,} in" if read or not sent else f"{sent:,} out"
    busy, _, pressed = report.shares
    shares = [f"{busy:.0%} busy"] if busy is not None else []
    if pressed:
        shares.append(f"{pressed:.0%} pressured")
    return " · ".join((counts, *shares))


def _running_vertices(
    view: GraphView, report: JobReport
) -> list[tuple[VertexView, JobVertexReport]]:
    """Return the vertices that run, by the number of their chain."""
    reports = {job_vertex_report.id: job_vertex_report for job_vertex_report in report.vertices}
    return [(vertex, reports[vertex.id]) for vertex in view.vertices if vertex.id in reports]
