"""The steps of one traced record: read, processed, emitted, sent, collected.

Mirrors what a ``StreamRecord`` goes through: ``SourceContext.collect``, ``processElement`` of each
operator, ``ChainingOutput`` or ``RecordWriterOutput``, a channel, and the next task's input.
"""

from typing import TypeAlias

import msgspec

from explorer.engine.operators.step import Step
from explorer.engine.task.choices import ChannelChoice

Value: TypeAlias = str | int | float | bool | None


class TracedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A record as it can be read."""

    number: int
    """By which the traced run knows it."""
    values: tuple[tuple[str, Value], ...]
    """Column and value."""
    timestamp: int | None


class TracedRows(msgspec.Struct, frozen=True, kw_only=True):
    """Some records, and how many there are in all."""

    shown: tuple[TracedRow, ...]
    count: int


class _AtNode(msgspec.Struct, frozen=True, kw_only=True, tag_field="action"):
    """What all steps share; ``action`` is their kind in JSON."""

    node: int
    """The operator that acts."""
    subtask: int
    """Which of its subtasks."""


class RowRead(_AtNode, frozen=True, kw_only=True, tag="read"):
    """A source reads a row and emits it."""

    place: int
    """Which row of the source, counted from 0."""
    row: TracedRow


class RowWorked(_AtNode, frozen=True, kw_only=True, tag="work"):
    """An operator reads a row and emits some, at once or when a watermark comes."""

    input: int
    does: Step | None
    """None: it passes rows on."""
    tag: str | None
    """The side output that the row was emitted to; None: the main output."""
    taken: TracedRows
    """All contributing rows, the traced row among them."""
    made: TracedRows
    later: int = 0
    """Number of further records to which the row contributed, as in a rolling sum."""


class RowEnded(_AtNode, frozen=True, kw_only=True, tag="end"):
    """An operator reads a record and emits nothing for it."""

    input: int
    does: Step | None
    row: TracedRow


class RowChained(_AtNode, frozen=True, kw_only=True, tag="chained"):
    """A row goes to the next operator of the chain, by a call."""

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
    """How many bytes the channel had carried before."""
    size: int
    """The row's bytes, with the length before them."""
    bytes: str
    """The same as hexadecimal digits; cut where they are many."""
    row: TracedRow


class RowFedBack(_AtNode, frozen=True, kw_only=True, tag="fed back"):
    """The tail of an iteration reads a row, and the head emits it in the next round."""

    target: int
    """The head."""
    row: TracedRow


class RowCollected(_AtNode, frozen=True, kw_only=True, tag="collect"):
    """A sink reads a row."""

    place: int
    """Which of the sink's rows, counted from 0."""
    row: TracedRow


RouteStep: TypeAlias = (
    RowRead | RowWorked | RowEnded | RowChained | RowSent | RowFedBack | RowCollected
)
