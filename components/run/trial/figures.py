"""A trial's results in the page's words: tables, and figures on the job graph."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from components.widgets.table import Cell, Column, Row, numbers
from explorer.drawing.svg.palette import hue
from explorer.drawing.view.annotations import Bar, Figures, Load
from explorer.drawing.view.elements import GraphView, VertexView
from explorer.drawing.view.graph_view import job_edge_key
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.report.vertex_progress import skew
from explorer.model.run_figures import OperatorFigures, TaskFigures

VERTICES: Final = (
    Column("task"),
    *numbers(
        "parallelism", "records in", "records out", "bytes out", "busy", "write", "read", "copy"
    ),
)
OPERATORS: Final = (
    Column("operator"),
    Column("task"),
    *numbers("records in", "records out", "time", "copied to it"),
)
LIVE: Final = (
    Column("task"),
    Column("state"),
    *numbers("subtasks done", "records in", "records out", "busy", "skew"),
    Column(""),
)
INDENT: Final = "\N{EM SPACE}"
SKEWED: Final = 1.2
"""The busiest subtask's share of the mean from which on it is shown."""
_MILLION: Final = 1_000_000
SECOND: Final = 1000.0
FEW: Final = 10
"""Smaller amounts keep a digit behind the point."""
UNITS: Final = ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB"))


UNREPORTED: Final = "—"
"""A figure that the run does not report."""


def count_text(count: int | None) -> str:
    """A count, or a dash where none is reported."""
    return UNREPORTED if count is None else f"{count:,}"


def size(count: int | None) -> str:
    """A number of bytes in readable units.

    >>> size(700), size(620_000)
    ('700 B', '605 KB')
    """
    if count is None:
        return UNREPORTED
    for unit, name in UNITS:
        if count >= unit:
            amount = count / unit
            return f"{amount:.1f} {name}" if amount < FEW else f"{amount:,.0f} {name}"
    return f"{count} B"


def span(milliseconds: float | None) -> str:
    """A time in readable units.

    >>> span(3.14), span(41.0), span(2500.0), span(None)
    ('3.1 ms', '41 ms', '2.5 s', '—')
    """
    if milliseconds is None:
        return UNREPORTED
    if milliseconds >= SECOND:
        return f"{milliseconds / SECOND:,.1f} s"
    return f"{milliseconds:.1f} ms" if milliseconds < FEW else f"{milliseconds:.0f} ms"


def on_graph(view: GraphView, report: TrialReport) -> Figures:
    """Return the bars on the vertices, by their busy time, and the texts on edges and operators."""
    numbered = {job_edge_key(number): figures for number, figures in enumerate(report.edges)}
    # The view may be a part of the graph.
    edges = {
        edge.key: f"{numbered[edge.key].records:,} records · {size(numbered[edge.key].bytes)}"
        for edge in view.job_edges
    }
    return Figures(
        bars=_bars(view, report.vertices),
        edges=edges,
        operators=_rows(view, report.operators),
        loads=_loads(view, report.operators),
    )


def live_on_graph(view: GraphView, progress: Sequence[TaskFigures]) -> Figures:
    """Return the figures of a running trial; edges have none before its end."""
    operators = [operator for vertex in progress for operator in vertex.operators]
    return Figures(
        bars=_bars(view, progress), operators=_rows(view, operators), loads=_loads(view, operators)
    )


def _bars(view: GraphView, tasks: Sequence[TaskFigures]) -> dict[str, Bar]:
    keys = {vertex.id: vertex.key for vertex in view.vertices}
    longest = max((task.operator_ms for task in tasks), default=0.0) or 1.0
    return {
        keys[task.id]: (
            round(task.operator_ms / longest, 3),
            _text(task) + _skew(task.records),
            tuple(
                round((subtask.operator_ms or 0.0) / (task.operator_ms or 1.0), 3)
                for subtask in task.subtasks
            ),
        )
        for task in tasks
        if task.id in keys
    }


def _skew(records: Sequence[int]) -> str:
    """How uneven subtasks are, where that is worth a word.

    >>> _skew([10, 11]), _skew([30, 0])
    ('', ' · skew 2.0')
    """
    result = skew(records)
    return f" · skew {result:.1f}" if result >= SKEWED else ""


def _rows(view: GraphView, operators: Sequence[OperatorFigures]) -> dict[str, str]:
    result: dict[int, OperatorFigures] = {operator.node: operator for operator in operators}
    return {node.key: _format_rows(result[node.id]) for node in view.nodes}


def _loads(view: GraphView, operators: Sequence[OperatorFigures]) -> dict[str, Load]:
    """Return the busy time of each operator, relative to the longest."""
    spent: dict[int, float] = {item.node: item.operator_ms or 0.0 for item in operators}
    longest = max(spent.values(), default=0.0) or 1.0
    return {
        node.key: (round(spent[node.id] / longest, 3), span(spent[node.id])) for node in view.nodes
    }


def _format_rows(operator_figures: OperatorFigures) -> str:
    """Rows in and out of an operator; a source has none in, and a sink none out.

    >>> _format_rows(OperatorFigures(node=1, records_in=5000, records_out=7))
    '5,000 → 7'
    """
    ends = (
        _short(count)
        for count in (operator_figures.records_in, operator_figures.records_out)
        if count
    )
    return " → ".join(ends) or "0"


def _short(count: int) -> str:
    """A number that fits on a card; tables show it in full.

    >>> _short(9_999_999), _short(32_276_480)
    ('9,999,999', '32.3M')
    """
    return f"{count:,}" if count < 10 * _MILLION else f"{count / _MILLION:,.1f}M"


def _text(vertex: TaskFigures) -> str:
    """A source reads no records from the network: its output is shown instead."""
    if vertex.records_in or not vertex.records_out:
        return f"{vertex.records_in:,} in · {span(vertex.operator_ms)}"
    return f"{vertex.records_out:,} out · {span(vertex.operator_ms)}"


def vertex_rows(view: GraphView, report: TrialReport) -> list[Row]:
    """One row a job vertex, by the number of its chain."""
    vertex_figures = {vertex.id: vertex for vertex in report.vertices}
    return [
        Row(
            vertex.key,
            (
                {"text": vertex.name, "hue": hue(vertex.colour)},
                vertex.parallelism,
                f"{figures.records_in:,}",
                f"{figures.records_out:,}",
                count_text(figures.bytes_out),
                span(figures.operator_ms),
                span(figures.write_ms),
                span(figures.read_ms),
                span(figures.copy_ms) if figures.copy_ms else "none",
            ),
        )
        for vertex in view.vertices
        for figures in (vertex_figures[vertex.id],)
    ]


def operator_rows(view: GraphView, report: TrialReport) -> list[Row]:
    """One row an operator, by the number of its chain and its place there."""
    pairs: dict[int, tuple[int, float]] = {}
    for figures in report.chained:
        records, spent = pairs.get(figures.target_node, (0, 0.0))
        pairs[figures.target_node] = (records + figures.copied, spent + figures.copy_ms)
    copied = {
        node: f"{records:,} · {span(spent)}" if records else "none"
        for node, (records, spent) in pairs.items()
    }
    cells: dict[int, tuple[str, ...]] = {
        operator.node: (
            count_text(operator.records_in),
            count_text(operator.records_out),
            span(operator.operator_ms),
            copied.get(operator.node, ""),
        )
        for operator in report.operators
    }
    return rows_by_chain(view, view.vertices, cells)


def rows_by_chain(
    view: GraphView, vertices: Iterable[VertexView], cells: Mapping[int, Sequence[Cell]]
) -> list[Row]:
    """One row an operator of these tasks: its name, its chain and its ``cells``, by node."""
    return [
        Row(
            node.key,
            (
                node.name,
                {"text": f"chain {vertex.number}", "hue": hue(vertex.colour)},
                *cells[node.id],
            ),
        )
        for vertex in vertices
        for node in (view.node_of[key] for key in vertex.nodes)
    ]


def live_rows(view: GraphView, progress: Sequence[TaskFigures]) -> list[Row]:
    """A row a job vertex and, below it, one an operator, as far as they have come."""
    vertex_progresses = {vertex.id: vertex for vertex in progress}
    rows = []
    for vertex in view.vertices:
        name: Cell = {"text": vertex.name, "hue": hue(vertex.colour)}
        vertex_progress = vertex_progresses[vertex.id]
        rows.append(Row(vertex.key, (name, *_live(vertex_progress))))
        operators: dict[int, OperatorFigures] = {
            operator.node: operator for operator in vertex_progress.operators
        }
        nodes = [view.node_of[key] for key in vertex.nodes]
        # A task of one operator has the same figures.
        if len(nodes) > 1:
            rows += [Row(node.key, _operator_live(operators[node.id])) for node in nodes]
    return rows


def _operator_live(operator: OperatorFigures) -> tuple[Cell, ...]:
    amounts = (
        count_text(operator.records_in),
        count_text(operator.records_out),
        span(operator.operator_ms),
    )
    return ({"text": f"{INDENT}{operator.name}", "tone": "mute"}, "", "", *amounts, "", "")


def _live(vertex_progress: TaskFigures) -> tuple[Cell, ...]:
    return (
        vertex_progress.state,
        f"{vertex_progress.finished_subtasks} / {vertex_progress.parallelism}",
        f"{vertex_progress.records_in:,}",
        f"{vertex_progress.records_out:,}",
        span(vertex_progress.operator_ms),
        f"{skew(vertex_progress.records):.1f}" if vertex_progress.parallelism > 1 else "",
        {"share": vertex_progress.finished_subtasks / vertex_progress.parallelism},
    )
