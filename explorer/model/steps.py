"""The steps of hashing and chaining, one record per step, in Flink's order.

Mirrors the calls of ``StreamGraphHasherV2`` (a node is removed from the queue) and of
``StreamingJobGraphGenerator.createChain`` (a call begins, ends, or finds its vertex built).
"""

from typing import TypeAlias

import msgspec

from explorer.model.stream_graph import NodeId


class MixedIn(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An input's hash as it is mixed into the one of its reader."""

    input: NodeId
    hash: str
    after: str
    """What the reader's hash is then."""


class _OfNode(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="action"):
    """Base of all steps: the node of the step; ``action`` is the kind of step in JSON."""

    node: NodeId


class NodeHashed(_OfNode, frozen=True, kw_only=True, gc=False, tag="hash"):
    """``generateDeterministicHash``: a node without a uid gets its hash."""

    hashed_before: int
    """Number of nodes hashed before, which is the number that is hashed."""
    chained_outputs: int
    put: str
    """The bytes that Murmur3 is given, as hex digits."""
    local: str
    """The hash of these bytes, before the inputs are mixed in."""
    mixed: tuple[MixedIn, ...]
    result: str
    queue: tuple[NodeId, ...]
    """The queue after the step."""


class NodeHashedByUid(_OfNode, frozen=True, kw_only=True, gc=False, tag="hash uid"):
    """``generateUserSpecifiedHash``: a node's uid is its hash."""

    uid: str
    put: str
    result: str
    queue: tuple[NodeId, ...]


class NodeIdReported(_OfNode, frozen=True, kw_only=True, gc=False, tag="reported"):
    """A running job has the node's ID already: nothing of Flink's is repeated."""

    result: str
    queue: tuple[NodeId, ...]


class NodePutBack(_OfNode, frozen=True, kw_only=True, gc=False, tag="put back"):
    """``generateNodeHash`` gives false: an input has no hash yet."""

    missing: tuple[NodeId, ...]
    queue: tuple[NodeId, ...]


class ChainEntered(_OfNode, frozen=True, kw_only=True, gc=False, tag="create chain"):
    """A call of ``createChain`` begins: it will visit these edges, chained ones first."""

    head: NodeId
    index: int
    """``chainIndex``."""
    chained: tuple[int, ...]
    """Positions of edges."""
    others: tuple[int, ...]


class ChainReturned(_OfNode, frozen=True, kw_only=True, gc=False, tag="return"):
    """A call of ``createChain`` ends; that of the chain's head makes the vertex."""

    head: NodeId
    edges: tuple[int, ...]
    """``transitiveOutEdges``: those that leave the chain behind the node."""
    members: tuple[NodeId, ...]
    """The chain so far, its end first."""


class VertexBuiltAlready(_OfNode, frozen=True, kw_only=True, gc=False, tag="built already"):
    """``createChain`` returns at once: the chain that starts at the node has its vertex."""

    caller: NodeId


Step: TypeAlias = (
    NodeHashed
    | NodeHashedByUid
    | NodeIdReported
    | NodePutBack
    | ChainEntered
    | ChainReturned
    | VertexBuiltAlready
)
