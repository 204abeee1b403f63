"""Counters of a subtask, sent to the driver with the rows.

Mirrors ``TaskIOMetricGroup`` and ``OperatorIOMetricGroup``.
"""

import msgspec


class OperatorCounters(msgspec.Struct, kw_only=True):
    """Counters of an operator's subtask."""

    node: int
    records_in: int = 0
    records_out: int = 0
    late_dropped: int = 0
    """``numLateRecordsDropped`` of a window operator, set when the operator is closed."""
    nanoseconds: int = 0
    """The operator's own work, without downstream operators and without writing."""


class EdgeCounters(msgspec.Struct, kw_only=True):
    """Counters of an output edge at one subtask."""

    edge: int
    records: int = 0
    bytes: int = 0
    nanoseconds: int = 0
    """Selecting channels, encoding and counting."""


class ChainedCounters(msgspec.Struct, kw_only=True):
    """Counters of an edge within a task at one subtask; ``source`` and ``target`` are nodes."""

    source: int
    target: int
    records: int = 0
    copied: int = 0
    """Number of records copied between operators of the task."""
    nanoseconds: int = 0
    """Copying."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A sink's complete file of one subtask, before it is committed."""

    file: str
    """The name of the part in progress, unique to the attempt at the subtask."""
    rows: int
    bytes: int
    too_large: bool = False
    """Whether the rows exceed the size limit; then there is no file."""


class SubtaskReport(msgspec.Struct, kw_only=True):
    """A subtask's counters at its end."""

    task: int
    subtask: int
    attempt: int = 0
    """Spark's number of the attempt at the subtask."""
    begun: int = 0
    ended: int = 0
    """Start and end in nanoseconds since 1970."""
    records_in: int = 0
    """``numRecordsIn``: records received over the network."""
    records_out: int = 0
    """``numRecordsOut``: records that at least one network output sent."""
    bytes_out: int = 0
    """``numBytesOut`` in Flink's format."""
    operators: tuple[OperatorCounters, ...] = ()
    edges: tuple[EdgeCounters, ...] = ()
    chained: tuple[ChainedCounters, ...] = ()
    sinks: dict[int, int] = {}
    """Number of rows of each sink's node."""
    parts: dict[int, Part] = {}
    """The file of each sink's node that writes files; none without rows."""
    decode_nanoseconds: int = 0
    wait_nanoseconds: int = 0
    """Waiting for input."""
