"""Fields as Flink's serializers write them."""

import math
import struct

import pyarrow as pa

from explorer.engine.rows.field_bytes import field_bytes
from tests.many_cases import for_each


def written(column: pa.Array) -> list[bytes]:
    found = field_bytes(column)
    return [
        found.data[start : start + size].tobytes()
        for start, size in zip(found.starts, found.lengths, strict=True)
    ]


def test_numbers_are_big_endian() -> None:
    assert written(pa.array([1, -1])) == [struct.pack(">q", 1), struct.pack(">q", -1)]
    assert written(pa.array([1.5])) == [struct.pack(">d", 1.5)]
    assert written(pa.array([True, False])) == [b"\1", b"\0"]


def test_every_nan_is_the_same() -> None:
    assert written(pa.array([math.nan, -math.nan])) == [bytes.fromhex("7ff8000000000000")] * 2


@for_each("text", ["", "ab", "é", "線", "x" * 200, "😀"])
def test_a_text_has_its_length_plus_one_before_its_units(text: str) -> None:
    data = text.encode("utf-16-le")
    units = struct.unpack(f"<{len(data) // 2}H", data)

    assert written(pa.array([text])) == [b"".join(map(varint, (len(units) + 1, *units)))]


def varint(number: int) -> bytes:
    low = number & 0x7F
    return bytes([low]) if number < 0x80 else bytes([low | 0x80]) + varint(number >> 7)


def test_a_null_is_written_as_nothing_or_zero() -> None:
    assert written(pa.array([None, "a"])) == [b"\1", b"\2a"]
    assert written(pa.array([None, 1])) == [bytes(8), struct.pack(">q", 1)]
