"""Fields as Flink's serializers write them: ``LongSerializer``, ``StringSerializer`` and so on."""

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Column, values_and_nulls
from explorer.engine.rows.java_hash import double_bits
from explorer.engine.rows.ragged import Ragged, varints
from explorer.engine.rows.utf16 import utf16


def field_bytes(column: Column) -> Ragged:
    """Serialise each value like its type's serializer; a null like 0 or an empty text."""
    if pa.types.is_string(column.type):
        return _string_bytes(column)
    values, _ = values_and_nulls(column)
    if values.dtype == np.float64:
        values = double_bits(values)
    # Big-endian, as ``DataOutput`` writes; shape (records, bytes of the type).
    wide = np.ascontiguousarray(values.astype(values.dtype.newbyteorder(">")))
    return Ragged.fixed(wide.view(np.uint8).reshape(len(values), wide.itemsize))


def _string_bytes(column: Column) -> Ragged:
    # The length plus one, then every UTF-16 unit, all as varints. ``StringValue.writeString``
    # reserves 0 for null, which a row marks in its mask instead.
    result = utf16(column)
    numbers = np.insert(result.units.astype(np.int64), result.offsets[:-1], result.lengths + 1)
    coded = varints(numbers)
    ends = np.cumsum(result.lengths + 1)
    byte_ends = np.cumsum(coded.lengths)[ends - 1] if len(ends) else ends
    return Ragged(coded.data, np.diff(byte_ends, prepend=0))
