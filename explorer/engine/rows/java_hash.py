"""Java's ``hashCode()`` of keys, for whole columns.

Mirrors ``String.hashCode``, ``Long.hashCode``, ``Double.hashCode``, ``Boolean.hashCode`` and
``Tuple2.hashCode`` and its siblings.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Column, values_and_nulls
from explorer.engine.rows.utf16 import utf16

Hashes = npt.NDArray[np.uint32]
"""Java ints, one per record, as unsigned numbers, which overflow silently."""

_CANONICAL_NAN: Final = 0x7FF8000000000000


def double_bits(values: npt.NDArray[np.float64]) -> npt.NDArray[np.uint64]:
    """``Double.doubleToLongBits``: every NaN is the same, -0.0 is not 0.0."""
    bits, unordered = values.view(np.uint64), np.isnan(values)
    return np.where(unordered, np.uint64(_CANONICAL_NAN), bits) if unordered.any() else bits


def _string_hashes(column: Column) -> Hashes:
    """Compute ``s[0] * 31^(n-1) + ... + s[n-1]`` in 32 bits, over all strings at once."""
    # The factor of a unit is 31 to the power of the number of units after it in its string. Sums
    # over all strings overflow at 2^32, as Java's ints do; a difference of two is one string's sum.
    result = utf16(column)
    lengths = result.lengths
    powers = np.full(int(lengths.max(initial=0)) + 1, 31, np.uint32)
    powers[0] = 1
    powers = np.cumprod(powers, dtype=np.uint32)
    behind = np.repeat(result.offsets[1:], lengths) - 1 - np.arange(result.units.size)
    terms = result.units.astype(np.uint32) * powers[behind]
    sums = np.concatenate((np.zeros(1, np.uint32), np.cumsum(terms, dtype=np.uint32)))
    return sums[result.offsets[1:]] - sums[result.offsets[:-1]]


def hash_codes(column: Column) -> Hashes:
    """Return each value's ``hashCode()``; 0 for a null, as in a tuple.

    >>> hash_codes(pa.array(["hello"])).astype(np.int32).tolist()
    [99162322]
    """
    if pa.types.is_string(column.type):
        words = column.dictionary_encode()
        codes = _string_hashes(words.dictionary)
        indices = words.indices.fill_null(len(codes)).to_numpy()
        # ``Tuple2.hashCode`` gives a null field 0; a null as the only key is refused before it is
        # hashed.
        append: Hashes = np.append(codes, np.uint32(0))[indices]
        return append
    values, nulls = values_and_nulls(column)
    codes = _number_hashes(values)
    return codes if nulls is None else np.where(nulls, np.uint32(0), codes)


def _number_hashes(values: npt.NDArray[Any]) -> Hashes:
    # ``Boolean.hashCode`` is 1231 or 1237: with 1 and 0 both keys would have other key groups than
    # in Flink.
    if values.dtype == np.bool_:
        return np.where(values, np.uint32(1231), np.uint32(1237))
    if values.dtype == np.int32:
        return values.view(np.uint32)
    is_double = values.dtype == np.float64
    bits = double_bits(values) if is_double else np.ascontiguousarray(values).view(np.uint64)
    # ``Long.hashCode``: ``(int) (value ^ value >>> 32)``, with an unsigned shift.
    return (bits ^ (bits >> np.uint64(32))).astype(np.uint32)


def key_hashes(columns: Sequence[Column]) -> Hashes:
    """Return the hash of each key: the value's own, or that of the ``Tuple`` of several columns."""
    # A Tuple's hash is 31 times the previous hash plus the next; it begins with the first field,
    # not with 1 as in ``Arrays.hashCode``.
    codes = hash_codes(columns[0])
    for column in columns[1:]:
        codes = codes * np.uint32(31) + hash_codes(column)
    return codes


def null_keys(columns: Sequence[Column]) -> npt.NDArray[np.bool_] | None:
    """Return the mask of nulls of a single key column, which Flink refuses; None: no nulls."""
    if len(columns) > 1 or columns[0].null_count == 0:
        return None
    nulls: npt.NDArray[np.bool_] = pc.is_null(columns[0]).to_numpy(zero_copy_only=False)
    return nulls
