"""Byte strings of different lengths, many at once."""

import numpy as np

from explorer.engine.rows.ragged import Ragged, interleave, positions, varint_widths, varints
from tests.many_cases import for_each


def ragged(*texts: bytes) -> Ragged:
    data = np.frombuffer(b"".join(texts), np.uint8)
    return Ragged(data, np.array([len(one) for one in texts], np.int64))


def texts(found: Ragged) -> list[bytes]:
    return [
        found.data[start : start + size].tobytes()
        for start, size in zip(found.starts, found.lengths, strict=True)
    ]


def test_parts_are_joined_string_by_string() -> None:
    joined = interleave([ragged(b"a", b"", b"ccc"), ragged(b"1", b"22", b"")])

    assert texts(joined) == [b"a1", b"22", b"ccc"]


def test_rows_that_are_not_retained_become_empty() -> None:
    kept = ragged(b"ab", b"c", b"def").keep(np.array([True, False, True]))

    assert texts(kept) == [b"ab", b"", b"def"]


def test_strings_of_one_length_are_the_rows_of_a_table() -> None:
    table = np.arange(6, dtype=np.uint8).reshape(3, 2)

    assert texts(Ragged.fixed(table)) == [b"\0\1", b"\2\3", b"\4\5"]


def test_places_of_nothing_are_none() -> None:
    assert positions(np.array([5, 9]), np.array([0, 1])).tolist() == [9]


@for_each(
    ("number", "data"),
    [(0, b"\0"), (127, b"\x7f"), (128, b"\x80\1"), (16_383, b"\xff\x7f"), (16_384, b"\x80\x80\1")],
)
def test_a_number_is_written_in_groups_of_seven_bits(number: int, data: bytes) -> None:
    found = varints(np.array([5, number, 6]))

    assert texts(found) == [b"\5", data, b"\6"]
    assert varint_widths(np.array([number])).tolist() == [len(data)]
