"""Sources: what each format reads as, whose row is whose, and what cannot be read."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from explorer.engine import plan
from explorer.engine.rows.batch import BATCH_ROWS, NO_TIMESTAMP
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources import lines
from explorer.engine.rows.sources.confinement import confined, version_of
from explorer.engine.rows.sources.tables import infer_row_type
from explorer.engine.task.source_rows import read
from explorer.model.row_type import LONG, STRING, RowType, SchemaError, parse_schema

Format = Literal["text", "csv", "jsonl", "parquet"]
LINES = RowType.of(line=STRING)
NUMBERS = RowType.of(n=LONG)


def _file(path: Path, form: Format, row_type: RowType) -> plan.Source:
    version = version_of(path, path.name)
    rows = plan.FileRows(path=str(path), name=path.name, format=form, version=version)
    return plan.Source(rows=rows, row_type=row_type)


def _rows(source: plan.Source, subtask: int = 0, parallelism: int = 1) -> list[list[Any]]:
    return [row for batch in read(source, subtask, parallelism) for row in batch.rows()]


@pytest.mark.parametrize("parallelism", [1, 2, 3, 7])
@pytest.mark.parametrize(
    ("first", "last"), [(0, 999), (-5, 70_000), (3, 3), (2**63 - 3, 2**63 - 1)]
)
def test_every_pth_number_of_a_sequence_goes_to_a_subtask(
    first: int, last: int, parallelism: int
) -> None:
    source = plan.Source(rows=plan.SequenceRows(first=first, last=last), row_type=NUMBERS)
    for subtask in range(parallelism):
        wanted = list(range(first + subtask, last + 1, parallelism))

        assert [row[0] for row in _rows(source, subtask, parallelism)] == wanted


@given(
    st.lists(st.text("ab \té線", max_size=5)),
    st.sampled_from(("\n", "\r\n", "\r")),
    st.sampled_from(("ended", "open")),
)
def test_lines_end_as_java_reads_them(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], end: str, last: str
) -> None:
    path = tmp_path_factory.mktemp("lines") / "text.txt"
    path.write_bytes((end.join(texts) + (end if last == "ended" and texts else "")).encode())
    wanted = texts if last == "ended" or not texts or texts[-1] else texts[:-1]

    assert [row[0] for row in _rows(_file(path, "text", LINES))] == wanted


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
def test_blocks_do_not_change_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(lines, "BLOCK_SIZE", size)
    path = tmp_path / "text.txt"
    path.write_bytes(b"one\r\ntwo\rthree\n\nfour\r\n\r\nfive\r")
    found = [_rows(_file(path, "text", LINES), subtask, 3) for subtask in range(3)]

    assert found == [[["one"], [""], ["five"]], [["two"], ["four"]], [["three"], [""]]]


def test_a_long_input_comes_in_batches(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("x\n" * 100_000)
    sizes = [len(batch) for batch in read(_file(path, "text", LINES), 0, 1)]

    assert sum(sizes) == 100_000
    assert max(sizes) <= BATCH_ROWS


def test_inline_rows_are_dealt_out_too() -> None:
    row_type = parse_schema("word STRING, n LONG")
    values = (("a", 1), ("b", None), ("c", 3))
    source = plan.Source(rows=plan.InlineRows(values=values), row_type=row_type)

    assert [_rows(source, subtask, 2) for subtask in (0, 1)] == [
        [["a", 1], ["c", 3]],
        [["b", None]],
    ]


def test_a_new_sources_records_carry_a_timestamp() -> None:
    rows = plan.SequenceRows(first=0, last=2)
    source = plan.Source(rows=rows, row_type=NUMBERS, timestamped=True)
    (batch,) = read(source, 0, 1)

    assert batch.timestamps is not None
    assert batch.timestamps.tolist() == [NO_TIMESTAMP] * 3


CSV = 'id,name,ratio,flag,mixed\n1,"a,b",1.5,true,1\n2,,,false,x\n,"two\nlines",3,TRUE,\n'


def test_csv_columns_are_found_by_name(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(CSV)
    row_type = parse_schema("name STRING, id LONG, ratio DOUBLE, flag BOOLEAN")

    assert _rows(_file(path, "csv", row_type)) == [
        ["a,b", 1, 1.5, True],
        ["", 2, None, False],
        ["two\nlines", None, 3.0, True],
    ]
    assert _rows(_file(path, "csv", row_type), 1, 2) == [["", 2, None, False]]


def test_csv_columns_of_other_names_are_found_by_position(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n1,x\n")
    row_type = parse_schema("n LONG, w STRING")

    assert _rows(_file(path, "csv", row_type)) == [[1, "x"]]


def test_csv_types_are_inferred(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(CSV)
    found = infer_row_type(path, "rows.csv", "csv")

    assert str(found) == "id LONG, name STRING, ratio DOUBLE, flag BOOLEAN, mixed STRING"
    assert len(_rows(_file(path, "csv", found))) == 3


def test_jsonl_is_read_and_inferred(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(
        '{"n": 1, "w": "a", "x": 1, "b": true, "t": "2020-01-01"}\n'
        "\n"
        '{"w": "é", "n": 2, "x": 2.5, "t": "2020-01-02", "more": 1}\n'
    )
    row_type = infer_row_type(path, "rows.jsonl", "jsonl")

    assert str(row_type) == "n LONG, w STRING, x DOUBLE, b BOOLEAN, t STRING, more LONG"
    assert _rows(_file(path, "jsonl", parse_schema("w STRING, x DOUBLE, b BOOLEAN, t STRING"))) == [
        ["a", 1.0, True, "2020-01-01"],
        ["é", 2.5, None, "2020-01-02"],
    ]


def test_parquet_is_read_and_inferred(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    times = pa.array([0, 1_500], pa.timestamp("ms"))
    table = pa.table({"n": pa.array([1, 2], pa.int32()), "w": ["a", None], "t": times})
    parquet.write_table(table, path)
    row_type = infer_row_type(path, "rows.parquet", "parquet")

    assert str(row_type) == "n LONG, w STRING, t LONG"
    assert _rows(_file(path, "parquet", row_type)) == [[1, "a", 0], [2, None, 1500]]


BAD_FILES: list[tuple[Format, bytes, str]] = [
    ("text", b"fin\xc3\xa9\n\xff\n", "is not UTF-8 text: byte 0xff in line 2 cannot be read"),
    ("csv", b"", "is empty; a csv file begins with a header line"),
    ("csv", b"n,n\n1,2\n", "names a column twice in its header line: n, n"),
    ("csv", b"n\n1\nx\n", "cannot be read at row 2, column 'n': 'x' is no LONG; "),
    ("csv", b"n,b\n1,2\n1,2,3\n", "cannot be read: "),
    ("csv", b"a,b\n1,2\n", "has no column 'n'; its columns are a, b"),
    ("jsonl", b'{"n": 1}\n{"n": }\n', "cannot be read at line 2: "),
    ("parquet", b"no parquet", "cannot be read: "),
]


@pytest.mark.parametrize(("form", "content", "problem"), BAD_FILES)
def test_a_file_that_cannot_be_read_says_why(
    tmp_path: Path, form: Format, content: bytes, problem: str
) -> None:
    path = tmp_path / "bad"
    path.write_bytes(content)
    with pytest.raises(SourceError) as error:
        _rows(_file(path, form, LINES if form == "text" else NUMBERS))

    assert str(error.value).startswith("file 'bad' ")
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def _longer(path: Path) -> None:
    path.write_text(path.read_text() + "2,b\n")


def _of_the_same_size(path: Path) -> None:
    path.write_text("n,w\n" + "7,z\n" * 200_000)
    os.utime(path, ns=(0, 0))


def _broken(path: Path) -> None:
    path.write_text('n,w\n"')


@pytest.mark.parametrize("change", [_longer, _of_the_same_size, _broken, Path.unlink])
@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_file_that_is_replaced_is_noticed(
    tmp_path: Path, change: Callable[[Path], None], when: str
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("n,w\n" + "1,a\n" * 200_000)
    source = _file(path, "csv", parse_schema("n LONG, w STRING"))
    if when == "before":
        change(path)
    batches = read(source, 0, 1)
    if when == "meanwhile":
        next(batches)
        change(path)
    with pytest.raises(SourceError) as error:
        list(batches)

    told = str(error.value)
    assert told.startswith(
        "file 'rows.csv' was changed after this trial was lined up (800,004 bytes then, "
        if change is not Path.unlink
        else "file 'rows.csv' cannot be read: no such file or directory"
    )


@pytest.mark.parametrize(
    "name", ["../secret.txt", "/etc/hostname", "link.txt", "down/../../secret.txt"]
)
def test_a_path_that_leaves_the_data_directory_is_refused(tmp_path: Path, name: str) -> None:
    data = tmp_path / "data"
    (data / "down").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (data / "link.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(SourceError, match="lies outside the data directory"):
        confined(data, name, "src")


def test_a_link_within_the_data_directory_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("x")
    (tmp_path / "link.txt").symlink_to("real.txt")

    assert confined(tmp_path, "link.txt", "src") == (tmp_path / "real.txt").resolve()


def test_a_missing_file_names_those_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "flights.csv").write_text("x")
    with pytest.raises(SourceError, match=r"its files are flights.csv; did you mean 'flights.csv'"):
        confined(tmp_path, "flight.csv", "src")
    with pytest.raises(SourceError, match="no data directory is given"):
        confined(None, "flights.csv", "src")
    with pytest.raises(SourceError, match="is no path"):
        confined(tmp_path / "absent", "a\x00b", "src")


BAD_SCHEMAS = [
    ("n", "write name TYPE"),
    ("", "write name TYPE"),
    ("n LONGS", "did you mean 'LONG'"),
    ("n LONG, n STRING", "column 'n' is named twice"),
    ("n LONG,", "write name TYPE"),
]


@pytest.mark.parametrize(("text", "problem"), BAD_SCHEMAS)
def test_a_schema_that_is_none_is_refused(text: str, problem: str) -> None:
    with pytest.raises(SchemaError, match=problem):
        parse_schema(text)
