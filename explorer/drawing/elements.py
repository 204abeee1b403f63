"""The elements of both graphs as a drawing or a table shows them: every id and outcome looked up.

A key names an element: ``n3`` the StreamNode 3, ``e0`` a StreamEdge by position, ``v1`` a job
vertex by the number of its chain, ``j0`` a JobEdge by position.
"""

from collections.abc import Mapping

import msgspec

from explorer.analysis.identity import EdgeIdentity, Identity
from explorer.model.frozen import freeze


class NodeView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One operator."""

    key: str
    id: int
    name: str
    uid: str | None
    uid_hash: str | None
    hash: str
    parallelism: int
    max_parallelism: int
    strategy: str | None
    slot_sharing_group: str | None
    vertex_class: str
    buffer_timeout: int
    transformation: str | None
    type: str
    """The transformation's type, or nothing when no pipeline document is known."""
    vertex: str
    """The key of its job vertex."""
    chain_index: int
    identity: Identity
    """Which operator it is in whatever graph."""


class EdgeView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One stream between two operators."""

    key: str
    index: int
    source: str
    target: str
    source_name: str
    target_name: str
    input: int
    partitioner: str
    exchange_mode: str
    side_output: str | None
    via: tuple[str, ...]
    chained: bool
    """Whether both ends run in one task; a source inside a multiple-input task does so too."""
    failed: tuple[str, ...]
    """Codes of the conditions that do not hold."""
    cause: str
    """Why it is cut, in a word or two; empty for a chained edge."""
    job_edge: str | None
    identity: EdgeIdentity
    """Which edge it is in whatever graph."""


class VertexView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One job vertex and its chain."""

    key: str
    number: int
    id: str
    name: str
    parallelism: int
    max_parallelism: int
    invokable: str
    """The task's class without its package."""
    slot_sharing_group: int
    nodes: tuple[str, ...]
    """By chain index."""
    edges: tuple[str, ...]
    """The chained edges within."""


class JobEdgeView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One input of a job vertex."""

    key: str
    source: str
    target: str
    source_name: str
    target_name: str
    input: int
    ship_strategy: str
    pattern: str
    result_type: str
    channels: int
    dataset_index: int
    edge: str


class GraphView(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Both graphs and how they belong together."""

    release: str
    nodes: tuple[NodeView, ...]
    edges: tuple[EdgeView, ...]
    vertices: tuple[VertexView, ...]
    """By number."""
    job_edges: tuple[JobEdgeView, ...]
    slots: int
    node_of: Mapping[str, NodeView]
    """These four find an element by its key."""
    edge_of: Mapping[str, EdgeView]
    vertex_of: Mapping[str, VertexView]
    job_edge_of: Mapping[str, JobEdgeView]
    alike: Mapping[str, int] = {}
    """By key, how many edges one stands for in a drawing; see ``bundles.py``."""

    def __post_init__(self) -> None:
        freeze(self, "node_of", "edge_of", "vertex_of", "job_edge_of", "alike")
