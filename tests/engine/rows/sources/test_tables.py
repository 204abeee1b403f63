"""Columns of files and their types, inferred from the beginning."""

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from explorer.engine.rows.sources.tables import infer_row_type
from explorer.model.row_type import parse_schema
from tests.engine.rows.sources.files import refusal, rows_of, written


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ("1\n2", "LONG"),
        ("1\n2.5", "DOUBLE"),
        ("1e3\n", "DOUBLE"),
        ("true\nFALSE", "BOOLEAN"),
        ("true\n1", "STRING"),
        ("1\nx", "STRING"),
        ('""\n""', "STRING"),
    ],
)
def test_a_column_of_csv_has_the_first_type_that_all_cells_fit(
    tmp_path: Path, cells: str, kind: str
) -> None:
    path = written(tmp_path, f"n\n{cells}\n".encode())

    assert str(infer_row_type(path, "rows", "csv")) == f"n {kind}"


def test_an_empty_cell_is_null_save_in_a_text(tmp_path: Path) -> None:
    path = written(tmp_path, b"n,w,x\n1,a,\n,,2.5\n")

    assert str(infer_row_type(path, "rows", "csv")) == "n LONG, w STRING, x DOUBLE"
    assert rows_of(path, "csv") == [(1, "a", None), (None, "", 2.5)]


def test_a_type_of_parquet_that_no_column_holds_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    parquet.write_table(pa.table({"a": [[1, 2]]}), path)

    assert "column 'a' is a list<element: int64>, which no column type holds" in refusal(
        path, "parquet"
    )


def test_wider_types_hold_the_values_of_both_files(tmp_path: Path) -> None:
    folder = tmp_path / "rows"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"n": 1, "w": true}\n')
    (folder / "b.jsonl").write_text('{"n": 1.5, "w": "x"}\n')

    assert str(infer_row_type(folder, "rows", "jsonl")) == "n DOUBLE, w STRING"


def test_only_the_columns_that_are_asked_for_are_read(tmp_path: Path) -> None:
    path = written(tmp_path, b"a,b,c\n1,2,3\n")

    assert rows_of(path, "csv", parse_schema("c LONG, a STRING")) == [(3, "1")]
