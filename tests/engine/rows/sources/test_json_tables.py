"""Rows of files with a JSON object a line."""

from pathlib import Path

import pytest

from explorer.engine.rows.sources.json_tables import MAX_NESTING
from explorer.engine.rows.sources.tables import infer_row_type
from explorer.model.row_type import parse_schema
from tests.engine.rows.sources.files import (
    file_source,
    refusal,
    rows_of,
    source_rows,
    written,
)


def test_jsonl_is_read_and_inferred(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(
        '{"n": 1, "w": "a", "x": 1, "b": true, "t": "2020-01-01"}\n'
        "\n"
        '{"w": "é", "n": 2, "x": 2.5, "t": "2020-01-02", "more": 1}\n'
    )
    row_type = infer_row_type(path, "rows.jsonl", "jsonl")

    assert str(row_type) == "n LONG, w STRING, x DOUBLE, b BOOLEAN, t STRING, more LONG"
    assert source_rows(
        file_source(path, "jsonl", parse_schema("w STRING, x DOUBLE, b BOOLEAN, t STRING"))
    ) == [
        ["a", 1.0, True, "2020-01-01"],
        ["é", 2.5, None, "2020-01-02"],
    ]


def test_a_time_in_json_is_a_text(tmp_path: Path) -> None:
    content = b'{"t": "2020-01-01T00:00:00", "d": "2020-01-01"}\n' * 3
    path = written(tmp_path, content)

    assert str(infer_row_type(path, "rows", "jsonl")) == "t STRING, d STRING"
    assert rows_of(path, "jsonl") == [("2020-01-01T00:00:00", "2020-01-01")] * 3


@pytest.mark.parametrize("depth", [MAX_NESTING - 1, MAX_NESTING])
def test_values_nest_as_deep_as_the_limit(tmp_path: Path, depth: int) -> None:
    path = written(tmp_path, b'{"n": ' + b"[" * depth + b"]" * depth + b"}\n")

    says = "more than 100 deep" if depth == MAX_NESTING else "which no column type holds"
    assert says in refusal(path, "jsonl")


def test_a_number_that_json_lacks_is_written_as_text(tmp_path: Path) -> None:
    content = b'{"x": 1, "w": "NaN"}\n{"x": "NaN", "w": "\\"x\\": \\"NaN\\""}\n{"x": "-Infinity"}\n'
    path = written(tmp_path, content)
    found = rows_of(path, "jsonl", parse_schema("x DOUBLE, w STRING"))

    assert [str(x) for x, _ in found] == ["1.0", "nan", "-inf"]
    assert [w for _, w in found] == ["NaN", '"x": "NaN"', None]


def test_a_member_that_is_missing_is_null_and_another_is_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"a": 1, "b": 2}\n\n{"b": 3}\n')

    assert rows_of(path, "jsonl", parse_schema("a LONG")) == [(1,), (None,)]
