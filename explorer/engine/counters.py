"""Counters of a subtask, which are sent to the driver with the rows.

Mirrors ``TaskIOMetricGroup`` and ``OperatorIOMetricGroup``.
"""

import msgspec


class OperatorCounters(msgspec.Struct, kw_only=True):
    """One operator at one subtask."""

    node: int
    records_in: int = 0
    records_out: int = 0
    late_dropped: int = 0
    """``numLateRecordsDropped`` of a window's operator; it is known when the operator is closed."""
    nanoseconds: int = 0
    """Spent in its own work, without the operators behind it and without writing."""


class EdgeCounters(msgspec.Struct, kw_only=True):
    """One out-edge at one subtask."""

    edge: int
    records: int = 0
    bytes: int = 0
    nanoseconds: int = 0
    """Spent on dealing out, encoding and counting."""


class ChainedCounters(msgspec.Struct, kw_only=True):
    """One edge within a task at one subtask; its ends are nodes."""

    source: int
    target: int
    records: int = 0
    copied: int = 0
    """Number of records copied between operators of the task."""
    nanoseconds: int = 0
    """Spent on copying."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A sink's file of one subtask, whole but not yet where it belongs."""

    file: str
    """Its name while it is in progress, which no other attempt at the subtask has."""
    rows: int
    bytes: int
    too_large: bool = False
    """Whether the rows are larger than may be written: then there is no file."""


class SubtaskReport(msgspec.Struct, kw_only=True):
    """A subtask's counters at its end."""

    task: int
    subtask: int
    attempt: int = 0
    """Which of Spark's attempts at the subtask this is."""
    begun: int = 0
    ended: int = 0
    """When, in nanoseconds since 1970."""
    records_in: int = 0
    """``numRecordsIn``: records that came over the network."""
    records_out: int = 0
    """``numRecordsOut``: records that at least one network output sent."""
    bytes_out: int = 0
    """``numBytesOut`` in Flink's format."""
    operators: tuple[OperatorCounters, ...] = ()
    edges: tuple[EdgeCounters, ...] = ()
    chained: tuple[ChainedCounters, ...] = ()
    sinks: dict[int, int] = {}
    """By node of a sink, its number of rows."""
    parts: dict[int, Part] = {}
    """By node of a sink that writes files, what this subtask wrote; without rows it writes none."""
    decode_nanoseconds: int = 0
    wait_nanoseconds: int = 0
    """Spent waiting for input."""
