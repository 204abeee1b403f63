"""Lines of JSON, as flink-json writes them."""

import json
from math import inf, nan
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.sinks.json_text import json_lines
from explorer.model.row_type import STRING, RowType, parse_schema
from tests.many_cases import for_each


def lines(schema: str, *rows: tuple[Any, ...]) -> str:
    return bytes(json_lines(from_rows(parse_schema(schema), rows))).decode()


def test_null_is_written_and_members_retain_their_order() -> None:
    assert lines("w STRING, n LONG, b BOOLEAN", ("a", 1, True), (None, None, None)) == (
        '{"w":"a","n":1,"b":true}\n{"w":null,"n":null,"b":null}\n'
    )


def test_a_double_that_is_no_number_is_a_text() -> None:
    found = lines("x DOUBLE", (1e7,), (nan,), (inf,), (-inf,))

    assert found == '{"x":1.0E7}\n{"x":"NaN"}\n{"x":"Infinity"}\n{"x":"-Infinity"}\n'


@for_each(
    ("text", "written"),
    [
        ('"', '\\"'),
        ("\\", "\\\\"),
        ("\t\n", "\\t\\n"),
        ("\0\x1f", "\\u0000\\u001F"),
        ("😀", "\\uD83D\\uDE00"),
        ("é/\x7f", "é/\x7f"),
    ],
)
def test_a_letter_is_escaped_where_jackson_escapes_it(text: str, written: str) -> None:
    assert lines("w STRING", (text,)) == f'{{"w":"{written}"}}\n'


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_any_text_comes_back(texts: list[str]) -> None:
    found = lines("w STRING", *((text,) for text in texts))

    assert [json.loads(line)["w"] for line in found.split("\n")[:-1]] == texts


def test_the_name_of_a_column_is_escaped() -> None:
    odd = RowType(names=('a"b',), types=(STRING,))

    assert bytes(json_lines(from_rows(odd, [("x",)]))) == b'{"a\\"b":"x"}\n'
