"""Rows as text: what flink-csv and flink-json wrote of them."""

import pytest

from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.sinks.csv_text import csv_lines
from explorer.engine.rows.sinks.json_text import json_lines
from explorer.model.row_type import parse_schema
from tests.golden_files import cases

ASKED = list(cases("written_rows"))
ROW = parse_schema("s STRING, x DOUBLE, n LONG, b BOOLEAN")


@pytest.mark.slow
def test_each_row_is_written_as_flinks_formats_write_it() -> None:
    for one in ASKED:
        text, number, *rest = one["row"]
        batch = from_rows(ROW, [[text, None if number is None else float(number), *rest]])

        assert bytes(csv_lines(batch)).decode() == one["csv"] + "\n"
        assert bytes(json_lines(batch)).decode() == one["json"] + "\n"


def test_many_rows_are_written_as_one_by_one() -> None:
    rows = [one["row"] for one in ASKED]
    made = [[text, None if x is None else float(x), *rest] for text, x, *rest in rows]
    batch = from_rows(ROW, made).slice(3, len(rows))

    assert bytes(csv_lines(batch)).decode() == "".join(f"{one['csv']}\n" for one in ASKED[3:])
    assert bytes(json_lines(batch)).decode() == "".join(f"{one['json']}\n" for one in ASKED[3:])
