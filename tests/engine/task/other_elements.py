"""Records that Flink supports and no trial sends, for the facts that contain them."""

from collections.abc import Sequence

from explorer.engine.rows.batch import Column
from explorer.engine.rows.field_bytes import field_bytes
from explorer.engine.rows.ragged import Ragged, interleave


def tuple_bytes(columns: Sequence[Column]) -> Ragged:
    """Serialize each record like ``TupleSerializer``: its fields, without a mask."""
    return interleave([field_bytes(column) for column in columns])
