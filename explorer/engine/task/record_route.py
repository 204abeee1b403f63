"""The steps of one traced record: read, processed, emitted, sent, collected.

Mirrors what a ``StreamRecord`` goes through: ``SourceContext.collect``, ``processElement`` of each
operator, ``ChainingOutput`` or ``RecordWriterOutput``, a channel, and the next task's input.
"""

from typing import TypeAlias

import msgspec

from explorer.engine.steps.step import Step
from explorer.engine.task.choices import ChannelChoice

Value: TypeAlias = str | int | float | bool | None


class TracedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A readable record."""

    number: int
    """The record's number in the traced run."""
    values: tuple[tuple[str, Value], ...]
    """Column and value."""
    timestamp: int | None


class TracedRows(msgspec.Struct, frozen=True, kw_only=True):
    """Some records, and the count of all."""

    shown: tuple[TracedRow, ...]
    count: int


class _AtNode(msgspec.Struct, frozen=True, kw_only=True, tag_field="action"):
    """Fields of all steps; ``action`` is their kind in JSON."""

    node: int
    """The operator that acts."""
    subtask: int
    """The operator's subtask."""


class RowRead(_AtNode, frozen=True, kw_only=True, tag="read"):
    """A source reads a row and emits it."""

    place: int
    """Position among the source's rows, counted from 0."""
    row: TracedRow


class RowWorked(_AtNode, frozen=True, kw_only=True, tag="work"):
    """An operator reads a row and emits rows, immediately or when a watermark arrives."""

    input: int
    does: Step | None
    """None: the operator forwards rows unchanged."""
    tag: str | None
    """The side output that the row was emitted to; None: the main output."""
    taken: TracedRows
    """All contributing rows, including the traced row."""
    made: TracedRows
    later: int = 0
    """Number of further records to which the row contributed, as in a rolling sum."""


class RowEnded(_AtNode, frozen=True, kw_only=True, tag="end"):
    """An operator reads a record and emits nothing for it."""

    input: int
    does: Step | None
    row: TracedRow


class RowChained(_AtNode, frozen=True, kw_only=True, tag="chained"):
    """A call passes a row to the next operator of the chain."""

    edge: int
    """The position of its ``StreamEdge``."""
    target: int
    row: TracedRow


class RowSent(_AtNode, frozen=True, kw_only=True, tag="sent"):
    """A row leaves its task through a channel."""

    edge: int
    job_edge: int
    """The position of its ``JobEdge``."""
    target: int
    choice: ChannelChoice
    start: int
    """Bytes that the channel had transferred before."""
    size: int
    """Bytes of the row, with the length before them."""
    bytes: str
    """The bytes as hexadecimal digits, up to a limit."""
    row: TracedRow


class RowFedBack(_AtNode, frozen=True, kw_only=True, tag="fed back"):
    """The tail of an iteration reads a row, and the head emits it in the next round."""

    target: int
    """The iteration's head."""
    row: TracedRow


class RowCollected(_AtNode, frozen=True, kw_only=True, tag="collect"):
    """A sink reads a row."""

    place: int
    """Position among the sink's rows, counted from 0."""
    row: TracedRow


RouteStep: TypeAlias = (
    RowRead | RowWorked | RowEnded | RowChained | RowSent | RowFedBack | RowCollected
)
