"""Functions on text, by code points; numbers are formatted as in Java."""

from collections.abc import Callable
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Column, Longs
from explorer.engine.rows.expressions.kernel import (
    BatchRows,
    Value,
    as_array,
    as_numpy,
    by_distinct,
    scalar_bytes,
)
from explorer.engine.rows.utf16 import is_ascii
from explorer.java_double_text import java_double_text
from explorer.java_numbers import INT_MAX

_FAR: Final = INT_MAX
"""A position beyond the end of any text."""


def length(_: BatchRows, value: Value) -> Value:
    """``CHAR_LENGTH``: the number of code points; ``String.length`` counts UTF-16 units."""
    counted = pc.binary_length(value) if is_ascii(value) else pc.utf8_length(value)
    return pc.cast(counted, pa.int64())


def lower(rows: BatchRows, value: Value) -> Value:
    """``String.toLowerCase``, which has another sigma at the end of a word."""
    return _change_case(rows, value, pc.ascii_lower, str.lower)


def upper(rows: BatchRows, value: Value) -> Value:
    """``String.toUpperCase``, which replaces some letters by two."""
    return _change_case(rows, value, pc.ascii_upper, str.upper)


def _change_case(
    rows: BatchRows, value: Value, of_ascii: Callable[[Value], Value], of_any: Callable[[str], str]
) -> Value:
    # Beyond ASCII, Python's case mapping equals Java's; Arrow's maps letters one by one.
    words = as_array(value, rows)
    return of_ascii(words) if is_ascii(words) else by_distinct(words, of_any, pa.string())


def concat(rows: BatchRows, *values: Value) -> Value:
    """Concatenate all arguments; NULL if one is NULL."""
    sizes = (
        rows.count * scalar_bytes(value) if isinstance(value, pa.Scalar) else value.nbytes
        for value in values
    )
    rows.budget.check(sum(sizes))
    return pc.binary_join_element_wise(*values, pa.scalar(""))


def substring(rows: BatchRows, value: Value, start: Value, size: Value | None = None) -> Value:
    """``size`` code points from place ``start`` on; 1 is the first, -1 the last place.

    As in ``BinaryStringDataUtil.substringSQL``, empty for a place before the first.
    """
    if isinstance(start, pa.Scalar) and (size is None or isinstance(size, pa.Scalar)):
        wanted_value = None if size is None else size.as_py()
        if start.as_py() is None or (size is not None and wanted_value is None):
            return pa.scalar(None, pa.string())
        return _slice(value, start.as_py(), _FAR if wanted_value is None else wanted_value)
    return _substrings(rows, value, start, pa.scalar(_FAR) if size is None else size)


def _slice(value: Value, start: int, size: int) -> Value:
    first = start - 1 if start > 0 else start
    last = first + max(size, 0)
    # In Arrow -1 is the last place too, but a place before the first stands for the first.
    if first < 0:
        reaches = pc.greater_equal(pc.utf8_length(value), min(-first, _FAR))
        value = pc.if_else(reaches, value, "")
    if first < 0 <= last:
        value = pc.utf8_slice_codeunits(value, start=first)
        return pc.utf8_slice_codeunits(value, start=0, stop=min(max(size, 0), _FAR))
    return pc.utf8_slice_codeunits(value, start=max(first, -_FAR), stop=min(max(last, -_FAR), _FAR))


def _substrings(rows: BatchRows, value: Value, start: Value, size: Value) -> Column:
    """Slice rows with the same place and size together."""
    starts, start_nulls = as_numpy(as_array(start, rows))
    sizes, size_nulls = as_numpy(as_array(size, rows))
    words = as_array(value, rows)
    words = pc.if_else(pa.array(np.broadcast_to(start_nulls | size_nulls, rows.count)), None, words)
    # Shape (2, distinct pairs), and the pair of each row, to which NumPy 2.0 adds a dimension.
    pairs, array = np.unique(np.stack([starts, sizes]), axis=1, return_inverse=True)
    order: Longs = np.argsort(array.reshape(-1), kind="stable")
    ends = np.searchsorted(array.reshape(-1)[order], np.arange(pairs.shape[1] + 1))
    parts = [
        _slice(words.take(pa.array(order[ends[i] : ends[i + 1]])), int(first), int(wanted_value))
        for i, (first, wanted_value) in enumerate(pairs.T)
    ]
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return pa.concat_arrays(parts).take(pa.array(back)) if parts else words


def left(rows: BatchRows, value: Value, size: Value) -> Value:
    """The first ``size`` code points."""
    return substring(rows, value, pa.scalar(1), size)


def right(rows: BatchRows, value: Value, size: Value) -> Value:
    """The last ``size`` code points."""
    return pc.utf8_reverse(left(rows, pc.utf8_reverse(value), size))


def trimmed(
    _: BatchRows, value: Value, characters: Value | None = None, *, trim: Callable[..., Value]
) -> Value:
    """Apply an Arrow function that trims characters, by default blanks."""
    return trim(value, characters=" " if characters is None else str(characters.as_py()))


def replace(rows: BatchRows, value: Value, old: Value, new: Value) -> Value:
    """Replace every ``old`` by ``new``."""
    pattern, replacement = old.as_py(), new.as_py()
    if not pattern:
        return value
    words = as_array(value, rows)
    result = pc.sum(pc.count_substring(words, pattern)).as_py() or 0
    rows.budget.check(words.nbytes + result * len(replacement.encode()))
    return pc.replace_substring(words, pattern, replacement)


def to_text(rows: BatchRows, value: Value, **_: object) -> Value:
    """``cast(value as STRING)``, formatted as by Java's ``String.valueOf``; never fails."""
    if not pa.types.is_floating(value.type):
        return pc.cast(value, pa.string())
    return double_texts(as_array(value, rows))


def double_texts(column: Column) -> Column:
    """Format DOUBLEs as ``Double.toString`` does."""
    return by_distinct(column, java_double_text, pa.string())
