"""Rows as Flink's bytes, bytes as named parts, and rows as the text of a file."""

from explorer.engine.rows.batch import NO_TIMESTAMP, from_rows
from explorer.engine.rows.sinks.one_file import of_parts, of_rows
from explorer.engine.task.inspection import EVENTS, BytePart, inspect_elements, inspect_event
from explorer.engine.task.serializers import (
    LENGTH_WIDTH,
    batch_bytes,
    latency_marker_bytes,
    status_bytes,
    watermark_bytes,
)

__all__ = [
    "EVENTS",
    "LENGTH_WIDTH",
    "NO_TIMESTAMP",
    "BytePart",
    "batch_bytes",
    "from_rows",
    "inspect_elements",
    "inspect_event",
    "latency_marker_bytes",
    "of_parts",
    "of_rows",
    "status_bytes",
    "watermark_bytes",
]
