"""Rows of csv files."""

from pathlib import Path

import pandas as pd
import pytest

from explorer.engine.rows.sources import csv_tables
from explorer.engine.rows.sources.csv_tables import read_csv
from explorer.engine.rows.sources.tables import infer_row_type
from explorer.model.row_type import parse_schema
from tests.engine.rows.sources.files import (
    file_source,
    refusal,
    rows_of,
    source_rows,
    written,
)

CSV = 'id,name,ratio,flag,mixed\n1,"a,b",1.5,true,1\n2,,,false,x\n,"two\nlines",3,TRUE,\n'


def test_csv_columns_are_found_by_name(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(CSV)
    row_type = parse_schema("name STRING, id LONG, ratio DOUBLE, flag BOOLEAN")

    assert source_rows(file_source(path, "csv", row_type)) == [
        ["a,b", 1, 1.5, True],
        ["", 2, None, False],
        ["two\nlines", None, 3.0, True],
    ]
    assert source_rows(file_source(path, "csv", row_type), 1, 2) == [["", 2, None, False]]


def test_csv_columns_of_other_names_are_found_by_position(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n1,x\n")
    row_type = parse_schema("n LONG, w STRING")

    assert source_rows(file_source(path, "csv", row_type)) == [[1, "x"]]


def test_csv_types_are_inferred(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(CSV)
    found = infer_row_type(path, "rows.csv", "csv")

    assert str(found) == "id LONG, name STRING, ratio DOUBLE, flag BOOLEAN, mixed STRING"
    assert len(source_rows(file_source(path, "csv", found))) == 3


def test_the_header_that_pandas_writes_by_itself_is_read(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1.5, 2.5], "b": ["x", "y"]})
    path = written(tmp_path, frame.to_csv().encode())

    assert path.read_bytes().startswith(b",a,b\n")
    assert str(infer_row_type(path, "rows", "csv")) == "_c0 LONG, a DOUBLE, b STRING"
    assert rows_of(path, "csv") == [(0, 1.5, "x"), (1, 2.5, "y")]
    assert rows_of(path, "csv", parse_schema("b STRING")) == [("x",), ("y",)]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (b",,a", ["_c0", "_c1", "a"]),
        (b"_c1,", ["_c1", "__c1"]),
        (b'"two\nlines",b', ["two\nlines", "b"]),
        (b'"a,b","c""d"', ["a,b", 'c"d']),
    ],
)
def test_every_column_of_a_header_has_a_name(
    tmp_path: Path, header: bytes, names: list[str]
) -> None:
    row = b",".join(b"%d" % at for at, _ in enumerate(names))
    path = written(tmp_path, header + b"\n" + row + b"\n")

    assert list(infer_row_type(path, "rows", "csv").names) == names
    assert rows_of(path, "csv") == [tuple(range(len(names)))]


@pytest.mark.law
@pytest.mark.parametrize("size", [1_000_000, 1_100_000, 8_000_000])
def test_long_rows_of_csv_are_read(tmp_path: Path, size: int) -> None:
    rows = b"n,w\n" + b"1,a\n" * 300_000 + b'2,"' + b"x" * size + b'"\n' + b"3,b\n" * 5
    path = written(tmp_path, rows)
    found = rows_of(path, "csv")

    assert [n for n, _ in found] == [1] * 300_000 + [2] + [3] * 5
    assert len(found[300_000][1]) == size


def test_a_quote_that_is_never_closed_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_tables, "ROW_BYTES", 2 * 2**20)
    path = written(tmp_path, b'n,w\n1,"' + b"x\n" * 3_000_000)

    assert "a row takes more than 8,388,608 bytes, or a quote is never closed" in refusal(
        path, "csv"
    )


def test_cells_are_texts_where_no_types_are_wanted(tmp_path: Path) -> None:
    (rows,) = read_csv(written(tmp_path, b"n,w\n1,a\n,\n"), "rows", None)

    assert rows.to_pydict() == {"n": ["1", ""], "w": ["a", ""]}


def test_a_cell_may_contain_a_line_break(tmp_path: Path) -> None:
    path = written(tmp_path, b'n,w\n1,"a\nb"\n2,"c""d"\n')

    assert rows_of(path, "csv") == [(1, "a\nb"), (2, 'c"d')]
