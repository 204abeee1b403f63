"""The records that each channel of an edge transferred, and the network buffers of their bytes.

Buffers are those of a job that sends only full buffers, without a buffer timeout.
"""

from typing import Any

import msgspec

from explorer.engine.preview.record_tracing import row_of
from explorer.engine.preview.tracing import TracedRun
from explorer.engine.task.choices import ChannelChoice, choice
from explorer.engine.task.lineage import Sent
from explorer.engine.task.record_route import TracedRow


class ChannelRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record in a channel."""

    row: TracedRow
    start: int
    """Bytes that the channel transferred before this record."""
    size: int
    """The record's bytes, with the length before them."""
    buffers: tuple[int, int]
    """The first and the last buffer with bytes of the record, counted from 0."""
    choice: ChannelChoice
    """The reason for the channel."""


class ChannelRecords(msgspec.Struct, frozen=True, kw_only=True):
    """One channel of an edge."""

    subtask: int
    """The producer's."""
    channel: int
    consumers: tuple[int, ...]
    """The subtasks that read the channel; all subtasks for a broadcast."""
    records: int
    bytes: int
    """Bytes of the records, without watermarks and events."""
    rows: tuple[ChannelRecord, ...]
    """The first records."""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members."""
        return dict(msgspec.to_builtins(self))


def channel_records(
    run: TracedRun, job_edge: int, buffer_size: int, maximum: int
) -> tuple[ChannelRecords, ...]:
    """Return every used channel, sorted by producer, each with its first ``maximum`` records."""
    places: dict[tuple[int, int], list[Sent]] = {}
    for sent in run.sent:
        if sent.edge == job_edge:
            places.setdefault((sent.subtask, sent.channel), []).append(sent)
    return tuple(
        _of_channel(run, place, parts, buffer_size, maximum)
        for place, parts in sorted(places.items())
    )


def _of_channel(
    run: TracedRun, place: tuple[int, int], parts: list[Sent], buffer_size: int, maximum: int
) -> ChannelRecords:
    edge = run.edges[parts[0].edge]
    numbers = [number for part in parts for number in part.numbers.tolist()]
    starts = [start for sent in parts for start in sent.starts.tolist()]
    sizes = [size for item in parts for size in item.sizes.tolist()]
    rows: list[ChannelRecord] = []
    for number, start, size in list(zip(numbers, starts, sizes, strict=True))[:maximum]:
        among, at = run.ancestry.place(number)
        last = (start + size - 1) // buffer_size
        rows.append(
            ChannelRecord(
                row=row_of(run, number),
                start=start,
                size=size,
                buffers=(start // buffer_size, last),
                choice=choice(edge, *place, among.batch, at),
            )
        )
    return ChannelRecords(
        subtask=place[0],
        channel=place[1],
        consumers=rows[0].choice.consumers,
        records=len(numbers),
        bytes=sum(sizes),
        rows=tuple(rows),
    )
