"""Texts of cells, joined to lines."""

import pyarrow as pa

from explorer.engine.rows.sinks.cell_texts import joined, text_bytes, texts
from tests.many_cases import for_each


@for_each(
    ("column", "wanted"),
    [
        (pa.array([1e7, -0.0, None]), ["1.0E7", "-0.0", None]),
        (pa.array([-5, None]), ["-5", None]),
        (pa.array([True, False]), ["true", "false"]),
        (pa.array(["é", None]), ["é", None]),
    ],
)
def test_a_value_is_written_as_java_writes_it(column: pa.Array, wanted: list[str | None]) -> None:
    assert texts(column).to_pylist() == wanted


def test_parts_are_joined_row_by_row() -> None:
    assert joined("<", pa.array(["a", "b"]), ">").to_pylist() == ["<a>", "<b>"]


def test_bytes_are_those_of_a_slice() -> None:
    assert bytes(text_bytes(pa.array(["ab", "é", "c"]).slice(1))) == "éc".encode()
    assert bytes(text_bytes(pa.array([], pa.string()))) == b""
