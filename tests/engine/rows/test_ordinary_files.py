"""Files as people have them: other encodings, packed, damaged; each is read or gets a sentence."""

import gzip
import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources import csv_tables, parquet_tables, text_files
from explorer.engine.rows.sources.confinement import confined
from explorer.engine.rows.sources.tables import infer_row_type, read_columns
from explorer.engine.rows.sources.text_files import open_text
from explorer.model.row_type import RowType, parse_schema

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1")


def rows_of(path: Path, form: str, row_type: RowType | None = None) -> list[tuple[Any, ...]]:
    """All rows of a file, in the types that it is found to have."""
    kinds = row_type or infer_row_type(path, path.name, form)
    parts = read_columns(path, path.name, form, kinds)
    return [
        row
        for columns in parts
        for row in zip(*(column.to_pylist() for column in columns), strict=True)
    ]


def written(folder: Path, content: bytes, name: str = "rows") -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def refusal(path: Path, form: str, row_type: RowType | None = None) -> str:
    with pytest.raises(SourceError) as error:
        rows_of(path, form, row_type)
    sentence = str(error.value)
    assert sentence.startswith("file ")
    assert "\n" not in sentence
    return sentence


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


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_text_is_read_in_any_usual_encoding(
    tmp_path: Path, encoding: str, pack: Callable[[bytes], bytes]
) -> None:
    path = written(tmp_path, pack("größe,naïve\n1,é\n2,ü\n".encode(encoding)))
    lines = written(tmp_path, pack('{"größe": 1, "w": "é"}\n'.encode(encoding)), "lines")

    assert infer_row_type(path, "rows", "csv").names == ("größe", "naïve")
    assert rows_of(path, "csv") == [(1, "é"), (2, "ü")]
    assert rows_of(lines, "jsonl") == [(1, "é")]
    assert rows_of(path, "text", parse_schema("line STRING")) == [
        ("größe,naïve",),
        ("1,é",),
        ("2,ü",),
    ]


@given(
    st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), max_size=40),
    st.sampled_from(("utf-8", "utf-16", "utf-32")),
    st.integers(4, 12),
)
def test_blocks_do_not_change_a_text(
    tmp_path_factory: pytest.TempPathFactory, text: str, encoding: str, size: int
) -> None:
    path = written(tmp_path_factory.mktemp("text"), text.encode(encoding))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_files, "BLOCK_SIZE", size)
        with open_text(path, "rows") as file:
            found = file.read()

    assert found.decode() == text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a\nf\xe9e\n", "a\nfée\n"),
        (b"costs 5 \x80", "costs 5 €"),
        (b"\xe9" * 5, "ééééé"),
        (b"a" * 2**20 + b"\xe9\n", "a" * 2**20 + "é\n"),
        (b"a" * (2**20 - 1) + "é".encode(), "a" * (2**20 - 1) + "é"),
        (b"ends in \xc3", "ends in Ã"),
    ],
)
def test_what_is_no_utf8_is_latin_1(tmp_path: Path, content: bytes, text: str) -> None:
    with open_text(written(tmp_path, content), "rows") as file:
        assert file.read().decode() == text


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("é\nü\n".encode() + b"\xff\n", "is not UTF-8 text: byte 0xff in line 3 cannot be read"),
        (b"\x89PNG\r\n\0\0", "is not UTF-8 text: byte 0x89 in line 1 cannot be read"),
        (b"a\nb \x81\n", "is not Windows-1252 text: byte 0x81 in line 2 cannot"),
        ("aé".encode("utf-16-le")[:-1], "is not UTF-16-LE text: byte 0xe9 in line 1 cannot be"),
        (
            gzip.compress(b"a,b\n" * 500, mtime=0)[:-9],
            "cannot be read: compressed file ended before",
        ),
        (gzip.compress(b"a,b\n" * 500, mtime=0)[:-4] + b"abcd", "cannot be read: incorrect length"),
        (b"\x1f\x8b" + b"\0" * 30, "cannot be read: "),
    ],
)
@pytest.mark.parametrize("form", ["text", "csv", "jsonl"])
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, words: str, form: str) -> None:
    kinds = parse_schema("line STRING") if form == "text" else None

    assert words in refusal(written(tmp_path, content), form, kinds)


@pytest.mark.law
@pytest.mark.parametrize("size", [1_000_000, 1_100_000, 8_000_000])
def test_long_rows_of_csv_are_read(tmp_path: Path, size: int) -> None:
    rows = b"n,w\n" + b"1,a\n" * 300_000 + b'2,"' + b"x" * size + b'"\n' + b"3,b\n" * 5
    path = written(tmp_path, rows)
    found = rows_of(path, "csv")

    assert [n for n, _ in found] == [1] * 300_000 + [2] + [3] * 5
    assert len(found[300_000][1]) == size


def test_a_quote_that_is_never_closed_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_tables, "ROW_BYTES", 2 * 2**20)
    path = written(tmp_path, b'n,w\n1,"' + b"x\n" * 3_000_000)

    assert "a row takes more than 8,388,608 bytes, or a quote is never closed" in refusal(
        path, "csv"
    )


PLACES = [
    ("csv", "n LONG, w STRING", b"n,w\n1,a\n2,b\nx,c\n", "row 3, column 'n': 'x' is no LONG"),
    ("csv", "n LONG", b"n,w\n" + b"1,a\n" * 400_000 + b"1.5,b\n", "row 400,001, column 'n': '1.5'"),
    ("csv", "n LONG", b"n,w\n1,a,b\n", "a row has 3 cells where the header line has 2: '1,a,b'"),
    ("jsonl", "n LONG", b'{"n": 1}\n\n{"n": }\n', "line 3: this is no JSON: Invalid value; "),
    ("jsonl", "n LONG", b'{"n": 1}\n' * 200_000 + b'{"n": "x"}\n', "line 200,001: 'n' is a number"),
    ("jsonl", "n LONG", b'{"n": 1}\n\n{"n": 2}\n{"n": 1.5}\n', "line 4: '1.5' is no LONG; each"),
    ("jsonl", "n LONG", b'{"n": 1}\n[1]\n', "line 2: this is a array and no object"),
]


@pytest.mark.parametrize(("form", "schema", "content", "words"), PLACES)
def test_a_row_at_fault_is_named(
    tmp_path: Path, form: str, schema: str, content: bytes, words: str
) -> None:
    sentence = refusal(written(tmp_path, content), form, parse_schema(schema))

    assert words in sentence
    assert len(sentence) < 300


def test_a_time_in_json_is_a_text(tmp_path: Path) -> None:
    content = b'{"t": "2020-01-01T00:00:00", "d": "2020-01-01"}\n' * 3
    path = written(tmp_path, content)

    assert str(infer_row_type(path, "rows", "jsonl")) == "t STRING, d STRING"
    assert rows_of(path, "jsonl") == [("2020-01-01T00:00:00", "2020-01-01")] * 3


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


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 2_000 + "x", "\0", "a\nb"])
def test_a_path_that_no_file_can_have_is_one_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError) as error:
        confined(tmp_path, name, "s")

    assert str(error.value).startswith("transformation 's'")
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


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
