"""Records that Flink has and no trial sends, for the facts that name them."""

from collections.abc import Sequence

from explorer.engine.rows.batch import Column
from explorer.engine.rows.field_bytes import field_bytes
from explorer.engine.rows.ragged import Ragged, interleave


def tuple_bytes(columns: Sequence[Column]) -> Ragged:
    """Each record as ``TupleSerializer`` writes it: its fields, without a mask."""
    return interleave([field_bytes(column) for column in columns])
