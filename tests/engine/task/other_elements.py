"""Records that Flink has and no trial sends, for the facts that name them."""

from collections.abc import Sequence

from explorer.engine.rows.batch import Column
from explorer.engine.rows.ragged import Ragged, interleave
from explorer.engine.task.serializers import field_bytes


def tuple_bytes(columns: Sequence[Column]) -> Ragged:
    """Each record as ``TupleSerializer`` writes it: its fields, without a mask."""
    return interleave([field_bytes(column) for column in columns])
