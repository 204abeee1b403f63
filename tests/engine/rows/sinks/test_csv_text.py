"""Lines of CSV, cell by cell as flink-csv writes them."""

from typing import Any

from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.sinks.csv_text import csv_header, csv_lines
from explorer.model.row_type import STRING, RowType, parse_schema
from tests.golden_files import cases
from tests.many_cases import for_each


def line(*values: Any, schema: str = "w STRING, n LONG") -> str:
    return bytes(csv_lines(from_rows(parse_schema(schema), [values]))).decode()


def test_lines_are_those_that_flink_wrote() -> None:
    for case in cases("written_rows"):
        assert set(case) >= {"csv", "json"}, case.keys()


@for_each(
    ("text", "cell"),
    [
        ("plain", "plain"),
        ("a b", '"a b"'),
        ("a,b", '"a,b"'),
        ('say "x"', '"say ""x"""'),
        ("two\nlines", '"two\nlines"'),
        ("back\\slash", '"back\\slash"'),
        ("x" * 24, "x" * 24),
        ("x" * 25, f'"{"x" * 25}"'),
        ("é", "é"),
    ],
)
def test_a_text_is_quoted_where_jackson_quotes_it(text: str, cell: str) -> None:
    assert line(text, 1) == f"{cell},1\n"


def test_null_is_an_empty_cell_and_an_empty_row_has_quotes() -> None:
    assert line(None, None) == ",\n"
    assert line(None, schema="w STRING") == '""\n'
    assert line("", schema="w STRING") == '""\n'


def test_a_header_names_the_columns() -> None:
    assert csv_header(parse_schema("n LONG, w STRING")) == b"n,w\n"
    odd = RowType(names=("a b", 'say "x"'), types=(STRING, STRING))
    assert csv_header(odd) == b'"a b","say ""x"""\n'
