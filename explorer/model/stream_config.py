"""The ``StreamConfig`` of an operator: the keys and values that its task reads from the JobGraph.

Mirrors ``StreamConfig`` and what ``StreamingJobGraphGenerator.setVertexConfig`` writes into it.
"""

from typing import TypeAlias

import msgspec

from explorer.model.stream_graph import NodeId


class ConfigEdge(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A ``StreamEdge`` in a configuration."""

    source: NodeId
    target: NodeId
    type_number: int
    partitioner: str
    side_output: str | None


class ConfigOutput(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A ``NonChainedOutput``: a result partition that an operator writes."""

    source: NodeId
    consumer_parallelism: int
    consumer_max_parallelism: int
    buffer_timeout: int
    """Milliseconds."""
    partition_type: str
    partitioner: str
    side_output: str | None
    supports_unaligned_checkpoints: bool


class ConfigInput(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An ``InputConfig``: an input gate, or a source that runs in the same task."""

    gate: int | None = None
    """The index of the gate; None: a chained source."""
    requirement: str | None = None
    """``PASS_THROUGH`` or ``SORTED``."""
    serializer: str | None = None
    """The class of its serializer; None: the document does not show it."""
    edge: ConfigEdge | None = None
    """The edge of a chained source."""


ConfigValue: TypeAlias = (
    str
    | float
    | int
    | bool
    | tuple[int, ...]
    | tuple[str, ...]
    | tuple[ConfigEdge, ...]
    | tuple[ConfigOutput, ...]
    | tuple[ConfigInput | None, ...]
    | None
)


class ConfigEntry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One key of a configuration."""

    key: str
    value: ConfigValue
    known: bool = True
    """False: Flink writes a value here that the document does not show."""


class OperatorConfig(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The configuration of one operator, its keys in alphabetical order."""

    node: NodeId
    name: str
    entries: tuple[ConfigEntry, ...]
