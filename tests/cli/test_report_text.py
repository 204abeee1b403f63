"""The first rows of sinks, as ``trial`` and ``preview`` print them."""

from typing import Any

from explorer.cli.report_text import FIRST_ROWS, first_rows
from explorer.engine.report.trial_report import SinkRows


def rows_of(*data: tuple[Any, ...]) -> SinkRows:
    columns = (("word", "STRING"), ("n", "LONG"))
    return SinkRows(rows=len(data), columns=columns, data=data)


def test_a_sink_shows_its_columns_and_first_rows() -> None:
    sinks = {"out": rows_of(("flink", 12), (None, 3), ("a\nb", 4)), "empty": rows_of()}

    assert list(first_rows(sinks)) == [
        "first rows of out:",
        "  word   n",
        "  flink  12",
        "  NULL   3",
        "  a b    4",
    ]


def test_long_tables_and_values_are_cut() -> None:
    lines = list(first_rows({"out": rows_of(*[("x" * 500, 1)] * 30)}))

    assert len(lines) == FIRST_ROWS + 2
    assert max(map(len, lines)) < 60


def test_rows_of_several_types_have_no_head() -> None:
    sink = SinkRows(rows=2, columns=(), data=(("a", 1), ("b",)))

    assert list(first_rows({"out": sink})) == ["first rows of out:", "  a  1", "  b"]
