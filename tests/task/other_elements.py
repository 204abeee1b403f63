"""Stream elements and records that Flink has and no trial sends, for the facts that name them."""

from collections.abc import Sequence

from explorer.rows.batch import Column
from explorer.task.ragged import Ragged, interleave
from explorer.task.serializers import field_bytes

TAG_MARKER, TAG_STATUS = 3, 4
ACTIVE, IDLE = 0, -1


def tuple_bytes(columns: Sequence[Column]) -> Ragged:
    """Each record as ``TupleSerializer`` writes it: its fields, without a mask."""
    return interleave([field_bytes(column) for column in columns])


def status_bytes(*, active: bool) -> bytes:
    """A watermark status as a stream element."""
    status = ACTIVE if active else IDLE
    return bytes([TAG_STATUS]) + status.to_bytes(4, "big", signed=True)


def latency_marker_bytes(marked_time: int, operator_id: str, subtask: int) -> bytes:
    """A latency marker as a stream element; ``operator_id`` in 32 hex digits."""
    time = marked_time.to_bytes(8, "big", signed=True)
    return bytes([TAG_MARKER]) + time + bytes.fromhex(operator_id) + subtask.to_bytes(4, "big")
