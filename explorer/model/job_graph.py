"""The JobGraph: one vertex a chain, one edge a stream that crosses tasks.

Mirrors ``JobGraph``, ``JobVertex``, ``JobEdge`` and ``IntermediateDataSet`` of Flink's runtime.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from explorer.model.frozen import FrozenRecord
from explorer.model.pipeline import Resources, SavepointRestore
from explorer.model.stream_graph import NodeId


class ChainedOperator(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An operator in its chain, as ``StreamConfig`` holds it."""

    node: NodeId
    chain_index: int
    name: str
    description: str | None = None
    """Flink's operator description; None where it equals the name."""
    operator_id: str
    chain_start: bool
    chain_end: bool
    managed_memory_fraction: float | None
    """None: the release has no fractions."""
    chained_outputs: tuple[NodeId, ...]


class Format(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An input or output format that a vertex carries, as ``InputOutputFormatContainer`` does."""

    operator_id: str
    kind: Literal["input", "output"]
    class_name: str


class CheckpointSettings(msgspec.Struct, frozen=True, kw_only=True):
    """``JobCheckpointingSettings``; times in milliseconds."""

    interval: int
    """``Long.MAX_VALUE`` where checkpoints are off."""
    timeout: int
    min_pause: int
    max_concurrent: int
    retention: str
    exactly_once: bool
    unaligned: bool
    tolerable_failures: int
    trigger: tuple[str, ...] | None = None
    """Vertices that a checkpoint is triggered at; None from the release on that derives them."""
    acknowledge: tuple[str, ...] | None = None
    commit: tuple[str, ...] | None = None


class JobVertex(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A chain of operators that run in one task."""

    id: str
    """32 hex digits: the operator ID of the chain's head."""
    name: str
    description_mode: Literal["TREE", "CASCADING"] | None
    """None: the release's vertices have no description."""
    chained_sources: tuple[NodeId, ...] = ()
    """The sources that run in the head's task, in Flink's order."""
    parallelism: int
    max_parallelism: int
    declared_parallelism: int | None = None
    """The program's parallelism where an option overrides it; None: nothing overrides it."""
    invokable: str
    """The task's full class name."""
    slot_sharing_group: int
    """Equal numbers, same group."""
    min_resources: Resources | None
    operator_ids: tuple[str, ...]
    """Depth first, tail first, head last."""
    user_defined_operator_ids: tuple[str | None, ...]
    operators: tuple[ChainedOperator, ...]
    """In the order of their node ids; the head is the one with ``chain_start``."""
    co_located: bool
    formats: tuple[Format, ...] = ()
    """Not empty: the vertex is an ``InputOutputFormatVertex``."""

    @property
    def head(self) -> NodeId:
        """The operator that starts the chain."""
        return next(operator.node for operator in self.operators if operator.chain_start)


class JobEdge(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An input of a vertex: which data set it reads, and how."""

    source: str
    target: str
    input: int
    """The position among the target's inputs."""
    ship_strategy: str
    """What the partitioner prints."""
    partitioner_class: str
    distribution_pattern: str
    result_type: str
    dataset_index: int
    """The position among the data sets that the source vertex produces."""
    stream_edge: int
    """The position of the StreamEdge in ``StreamGraph.edges``."""


class JobGraph(FrozenRecord, frozen=True, kw_only=True):
    """All vertices and edges, in Flink's order: downstream vertices first."""

    job_type: str
    vertices: tuple[JobVertex, ...]
    edges: tuple[JobEdge, ...]
    checkpointing: CheckpointSettings
    savepoint: SavepointRestore | None
    artifacts: Mapping[str, str]
    vertex_of: Mapping[NodeId, int]
    """By node id, the position of its vertex in ``vertices``."""

    def vertex(self, id: str) -> JobVertex:
        """The vertex with this ID; raises ``KeyError`` when there is none."""
        for vertex in self.vertices:
            if vertex.id == id:
                return vertex
        raise KeyError(id)

    def task_of(self, node: NodeId) -> JobVertex:
        """The vertex that an operator runs in; raises ``KeyError`` when there is none."""
        return self.vertices[self.vertex_of[node]]
