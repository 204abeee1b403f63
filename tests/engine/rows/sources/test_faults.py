"""What is wrong with a file, in one sentence."""

from pathlib import Path

import pytest

from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.faults import missing_column, read_faults, source_error
from explorer.model.row_type import parse_schema
from tests.engine.rows.sources.files import (
    LINES,
    NUMBERS,
    Format,
    file_source,
    refusal,
    source_rows,
    written,
)

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
def test_an_unreadable_file_is_reported_with_the_reason(
    tmp_path: Path, form: Format, content: bytes, problem: str
) -> None:
    path = tmp_path / "bad"
    path.write_bytes(content)
    with pytest.raises(SourceError) as error:
        source_rows(file_source(path, form, LINES if form == "text" else NUMBERS))

    assert str(error.value).startswith("file 'bad' ")
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


PLACES = [
    ("csv", "n LONG, w STRING", b"n,w\n1,a\n2,b\nx,c\n", "row 3, column 'n': 'x' is no LONG"),
    ("csv", "n LONG", b"n,w\n" + b"1,a\n" * 400_000 + b"1.5,b\n", "row 400,001, column 'n': '1.5'"),
    ("csv", "n LONG", b"n,w\n1,a,b\n", "a row has 3 cells where the header line has 2: '1,a,b'"),
    ("jsonl", "n LONG", b'{"n": 1}\n\n{"n": }\n', "line 3: this is no JSON: Invalid value; "),
    ("jsonl", "n LONG", b'{"n": 1}\n' * 200_000 + b'{"n": "x"}\n', "line 200,001: 'n' is a number"),
    ("jsonl", "n LONG", b'{"n": 1}\n\n{"n": 2}\n{"n": 1.5}\n', "line 4: '1.5' is no LONG; each"),
    ("jsonl", "n LONG", b'{"n": 1}\n[1]\n', "line 2: this is an array and no object"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("form", "schema", "content", "words"), PLACES)
def test_a_row_at_fault_is_named(
    tmp_path: Path, form: str, schema: str, content: bytes, words: str
) -> None:
    sentence = refusal(written(tmp_path, content), form, parse_schema(schema))

    assert words in sentence
    assert len(sentence) < 300


def test_an_error_of_a_reader_names_the_file_and_a_fix() -> None:
    odd = ValueError("It is odd.\nAnd more.")
    says = "^file 'rows' cannot be read: it is odd; fix the file"
    with pytest.raises(SourceError, match=says), read_faults("rows", "csv"):
        raise odd


def test_an_error_of_the_system_is_its_own_words() -> None:
    with pytest.raises(SourceError, match="no such file or directory"), read_faults("rows", "csv"):
        raise FileNotFoundError(2, "No such file or directory")


def test_our_own_errors_and_a_lack_of_memory_pass() -> None:
    for error in (SourceError("ours"), MemoryError()):
        with pytest.raises(type(error)) as raised, read_faults("rows", "csv"):
            raise error
        assert raised.value is error


def test_the_sentence_names_the_place_and_is_cut() -> None:
    found = str(source_error("rows", "jsonl", "x" * 1000, "line 3"))

    assert found.startswith("file 'rows' cannot be read at line 3: xxx")
    assert len(found) < 400
    assert str(missing_column("rows", "n", ["a", "b"])) == (
        "file 'rows' has no column 'n'; its columns are a, b"
    )


@pytest.mark.parametrize(("content", "word"), [(b"[1]", "an array"), (b"1", "a number")])
def test_a_line_that_is_no_object_is_named(tmp_path: Path, content: bytes, word: str) -> None:
    sentence = refusal(written(tmp_path, b'{"n": 1}\n' + content + b"\n"), "jsonl", NUMBERS)

    assert f"this is {word} and no object" in sentence
