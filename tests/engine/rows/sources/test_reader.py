"""What a reading process answers, asked within this process."""

from pathlib import Path
from typing import Any

import pytest

from explorer.engine.rows.sizes import ROW_BYTES
from explorer.engine.rows.sources import reader
from explorer.engine.rows.sources.columns import ColumnsAnswer, ColumnsRequest
from explorer.engine.rows.sources.reader import answer
from explorer.model.row_type import LONG, STRING, parse_schema

ROW = parse_schema("n LONG, w STRING")


def asked(path: Path, **members: Any) -> ColumnsAnswer:
    return answer(ColumnsRequest(path=str(path), name="rows", format="csv", **members))


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text("n,w\n1,a\n2,\n3,c\n")
    return path


def test_columns_are_inferred_where_no_type_is_given(rows: Path) -> None:
    assert asked(rows) == ColumnsAnswer(names=("n", "w"), types=(LONG, STRING))


@pytest.mark.parametrize(("most", "more"), [(2, True), (3, False), (4, False)])
def test_the_first_rows_and_whether_there_are_more(rows: Path, most: int, *, more: bool) -> None:
    found = asked(rows, row_type=ROW, rows=most)

    assert found.values == ((1, "a"), (2, ""), (3, "c"))[:most]
    assert found.more == more


def test_an_answer_holds_so_many_bytes_and_at_least_one_row(
    rows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "ANSWER_BYTES", 15)
    found = asked(rows, row_type=ROW, rows=3)
    assert (len(found.values), found.more) == (1, True)

    monkeypatch.setattr(reader, "ANSWER_BYTES", 0)
    assert len(asked(rows, row_type=ROW, rows=3).values) == 1


def test_a_row_that_is_too_large_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"n,w\n1,{'x' * (ROW_BYTES - 100)}\n2,b\n")

    assert asked(path, row_type=ROW, rows=1).problem == ""
    path.write_text("n,w\n1,a\nx,b\n")
    assert "row 2, column 'n': 'x' is no LONG" in asked(path, row_type=ROW, rows=9).problem


def test_a_file_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    assert "no such file" in asked(tmp_path / "nothing").problem.lower()
