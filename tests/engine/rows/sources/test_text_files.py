"""Text files as people have them: other encodings, packed, damaged."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.sources import text_files
from explorer.engine.rows.sources.tables import infer_row_type
from explorer.engine.rows.sources.text_files import open_text
from explorer.model.row_type import parse_schema
from tests.engine.rows.sources.files import (
    ENCODINGS,
    refusal,
    rows_of,
    written,
)


@pytest.mark.slow
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
def test_text_that_is_not_utf8_is_read_as_latin_1(
    tmp_path: Path, content: bytes, text: str
) -> None:
    with open_text(written(tmp_path, content), "rows") as file:
        assert file.read().decode() == text


@pytest.mark.slow
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
def test_a_binary_file_is_refused(tmp_path: Path, content: bytes, words: str, form: str) -> None:
    kinds = parse_schema("line STRING") if form == "text" else None

    assert words in refusal(written(tmp_path, content), form, kinds)
