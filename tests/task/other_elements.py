"""Records that Flink has and no trial sends, for the facts that name them."""

from collections.abc import Sequence

from explorer.rows.batch import Column
from explorer.task.ragged import Ragged, interleave
from explorer.task.serializers import field_bytes


def tuple_bytes(columns: Sequence[Column]) -> Ragged:
    """Each record as ``TupleSerializer`` writes it: its fields, without a mask."""
    return interleave([field_bytes(column) for column in columns])
