"""The first rows that reached each sink, as a plain table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from explorer.drawing.view.one_line import shortened

if TYPE_CHECKING:
    from explorer.engine.report.trial_report import SinkRows

FIRST_ROWS: Final = 5
"""Rows of each sink on a terminal."""
_WIDEST: Final = 40
"""Characters of a value."""
_SINKS: Final = 20


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
