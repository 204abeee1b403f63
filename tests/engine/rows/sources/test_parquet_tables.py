"""Rows of parquet files."""

import io
import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources import parquet_tables
from explorer.engine.rows.sources.parquet_tables import parquet_schema, read_parquet
from explorer.engine.rows.sources.tables import infer_row_type
from explorer.model.row_type import parse_schema
from tests.engine.rows.sources.files import (
    file_source,
    refusal,
    rows_of,
    source_rows,
    written,
)


def test_parquet_is_read_and_inferred(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    times = pa.array([0, 1_500], pa.timestamp("ms"))
    table = pa.table({"n": pa.array([1, 2], pa.int32()), "w": ["a", None], "t": times})
    parquet.write_table(table, path)
    row_type = infer_row_type(path, "rows.parquet", "parquet")

    assert str(row_type) == "n LONG, w STRING, t LONG"
    assert source_rows(file_source(path, "parquet", row_type)) == [[1, "a", 0], [2, None, 1500]]


def sound_parquet() -> bytes:
    count = 5_000
    table = pa.table({"n": range(count), "w": [f"word {n % 97}" for n in range(count)]})
    file = io.BytesIO()
    parquet.write_table(table, file)
    return file.getvalue()


def test_a_text_in_parquet_that_is_no_utf8_is_refused(tmp_path: Path) -> None:
    offsets, letters = np.array([0, 1, 3], np.int32), pa.py_buffer(b"a\xc3\x28")
    words = pa.Array.from_buffers(pa.string(), 2, [None, pa.py_buffer(offsets), letters])
    parquet.write_table(pa.table({"w": words}), tmp_path / "rows")

    assert "'rows' cannot be read: invalid UTF8 sequence" in refusal(tmp_path / "rows", "parquet")


@pytest.mark.law
def test_a_damaged_parquet_file_is_read_or_refused_in_a_sentence(tmp_path: Path) -> None:
    sound, draw = sound_parquet(), random.Random(25)  # noqa: S311 - the same damage each time
    row_type = parse_schema("n LONG, w STRING")
    refusals: list[str] = []
    for _ in range(200):
        damaged = bytearray(sound)
        if draw.random() < 0.3:
            del damaged[draw.randrange(len(damaged)) :]
        for _ in range(draw.randrange(1, 30)):
            # Damage at the end, where the file says what it holds, is the more telling.
            at = draw.randrange(max(0, len(damaged) - draw.choice((900, 50_000))), len(damaged))
            damaged[at] = draw.randrange(256)
        path = written(tmp_path, bytes(damaged), "damaged.parquet")
        for known in (None, row_type):
            try:
                rows_of(path, "parquet", known)
            except SourceError as error:
                refusals.append(str(error))

    assert len(refusals) > 100
    assert all(each.startswith("file 'damaged.parquet' ") for each in refusals)
    assert max(map(len, refusals)) < 400


def test_columns_of_one_name_are_refused_where_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "twice.parquet"
    parquet.write_table(pa.table([[1], [2], [3]], names=["a", "a", "b"]), path)

    assert "column 'a' is named twice" in refusal(path, "parquet")
    assert "has 2 columns 'a'; rename" in refusal(path, "parquet", parse_schema("a LONG"))
    assert rows_of(path, "parquet", parse_schema("b LONG")) == [(3,)]


@pytest.mark.parametrize("packed", ["zstd", "none"])
def test_one_huge_cell_among_small_ones_is_refused_where_it_is_a_bomb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: str
) -> None:
    monkeypatch.setattr(parquet_tables, "UNPACKED_BYTES", 2**20)
    path = tmp_path / "bomb.parquet"
    table = pa.table({"w": ["x"] * 999 + ["y" * 3_000_000]})
    parquet.write_table(table, path, compression=packed, use_dictionary=False)
    row_type = parse_schema("w STRING")

    if packed == "none":
        assert len(rows_of(path, "parquet", row_type)) == 1000
    else:
        assert "as no data of use does" in refusal(path, "parquet", row_type)


def test_columns_are_those_of_the_footer(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    parquet.write_table(pa.table({"a": [1], "b": ["x"]}), path)

    assert parquet_schema(path).names == ["a", "b"]
    (rows,) = read_parquet(path, "rows.parquet", parse_schema("b STRING, a DOUBLE"))
    assert rows.to_pydict() == {"b": ["x"], "a": [1.0]}
    assert "has no column 'c'; its columns are a, b" in refusal(
        path, "parquet", parse_schema("c LONG")
    )
