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
"""Java ints, one a record, as unsigned numbers, with silent overflow."""

_CANONICAL_NAN: Final = 0x7FF8000000000000
_TRUE, _FALSE = 1231, 1237


def double_bits(values: npt.NDArray[np.float64]) -> npt.NDArray[np.uint64]:
    """``Double.doubleToLongBits``: every NaN is the same, -0.0 is not 0.0."""
    bits = values.view(np.uint64)
    return np.where(np.isnan(values), np.uint64(_CANONICAL_NAN), bits)


def _fold(bits: npt.NDArray[np.uint64]) -> Hashes:
    # ``Long.hashCode``: ``(int) (value ^ value >>> 32)``, a shift that draws in zeros.
    return (bits ^ (bits >> np.uint64(32))).astype(np.uint32)


def _string_hashes(column: Column) -> Hashes:
    """``s[0] * 31^(n-1) + ... + s[n-1]`` in 32 bits, over all strings at once."""
    # A unit weighs 31 to the power of how many stand behind it in its string. Sums run on over all
    # strings and start over at 2^32, as Java's ints do; the difference of two is one string's own.
    found = utf16(column)
    lengths = found.lengths
    powers = np.full(int(lengths.max(initial=0)) + 1, 31, np.uint32)
    powers[0] = 1
    powers = np.cumprod(powers, dtype=np.uint32)
    behind = np.repeat(found.offsets[1:], lengths) - 1 - np.arange(found.units.size)
    terms = found.units.astype(np.uint32) * powers[behind]
    sums = np.concatenate((np.zeros(1, np.uint32), np.cumsum(terms, dtype=np.uint32)))
    return sums[found.offsets[1:]] - sums[found.offsets[:-1]]


def hash_codes(column: Column) -> Hashes:
    """Each value's ``hashCode()``; a null's is 0, as in a tuple.

    >>> hash_codes(pa.array(["hello"])).astype(np.int32).tolist()
    [99162322]
    """
    if pa.types.is_string(column.type):
        words = column.dictionary_encode()
        codes = _string_hashes(words.dictionary)
        indices = words.indices.fill_null(len(codes)).to_numpy()
        found: Hashes = np.append(codes, np.uint32(0))[indices]
        return found
    values, nulls = values_and_nulls(column)
    codes = _number_hashes(values)
    return codes if nulls is None else np.where(nulls, np.uint32(0), codes)


def _number_hashes(values: npt.NDArray[Any]) -> Hashes:
    if values.dtype == np.bool_:
        return np.where(values, np.uint32(_TRUE), np.uint32(_FALSE))
    if values.dtype == np.float64:
        return _fold(double_bits(values))
    if values.dtype == np.int32:
        return values.view(np.uint32)
    return _fold(np.ascontiguousarray(values).view(np.uint64))


def key_hashes(columns: Sequence[Column]) -> Hashes:
    """The key's hash: of one column its value's own, of several that of their ``Tuple``."""
    # A key of one column is the value itself, of several a Tuple: 31 times what came before, plus
    # the next; it begins with the first field, and not with 1 as ``Arrays.hashCode`` does.
    codes = hash_codes(columns[0])
    for column in columns[1:]:
        codes = codes * np.uint32(31) + hash_codes(column)
    return codes


def null_keys(columns: Sequence[Column]) -> npt.NDArray[np.bool_] | None:
    """Where a single key column is null, which Flink refuses; None: nowhere."""
    if len(columns) > 1 or columns[0].null_count == 0:
        return None
    nulls: npt.NDArray[np.bool_] = pc.is_null(columns[0]).to_numpy(zero_copy_only=False)
    return nulls
