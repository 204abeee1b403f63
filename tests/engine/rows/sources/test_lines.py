"""The lines of a text file, block by block."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.sources import lines
from explorer.engine.rows.sources.lines import line_blocks, lines_of, read_text
from tests.engine.rows.sources.files import (
    LINES,
    file_source,
    source_rows,
    written,
)


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

    assert [row[0] for row in source_rows(file_source(path, "text", LINES))] == wanted


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
def test_blocks_do_not_change_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(lines, "BLOCK_SIZE", size)
    path = tmp_path / "text.txt"
    path.write_bytes(b"one\r\ntwo\rthree\n\nfour\r\n\r\nfive\r")
    found = [source_rows(file_source(path, "text", LINES), subtask, 3) for subtask in range(3)]

    assert found == [[["one"], [""], ["five"]], [["two"], ["four"]], [["three"], [""]]]


def test_a_block_holds_whole_lines(tmp_path: Path) -> None:
    path = written(tmp_path, b"a\r\nb\rc")

    assert b"".join(line_blocks(path, "rows")) == b"a\nb\nc\n"
    assert lines_of(b"a\n\nbc\n").to_pylist() == ["a", "", "bc"]


def test_every_line_is_a_row(tmp_path: Path) -> None:
    parts = read_text(written(tmp_path, b"a\n\nb"), "rows", None)

    assert [line for part in parts for line in part.to_pydict()["line"]] == ["a", "", "b"]


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    assert list(read_text(written(tmp_path, b""), "rows", None)) == []
