"""Which 128-bit hash each operator gets.

Mirrors ``StreamGraphHasherV2.traverseStreamGraphAndGenerateHashes``: breadth first from the sources
in the order of their ids; a node without a uid waits for its inputs. The hash of a node without a
uid knows nothing of the operator: only how many nodes were hashed before it, how many of its
out-edges chain, and its inputs' hashes.
"""

from collections import deque
from typing import Final

import mmh3

from explorer.errors import FlinkRefusalError
from explorer.model.chains import Step
from explorer.model.stream_graph import NodeId, StreamGraph, StreamNode

_EVEN: Final = 0x00FF00FF00FF00FF00FF00FF00FF00FF
"""Every second of a hash's 16 bytes: between them lies room for a byte times 37."""


def uid_hash(uid: str) -> str:
    """The operator ID that ``uid(...)`` gives, as 32 hex digits.

    >>> uid_hash("foo")
    '6145f501578671e2877dba2be487af7e'
    """
    return mmh3.hash_bytes(uid.encode("utf-8", "surrogatepass")).hex()


def local_hash(hashed_before: int, chained_outputs: int) -> bytes:
    """The hash of a node without a uid, before its inputs are mixed in.

    >>> local_hash(0, 1).hex()
    'cbc357ccb763df2852fee8c4fc7d55f2'
    """
    return mmh3.hash_bytes(hashed_before.to_bytes(4, "little") * (1 + chained_outputs))


def mix_in(own: int, other: int) -> int:
    """``hash[j] * 37 ^ other[j]`` for all 16 bytes at once, both as big-endian numbers."""
    low = (own & _EVEN) * 37 & _EVEN
    high = (own >> 8 & _EVEN) * 37 & _EVEN
    return (low | high << 8) ^ other


def assign_hashes(
    graph: StreamGraph, chained: list[bool], *, steps: list[Step] | None = None
) -> dict[NodeId, str]:
    """Hash every node: by node id 32 hex digits, in the order in which Flink hashes them.

    ``chained``: by edge, whether the hasher takes it as chained. ``steps`` collects what was done,
    when given. Raises ``FlinkRefusalError`` where two uids collide.
    """
    hasher = _Hasher(graph, chained, steps)
    hasher.traverse()
    return {id: f"{value:032x}" for id, value in hasher.hashes.items()}


class _Hasher:
    def __init__(self, graph: StreamGraph, chained: list[bool], steps: list[Step] | None) -> None:
        self.graph, self.chained, self.steps = graph, chained, steps
        self.hashes: dict[NodeId, int] = {}
        self.taken: dict[int, NodeId] = {}

    def traverse(self) -> None:
        queue = deque(sorted(self.graph.sources))
        visited = set(queue)
        while queue:
            node = self.graph.by_id[queue.popleft()]
            if self._hash(node):
                for i in self.graph.out_edges[node.id]:
                    target = self.graph.edges[i].target
                    if target not in visited:
                        visited.add(target)
                        queue.append(target)
            else:
                # Another input that is still to come will bring it back.
                visited.discard(node.id)
            if self.steps is not None:
                self.steps[-1].facts["queue"] = list(queue)

    def _hash(self, node: StreamNode) -> bool:
        if node.uid is not None:
            self._hash_uid(node, node.uid)
            return True
        hashes = self.hashes
        inputs = [self.graph.edges[i].source for i in self.graph.in_edges[node.id]]
        missing = [id for id in inputs if id not in hashes]
        if missing:
            self._record("put back", node, missing=missing)
            return False
        count = len(hashes)
        outputs = sum([self.chained[i] for i in self.graph.out_edges[node.id]])
        local = local_hash(count, outputs)
        value = int.from_bytes(local, "big")
        mixed = []
        for id in inputs:
            value = mix_in(value, hashes[id])
            mixed.append(value)
        hashes[node.id] = value
        self.taken.setdefault(value, node.id)
        if self.steps is not None:
            self._record(
                "hash",
                node,
                hashed_before=count,
                chained_outputs=outputs,
                put=(count.to_bytes(4, "little") * (1 + outputs)).hex(),
                local=local.hex(),
                mixed=[
                    {"input": id, "hash": f"{hashes[id]:032x}", "after": f"{after:032x}"}
                    for id, after in zip(inputs, mixed, strict=True)
                ],
                result=f"{value:032x}",
            )
        return True

    def _hash_uid(self, node: StreamNode, uid: str) -> None:
        value = int(uid_hash(uid), 16)
        if value in self.taken:
            raise _collision(uid, node, self.graph.by_id[self.taken[value]])
        self.hashes[node.id] = value
        self.taken[value] = node.id
        self._record("hash uid", node, uid=uid, put=uid.encode().hex(), result=f"{value:032x}")

    def _record(self, action: str, node: StreamNode, **facts: object) -> None:
        if self.steps is not None:
            self.steps.append(Step(action=action, node=node.id, facts=facts))


def _collision(uid: str, node: StreamNode, other: StreamNode) -> FlinkRefusalError:
    msg = (
        f'Hash collision on user-specified ID "{uid}". Most likely cause is a non-unique ID. '
        "Please check that all IDs specified via `uid(String)` are unique."
    )
    ends = [n.transformation or n.name for n in (other, node)]
    return FlinkRefusalError(msg, exception="IllegalArgumentException", transformations=ends)
