"""The pass that computes the 128-bit hash of each operator.

Mirrors ``StreamGraphHasherV2.traverseStreamGraphAndGenerateHashes``: breadth first from the sources
in the order of their ids; a node without a uid waits for its inputs. The hash of a node without a
uid knows nothing of the operator: only how many nodes were hashed before it, how many of its
out-edges chain, and its inputs' hashes.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, compress, islice
from operator import attrgetter, ne
from typing import Final

import mmh3
import msgspec

from explorer.errors import FlinkRefusalError
from explorer.model.operator_ids import unknown_id
from explorer.model.steps import (
    MixedIn,
    NodeHashed,
    NodeHashedByUid,
    NodeIdReported,
    NodePutBack,
    Step,
)
from explorer.model.stream_graph import NodeId, StreamGraph, StreamNode

_TIMES_37: Final = bytes(byte * 37 & 0xFF for byte in range(256))
"""By byte, its product with 37 as Java cuts it back to a byte."""


def uid_hash(uid: str) -> str:
    """The operator ID that ``uid(...)`` gives, as 32 hex digits.

    >>> uid_hash("foo")
    '6145f501578671e2877dba2be487af7e'
    """
    return mmh3.hash_bytes(_uid_bytes(uid)).hex()


def _uid_bytes(uid: str) -> bytes:
    # ``generateUserSpecifiedHash`` hashes the uid in UTF-8, and nothing of the program: the
    # ID survives every change of the graph.
    return uid.encode("utf-8", "surrogatepass")


def local_hash(hashed_before: int, chained_outputs: int) -> bytes:
    """The hash of a node without a uid, before its inputs are mixed in.

    >>> local_hash(0, 1).hex()
    'cbc357ccb763df2852fee8c4fc7d55f2'
    """
    return mmh3.hash_bytes(local_bytes(hashed_before, chained_outputs))


def local_bytes(hashed_before: int, chained_outputs: int) -> bytes:
    """What is put into that hash: a number, once for the node and once for each chained output."""
    # Guava's ``putInt`` writes the lowest byte first, where Java's own streams write the highest.
    return hashed_before.to_bytes(4, "little") * (1 + chained_outputs)


def mix_in(value: int, input_hash: int) -> int:
    """``hash[j] * 37 ^ other[j]`` for all 16 bytes at once, both numbers in one byte order."""
    # ``StreamGraphHasherV2.generateDeterministicHash`` casts each product back to a byte: no carry
    # reaches the next byte, so the whole numbers must not be multiplied.
    product = value.to_bytes(16, "little").translate(_TIMES_37)
    return int.from_bytes(product, "little") ^ input_hash


def assign_hashes(
    graph: StreamGraph,
    chained: list[bool],
    *,
    order: Iterable[NodeId] | None = None,
    steps: list[Step] | None = None,
) -> dict[NodeId, str]:
    """Hash every node: by node id 32 hex digits, in the order in which Flink hashes them.

    ``chained``: by edge, whether the hasher counts it as chained. ``order``: all nodes in the order
    in which ``generateHashesByStreamNodeId`` is called; breadth first from the sources without it.
    ``steps`` collects what was done, when given. Raises ``FlinkRefusalError`` where two uids
    collide.

    Of a running job, with a cluster that reports IDs of heads only, an ID that these do not confirm
    is ``unknown_id``.
    """
    hasher = Hasher(graph, chained, steps)
    if order is None:
        hasher.traverse()
    else:
        hasher.hash_in(order)
    hasher.check_uids()
    ids = {id: hex_digits(value) for id, value in hasher.hashes.items()}
    unconfirmed = hasher.unconfirmed()
    if steps is not None and unconfirmed:
        steps[:] = [
            msgspec.structs.replace(step, result=unknown_id(step.node))
            if isinstance(step, NodeHashed) and step.node in unconfirmed
            else step
            for step in steps
        ]
    ids.update((id, unknown_id(id)) for id in unconfirmed)
    return ids


def reassign_hashes(
    graph: StreamGraph,
    chained: list[bool],
    old_chained: list[bool],
    old_ids: Mapping[NodeId, str],
) -> Mapping[NodeId, str]:
    """Return ``assign_hashes(graph, chained)``, given the result for other chained edges.

    ``old_ids``: the IDs that ``old_chained`` led to in a graph with the same nodes, edges and
    uids: the order of hashing is the same, and so is each ID that no changed edge reaches.
    """
    if any(map(attrgetter("operator_id"), graph.nodes)):
        return assign_hashes(graph, chained)
    sources = [edge.source for edge in graph.edges]
    in_edges, by_id = graph.in_edges, graph.by_id
    edited = set(compress(sources, map(ne, chained, old_chained)))
    outputs = Counter(compress(sources, chained))
    changed: dict[NodeId, int] = {}
    for position, id in enumerate(old_ids):
        if not changed and id not in edited:
            continue
        inputs = [sources[i] for i in in_edges[id]]
        reached = id in edited or not changed.keys().isdisjoint(inputs)
        if reached and by_id[id].uid is None:
            value = mmh3.hash128(local_bytes(position, outputs.get(id, 0)))
            for input_ in inputs:
                input_hash = changed.get(input_)
                if input_hash is None:
                    input_hash = _number(old_ids[input_])
                value = mix_in(value, input_hash)
            changed[id] = value
    ids = {id: hex_digits(value) for id, value in changed.items()}
    uids = {old_ids[node.id] for node in graph.nodes if node.uid is not None}
    return {**old_ids, **ids} if uids.isdisjoint(ids.values()) else assign_hashes(graph, chained)


def hex_digits(value: int) -> str:
    """A hash as Flink prints an ``AbstractID``; ``value``: its bytes, the lowest first."""
    return value.to_bytes(16, "little").hex()


def _number(digits: str) -> int:
    """The hash with these hex digits as ``mmh3.hash128`` gives it: its bytes, the lowest first."""
    return int.from_bytes(bytes.fromhex(digits), "little")


class Hasher:
    """Hashes the nodes of a graph; ``steps`` collects what was done, when given."""

    def __init__(
        self, graph: StreamGraph, chained: list[bool], steps: list[Step] | None = None
    ) -> None:
        self.graph, self.chained, self.steps = graph, chained, steps
        # Breadth first reads edges in no order of memory; lists of their ends fit the caches.
        self.sources = [edge.source for edge in graph.edges]
        self.targets = [edge.target for edge in graph.edges]
        self.chained_outputs = Counter(compress(self.sources, chained))
        self.hashes: dict[NodeId, int] = {}
        self.identified = {
            node.id: node
            for node in graph.nodes
            if node.uid is not None or node.operator_id is not None
        }
        """The nodes with a uid or a reported ID; the others are read as numbers alone."""
        self.queue: deque[NodeId] = deque()
        """The nodes that are next, breadth first."""
        self.confirmed: set[NodeId] = set()
        """Heads with a reported ID that is the one that they would have without a uid."""

    def traverse(self) -> None:
        """Hash all nodes, breadth first from the sources."""
        self.hash_in(self._breadth_first())

    def _breadth_first(self) -> Iterator[NodeId]:
        """The nodes as they are to be hashed; each must be hashed before the next is asked for."""
        # By number, with its sign: the sources that iterations make count down from -1.
        self.queue = queue = deque(sorted(self.graph.sources))
        visited = set(queue)
        in_edges, out_edges, targets = self.graph.in_edges, self.graph.out_edges, self.targets
        while queue:
            id = queue.popleft()
            # An only input was hashed when it put the node into the queue.
            if len(in_edges[id]) > 1 and (missing := self._missing_inputs(id)):
                # Another input that is still to come will bring it back.
                visited.discard(id)
                if self.steps is not None:
                    put_back = NodePutBack(node=id, missing=missing, queue=tuple(queue))
                    self.steps.append(put_back)
                continue
            for i in out_edges[id]:
                target = targets[i]
                if target not in visited:
                    visited.add(target)
                    queue.append(target)
            yield id

    def _missing_inputs(self, id: NodeId) -> tuple[NodeId, ...]:
        """The inputs that a node still waits for, since its ID holds theirs."""
        # ``StreamGraphHasherV2.generateNodeHash`` looks at the inputs only where there is no uid: a
        # node with one never waits, and all that are hashed after it count one more.
        node = self.identified.get(id)
        if node is not None and node.operator_id is None:
            return ()
        return tuple(input_ for input_ in self._inputs(id) if input_ not in self.hashes)

    def hash_in(self, order: Iterable[NodeId]) -> None:
        """Hash one node after the other; the inputs of each come before it."""
        hashes, hash_of = self.hashes, self._hash
        for id in order:
            hashes[id] = hash_of(id)
            if self.steps is not None:
                step = self._hashing_step(self.graph.by_id[id], tuple(self.queue))
                self.steps.append(step)

    def id_now(self, node: NodeId) -> str:
        """The ID that an operator would get if it came next; its inputs are hashed already."""
        return hex_digits(self._hash(node))

    def _hash(self, id: NodeId) -> int:
        """The node's hash if it comes next."""
        node = self.identified.get(id)
        if node is None:
            return self._generate_id(id)
        if node.operator_id is None:
            return mmh3.hash128(_uid_bytes(node.uid or ""))
        # The ID that a running job's cluster reports, checked against the generated one.
        reported = _number(node.operator_id)
        if self._generate_id(id) == reported:
            self.confirmed.add(id)
        return reported

    def check_uids(self) -> None:
        """Raise for the first uid that gives the hash of a node that was hashed before."""
        if not self.identified or len(set(self.hashes.values())) == len(self.hashes):
            return
        first: dict[int, NodeId] = {}
        for id, value in self.hashes.items():
            other, node = first.setdefault(value, id), self.identified.get(id)
            if other == id or node is None or node.operator_id is not None:
                continue
            msg = (
                f'Hash collision on user-specified ID "{node.uid}". Most likely cause is a '
                "non-unique ID. Please check that all IDs specified via `uid(String)` are unique."
            )
            ends = [self.graph.by_id[other].handle, node.handle]
            raise FlinkRefusalError(msg, exception="IllegalArgumentException", transformations=ends)

    def _generate_id(self, id: NodeId) -> int:
        # The number is ``hashes.size()`` in ``generateNodeHash``: an operator more upstream, even
        # in another branch, gives another ID to each operator without uid that is hashed later.
        hashes, sources = self.hashes, self.sources
        value = mmh3.hash128(local_bytes(len(hashes), self.chained_outputs.get(id, 0)))
        # ``StreamGraphHasherV2.generateDeterministicHash`` mixes in one in-edge after the other:
        # two edges of one input count twice, and swapped inputs give another ID.
        for i in self.graph.in_edges[id]:
            value = mix_in(value, hashes[sources[i]])
        return value

    def unconfirmed(self) -> frozenset[NodeId]:
        """The operators of a running job with a generated ID that no reported ID confirms.

        The ID of a head without a uid holds those of its inputs: where it is as generated, they
        are, and so on upstream. Of several operators that are chained to one, the cluster does not
        report which of them the head reads.
        """
        nodes = self.graph.nodes
        if all(node.operator_id is None for node in nodes):
            return frozenset()
        left = {node.id for node in nodes if node.operator_id is None and node.uid is None}
        stack = [source for head in self.confirmed for source in self._inputs(head)]
        node_ids: set[NodeId] = set()
        while stack:
            id = stack.pop()
            if id in left and id not in node_ids:
                node_ids.add(id)
                stack += self._inputs(id)
        return frozenset(left - (node_ids - self._branches()))

    def _branches(self) -> set[NodeId]:
        """The operators that share an input chain with others, and those chained after them."""
        node_ids: set[NodeId] = set()
        stack = [
            target
            for node in self.graph.nodes
            if len(targets := self._chained_targets(node.id)) > 1
            for target in targets
        ]
        while stack:
            id = stack.pop()
            if id not in node_ids:
                node_ids.add(id)
                stack += self._chained_targets(id)
        return node_ids

    def _chained_targets(self, node: NodeId) -> list[NodeId]:
        edges = self.graph.out_edges[node]
        return [self.targets[i] for i in edges if self.chained[i]]

    def _inputs(self, id: NodeId) -> list[NodeId]:
        return [self.sources[i] for i in self.graph.in_edges[id]]

    def _hashing_step(
        self, node: StreamNode, queue: tuple[NodeId, ...]
    ) -> NodeHashed | NodeHashedByUid | NodeIdReported:
        """Describe how the node that was hashed last got its hash."""
        result = hex_digits(self.hashes[node.id])
        if node.operator_id is not None:
            return NodeIdReported(node=node.id, result=result, queue=queue)
        if node.uid is not None:
            put = _uid_bytes(node.uid).hex()
            return NodeHashedByUid(node=node.id, uid=node.uid, put=put, result=result, queue=queue)
        previous, outputs = len(self.hashes) - 1, self.chained_outputs[node.id]
        inputs = self._inputs(node.id)
        local = local_hash(previous, outputs)
        values = [self.hashes[id] for id in inputs]
        # Values after each step; the first is the initial one.
        mixed = accumulate(values, mix_in, initial=_number(local.hex()))
        return NodeHashed(
            node=node.id,
            hashed_before=previous,
            chained_outputs=outputs,
            put=local_bytes(previous, outputs).hex(),
            local=local.hex(),
            mixed=tuple(
                MixedIn(input=id, hash=hex_digits(value), after=hex_digits(after_input))
                for id, value, after_input in zip(
                    inputs, values, islice(mixed, 1, None), strict=True
                )
            ),
            result=result,
            queue=queue,
        )
