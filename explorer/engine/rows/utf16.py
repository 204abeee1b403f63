"""Converts Arrow's UTF-8 strings to Java's UTF-16 code units, for whole columns."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Column, Longs


@dataclass(frozen=True, slots=True)
class Utf16:
    """All strings of a column, concatenated, as UTF-16 code units."""

    units: npt.NDArray[Any]
    """All units of all strings: uint8 if all are ASCII, else uint16."""
    offsets: Longs
    """String ``i`` is ``units[offsets[i]:offsets[i + 1]]``; a null is empty."""

    @property
    def ascii(self) -> bool:
        """Whether no unit is above 127."""
        return self.units.dtype == np.uint8

    @property
    def lengths(self) -> Longs:
        """Each string's number of units."""
        return np.diff(self.offsets)


def utf8_bytes(column: Column) -> tuple[npt.NDArray[np.uint8], Longs]:
    """Return a string column's concatenated bytes, and the offsets of its strings in them.

    There is one offset more than strings; the first is 0 even if the column is a slice.
    """
    if column.null_count:
        column = column.fill_null("")
    _, offset_buffer, data = column.buffers()
    if len(column) == 0 or offset_buffer is None:
        return np.empty(0, np.uint8), np.zeros(len(column) + 1, np.int64)
    offsets = np.frombuffer(offset_buffer, np.int32)[
        column.offset : column.offset + len(column) + 1
    ]
    start, stop = int(offsets[0]), int(offsets[-1])
    flat = np.frombuffer(data, np.uint8)[start:stop] if stop > start else np.empty(0, np.uint8)
    return flat, offsets.astype(np.int64) - start


def is_ascii(column: Column) -> bool:
    """Whether no string has a character above 127."""
    flat, _ = utf8_bytes(column)
    return flat.size == 0 or bool(flat.max() < 0x80)


def utf16(column: Column) -> Utf16:
    """Convert a string column to UTF-16 code units.

    >>> utf16(pa.array(["ab", None, "é"])).lengths.tolist()
    [2, 0, 1]
    """
    flat, offsets = utf8_bytes(column)
    if flat.size == 0 or flat.max() < 0x80:
        return Utf16(flat, offsets)
    units = np.frombuffer(flat.tobytes().decode().encode("utf-16-le"), np.uint16)
    # The lead byte of a four-byte character counts as two units, a continuation byte as none.
    units_of_byte = np.where((flat & 0xC0) == 0x80, 0, np.where(flat >= 0xF0, 2, 1))
    old_array = np.concatenate(([0], np.cumsum(units_of_byte)))
    return Utf16(units, old_array[offsets])


def string_order(column: Column) -> Longs:
    r"""Return the positions of strings in the order of Java's ``String.compareTo``.

    UTF-8 sorts the characters above U+FFFF last, UTF-16 before U+E000.

    >>> string_order(pa.array(["\uff21", "\U0001d11e", "a"])).tolist()
    [2, 1, 0]
    """
    flat, _ = utf8_bytes(column)
    if flat.size == 0 or flat.max() < 0xF0:
        order: Longs = pc.sort_indices(column).to_numpy().astype(np.int64)
        return order
    # ``String.compareTo`` compares chars: the halves of an emoji are below U+E000, where UTF-8 puts
    # it above all others, and the least of two texts would be another one.
    texts = [text.encode("utf-16-be") for text in column.to_pylist()]
    return np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int64)


def strings(units: npt.NDArray[np.uint16], offsets: Longs) -> Column:
    """Convert UTF-16 units to strings, the inverse of ``utf16``."""
    text = units.astype("<u2").tobytes().decode("utf-16-le")
    flat = text.encode()
    data = np.frombuffer(flat, np.uint8)
    # Byte positions where a code point starts, and the unit at which each code point starts.
    starts = np.flatnonzero((data & 0xC0) != 0x80)
    width = np.where(data[starts] >= 0xF0, 2, 1)
    unit_starts = np.concatenate(([0], np.cumsum(width)))
    byte_starts = np.concatenate((starts, [len(data)]))
    places = byte_starts[np.searchsorted(unit_starts, offsets)].astype(np.int32)
    return pa.Array.from_buffers(
        pa.string(), len(offsets) - 1, [None, pa.py_buffer(places), pa.py_buffer(flat)]
    )
