"""A trial's report as text: a table of its operators, and the first rows of each sink."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from explorer.drawing.view.one_line import shortened
from explorer.wording import counted

if TYPE_CHECKING:
    from explorer.engine.report.trial_report import SinkRows, TrialReport
    from explorer.model.run_figures import OperatorFigures, TaskFigures

FIRST_ROWS: Final = 5
"""Rows of each sink on a terminal."""
_WIDEST: Final = 40
"""Characters of a value."""
_SINKS: Final = 20


def report_text(report: "TrialReport") -> str:
    """A row for each task and each operator, then the sinks with their first rows."""
    from explorer.engine.report.trial_report import copies_sentence

    lines = [f"{'vertex / operator':<52}{'in':>12}{'out':>12}{'bytes out':>14}{'busy ms':>10}"]
    for vertex in report.vertices:
        label = f"{shortened(vertex.name, 45)} ×{vertex.parallelism}"
        lines.append(_row(label, vertex, f"{vertex.bytes_out:,}"))
        lines += (
            _row(f"  {shortened(operator.name, 49)}", operator, "") for operator in vertex.operators
        )
    sinks = ", ".join(f"{name} {counted(sink.rows, 'row')}" for name, sink in report.sinks.items())
    lines.append(f"sinks: {sinks or 'none'}")
    lines += first_rows(report.sinks)
    for name, sink in report.sinks.items():
        if (folder := sink.written) is not None:
            size, files = sum(file.bytes for file in folder.files), len(folder.files)
            wrote = f"{counted(files, 'file')} of {folder.format}, {size:,} bytes"
            lines.append(f"{name} wrote {wrote}: {folder.path}")
    lines += [copies_sentence(report), f"{report.wall_ms:,.0f} ms on {report.master}"]
    return "\n".join(filter(None, lines))


def _row(label: str, figures: "TaskFigures | OperatorFigures", bytes_out: str) -> str:
    return (
        f"{label:<52}{figures.records_in or 0:>12,}{figures.records_out or 0:>12,}"
        f"{bytes_out:>14}{figures.operator_ms or 0.0:>10,.0f}"
    )


def first_rows(sinks: Mapping[str, "SinkRows"]) -> Iterator[str]:
    """Yield for each sink with retained rows its columns, then its first rows."""
    for name, sink in [*sinks.items()][:_SINKS]:
        if sink.data:
            rows = [[column for column, _ in sink.columns], *map(_texts, sink.data[:FIRST_ROWS])]
            yield f"first rows of {name}:"
            yield from (f"  {line}" for line in _align_columns([row for row in rows if row]))


def _texts(row: Sequence[Any]) -> list[str]:
    return ["NULL" if value is None else shortened(str(value), _WIDEST) for value in row]


def _align_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a line for each row; rows of a sink with several types differ in length."""
    columns = range(max(map(len, rows)))
    widths = [max(len(row[at]) for row in rows if at < len(row)) for at in columns]
    for row in rows:
        cells = (text.ljust(width) for text, width in zip(row, widths, strict=False))
        yield "  ".join(cells).rstrip()
