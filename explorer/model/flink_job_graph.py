"""Flink's own JobGraph of a captured program, spelled as the JobGraph of a compilation is.

It is Flink's result, to be compared with the explorer's for the same StreamGraph: nothing is
computed from it. A member that the document does not give is absent, not null.
"""

import msgspec
from msgspec import UNSET, UnsetType

from explorer.model.pipeline import Resources
from explorer.model.stream_graph import NodeId


class FlinkOperator(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An operator in its chain."""

    node: NodeId
    chain_index: int
    name: str
    operator_id: str
    chain_start: bool
    chain_end: bool
    managed_memory_fraction: float | UnsetType | None = UNSET
    chained_outputs: tuple[NodeId, ...] = ()


class FlinkVertex(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A ``JobVertex``."""

    id: str
    name: str
    description: str | UnsetType | None = UNSET
    parallelism: int
    max_parallelism: int
    invokable: str | UnsetType = UNSET
    slot_sharing_group: int | UnsetType = UNSET
    min_resources: Resources | UnsetType | None = UNSET
    operator_ids: tuple[str, ...] | UnsetType = UNSET
    user_defined_operator_ids: tuple[str | None, ...] | UnsetType = UNSET
    operators: tuple[FlinkOperator, ...] | UnsetType = UNSET
    co_located: bool | UnsetType = UNSET


class FlinkEdge(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A ``JobEdge``."""

    source: str
    target: str
    input: int | UnsetType = UNSET
    ship_strategy: str
    distribution_pattern: str | UnsetType = UNSET
    result_type: str | UnsetType = UNSET
    dataset_index: int | UnsetType = UNSET


class FlinkJobGraph(msgspec.Struct, frozen=True, kw_only=True):
    """A ``JobGraph`` as a release printed it."""

    flink: str | UnsetType = UNSET
    """The version that made it, with its patch level, as in 1.20.5."""
    job_type: str | UnsetType = UNSET
    vertices: tuple[FlinkVertex, ...]
    edges: tuple[FlinkEdge, ...]
